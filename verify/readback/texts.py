"""The texts of a field in the written files: for each compiler that they distinguish, as functions.

C is a header, or a header and a source file; Rust a crate, or one module with a module of words inside. In C
the prefix of the names becomes ``fp``, as in the texts that are proved.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from efdgen.generator.fields.loops import PREFIX, in_c
from efdgen.generator.fields.pieces import Names
from efdgen.verify.readback.conditions import combinations
from efdgen.verify.words.c import read_c
from efdgen.verify.words.reader import NotReadError, definitions, without_comments
from efdgen.verify.words.rust import condition_holds, read_rust
from efdgen.verify.words.tree import Routines

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from efdgen.generator.fields.pieces import Language

# Conditions on targets and features, as Rust's compiler has them, by the bits of a word.
TARGETS: dict[int, dict[str, dict[str, str]]] = {
    64: {
        f"{arch}{', portable' if carry else ''}": {
            **{"target_arch": arch, "target_pointer_width": bits, "feature": ""},
            **{"efdgen_carry": carry, "word64": wide},
        }
        for (arch, bits, wide), carry in product(
            (("x86_64", "64", ""), ("aarch64", "64", ""), ("wasm32", "32", "64")), ("", "portable")
        )
    },
    32: {
        f"{arch}{', portable' if carry else ''}": {
            **{"target_arch": arch, "target_pointer_width": bits, "feature": feature},
            **{"efdgen_carry": carry, "word64": ""},
        }
        for (arch, bits, feature), carry in product(
            (("x86_64", "64", "word32"), ("aarch64", "64", "word32"), ("arm", "32", "")), ("", "portable")
        )
    },
}
# A module of limb functions within a module, after the condition under which it is there.
_MODULE = re.compile(r"\s*(#\[cfg\(.*\)\]\s*)?mod limbs \{")
_IMPLEMENTATION = re.compile(r"\s*impl FieldElement2? \{")
# Items of the type of elements that kernels name beside methods: its choice, and its constants.
_NAMED = {
    re.compile(r"\s*impl ConditionallySelectable for FieldElement \{"): ("conditional_select",),
    re.compile(r"\s*impl FieldElement \{"): ("ZERO", "ONE"),
}
# Names that a C file declares at file scope, where generated text begins at the left margin.
_FILE_SCOPE = re.compile(
    r"^#\s*define\s+(\w+)"
    r"|^(?:__extension__ )?typedef\b[^;{]*?(\w+);|^\}\s*(\w+);"
    r"|^(?!typedef|return)[A-Za-z_][\w \t*]*?\b(\w+)\s*[(\[=]",
    re.M,
)
# The guard of a header, which is defined as nothing.
_GUARD = re.compile(r"EFDGEN_\w+_H")
# Lines that make declarations those of C for compilers of C++.
_LINKAGE_OF_C = re.compile(r'^#ifdef __cplusplus\n(extern "C" \{|\})\n#endif\n', re.M)
# Definitions of macros before functions or between statements: they change no value.
_LINKAGES = {
    "ALWAYS_INLINE": {
        "static inline __attribute__((always_inline))",
        "static __forceinline",
        "static inline",
    },
    "WHOLE": {
        'static __attribute__((noinline, unused, target("tune=generic")))',
        "static __attribute__((noinline, unused))",
        "static inline",
    },
    "STEP": {"static __attribute__((noinline, unused))", "static inline"},
    "PRODUCT": {"FP_ALWAYS_INLINE", "static __attribute__((noinline, unused))", "static inline"},
    "SEAM": {
        '__extension__({ __label__ next; __asm__ goto("" : : : : next); next:; })',
        "((void)0)",
    },
}


@dataclass(frozen=True)
class Text:
    """Functions as one compiler sees them: those on words, and those on elements, which may be elsewhere.

    ``methods`` are those of Rust's types of elements. ``defined`` are what the compiler defines, in C, and
    ``facts`` what it says of its target, in Rust.
    """

    compiler: str
    limbs: Routines
    elements: Routines
    methods: tuple[Routines, ...] = ()
    defined: Collection[str] = ()
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Source:
    """The text of one field. ``wanted`` says which names are read, ``types`` are those of points."""

    language: Language
    prefix: str
    files: Mapping[str, str]
    wanted: Callable[[str], bool]
    types: tuple[str, ...] = ()

    def whole(self, word: int) -> tuple[str, ...]:
        """Return the texts that belong to words of a size, with comments; raises :class:`NotReadError`."""
        if self.language == "c":
            return (in_one_text(self.files, self.prefix),)
        if module := self._module():
            return (module,)
        return self._modules(word, next(iter(TARGETS[word].values())))

    def _module(self) -> str:
        """Return the text of the only file in Rust, with a module of words inside; none of a crate."""
        names = (
            [] if "src/lib.rs" in self.files else [n for n in self.files if n.endswith(f"{self.prefix}.rs")]
        )
        return self.files[names[0]] if names else ""

    def paths(self, word: int) -> tuple[dict[str, str], tuple[str, ...]]:
        """Return the files with functions on words, with the block that has these, and those on elements."""
        if self.language == "c":
            files = (f"{self.prefix}.h", f"{self.prefix}.c", f"{self.prefix}_{word}.h")
            return dict.fromkeys(files, ""), files
        for own in (f"{self.prefix}_", ""):
            if (path := f"src/{own}limbs{word}.rs") in self.files:
                return {path: ""}, (f"src/{self.prefix}.rs",) if own else ("src/lib.rs", "src/field.rs")
        module = f"{self.prefix}.rs"
        return {module: "mod limbs"}, (module,)

    def texts(self, word: int) -> Iterator[Text]:
        """Yield what compilers see with words of a size; raises :class:`NotReadError`."""
        if self.language == "c":
            whole = self._whole_c()
            for compiler, defined in combinations(whole, word).items():
                read = read_c(whole, word, defined, self.wanted, self.types)
                yield Text(compiler, read, read, (), defined)
            return
        for compiler, facts in TARGETS[word].items():
            limbs, elements = self._modules(word, facts)
            yield Text(
                f"Rust for {compiler}",
                read_rust(limbs, facts),
                _with_named(read_rust(elements, facts, self.wanted), elements, facts),
                tuple(read_rust(methods, facts, self.wanted) for methods in _methods(elements)),
                facts=facts,
            )

    def _whole_c(self) -> str:
        """Return the text with the prefix of texts that are proved, after a check of the macros in it."""
        text = in_one_text(self.files, self.prefix)
        own = _names_at_file_scope(without_comments(text))
        foreign = re.compile(rf"(?!{self.prefix}_){PREFIX}_", re.I)
        if any(map(foreign.match, own)):
            raise NotReadError(f"a name begins with {PREFIX}_, and the prefix is {self.prefix}")
        return _with_known_macros(in_c(text, Names(self.prefix), own))

    def _modules(self, word: int, facts: Mapping[str, str]) -> tuple[str, str]:
        """Return the text of functions on words, and of those on elements."""
        for own in (f"{self.prefix}_", ""):
            path = f"{own}limbs{word}.rs"
            if f"src/{path}" in self.files:
                library = self.files["src/lib.rs"]
                if _module_files(library, f"{own}limbs", facts) != [path]:
                    raise NotReadError(f"{path} is not the module of {word}-bit words")
                elements = (
                    self.files[f"src/{self.prefix}.rs"] if own else f"{library}\n{self.files['src/field.rs']}"
                )
                return self.files[f"src/{path}"], elements
        text = self._module()
        modules, rest = [], []
        for definition in definitions(without_comments(text).splitlines()):
            found = _MODULE.match(definition)
            if found is None:
                rest.append(definition)
            elif condition_holds(definition, facts):
                modules.append(definition[found.end() :].rpartition("}")[0])
        if len(modules) != 1:
            raise NotReadError(f"{len(modules)} modules of limbs")
        (limbs,) = modules
        if f"pub type Word = u{word};" not in limbs:
            raise NotReadError(f"the module of limbs is not of {word}-bit words")
        return limbs, "\n".join(rest)


def in_one_text(files: Mapping[str, str], prefix: str) -> str:
    """Return a C header and its source file, with the parts for one size of words that they include."""
    header = f"{prefix}.h"
    if header not in files:
        raise NotReadError(f"{header} is missing")

    def part(found: re.Match[str]) -> str:
        if found[1] not in files:
            raise NotReadError(f"{found[1]} is missing")
        return files[found[1]].replace(f'#include "{header}"\n', "")

    text = "\n".join([files[header], files.get(f"{prefix}.c", "")])
    if _LINKAGE_OF_C.findall(text) not in ([], ['extern "C" {', "}"]):
        raise NotReadError("the linkage of C begins or ends twice")
    text = _LINKAGE_OF_C.sub("", text)
    return re.sub(rf'^#include "({re.escape(prefix)}_\d\d\.h)"$', part, text, flags=re.M)


def _module_files(text: str, name: str, facts: Mapping[str, str]) -> list[str]:
    """Return the files that a text declares a module to be, for the facts of a compiler."""
    found = []
    for definition in definitions(without_comments(text).splitlines()):
        path = re.search(rf'#\[path = "([^"]*)"\]\s*(?:pub )?mod {name};', definition)
        if path and condition_holds(definition, facts):
            found.append(path[1])
    return found


def _methods(text: str) -> Iterator[str]:
    """Yield the methods of each type of elements."""
    for definition in definitions(without_comments(text).splitlines()):
        found = _IMPLEMENTATION.match(definition)
        if found:
            yield definition[found.end() :].rpartition("}")[0]


def _with_named(read: Routines, text: str, facts: Mapping[str, str]) -> Routines:
    """Return the functions and constants of a text, and what it calls ``FieldElement::…``."""
    functions, constants = dict(read.functions), dict(read.constants)
    for definition in definitions(without_comments(text).splitlines()):
        for pattern, names in _NAMED.items():
            if found := pattern.match(definition):
                inside = read_rust(definition[found.end() :].rpartition("}")[0], facts, names.__contains__)
                functions |= {f"FieldElement::{name}": item for name, item in inside.functions.items()}
                constants |= {f"FieldElement::{name}": item for name, item in inside.constants.items()}
    return Routines("rust", functions, constants)


@lru_cache(maxsize=4)
def _names_at_file_scope(text: str) -> frozenset[str]:
    return frozenset(name for found in _FILE_SCOPE.finditer(text) for name in found.groups() if name)


def _with_known_macros(text: str) -> str:
    """Return a text in C; raises :class:`NotReadError` for a macro that could change what is in it."""
    code = without_comments(text.replace("\\\n", " "))
    for name, value in re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(.*)$", code, re.M):
        # A call by another macro's name is refused later: no function of that name is known.
        known = _LINKAGES.get(name.removeprefix("FP_"))
        if _GUARD.fullmatch(name) and not value.strip():
            continue
        if not name.startswith("FP_") or (known and value.strip() not in known):
            raise NotReadError(f"#define {name}{value}")
    if re.search(r"^[ \t]*#[ \t]*undef", code, re.M):
        raise NotReadError("#undef")
    return text
