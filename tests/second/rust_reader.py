"""Comparison of crates, as rustc sees them for each target, with what their printer announced."""

from __future__ import annotations

import re
from itertools import islice
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from efdgen.generator.fields.emitted import EmittedFunction
from efdgen.generator.fields.loops import EmittedLoop
from efdgen.generator.fields.printed import KernelText, LimbText
from second import rust_crate
from second import rust_wrappers as wrappers
from second.comparing import FAILURES, announced, differences
from second.elements import SHAPES, elements_of
from second.ir import Module
from second.report import Report
from second.rust_machine import RustMachine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from second.elements import Elements

TARGETS = (
    *("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "riscv64gc-unknown-linux-gnu"),
    *(
        "wasm32-unknown-unknown",
        "i686-unknown-linux-gnu",
        "thumbv7em-none-eabi",
        "riscv32imc-unknown-none-elf",
    ),
)
"""The targets; those with an installed core library are read."""

_WORD32 = 'feature="word32"'
_CONDITION = re.compile(r"\bcfg(?:_attr)?\s*!?\s*\(")
_ATOM = re.compile(r'\b(\w+)(?:\s*=\s*("[^"\n]*"))?')
_UNCLAIMED = {"conditional_select": "select", "equal": "ct_eq", "same": "eq", "set_zero": "", "set_one": ""}
_PRIVATE = {"canonical": "canonical", "from_canonical": "from_canonical"}


def read_rust(files: Mapping[str, str], expected: Sequence[object], seed: int, most: int) -> Iterator[Report]:
    """Yield a report for a crate, with at most some differences."""
    texts = [text for text in expected if isinstance(text, LimbText) and text.language == "rust"]
    if not texts:
        return
    report, start = Report(f"{texts[0].prefix}, crate"), perf_counter()
    if "src/limbs64.rs" not in files or len({text.prefix for text in texts}) > 1:
        report.left_out = {"modules in another layout than that of a crate of kernels"}
    else:
        crate = _Crate(files, texts, expected)
        report.differences += islice(crate.differences(seed, report), most)
        report.left_out = announced(texts, expected) - report.compared
        missing = sorted({*TARGETS} - rust_crate.installed())
        report.left_out |= {f"the target {name}, which is not installed" for name in missing}
    report.seconds = perf_counter() - start
    yield report


class _Crate:
    """A crate of kernels over one field."""

    def __init__(
        self, files: Mapping[str, str], texts: Sequence[LimbText], expected: Sequence[object]
    ) -> None:
        self._texts, self._expected = texts, expected
        self._elements = {text.word: elements_of(text, expected) for text in texts}
        kernels = [kernel for kernel in expected if isinstance(kernel, KernelText) and not kernel.inverses]
        self._kernels = [kernel for kernel in kernels if kernel.language == "rust"]
        points = (point for kernel in self._kernels for point in (*kernel.inputs, *kernel.outputs))
        self._points = {point.type: point for point in points}
        self._atoms = _atoms(files)
        self._files = {**files, **self._wrapped(files)}

    def differences(self, seed: int, report: Report) -> Iterator[str]:
        """Yield how functions differ, each with the target and the settings."""
        known: set[str] = set()
        for target, settings in self._combinations():
            name, before = ", ".join([target, *settings]), len(known)
            report.combinations += 1
            try:
                module = Module(rust_crate.compiled(self._files, target, settings))
                machine = self._machine(module, settings, known)
                found = self._compared(machine, Random(f"{seed} {name}"), report)
                yield from (f"{name}: {difference}" for difference in found)
                report.texts += [name] * (len(known) > before)
            except FAILURES as error:
                yield f"{name}: {error}"

    def _combinations(self) -> Iterator[tuple[str, list[str]]]:
        first, *others = (target for target in TARGETS if target in rust_crate.installed())
        atoms = sorted(self._atoms - rust_crate.conditions(first) - {_WORD32})
        yield from ((first, settings) for settings in ([], [_WORD32]))
        yield from ((first, [*settings, atom]) for atom in atoms for settings in ([], [_WORD32]))
        for target in others:
            yield target, []
            if 'target_pointer_width="64"' in rust_crate.conditions(target):
                yield target, [_WORD32]

    def _machine(self, module: Module, settings: Sequence[str], known: set[str]) -> RustMachine:
        word = 32 if module.pointer == 32 or _WORD32 in settings else 64
        elements = self._elements[word]
        return RustMachine(module, word, len(elements.number.words), elements.order, known)

    def _compared(self, machine: RustMachine, rng: Random, report: Report) -> Iterator[str]:
        yield from differences(machine, self._texts, self._expected, rng, report)
        for point in self._points.values():
            yield from self._selected(
                point.type, len(point.members), machine, self._elements[machine.word], rng
            )

    def _selected(
        self, type_: str, size: int, machine: RustMachine, elements: Elements, rng: Random
    ) -> Iterator[str]:
        """Yield how selecting and clearing points differ."""
        points = [[elements.drawn(rng) for _ in range(size)] for _ in range(2)]
        for flag in (0, 1):
            found, _ = machine.on_elements(f"second_select_{type_}", size, [*points[0], *points[1]], flag)
            if found != points[flag]:
                yield f"{type_}::conditional_select is another"
        if machine.has(f"second_clear_{type_}"):
            found, _ = machine.on_elements(f"second_clear_{type_}", size, points[0])
            if any(word for words in found for word in words):
                yield f"{type_}::zeroize leaves words"

    def _wrapped(self, files: Mapping[str, str]) -> dict[str, str]:
        """Return modules with the functions that are called."""
        found = {}
        for text in self._texts:
            elements = self._elements[text.word]
            sizes = len(elements.number.words), elements.words_of_number
            path = f"src/limbs{text.word}.rs"
            found[path] = files[path] + "".join(wrappers.limb_wrappers(text, *sizes))
        shapes = [
            (name, method, SHAPES[name]) for name, method in self._methods(files["src/field.rs"]).items()
        ]
        found["src/field.rs"] = files["src/field.rs"] + "".join(wrappers.field_wrappers(shapes))
        ends = [*map(wrappers.kernel_wrapper, self._kernels), *wrappers.point_wrappers(self._points.values())]
        return found | {"src/lib.rs": files["src/lib.rs"] + "".join(ends)}

    def _methods(self, text: str) -> dict[str, str]:
        """Return the methods of elements by the names of their shapes."""
        found = {}
        for claim in self._expected:
            if isinstance(claim, EmittedFunction | EmittedLoop) and claim.language == "rust":
                name = claim.name if isinstance(claim, EmittedFunction) else claim.function
                found[name.removeprefix("fe_")] = claim.routine
        private = {name: method for name, method in _PRIVATE.items() if wrappers.has(text, method)}
        return {name: method for name, method in (found | _UNCLAIMED | private).items() if name in SHAPES}


def _atoms(files: Mapping[str, str]) -> set[str]:
    """Return the conditions of a crate, each as a setting."""
    found = set()
    for name, text in files.items():
        if name.startswith("src/"):
            for start in _CONDITION.finditer(text):
                for key, value in _ATOM.findall(text[start.end() :].partition("]")[0].partition("{")[0]):
                    found.add(f"{key}={value}" if value else key)
    return found - {"all", "any", "not", "cfg", "cfg_attr"}
