"""Imports between the packages of generator and verify, and the sizes of files and functions.

python tests/floors.py            print the exceptions as tests/floors.toml has them
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HOUSES = "generator", "verify"
TOPS = (*HOUSES, "api", "reference", "commands")
LINES, FUNCTION_LINES = 400, 50


@cache
def listed() -> Mapping[str, Any]:
    """Return the floors and the exceptions."""
    return tomllib.loads((ROOT / "tests" / "floors.toml").read_text(encoding="utf-8"))


@cache
def trees() -> dict[str, ast.Module]:
    """Return the syntax tree of each file of the compiler, by its path."""
    paths = [path for top in TOPS for path in sorted((ROOT / top).rglob("*.py"))]
    return {f"{path.relative_to(ROOT)}": ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def room(path: str) -> str:
    """Return the package of a file, with dots; a file beside the packages is one of its own."""
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    return ".".join(parts[:-1] if len(parts) > 2 and not path.endswith("__init__.py") else parts)


def imported(path: str) -> Iterator[tuple[str, str]]:
    """Yield the files of the compiler that a file imports, each with a name from it."""
    for node in ast.walk(trees()[path]):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("efdgen."):
            place = str(node.module).removeprefix("efdgen.").replace(".", "/")
            for alias in node.names:
                places = f"{place}/{alias.name}.py", f"{place}.py", f"{place}/__init__.py"
                found = next((each for each in places if each in trees()), None)
                if found is not None:
                    yield found, alias.name


@cache
def arrows() -> dict[tuple[str, str], list[str]]:
    """Return the names that a package imports from another one, each with its importer."""
    found: dict[tuple[str, str], list[str]] = {}
    for path in trees():
        for other, name in imported(path):
            if room(path) != room(other):
                found.setdefault((room(path), room(other)), []).append(f"{path}: {other} {name}")
    return found


def above() -> list[str]:
    """Return the names that are imported from a higher floor."""
    found = []
    for house in HOUSES:
        floors = {f"{house}.{name}": at for at, name in enumerate(listed()[house])}
        for (one, other), names in arrows().items():
            if one in floors and other in floors and floors[one] < floors[other]:
                found += names
    return sorted(found)


@cache
def reached(start: str) -> frozenset[str]:
    """Return the packages that a package imports, by way of others too."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        one = waiting.pop()
        new = {other for importer, other in arrows() if importer == one} - found
        found |= new
        waiting += new
    return frozenset(found)


def largest_circle() -> list[str]:
    """Return the largest set of packages that import each other, by way of others too."""
    rooms = {room(path) for path in trees()}
    circles = [[other for other in rooms if other in reached(one) and one in reached(other)] for one in rooms]
    return sorted(max(circles, key=len))


def large_files() -> dict[str, int]:
    """Return the lines of each file that has too many."""
    lines = {path: (ROOT / path).read_text(encoding="utf-8").count("\n") for path in trees()}
    return {path: count for path, count in lines.items() if count > LINES}


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield each function, after its path and name."""
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                yield f"{path}:{node.name}", node


def large_functions() -> dict[str, int]:
    """Return the lines of each function that has too many."""
    lines = {name: (node.end_lineno or 0) - node.lineno + 1 for name, node in functions()}
    return {name: count for name, count in lines.items() if count > FUNCTION_LINES}


def imports_inside() -> int:
    """Return the number of imports inside functions."""
    return sum(
        isinstance(inner, ast.Import | ast.ImportFrom) for _, node in functions() for inner in ast.walk(node)
    )


def main() -> None:
    print("above = [", *(f'    "{name}",' for name in above()), "]", sep="\n")
    print(f"circle = {len(largest_circle())}  # {', '.join(largest_circle())}")
    print(f"inside = {imports_inside()}")
    for head, found in (("files", large_files()), ("functions", large_functions())):
        print(f"[{head}]", *(f'"{name}" = {count}' for name, count in found.items()), sep="\n")


if __name__ == "__main__":
    main()
