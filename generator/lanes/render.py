"""Bundles of functions on lanes, and their files: a header of C, or a module of Rust."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from efdgen.generator.fields.printed import LaneText
from efdgen.generator.kernels.contract import contract_lines, header_lines
from efdgen.generator.lanes.functions import (
    ELEMENT,
    field_functions,
    kernel_functions,
)
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.generator.lanes.order import ZEN_4
from efdgen.generator.lanes.plan import lane_plan
from efdgen.generator.lanes.text import LaneText as Statements
from efdgen.generator.lanes.text import member_name, printed_name, signature, type_name
from efdgen.generator.lanes.words import lanes_of, number_bits, words_of
from efdgen.generator.text import c, rust
from efdgen.generator.text.environment import environment
from efdgen.generator.text.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from efdgen.generator.fields.claims import Claims
    from efdgen.generator.fields.printed import LaneFunction
    from efdgen.generator.lanes.instructions import InstructionSet
    from efdgen.generator.lanes.text import LaneLanguage
    from efdgen.generator.limbs.plan import FieldPlan
    from efdgen.generator.options import Machine
    from efdgen.generator.programs.kernel import Bundle

_CHECK = (
    "To check: `efdgen verify ID` proves a formula again. The command above proves every function for all"
    " inputs, and reads this text back."
)
_DOCS = {
    "from_words": "r = t modulo p.",
    "to_words": "r = the number of a in [0, p).",
    "fe_add": "r = a + b.",
    "fe_sub": "r = a - b.",
    "fe_neg": "r = -a.",
    "fe_mul": "r = a*b.",
    "fe_sqr": "r = a^2.",
}


@dataclass(frozen=True)
class PointType:
    """A structure of elements: its name, its coordinates as the language has them, and what they mean."""

    name: str
    members: tuple[str, ...]
    meaning: str


@dataclass(frozen=True)
class LaneBundle:
    """The functions of a bundle of kernels on the lanes of a machine; ``inside`` a crate, their file."""

    bundle: Bundle
    language: LaneLanguage
    machine: Machine
    inside: str = ""

    @property
    def prefix(self) -> str:
        """The beginning of every name in C, and of the file's."""
        return f"{self.bundle.prefix}_lanes"

    @property
    def path(self) -> str:
        """The name of the file."""
        return self.inside or f"{self.prefix}.{'h' if self.language == 'c' else 'rs'}"

    @property
    def instructions(self) -> InstructionSet:
        """The machine's instructions on lanes."""
        return MACHINES[self.machine]

    @property
    def text(self) -> LaneText:
        """The functions with their contracts, as readers know them."""
        return LaneText(self.language, self.prefix, self.path, self.functions, self.instructions.bits)

    @cached_property
    def plan(self) -> FieldPlan:
        """The representation of elements; raises :class:`EfdgenError` for a prime without one."""
        return lane_plan(self.bundle.prime, self.machine)

    @cached_property
    def functions(self) -> tuple[LaneFunction, ...]:
        """All functions; raises :class:`EfdgenError` for a formula that lanes do not have."""
        (group,) = self.bundle.groups
        core = replace(ZEN_4, registers=self.instructions.registers)
        return (*field_functions(self.plan, core), *kernel_functions(group, self.plan, core))

    def announce(self, claims: Claims) -> None:
        """Have all functions proved and read back."""
        claims.announce(self.text)
        for function in self.functions:
            claims.statement(function.operation)

    def name(self, function: LaneFunction) -> str:
        """Return the name of a function in its file."""
        return printed_name(function, self.language, self.prefix)

    def signature(self, function: LaneFunction) -> str:
        """Return the signature of a function in its file, without what is before ``void`` or ``pub``."""
        return signature(function, self.language, self.prefix)

    def files(self) -> dict[str, str]:
        """Return the file, by its name."""
        ending = self.path.rpartition(".")[2]
        template = environment(self.language).get_template(f"lanes.{ending}.j2")
        functions = [
            {
                "doc": self._doc(function),
                "signature": self.signature(function),
                "lines": [*Statements(function, self.language, self.instructions).statements()],
            }
            for function in self.functions
        ]
        statements = "\n".join(line for function in functions for line in function["lines"])
        names = {self.instructions.intrinsics["type"], *re.findall(r"_mm\d+_\w+", statements)}
        lanes = lanes_of(self.plan)
        return {
            self.path: template.render(
                prefix=self.prefix,
                PREFIX=self.prefix.upper(),
                header=self._comment(header_lines(self.bundle, _CHECK)[: 4 if self.inside else None], "//"),
                inside=self.inside,
                modulus=self.plan.ground.modulus_text,
                reason=self._plain(self.plan.reason),
                machine=self.instructions,
                limbs=lanes.limbs,
                words=words_of(lanes),
                bits=number_bits(lanes),
                types=[*self._types()],
                element=type_name(ELEMENT, self.language),
                functions=functions,
                intrinsics=wrap(f"{', '.join(sorted(names))},", rust.WIDTH - 5),
            )
        }

    def _types(self) -> Iterator[PointType]:
        (group,) = self.bundle.groups
        for found in group.types:
            members = tuple(member_name(member, self.language) for member in found.members)
            yield PointType(type_name(found.name, self.language), members, self._plain(found.meaning))

    def _doc(self, function: LaneFunction) -> str:
        (group,) = self.bundle.groups
        kernels = {kernel.function: kernel for kernel in group.kernels}
        if function.name not in kernels:
            return self._comment([_DOCS[function.name]], "///")
        lines = contract_lines(kernels[function.name])
        if self.language == "rust":
            lines = [f"`{lines[0]}`", "", "```text", *lines[1:], "```"]
        return self._comment(lines, "///")

    def _comment(self, lines: list[str], mark: str) -> str:
        if self.language == "c":
            return c.comment(map(c.in_ascii, lines))
        return rust.comment(lines, mark)

    def _plain(self, text: str) -> str:
        return c.in_ascii(text) if self.language == "c" else text
