"""The closed world of generated files: characters, comments, directives, conditions; all else is refused.

Two compilers could read two texts in a file with a line that ends in a backslash, a trigraph, a nested
comment or a condition on a name that no reader knows. Code that users compile has none of these. Drivers and
examples, which only tests run, are not read.
"""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise
from typing import TYPE_CHECKING

from efdgen.verify.readback.conditions import CONDITIONS, OWN_CONDITIONS
from efdgen.verify.words.reader import NotReadError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

_INCLUDES = {
    *("arm_neon", "cpuid", "immintrin", "intrin", "stddef", "stdint", "string", "wmmintrin"),
    *("mbedtls/md", "openssl/evp", "sodium"),
}
_PRAGMAS = {
    *("GCC push_options", "GCC pop_options", 'GCC target("no-bmi2")', 'GCC target("no-avx512f")'),
    'GCC optimize("rename-registers", "no-schedule-insns2", "no-tree-pta")',
    'GCC optimize("no-tree-ter", "no-tree-slp-vectorize", "no-tree-vectorize")',
    *('GCC optimize("no-schedule-insns")', 'GCC optimize("no-expensive-optimizations")'),
}
_BESIDE = re.compile(r"(?:.*/)?(?:driver|example|timing|test_)[^/]*$|examples/|benches/|tests/")

_C_COMMENT = re.compile(r"/\*(?:[^*/]|\*(?!/)|/(?!\*))*\*/")
_C_STRING = re.compile(r'"[^"\\\n]*"')
_C_FOREIGN = re.compile(r"//|/\*|\*/|\\|<[:%]|[:%]>|%:|\?\?|[^\n\x20-\x7e]|['\"]|\b_?_[Pp]ragma\b")
# In comments too: lines are joined, and trigraphs are replaced, before comments are.
_C_ANYWHERE = re.compile(r"\\\n|\?\?[=/'()!<>-]")
_DIRECTIVE = re.compile(r"#(if|ifdef|ifndef|elif|else|endif|define|include|error|pragma)\b *(.*)")
_GUARD = re.compile(r"EFDGEN_[A-Z0-9_]+_H")

_RUST_HIDDEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*')
# The strings of conditions, as in feature = "zeroize", stay.
_RUST_CONDITIONS = re.compile(r'(= "[^"\\\n]*")|"(?:[^"\\\n]|\\.)*"|//[^\n]*')
_RUST_FOREIGN = re.compile(
    r"/\*|\*/|[^\n -~]|\b[bc]?r#*\"|\b(?:include|include_str|include_bytes|asm|global_asm|env|option_env)\s*!"
    r"|'\\?\"|#(?!!?\[)|\bcfg(?:_attr)?\b(?!!?\()|\bmacro_rules\b(?!! )|(?<!\")\"(?!\")"
    r"|\bextern\b(?! crate alloc;)"
)
_MACROS = {
    *(
        "assignment",
        "batch",
        "call",
        "field_from",
        "field_operator",
        "negation",
        "numbers",
        "operator",
        "outputs",
        "point",
    ),
    *("point_traits", "prime_field", "secret", "sums"),
}
_ATTRIBUTE = re.compile(r"#!?\[\s*([\w:]+)")
_ATTRIBUTES = {
    *("allow", "cfg", "cfg_attr", "deny", "deprecated", "derive", "doc", "forbid", "inline", "must_use"),
    *("no_std", "path", "repr", "rustfmt::skip", "target_feature"),
}
_TARGET = re.compile(r"\btarget_feature\b *\(([^)]*)\)")
_LANES = {
    *('enable = "avx512f,avx512dq,avx512ifma"', 'enable = "avx512f,avx512dq,avx512vl,avx512ifma"'),
    'enable = "avx2,avxifma"',
}
_PREDICATE = re.compile(r"\b(?:cfg|cfg_attr)!?\(")
_ATOMS = {
    *('target_pointer_width = "64"', 'target_arch = "x86_64"', 'efdgen_carry = "portable"'),
    *('efdgen_lanes = "none"', "word64"),
}


