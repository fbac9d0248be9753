"""The modules on which a module depends, found in their source without running them.

Imports inside functions count, and names that are given to ``import_module``; those for type checkers alone
do not. The imports of a text are then known by its hash, for parsing all of it takes a second.
"""

from __future__ import annotations

import ast
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, MutableMapping

_NAME = "efdgen"


class Closure(NamedTuple):
    """All that a module depends on, itself included.

    ``files`` are hashes of modules of this package, and of the grammars that they read, by their paths;
    ``others`` the top-level packages that they import from elsewhere.
    """

    files: dict[str, str]
    others: frozenset[str]


class Package:
    """The modules in a directory, each read once.

    ``imports`` says what texts import, by their hashes, and is added to.
    """

    def __init__(self, directory: Path, imports: MutableMapping[str, list[str]]) -> None:
        self._directory, self._imports = directory, imports
        self._paths: dict[str, Path | None] = {}
        self._digests: dict[Path, str] = {}
        self._data: dict[Path, list[Path]] = {}

    def closure(self, module: str) -> Closure:
        """Return what a module depends on, by its dotted name."""
        found: set[Path] = set()
        others: set[str] = set()
        pending, seen = [module], set[str]()
        while pending:
            name = pending.pop()
            first, *rest = name.split(".")
            if name in seen:
                continue
            seen.add(name)
            if first != _NAME:
                others.add(first)
                continue
            pending += [".".join([first, *rest[:-1]])] if rest else []
            path = self._path(name)
            if path is not None and path not in found:
                found.add(path)
                # The package offers its API, which no module of it calls.
                pending += self._imported_by(path) if rest else []
        found |= {data for path in found for data in self._read_by(path)}
        files = {str(path.relative_to(self._directory)): self._digest(path) for path in sorted(found)}
        return Closure(files, frozenset(others))

    def _path(self, module: str) -> Path | None:
        """Return a module's file, None where the name is that of something in a module."""
        if module not in self._paths:
            stem = self._directory.joinpath(*module.split(".")[1:])
            found = stem / "__init__.py" if stem.is_dir() else stem.with_suffix(".py")
            self._paths[module] = found if found.is_file() else None
        return self._paths[module]

    def _imported_by(self, path: Path) -> Iterable[str]:
        digest = self._digest(path)
        if digest not in self._imports:
            self._imports[digest] = sorted(set(_imported(ast.parse(path.read_bytes()))))
        return self._imports[digest]

    def _digest(self, path: Path) -> str:
        if path not in self._digests:
            self._digests[path] = hashlib.sha256(path.read_bytes()).hexdigest()
        return self._digests[path]

    def _read_by(self, module: Path) -> list[Path]:
        """Return the files beside a module that are no Python and whose suffix its text mentions."""
        if module.parent not in self._data:
            python = {".py", ".pyc"}
            data = [path for path in module.parent.iterdir() if path.suffix not in python and path.is_file()]
            self._data[module.parent] = [path for path in data if path.suffix]
        data = self._data[module.parent]
        return [path for path in data if path.suffix.encode() in module.read_bytes()]


def _imported(node: ast.AST) -> Iterator[str]:
    """Yield dotted names of modules, or of something in them, that are imported at or below a node."""
    children: Iterable[ast.AST] = ast.iter_child_nodes(node)
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            children = node.orelse
        case ast.Import():
            yield from (name.name for name in node.names)
        case ast.ImportFrom(module=str(module)):
            yield from (f"{module}.{name.name}" for name in node.names)
        case ast.Call(
            func=ast.Name(id="import_module") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(module))],
        ):
            yield module
    for child in children:
        yield from _imported(child)
