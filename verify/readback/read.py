"""Read-back: comparison of the files to be written with the proved programs.

:func:`differences` is the whole of it: paths and texts, and what a printer's ``Claims`` got while they were
printed, that is programs (:mod:`efdgen.generator.fields.printed`) and claims about the text of functions. No
difference means that every limb function and every kernel of the text is its program, and that every other
function of a claim is in the text as it was proved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

from efdgen.generator.fields.emitted import EmittedFunction, EmittedWords
from efdgen.generator.fields.loops import EmittedLoop, in_c
from efdgen.generator.fields.pieces import Names
from efdgen.generator.fields.printed import (
    FileText,
    KernelText,
    LaneText,
    LimbText,
    PointArgument,
    PythonText,
    RoutineText,
    TableText,
)
from efdgen.generator.fields.whole import WORD
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.verify.readback.closed import foreign
from efdgen.verify.readback.frames import Followed, frame_differences
from efdgen.verify.readback.kernels import KernelReader
from efdgen.verify.readback.lanes import followed_lanes, lane_differences
from efdgen.verify.readback.limbs import LimbReader
from efdgen.verify.readback.marks import marked_names
from efdgen.verify.readback.proved import ProvedTexts
from efdgen.verify.readback.python import PythonReader
from efdgen.verify.readback.routines import followed_routines, read_names, routine_differences
from efdgen.verify.readback.tables import table_differences
from efdgen.verify.readback.texts import Source
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.tree import Call, Literal, Name, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from efdgen.generator.fields.claims import Claim
    from efdgen.generator.fields.printed import KernelLanguage, Printed
    from efdgen.verify.readback.proved import Emitted
    from efdgen.verify.readback.texts import Text
    from efdgen.verify.words.tree import Constant

# Beginnings of the names of functions on words in C, after the prefix.
_ON_WORDS = ("limbs_", "word_", "wide_", "sum_", "poly_")


@dataclass(frozen=True)
class Difference:
    """A function of a text that is not what was proved, and how it differs."""

    language: KernelLanguage
    function: str
    word: int | None
    text: str

    def __str__(self) -> str:
        where = f"with {self.word}-bit words" if self.word else "on integers"
        return f"{self.function}, {where}: {self.text}"


def differences(
    files: Mapping[str, str], expected: Iterable[Printed | Claim], followed: Iterable[Followed] = ()
) -> list[Difference]:
    """Return what in files, texts by their relative paths, is not as it was proved.

    ``followed`` are functions that are compared elsewhere.
    """
    return Readback(expected, followed).differences(files)


class Readback:
    """Earlier proofs, for files that are read one after the other: only changes are followed again."""

    def __init__(self, expected: Iterable[Printed | Claim], followed: Iterable[Followed] = ()) -> None:
        known, self._elsewhere = list(expected), set(followed)
        proved = dict.fromkeys(
            claim for claim in known if isinstance(claim, EmittedFunction | EmittedLoop | EmittedWords)
        )
        kernels = {(k.prefix, k.name): k for k in known if isinstance(k, KernelText)}.values()
        fields = {(text.prefix, text.word): text for text in known if isinstance(text, LimbText)}
        self._fields = [
            _FieldReader(
                limbs,
                [kernel for kernel in kernels if kernel.prefix == limbs.prefix],
                [claim for claim in proved if _is_of(claim, limbs)],
            )
            for limbs in fields.values()
        ]

        self._routines = [text for text in known if isinstance(text, RoutineText)]
        self._lanes = [text for text in known if isinstance(text, LaneText)]
        self._tables = [text for text in known if isinstance(text, TableText)]
        self._modules = [PythonReader(text) for text in known if isinstance(text, PythonText)]
        self._files = [text for text in known if isinstance(text, FileText)]

    def differences(self, files: Mapping[str, str]) -> list[Difference]:
        """Return what in files, texts by their relative paths, is not as it was proved."""
        return [*self.found(files)]

    def found(self, files: Mapping[str, str]) -> Iterator[Difference]:
        """Yield what in files is not as it was proved, and at the end what no reader follows."""
        for field in self._fields:
            yield from field.differences(files)
        for module in self._modules:
            yield from (Difference("python", name, None, text) for name, text in module.differences(files))
        for routines in self._routines:
            yield from (
                Difference(routines.language, *found) for found in routine_differences(routines, files)
            )
        for lanes in self._lanes:
            found = lane_differences(lanes, files)
            yield from (Difference(lanes.language, name, None, text) for name, text in found)
        for table in self._tables:
            yield from (Difference(table.language, *found) for found in table_differences(table, files))
        yield from self._unread(files)
        yield from self.frames(files)

    def frames(self, files: Mapping[str, str]) -> Iterator[Difference]:
        """Yield the files with text that compilers read in several ways, or that no reader follows."""
        yield from self._foreign(files)
        yield from self._unfollowed(files)

    def _unfollowed(self, files: Mapping[str, str]) -> Iterator[Difference]:
        """Yield the files that are not as they were announced in what no reader follows."""
        followed = self._elsewhere.union(*(field.followed(files) for field in self._fields))
        followed.update(each for routines in self._routines for each in followed_routines(routines))
        followed.update(each for module in self._modules for each in module.followed())
        followed.update(each for lanes in self._lanes for each in followed_lanes(lanes))
        for path, text in frame_differences(files, self._files, followed):
            yield Difference(_language(path), path, None, text)

    def _foreign(self, files: Mapping[str, str]) -> Iterator[Difference]:
        """Yield the files with text that no reader knows, if they have fields in C or Rust."""
        prefixes = {field.prefix for field in self._fields} | {lanes.prefix for lanes in self._lanes}
        # The header of a group is beside the one of its curve.
        prefixes |= {own for own in (p.removesuffix("_curve") for p in prefixes) if f"{own}.h" in files}
        for name, text in foreign(files, prefixes) if prefixes else ():
            yield Difference(_language(name), name, None, text)

    def _unread(self, files: Mapping[str, str]) -> Iterator[Difference]:
        """Yield functions that a comment calls proved, and that are none of those that were read."""
        for field in self._fields:
            read = {name for other in self._fields if other.prefix == field.prefix for name in other.names}
            read.update(*(read_names(text) for text in self._routines))
            for name in sorted(set(field.marked(files)) - read):
                yield field.difference(name, "it is called proved, and nobody read it")


def _sizes(limbs: LimbText) -> dict[str, int]:
    """Return the numbers of words, bits and bytes of elements, by their names in a text."""
    bits, functions = limbs.ground.bits, {each.name: each for each in limbs.functions}
    found = {"FE_BITS": bits, "FE_BYTES": limbs.ground.bytes, "WORDS": -(-bits // limbs.word)}
    if "add" in functions:
        ((_, number),) = functions["add"].outputs
        found["LIMBS"] = len(number.words)
    return found


def _language(path: str) -> KernelLanguage:
    """Return the language of a file; manifests belong to Rust."""
    if path.endswith(".py"):
        return "python"
    return "c" if path.endswith((".h", ".c")) else "rust"


def _is_of(claim: Emitted, limbs: LimbText) -> bool:
    """Return whether a claim about a text is for a field in words of its size."""
    match claim:
        case EmittedFunction():
            return claim.ground == limbs.ground
        case EmittedLoop(arrangement=arrangement):
            return (arrangement.word, PrimeField(arrangement.modulus)) == (limbs.word, limbs.ground)
        case EmittedWords():
            return claim.word == limbs.word
        case _:
            assert_never(claim)


class _FieldReader:
    """One field, in one size of words."""

    def __init__(self, limbs: LimbText, kernels: Iterable[KernelText], proved: Iterable[Emitted]) -> None:
        self._limbs, self._names = limbs, Names(limbs.prefix)
        self._c = limbs.language == "c"
        self._kernels = [self._in_text(kernel) for kernel in kernels]
        self._functions = {function.name: function for function in limbs.functions}
        self._constants = {self._name(name): words for name, words in limbs.constants.items()}
        self._sizes = _sizes(limbs)
        self._proved = ProvedTexts(limbs.language, limbs.word, proved)
        wide = limbs.word == WORD
        wholes = {k.whole.name: k.whole for k in self._kernels if k.whole is not None and wide}
        self._limb_reader = LimbReader(limbs.language, limbs.word, self._functions, limbs.steps)
        self._binary = limbs.ground.is_binary
        self._kernel_reader = KernelReader(limbs.language, limbs.word, wholes, binary=self._binary)

    def differences(self, files: Mapping[str, str]) -> Iterator[Difference]:
        """Yield the differences, as the compiler sees them for which they are found first."""
        told: set[str] = set()
        try:
            for text in self._source(files).texts(self._limbs.word):
                for name, difference in self._compared(text).items():
                    if name not in told:
                        told.add(name)
                        yield self.difference(name, f"{difference} ({text.compiler})")
        except NotReadError as error:
            yield self.difference(self.prefix, f"the text cannot be read: {error}")

    @property
    def prefix(self) -> str:
        """The prefix of the field's names, or the name of its modules."""
        return self._limbs.prefix

    @property
    def names(self) -> set[str]:
        """The functions that are read."""
        limbs = {self._own(name) for name in self._functions}
        return {*limbs, *(kernel.name for kernel in self._kernels), *self._proved.names}

    def followed(self, files: Mapping[str, str]) -> Iterator[Followed]:
        """Yield the functions that are followed, by the files that may have them."""
        source = self._source(files)
        on_words, on_elements = source.paths(self._limbs.word)
        if self._c:
            names = self.names.union(f"limbs_{step.name}" for step in self._limbs.steps)
            yield from (Followed(path, f"{self.prefix}_{name}") for path in on_elements for name in names)
            return
        try:
            texts = [*source.texts(self._limbs.word)]
        except NotReadError:
            return
        methods = {name for text in texts for read in text.methods for name in read.functions}
        limbs = {*self._functions, *(step.name for step in self._limbs.steps), *self._proved.helpers}
        yield from (Followed(path, name, block) for path, block in on_words.items() for name in limbs)
        for path in on_elements:
            yield from (Followed(path, kernel.name) for kernel in self._kernels)
            for name in self._proved.names - self._proved.helpers:
                yield from (Followed(path, name, f"FieldElement{of}") for of in ("", "2"))
                if name not in methods:
                    yield Followed(path, name)

    def difference(self, name: str, text: str) -> Difference:
        """Return a difference of a function."""
        return Difference(self._limbs.language, name, self._limbs.word, text)

    def marked(self, files: Mapping[str, str]) -> Iterator[str]:
        """Yield the functions that a comment calls proved."""
        try:
            texts = self._source(files).whole(self._limbs.word)
        except NotReadError:
            return
        for text in texts:
            yield from (self._name(name) for name in marked_names(text, self._limbs.language))

    def _source(self, files: Mapping[str, str]) -> Source:
        named = {*(kernel.name for kernel in self._kernels), *self._constants, *self._proved.names}
        types = {a.type for kernel in self._kernels for a in (*kernel.inputs, *kernel.outputs)}
        return Source(
            self._limbs.language,
            self._limbs.prefix,
            files,
            lambda name: name in named or name in self._sizes or name.startswith(_ON_WORDS),
            tuple(sorted(types)),
        )

    def _compared(self, text: Text) -> dict[str, str]:
        """Return how functions differ in one text, by their names."""
        found = dict.fromkeys(self._unknown(text), "it is no function of the field")
        found |= self._proved.differences(text)
        on_words = self._limb_reader.differences(text.limbs)
        found |= {self._own(name): difference for name, difference in on_words.items()}
        found |= self._kernel_reader.differences(text.elements, self._kernels)
        constants = {name: self._constant(text, name) for name in self._constants}
        constants |= {name: self._size(text, name) for name in self._sizes}
        return found | {name: difference for name, difference in constants.items() if difference}

    def _unknown(self, text: Text) -> Iterator[str]:
        """Yield limb functions, and others between them, that nobody has proved."""
        steps = (step.name for step in self._limbs.steps)
        own = {self._own(name) for name in (*self._functions, *steps)} | self._proved.helpers
        for name in text.limbs.functions:
            if name not in own and (not self._c or name.startswith(_ON_WORDS)):
                yield name

    def _constant(self, text: Text, name: str) -> str:
        """Return how a constant differs from the words of its element."""
        wanted = self._constants[name]
        found = text.limbs.constants.get(name)
        value = found.value if found else None
        if self._c and found and found.kind != "fe":
            return "it is no element"
        if self._c and isinstance(value, Sequence) and len(value.items) == 1:
            (value,) = value.items
        items = value.items if isinstance(value, Sequence) else ()
        if tuple(item.value for item in items if isinstance(item, Literal)) != wanted or len(items) != len(
            wanted
        ):
            return "its words are not those of the element"
        return "" if self._c else _element_difference(text.elements.constants.get(name), name)

    def _size(self, text: Text, name: str) -> str:
        """Return how a number of words, bits or bytes differs from that of the field."""
        found = text.limbs.constants.get(name)
        if found is None:
            return ""
        known = found.value.value if isinstance(found.value, Literal) else None
        return "" if known == self._sizes[name] else f"it is not {self._sizes[name]}"

    def _own(self, name: str) -> str:
        """Return the name of a limb function in its text."""
        return f"limbs_{name}" if self._c else name

    def _name(self, name: str) -> str:
        """Return a name of the text as the reader has it."""
        return in_c(name, self._names).removeprefix("fp_") if self._c else name

    def _in_text(self, kernel: KernelText) -> KernelText:
        """Return a kernel with the names that the reader has."""
        if not self._c:
            return kernel

        def points(given: tuple[PointArgument, ...]) -> tuple[PointArgument, ...]:
            return tuple(replace(point, type=in_c(point.type, self._names)) for point in given)

        return replace(
            kernel,
            name=self._name(kernel.name),
            inputs=points(kernel.inputs),
            outputs=points(kernel.outputs),
            constants={self._name(text): name for text, name in kernel.constants.items()},
        )


def _element_difference(constant: Constant | None, name: str) -> str:
    """Return how a constant of elements in Rust differs from the one of words; there need be none."""
    if constant is None or constant.value == Call("FieldElement::constant", (Name(f"limbs::{name}"),)):
        return ""
    return "it is not the constant of words"