def foreign(files: Mapping[str, str], prefixes: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each file of C and Rust with text outside of the closed world, and what it is.

    ``prefixes`` are those of the names of fields and curves.
    """
    readers: dict[str, Callable[[str], None]] = {
        ".h": lambda text: _read_c(text, files, prefixes),
        ".c": lambda text: _read_c(text, files, prefixes),
        ".rs": lambda text: _read_rust(text, _features(files)),
    }
    for name, text in files.items():
        read = next((read for ending, read in readers.items() if name.endswith(ending)), None)
        if read is not None and not _BESIDE.match(name):
            try:
                read(text)
            except NotReadError as error:
                yield name, str(error)


def _read_c(text: str, files: Mapping[str, str], prefixes: Collection[str]) -> None:
    _require_printable(text)
    code = _C_COMMENT.sub(lambda found: " " + "\n" * found[0].count("\n"), text)
    if found := _C_FOREIGN.search(_C_STRING.sub("", code)):
        raise NotReadError(f"it has {found[0]!r}, which compilers read in several ways")
    if found := _C_ANYWHERE.search(text):
        raise NotReadError(f"it has {found[0]!r}")
    directives = [line.rstrip() for line in code.splitlines() if "#" in line]
    for line, after in pairwise([*directives, ""]):
        _read_directive(_without_guard(line, after), files, {prefix.upper() for prefix in prefixes})


def _without_guard(line: str, after: str) -> str:
    """Return a condition without the guard that the next directive defines: it holds once."""
    guard = re.fullmatch(rf"#define ({_GUARD.pattern})", after)
    if guard and line == f"#ifndef {guard[1]}":
        return "#if 1"
    return line.removesuffix(f" && !defined({guard[1]})") if guard else line


def _read_directive(line: str, files: Mapping[str, str], prefixes: Collection[str]) -> None:
    found = _DIRECTIVE.fullmatch(line)
    if found is None:
        raise NotReadError(f"no such directive is known: {line.strip()}")
    kind, rest = found[1], found[2]
    if kind in ("if", "ifdef", "ifndef", "elif"):
        for name in re.findall(r"[A-Za-z_]\w*", rest):
            if name not in {"defined", *CONDITIONS} and not _is_own(name, prefixes, OWN_CONDITIONS):
                raise NotReadError(f"a condition on {name}")
    elif kind == "define":
        (name,) = re.findall(r"^\w+", rest) or [rest]
        if not _is_own(name, prefixes, ()):
            raise NotReadError(f"a macro {name}, which has no prefix")
    elif kind == "include":
        own = re.fullmatch(r'"([\w.]+)"', rest)
        system = re.fullmatch(r"<([\w/]+)\.h>", rest)
        if not (own and own[1] in {path.rpartition("/")[2] for path in files}) and not (
            system and system[1] in _INCLUDES
        ):
            raise NotReadError(f"an unknown #include {rest}")
    elif kind == "pragma" and rest not in _PRAGMAS:
        raise NotReadError(f"an unknown #pragma {rest}")


def _is_own(name: str, prefixes: Collection[str], known: Collection[str]) -> bool:
    """Return whether a macro has a prefix, and after it a known name; if none is known, it may be a guard."""
    rest = {name.removeprefix(f"{prefix}_") for prefix in prefixes if name.startswith(f"{prefix}_")}
    return bool(rest & {*known}) if known else bool(rest or _GUARD.fullmatch(name))


def _read_rust(text: str, features: Collection[str]) -> None:
    _require_printable(text)
    code = _RUST_HIDDEN.sub(lambda found: '""' if found[0].startswith('"') else "", text)
    if found := _RUST_FOREIGN.search(code):
        raise NotReadError(f"it has {found[0]!r}")
    for macro in re.findall(r"\bmacro_rules!\s*(\w*)", code):
        if macro not in _MACROS:
            raise NotReadError(f"an unknown macro {macro}")
    for attribute in _ATTRIBUTE.findall(code):
        if attribute not in _ATTRIBUTES:
            raise NotReadError(f"an unknown attribute {attribute}")
    if unknown := {*_TARGET.findall(text)} - _LANES:
        raise NotReadError(f"instructions that no reader knows: {unknown.pop()}")
    known = _ATOMS | {f'feature = "{name}"' for name in features}
    plain = _RUST_CONDITIONS.sub(lambda found: found[1] or "", text)
    for found in _PREDICATE.finditer(plain):
        predicate = _enclosed(plain, found.end())
        if "cfg_attr" in found[0]:
            predicate = predicate.partition(",")[0]
        for atom in re.findall(r'\w+(?:\s*=\s*"[^"]*")?', re.sub(r"\b(?:all|any|not)\(", "(", predicate)):
            if atom not in known:
                raise NotReadError(f"a condition on {atom}")


def _require_printable(text: str) -> None:
    """Raise :class:`NotReadError` for what an editor does not show, or shows as another text."""
    for character in sorted({*text} - {"\n"}):
        if not character.isprintable():
            raise NotReadError(f"it has the character {character!r}")


def _enclosed(text: str, start: int) -> str:
    """Return a text up to the parenthesis that closes the one before it."""
    depth = 1
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if not depth:
            return text[start:at]
    return text[start:]


def _features(files: Mapping[str, str]) -> Collection[str]:
    """Return the features of a crate, by its manifest; those that a single module may have without one."""
    if "Cargo.toml" not in files:
        return ("alloc", "word32", "zeroize")
    try:
        manifest = tomllib.loads(files["Cargo.toml"])
    except tomllib.TOMLDecodeError as error:
        raise NotReadError(f"Cargo.toml: {error}") from None
    lints = manifest.get("lints", {}).get("rust", {}).get("unexpected_cfgs", {}).get("check-cfg", [])
    given = manifest.get("dependencies", {}).items()
    optional = {name for name, entry in given if isinstance(entry, dict) and entry.get("optional")}
    return optional | {*manifest.get("features", {}), *re.findall(r'"([\w-]+)"', " ".join(lints))}
