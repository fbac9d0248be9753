"""The generated functions that a check's requests call, by the source of the driver and of the code.

A function is known by its name alone, so that in Rust methods of one name are one function.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from efdgen.verify.vectors.drivers import included

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from efdgen.generator.options import Language

_C = re.compile(r"^(?:[A-Za-z_][\w *]*?[ *])(\w+)\([^;{}]*?\) \{\n(.*?)^\}$", re.M | re.S)
_RUST = re.compile(r"^( *)(?:pub(?:\(\w+\))? )?(?:const )?fn (\w+).*?\{\n(.*?)^\1\}$", re.M | re.S)
_ALIAS = re.compile(r"^use crate::(?:\w+::)*(\w+) as (\w+);", re.M)
_HELPER = re.compile(r"(read|write)(_|$)")
_WORD = re.compile(r"\w+")

# A driver's code for a request: a block or the row of a table in C, an arm of a match in Rust.
_ANSWERS: dict[Language, str] = {
    "c": r'is\("{name}"\).*?\n    \}}\n|\{{"{name}",[^\n]*',
    "rust": r'"{name}".*?(?=\n        [\["(]|\Z)',
}
_DRIVERS: dict[Language, str] = {"c": "driver.c", "rust": "examples/driver.rs"}


def not_reached(language: Language, files: Mapping[str, str], asked: Iterable[str]) -> tuple[str, ...]:
    """Return the names of functions that no request calls, of those that a driver is for.

    Functions named ``_var`` are left out. ``asked`` are the names of requests.
    """
    driver = files[_DRIVERS[language]]
    bodies = _bodies(language, [driver, *(files[name] for name in _library(language, files))])
    answers = (re.findall(_ANSWERS[language].format(name=re.escape(name)), driver, re.S) for name in asked)
    waiting = [word for answer in answers for text in answer for word in _WORD.findall(text)]
    waiting += [name for name in _bodies(language, [driver]) if _HELPER.match(name)]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in bodies and name not in found:
            found.add(name)
            waiting += _WORD.findall(bodies[name])
    offered = _bodies(language, (files[name] for name in _offered(language, files)))
    return tuple(sorted(name for name in offered.keys() - found if not name.endswith("_var")))


def _library(language: Language, files: Mapping[str, str]) -> set[str]:
    """Return the names of all files that a driver is built of, without its own."""
    if language == "rust":
        return {name for name in files if name.startswith("src/")}
    headers = included(files, "driver.c") - {"driver.c"}
    return headers | {name for name in files if f"{name.removesuffix('.c')}.h" in headers}


def _offered(language: Language, files: Mapping[str, str]) -> set[str]:
    """Return the names of the files whose functions a driver is for: in C what it includes itself."""
    if language == "rust":
        return _library(language, files)
    direct = re.findall(r'^#include "(\w+)\.h"', files["driver.c"], re.M)
    return {f"{name}{ending}" for name in direct for ending in (".c", ".h")} & files.keys()


def _bodies(language: Language, texts: Iterable[str]) -> dict[str, str]:
    """Return the texts of functions by name, those of all functions of one name together."""
    bodies: dict[str, str] = {}
    for text in texts:
        for name, body in _functions(language, text):
            bodies[name] = bodies.get(name, "") + body
    return bodies


def _functions(language: Language, text: str) -> Iterator[tuple[str, str]]:
    """Yield functions and their texts; in Rust another name for a function is one that calls it."""
    if language == "rust":
        yield from ((alias, name) for name, alias in _ALIAS.findall(text))
    for found in (_C if language == "c" else _RUST).finditer(text):
        yield (found[1], found[2]) if language == "c" else (found[2], found[3])
