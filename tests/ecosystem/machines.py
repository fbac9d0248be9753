"""Machines that run suites: this one, with words of either size, and WebAssembly in Node.js."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ecosystem.results import digest_of

_WASM = Path(__file__).with_name("wasm")


@dataclass(frozen=True)
class Machine:
    """Changes of a suite and of cargo's command with which the suite runs somewhere.

    ``features`` are of the emitted crate. A suite has the dependencies ``needs`` too, does ``without`` some,
    and asks for others in a ``changed`` way; ``root`` is a line of each of its crates. ``files`` are called.
    """

    name: str = ""
    features: tuple[str, ...] = ()
    needs: dict[str, dict[str, Any]] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    changed: dict[str, dict[str, Any]] = field(default_factory=dict)
    root: str = ""
    words: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    flags: str = "--cap-lints allow"
    files: tuple[Path, ...] = ()

    def key(self) -> list[object]:
        """Return the part of a result's key that the machine is; it is empty for this machine."""
        return [asdict(replace(self, files=())), digest_of(*self.files)] if self.name else []


HERE = Machine()
WORDS_32 = Machine("word32", features=("word32",))
WASM_32 = Machine(
    "wasm32",
    needs={"in_wasm": {"path": str(_WASM / "runtime")}},
    # Benchmarks alone call criterion; WebAssembly has no processes, with which proptest limits time.
    without=("criterion",),
    changed={"proptest": {"default-features": False, "features": ["std", "bit-set"]}},
    root="#[macro_use]\nextern crate in_wasm;\n",
    words=("--target", "wasm32-unknown-unknown"),
    environment={"CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER": f"node {_WASM / 'runner.mjs'}"},
    # With --cap-lints, rustc hides from cargo which types of crates the target does not have.
    flags='--cfg getrandom_backend="custom"',
    files=(_WASM,),
)
