"""Operations of modules in Wasmtime with wide arithmetic, timed in interleaved rounds of one process.

Prints lines as ``node/time.mjs`` does: ``operation|subject|median|lower decile``, in µs of a processor.

Usage: python in_wasmtime.py ROUNDS [SUBJECT=MODULE]...
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wasmtime import Config, Engine, Func, Instance, Memory, Store
from wasmtime import Module as Compiled

INPUTS = Path(__file__).resolve().parent / "node" / "inputs.mjs"
PAGE = 65536
# Room for each argument in the page that a module gets for them.
ROOM = 256
# Operations: the name of the function, the curve of its inputs, and their names.
OPERATIONS = {
    "P-256: verify": ("p256_verify", "P-256", ("key", "message", "signature")),
    "P-256: sign": ("p256_sign", "P-256", ("secret", "message")),
    "secp256k1: verify": ("k256_verify", "secp256k1", ("key", "message", "signature")),
    "secp256k1: sign": ("k256_sign", "secp256k1", ("secret", "message")),
    "Ed25519: verify": ("ed25519_verify", "Ed25519", ("key", "message", "signature")),
    "Ed25519: sign": ("ed25519_sign", "Ed25519", ("secret", "message")),
    "X25519": ("x25519_exchange", "X25519", ("secret", "key")),
}
# Seconds of a round of a subject.
ROUND = 0.02


@dataclass(frozen=True)
class Module:
    """A module with a page of its memory for arguments."""

    store: Store
    instance: Instance
    page: int

    @classmethod
    def load(cls, engine: Engine, file: str) -> Module:
        """Return a module from a file."""
        store = Store(engine)
        instance = Instance(store, Compiled.from_file(engine, file), [])
        memory = instance.exports(store)["memory"]
        assert isinstance(memory, Memory)
        return cls(store, instance, memory.grow(store, 1) * PAGE)

    def run(self, name: str, inputs: Sequence[bytes], count: int) -> int:
        """Call a function on inputs, with an output after those of two; return the number of successes."""
        exports = self.instance.exports(self.store)
        memory, function = exports["memory"], exports[name]
        assert isinstance(memory, Memory) and isinstance(function, Func)
        for index, given in enumerate(inputs):
            memory.write(self.store, given, self.page + ROOM * index)
        return function(self.store, *(self.page + ROOM * index for index in range(3)), count)

    def output(self, length: int) -> bytes:
        """Return the output of the last call."""
        memory = self.instance.exports(self.store)["memory"]
        assert isinstance(memory, Memory)
        start = self.page + 2 * ROOM
        return bytes(memory.read(self.store, start, start + length))


def check(module: Module, inputs: Mapping[str, Mapping[str, bytes]]) -> None:
    """Exit unless a module agrees with Node.js, whose inputs these are."""
    for operation, (name, curve, names) in OPERATIONS.items():
        given = [inputs[curve][each] for each in names]
        succeeds = module.run(name, given, 3) == 3
        if name.endswith("verify"):
            *others, signature = given
            succeeds &= module.run(name, [*others, _changed(signature)], 3) == 0
        elif name.endswith("sign"):
            made, verify = module.output(64), name.replace("sign", "verify")
            open_inputs = [inputs[curve][each] for each in ("key", "message")]
            succeeds &= module.run(verify, [*open_inputs, made], 1) == 1
        else:
            succeeds &= module.output(32) == inputs[curve]["shared"]
        if not succeeds:
            sys.exit(f"{operation} fails in Wasmtime")


def _changed(signature: bytes) -> bytes:
    return bytes([signature[0] ^ 1]) + signature[1:]


def seconds(module: Module, name: str, inputs: Sequence[bytes], count: int) -> float:
    """Return the processor's time for a call of an operation, out of a number of calls."""
    start = time.process_time()
    module.run(name, inputs, count)
    return (time.process_time() - start) / count


def main(rounds: int, files: Mapping[str, str]) -> None:
    """Load, check, time and print."""
    config = Config()
    config.wasm_wide_arithmetic = True
    engine = Engine(config)
    printed = subprocess.run(["node", str(INPUTS)], check=True, stdout=subprocess.PIPE, text=True).stdout
    inputs = {
        curve: {name: bytes.fromhex(text) for name, text in values.items()}
        for curve, values in json.loads(printed).items()
    }
    modules = {subject: Module.load(engine, file) for subject, file in files.items()}
    for module in modules.values():
        check(module, inputs)
    for operation, (name, curve, names) in OPERATIONS.items():
        given = [inputs[curve][each] for each in names]
        counts = {s: 1 + int(ROUND / seconds(module, name, given, 9)) for s, module in modules.items()}
        times: dict[str, list[float]] = {subject: [] for subject in modules}
        for _ in range(rounds):
            for subject, module in modules.items():
                times[subject].append(seconds(module, name, given, counts[subject]))
        for subject, all_times in times.items():
            found = sorted(all_times)
            median, decile = (1e6 * found[rounds // part] for part in (2, 10))
            print(f"{operation}|{subject}|{median:.3f}|{decile:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]), dict(argument.split("=") for argument in sys.argv[2:]))
