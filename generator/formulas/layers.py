"""Layers of descriptions: formulas, systems, kinds, maps, curves and hosts of users over those in ``efd/``.

A file of an upper layer hides the file of the same name below. The layers in force are, from the top: what
``--database`` names, what ``EFDGEN_PATH`` names, ``efd`` beside a project file ``efdgen.toml``, and ``efd/``.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.reading import decoded, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.language.diagnosis import Dialect

BUILT_IN = Path(__file__).resolve().parents[2] / "efd"
PATH = "EFDGEN_PATH"
PROJECT_FILE = "efdgen.toml"
# Copies that editors leave beside a file (x~, .x.swp, #x#, x.orig) do not match.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]*(\.(op3|toml))?")

_LEFT = re.compile(r"[.#].*|.*[~#]|.*\.(orig|bak|rej|sw[a-z]|tmp|new|old|md)")
_FIELD_CLASS = re.compile(r"g[0-9]+[a-z]*")
_PLACES = ("g*/*/*", "g*/*/*/*", "g*/*/*/*/*", "kinds/*", "curves/*", "hosts/*")

_asked: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Draft:
    """A file that is in no layer: the name that it would have there, what errors call it, and its text."""

    name: str
    path: str
    text: str
    dialect: Dialect = "normalised"


@dataclass(frozen=True)
class Layers:
    """Directories, the uppermost first, and over them drafts.

    ``above`` is the first part of every name where the directories lack it: ``g1p`` for ``shortw/xz``.
    ``is_site`` means the directories of the database's site, ``g1p/data`` and ``g1p/auto-code``.
    """

    roots: tuple[Path, ...]
    drafts: tuple[Draft, ...] = ()
    above: str = ""
    is_site: bool = False

    def __post_init__(self) -> None:
        for root in self.roots:
            if not root.is_dir():
                raise EfdgenError(f"{root}: no such directory")

    def glob(self, pattern: str) -> dict[str, Path]:
        """Return the files that a pattern with slashes means, by their names in the layers, sorted."""
        found: dict[str, Path] = {
            draft.name: Path(draft.path) for draft in self.drafts if _matches(draft.name, pattern)
        }
        for root in self.roots:
            for path in root.glob(self._inside(pattern)):
                if _NAME.fullmatch(path.name) and path.is_file():
                    found.setdefault(self._outside(PurePosixPath(path.relative_to(root))), path)
        return dict(sorted(found.items()))

    def _inside(self, name: str) -> str:
        """Return a name, or a pattern of names, as it is in the directories."""
        field_class, _, rest = name.partition("/")
        if self.is_site:
            return f"{field_class}/{'auto-code' if name.endswith('.op3') else 'data'}/{rest}"
        return rest if self.above else name

    def _outside(self, path: PurePosixPath) -> str:
        """Return the name of a path in a directory."""
        first, *rest = path.parts
        return "/".join([first, *rest[1:]] if self.is_site else [*filter(None, [self.above]), *path.parts])

    def path(self, name: str) -> Path:
        """Return where a name is in the uppermost layer that has it, or would be in the lowest."""
        for draft in self.drafts:
            if draft.name == name:
                return Path(draft.path)
        paths = [root / self._inside(name) for root in self.roots]
        return next((path for path in paths if path.exists()), paths[-1])

    def text(self, name: str) -> str:
        """Return the text of a file; raise :class:`EfdgenError` if it is missing or not in UTF-8."""
        return decoded(self.bytes(name), str(self.path(name)))

    def bytes(self, name: str) -> bytes:
        """Return the content of a file, text or not; raise :class:`EfdgenError` if it is missing."""
        for draft in self.drafts:
            if draft.name == name:
                return draft.text.encode()
        return read_bytes(self.path(name), regular=True)

    def dialect(self, name: str) -> Dialect:
        """Return the dialect of a draft; files of layers are normalised."""
        return next((draft.dialect for draft in self.drafts if draft.name == name), "normalised")

    def has(self, name: str) -> bool:
        """Return whether there is a file of this name."""
        return any(draft.name == name for draft in self.drafts) or self.path(name).is_file()

    def is_built_in(self, name: str) -> bool:
        """Return whether a name means a file of the built-in layer, hidden by none."""
        return self.path(name).is_relative_to(BUILT_IN)

    def hidden(self) -> Iterator[tuple[Path, Path]]:
        """Yield each file that hides another, with the one that it hides."""
        for number, root in enumerate(self.roots[:-1]):
            for pattern in _PLACES:
                for path in root.glob(pattern):
                    if _NAME.fullmatch(path.name) and path.is_file():
                        below = (lower / path.relative_to(root) for lower in self.roots[number + 1 :])
                        yield from ((path, other) for other in below if other.is_file())

    def meaningless(self) -> Iterator[str]:
        """Say which files of the user are not read, except for files that editors leave."""
        for root in self.roots:
            if root == BUILT_IN:
                continue
            for path in sorted(root.glob("g*/*/*/*/*")):
                if path.is_symlink() and not path.exists():
                    yield f"{path} is a link to nothing"
                elif path.is_file() and not _NAME.fullmatch(path.name) and not _LEFT.fullmatch(path.name):
                    yield f"{path} is not read: a name is of letters, digits, -, _ and + alone"
            if any(root.iterdir()) and not any(any(root.glob(pattern)) for pattern in _PLACES):
                yield f"{root} has no formulas, or whatever else there is: {_meant(root)}"


def _meant(root: Path) -> str:
    """Say which directory may be meant by one that has nothing in its place."""
    for folder in (root.absolute(), *root.absolute().parents):
        if _FIELD_CLASS.fullmatch(folder.name):
            return f"give the directory above {folder.name}, {folder.parent}"
    return "these are in places such as g1p/shortw/jacobian-0/doubling/NAME"


def published_layers(tree: Path) -> Layers:
    """Return a published tree; if it begins with models, they are of large characteristic.

    A copy of the site has its formulas in ``g1p/data`` and its three-operand code in ``g1p/auto-code``.
    Raises :class:`EfdgenError` for a tree of formulas alone, which is not a published tree.
    """
    if any(tree.glob("g*/data/*/coordinates")):
        return Layers((tree,), is_site=True)
    if any(tree.glob("g*/*/*/*/*")) and not any(tree.glob("g*/*/coordinates")):
        raise EfdgenError(f"{tree}: no model in it, as g1p/shortw/coordinates; is it --database {tree}?")
    return Layers((tree,), above="g1p" if any(tree.glob("*/coordinates")) else "")


def set_roots(roots: Sequence[Path]) -> None:
    """Lay directories over all others, in this process and those that it starts later."""
    global _asked  # noqa: PLW0603 - one choice for the whole run, like the command line that gives it
    _asked = tuple(roots)


@contextmanager
def over(roots: Sequence[Path]) -> Iterator[None]:
    """Lay directories under those of the command line, and over all others, for a while."""
    before = _asked
    set_roots((*before, *roots))
    try:
        yield
    finally:
        set_roots(before)


def layers() -> Layers:
    """Return the layers in force; raise :class:`EfdgenError` where one is no directory."""
    named = os.environ.get(PATH, "").split(os.pathsep)
    roots = (*_asked, *(Path(each) for each in named if each), *_project(), BUILT_IN)
    return Layers(tuple(dict.fromkeys(roots)))


def _project() -> Iterator[Path]:
    """Yield the directory ``efd`` beside the nearest project file, if there is one."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / PROJECT_FILE).is_file():
            if (folder / "efd").is_dir():
                yield folder / "efd"
            return


def _matches(name: str, pattern: str) -> bool:
    """Return whether a name matches a pattern, part by part."""
    return name.count("/") == pattern.count("/") and Path(name).match(pattern)
