"""The texts of a field in files as they are written: for each compiler that they distinguish, as functions.

C is a header, or a header and a source file; Rust a crate, or one module with a module of words inside. In C
the prefix of the names becomes ``fp``, as in the texts that are proved.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from efdgen.generator.fields.loops import PREFIX, in_c
from efdgen.generator.fields.pieces import Names
from efdgen.verify.fields.helpers import COMPILERS
from efdgen.verify.words.c import read_c
from efdgen.verify.words.reader import NotReadError, definitions, without_comments
from efdgen.verify.words.rust import read_rust

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from efdgen.generator.fields.pieces import Language
    from efdgen.verify.words.tree import Routines

# A module of limb functions within a module, behind the condition under which it is there.
_MODULE = re.compile(r"\s*(#\[cfg\(.*\)\]\s*)?mod limbs \{")
_IMPLEMENTATION = re.compile(r"\s*impl FieldElement2? \{")
# How macros may be defined that stand before functions or between statements: they change no value.
_LINKAGES = {
    "INLINE": {
        "static inline __attribute__((always_inline))",
        "static __forceinline",
        "static inline",
    },
    "REPEATED": {"static inline", "FP_INLINE"},
    "WHOLE": {
        'static __attribute__((noinline, unused, target("tune=generic")))',
        "static __attribute__((noinline, unused))",
        "static inline",
    },
    "SEAM": {
        '__extension__({ __label__ next; __asm__ goto("" : : : : next); next:; })',
        "((void)0)",
    },
}


@dataclass(frozen=True)
class Text:
    """Functions as one compiler sees them: those on words, and those on elements, which may be elsewhere.

    ``methods`` are those of Rust's types of elements. ``defined`` are what the compiler defines, in C.
    """

    compiler: str
    limbs: Routines
    elements: Routines
    methods: tuple[Routines, ...] = ()
    defined: Collection[str] = ()


@dataclass(frozen=True)
class Source:
    """The text of one field. ``wanted`` says which names are read, ``types`` are those of points."""

    language: Language
    prefix: str
    files: Mapping[str, str]
    wanted: Callable[[str], bool]
    types: tuple[str, ...] = ()

    def texts(self, word: int) -> Iterator[Text]:
        """Yield what compilers see with words of a size; raises :class:`NotReadError`."""
        if self.language == "c":
            whole = self._whole_c()
            for compiler, defined in COMPILERS[word].items():
                read = read_c(whole, word, defined, self.wanted, self.types)
                yield Text(compiler, read, read, (), defined)
            return
        limbs, elements = self._modules(word)
        for target in ("x86_64", "aarch64"):
            facts = rust_facts(word, target)
            yield Text(
                f"Rust for {target}",
                read_rust(limbs, facts),
                read_rust(elements, facts, self.wanted),
                tuple(read_rust(methods, facts, self.wanted) for methods in _methods(elements)),
            )

    def _whole_c(self) -> str:
        """Return a header with the source that includes it, after a check of the macros that it defines."""
        found = [self.files[name] for name in (f"{self.prefix}.h", f"{self.prefix}.c") if name in self.files]
        if not found:
            raise NotReadError(f"there is no {self.prefix}.h")
        if self.prefix != PREFIX and any(re.search(rf"\b{PREFIX}_", text, re.I) for text in found):
            raise NotReadError(f"a name begins with {PREFIX}_, and the prefix is {self.prefix}")
        return _with_known_macros(in_c("\n".join(found), Names(self.prefix)))

    def _modules(self, word: int) -> tuple[str, str]:
        """Return the text of functions on words, and of those on elements."""
        if f"src/{self.prefix}_limbs{word}.rs" in self.files:
            return self.files[f"src/{self.prefix}_limbs{word}.rs"], self.files[f"src/{self.prefix}.rs"]
        if f"src/limbs{word}.rs" in self.files:
            parts = (self.files[name] for name in ("src/lib.rs", "src/field.rs"))
            return self.files[f"src/limbs{word}.rs"], "\n".join(parts)
        (text,) = (self.files[name] for name in self.files if name.endswith(f"{self.prefix}.rs"))
        modules, rest = [], []
        for definition in definitions(without_comments(text).splitlines()):
            found = _MODULE.match(definition)
            if found is None:
                rest.append(definition)
            elif f"pub type Word = u{word};" in definition:
                modules.append(definition[found.end() :].rpartition("}")[0])
        (limbs,) = modules
        return limbs, "\n".join(rest)


def rust_facts(word: int, target: str = "x86_64") -> dict[str, str]:
    """Return what a compiler of Rust says of a target, and of the crate's features."""
    feature = "word32" if word == 32 else ""
    return {"target_arch": target, "target_pointer_width": str(word), "feature": feature}


def _methods(text: str) -> Iterator[str]:
    """Yield the methods of each type of elements."""
    for definition in definitions(without_comments(text).splitlines()):
        found = _IMPLEMENTATION.match(definition)
        if found:
            yield definition[found.end() :].rpartition("}")[0]


@lru_cache(maxsize=4)
def _with_known_macros(text: str) -> str:
    """Return a text in C; raises :class:`NotReadError` for a macro that could change what stands in it."""
    code = without_comments(text.replace("\\\n", " "))
    for name, value in re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(.*)$", code, re.M):
        known = _LINKAGES.get(name.removeprefix("FP_"))
        if not name.startswith("FP_") or "(" in value[:1] or (known and value.strip() not in known):
            raise NotReadError(f"#define {name}{value}")
    if re.search(r"^[ \t]*#[ \t]*undef", code, re.M):
        raise NotReadError("#undef")
    return text
