"""The second reader of emitted text, which shares no code with efdgen's own.

C is parsed by libclang, for a list of targets and compilers, and with each macro that a condition tests
defined and undefined; the typed tree, in which every conversion is a node, becomes Python functions. Rust is
compiled by rustc to LLVM IR without optimisation, for the targets that are installed and with each condition
that the text tests set; the IR becomes Python functions too. A translation refuses text that it does not
know.

These functions are run beside the programs that printers announce, on random inputs and at the edges: limb
functions, fused formulas, functions on elements and kernels, those of C with outputs in the places of inputs
too. So an accepted text is *compared* on some inputs. Limb functions are run on unknown words as well, beside
the program: where both make equal polynomials, they are equal for all inputs within bounds. The report counts
these as proved, if intrinsics do what their documentation says. Products over GF(2), functions on elements
and kernels are compared alone.

:func:`refuses` decides whether an edited text means something else. It does not see what changes no value:
comments, hints to inline or to optimise, barriers, volatile; nor manifests and build scripts, functions that
it is told nothing of unless others call them, and values that no drawn input reaches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from second.c_reader import read_c
from second.rust_reader import read_rust

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from second.report import Report

__all__ = ["refuses", "reports"]


def refuses(
    files: Mapping[str, str], expected: Sequence[object], *, seed: int = 1, most: int = 1
) -> list[str]:
    """Return what in files differs from the programs, at most some differences; none if they are accepted.

    ``files`` are texts by their relative paths, as ``efdgen compile`` writes them for kernels in C or Rust,
    and ``expected`` what was passed to ``certify`` while they were printed, as for
    :class:`efdgen.verify.readback.read.Readback`. ``seed`` draws the inputs. For Rust, rustc is on PATH.
    """
    return [
        difference for report in reports(files, expected, seed, most) for difference in report.differences
    ]


def reports(
    files: Mapping[str, str], expected: Sequence[object], seed: int, most: int = 20
) -> Iterator[Report]:
    """Yield the result of each header in files, and of a crate, with at most some differences of each."""
    yield from read_c(files, expected, seed, most)
    yield from read_rust(files, expected, seed, most)
