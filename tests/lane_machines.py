"""Machines with lanes, in tests: a model of their instructions, this machine, or one without them.

A processor with AVX-512 VL runs the instructions of AVX-IFMA by another encoding, which has other names.
"""

from pathlib import Path
from typing import Literal

from efdgen.generator.lanes.instructions import MACHINES

Mode = Literal["model", "native", "none", "microsoft"]
MODEL = Path(__file__).parent / "lanes"
WIDE, NARROW, ENCODED = MACHINES
"""Eight lanes, four, and four on processors without AVX-512."""

_FLAGS = {*Path("/proc/cpuinfo").read_text().split()}
_ENCODING = "avx2,avx512vl,avx512ifma"


def has(name: str) -> bool:
    """Return whether this machine's processor has instructions, by the name that the kernel gives them."""
    return name in _FLAGS


def is_there(machine: str) -> bool:
    """Return whether this machine has the instructions."""
    return has("avx512ifma") and (machine == WIDE or has("avx512vl"))


def modes(machine: str) -> tuple[Mode, ...]:
    """Return how lanes of a machine run here."""
    return ("model", "none", "native") if is_there(machine) else ("model", "none")


def c_modes(machine: str) -> tuple[Mode, ...]:
    """Return how headers of a machine run here: for Microsoft's compiler, on the model, too."""
    return (*modes(machine), "microsoft") if machine == WIDE else modes(machine)


def _encoded(text: str, machine: str) -> str:
    """Return a text by the instructions that this machine has."""
    if machine != ENCODED:
        return text
    return text.replace("_avx_epu64", "_epu64").replace(MACHINES[machine].target, _ENCODING)


def in_c(text: str, machine: str, mode: Mode) -> str:
    """Return a header for a machine; its compiler knows all instructions."""
    if mode == "microsoft":
        return text
    text = text.replace(MACHINES[machine].compiled, "1")
    if mode == "model":
        return text.replace(f'target("{MACHINES[machine].target}"), ', "")
    return _encoded(text, machine)


def flags(machine: str, mode: Mode) -> list[str]:
    """Return the compiler's flags; the real header's vectors have no braces of an array."""
    on, processor = int(mode != "none"), f"{MODEL / 'processor'}"
    found = ["-Wno-missing-braces", f"-DLEAF=({on}U << 23)", "-isystem", processor]
    if mode in ("model", "microsoft"):
        found += ["-isystem", f"{MODEL}"]
    if mode == "microsoft":
        own = MODEL / "microsoft"
        return [*found, "-isystem", f"{own}", "-include", f"{own / 'prelude.h'}"]
    if mode != "native" or machine == ENCODED:
        found.append(f"-D__builtin_cpu_supports(name)={on}")
    return found


def in_rust(text: str, machine: str, *, native: bool, model: str) -> str:
    """Return a module for this machine, or for the model in another module."""
    text = text.replace("has_fused_products();", "true;")
    if native:
        return _encoded(text, machine)
    lines = text.split("\n")
    text = "\n".join(line for line in lines if not line.strip().startswith("#[target_feature("))
    text = text.replace("core::arch::x86_64::{", f"{model}::{{")
    return text.replace("processor::get()", "true")
