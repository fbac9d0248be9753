"""Formulas on many points in Rust."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.kernels.batches import ROUTINE, batch_text
from efdgen.generator.languages.rust.printer import Printer
from efdgen.generator.text.rust import broken, comment, signature

if TYPE_CHECKING:
    from efdgen.generator.fields.printed import BatchText
    from efdgen.generator.languages.bindings import Bindings
    from efdgen.generator.programs.kernel import Kernel

_METHODS = {"fe_mul": "mul", "fe_inv": "invert", "fe_is_zero": "is_zero", "fe_select": "choose"}
_HAD_ZERO = "where this is 0, there was a point without an inverse"
PANICS = comment(["", "# Panics", "", "If the slices are not of one length."], "///")
"""The end of a function's comment."""


def batch_routine(kernel: Kernel, prefix: str, own: Bindings) -> BatchText:
    """Return the routine of a kernel, given names of its own functions, types and members."""
    bindings = replace(
        own,
        functions={**_METHODS, **own.functions},
        types={"element": "FieldElement", **own.types},
        constants={name: f"FieldElement::{name}" for name in ("ONE", "ZERO")},
        methods=frozenset(_METHODS),
    )
    return batch_text("rust", prefix, "src/lib.rs", kernel, bindings)


def batch_lines(text: BatchText) -> tuple[str, list[str]]:
    """Return the head of a function, and the lines of its body."""
    printed = Printer(text.module, text.bindings).function(ROUTINE)
    body = [part for line in printed.body for part in broken(line[4:], 4)]
    head = signature(f"pub fn {printed.signature}")
    return f'#[must_use = "{_HAD_ZERO}"]\n{head} {{', body
