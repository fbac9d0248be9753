"""Imports in Rust: the names in a text, in the order and the lines of rustfmt."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from efdgen.generator.text.rust import WIDTH
from efdgen.generator.text.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Traits are needed for their methods, which do not say their names.
_TRAITS = {
    "ConditionallySelectable": ("conditional_assign(", "conditional_select(", "conditional_swap("),
    "ConstantTimeEq": (".ct_eq(",),
}
_ELSEWHERE = {
    "core::array": ("from_fn",),
    "core::hint": ("black_box",),
    "core::ops": ("Add", "AddAssign", "Mul", "MulAssign", "Neg", "Sub", "SubAssign"),
    "subtle": ("Choice", "CtOption", *_TRAITS),
}


def imports(text: str, crate: Mapping[str, Iterable[str]], aliases: Mapping[str, str]) -> list[str]:
    """Return the lines that import what a text mentions and does not define.

    ``crate`` are the names that modules of the crate offer, names of the crate itself at "crate";
    ``aliases`` are further names, with the paths that they denote.
    """
    code = re.sub(r"//.*", "", text)
    # Neither the rest of a path nor a method, nor an argument of a macro.
    mentioned = {*re.findall(r"(?<!::)(?<![^.]\.)(?<!\$)\b[A-Za-z_]\w*", code)}
    mentioned |= {trait for trait, calls in _TRAITS.items() if any(call in code for call in calls)}
    # A variable may have the name of a module.
    mentioned -= {m for m in crate.get("crate", ()) if m.islower() and f"{m}::" not in code}
    mentioned -= {*re.findall(r"\b(?:fn|const|static|struct|trait|mod|macro_rules!) (\w+)", code)}
    # An associated type is indented, and hides no other.
    mentioned -= {*re.findall(r"^(?:pub )?type (\w+)", code, re.M)}
    paragraphs: list[list[str]] = []
    for modules in (("core",), ("subtle",), ("crate",)):
        offered = {m: names for m, names in {**_ELSEWHERE, **crate}.items() if m.split("::")[0] in modules}
        taken = {m: [n for n in names if n in mentioned] for m, names in offered.items()}
        own = {a: path for a, path in aliases.items() if a in mentioned and modules == ("crate",)}
        paragraphs.append(_paragraph({m: names for m, names in taken.items() if names}, own))
    return [line for lines in paragraphs if lines for line in (*lines, "")]


def use_lines(keyword: str, module: str, names: Iterable[str]) -> list[str]:
    """Return an import of names of a module, broken where it is too long for a line."""
    ordered = sorted(set(names), key=_rank)
    if len(ordered) == 1:
        return [f"{keyword} {module}::{ordered[0]};"]
    line = f"{keyword} {module}::{{{', '.join(ordered)}}};"
    if len(line) < WIDTH - 1:
        return [line]
    rows = wrap(f"{', '.join(ordered)},", WIDTH - 4)
    return [f"{keyword} {module}::{{", *(f"    {row}" for row in rows), "};"]


def _paragraph(modules: Mapping[str, list[str]], aliases: Mapping[str, str]) -> list[str]:
    found = [[f"use {path} as {alias};"] for alias, path in aliases.items()]
    found += [use_lines("use", module, names) for module, names in modules.items()]
    # A list of names of the crate itself is last, and a single name of it after the modules.
    ordered = sorted(
        found, key=lambda lines: (bool(re.match(r"use crate::(native::)?[{A-Z]", lines[0])), lines)
    )
    return [line for lines in ordered for line in lines]


def _rank(name: str) -> tuple[int, str]:
    """Order names as rustfmt does: functions and modules, types, constants."""
    kind = 0 if name[:1].islower() else 2 if name.isupper() else 1
    return kind, name
