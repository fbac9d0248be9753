"""Limb functions and kernels are read back from the text, and single edits of it are refused."""

from __future__ import annotations

import re
from difflib import ndiff
from functools import cache
from typing import TYPE_CHECKING

import pytest
from collected import Collected

from efdgen.generator.fields.printed import LimbText
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.render.field.bundle import render_field
from efdgen.verify.readback.read import Readback

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

PRIMES = ("P-256", "P-384", "2^255-19", "secp256k1", "2^521-1", "5*2^248-1")
OPERATIONS = "add", "sub", "neg", "half", "mul", "sqr", "mul_small", "select", "cswap", "is_zero"


def read_with(request: FieldRequest) -> tuple[dict[str, str], Readback]:
    """The files of a field, and what reads them."""
    claims = Collected()
    files = render_field(request, claims)
    assert sum(isinstance(claim, LimbText) for claim in claims.texts) == len(request.field().words)
    return files, Readback(claims.texts)


@cache
def printed(language: str, prime: str, word: int) -> tuple[str, dict[str, str], Readback]:
    """The file of limb functions, all files, and what reads them."""
    kind = "unsaturated" if prime == "2^521-1" else None
    files, reader = read_with(FieldRequest(language, prime, word, operations=OPERATIONS, representation=kind))
    return "fp.h" if language == "c" else f"src/limbs{word}.rs", files, reader


def differences(language: str, prime: str, word: int, edit: Callable[[str], str]) -> list[str]:
    name, files, reader = printed(language, prime, word)
    text = edit(files[name])
    assert text != files[name]
    return [str(difference) for difference in reader.differences({**files, name: text})]


@pytest.mark.drawn(5)
@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.parametrize("language", ["c", "rust"])
@pytest.mark.parametrize("prime", PRIMES)
def test_what_is_printed_is_what_was_proved(language, prime, word):
    _, files, reader = printed(language, prime, word)
    assert reader.differences(files) == []


@pytest.mark.slow
@pytest.mark.parametrize("prime", ["2^255-19", "2^521-1"])
def test_other_layouts_are_read_too(prime):
    for language, layout in (("c", "split"), ("rust", "module")):
        request = FieldRequest(language, prime, prefix="toy", layout=layout, operations=OPERATIONS)
        files, reader = read_with(request)
        assert reader.differences(files) == []
        name = "toy.c" if language == "c" else "toy.rs"
        edited = re.sub(r"(word_addc|add_carry)\(c_\d+,", r"\1(0,", files[name], count=1)
        assert edited != files[name]
        assert reader.differences({**files, name: edited}) != []


def more(found: re.Match[str]) -> str:
    """The last number of a match, one larger."""
    return f"{found[1]}{int(found[2]) + 1}"


# Edits of a line: what they change, where, and to what.
def other_constant(found: re.Match[str]) -> str:
    """Return another constant; the same one where only its highest bit counts, in doublings of two words."""
    line = found.string[found.string.rfind("\n", 0, found.start()) : found.start()]
    return found[0] if "word_twice(" in line else f"{found[0]}1"


EDITS: dict[str, tuple[str, str | Callable[[re.Match[str]], str]]] = {
    "a carry is dropped": (r"(word_addc|word_subb|add_carry|sub_borrow)\([cd]_\d+,", r"\1(0,"),
    "operands of a difference are swapped": (
        r"(word_subb|sub_borrow)\((\w+), ([^,]+), ([^,)]+)",
        r"\1(\2, \4, \3",
    ),
    "a sum for a difference": (
        r"word_subb|sub_borrow",
        lambda f: {"w": "word_addc"}.get(f[0][0], "add_carry"),
    ),
    "a difference for a sum": (
        r"word_addc|add_carry",
        lambda f: {"w": "word_subb"}.get(f[0][0], "sub_borrow"),
    ),
    "another word is read": (r"(= \w+\[)(\d+)(?=\];)", more),
    "a mask is left out": (r" & [mn]_\d+", ""),
    "a constant is another": (r"0x[0-9a-f_]*[0-9a-f]", other_constant),
    "a mask is not inverted": (r"[~!](?=[mn]_)", ""),
    "a shift by one more": (r"((?:shld|wide_shift)\([^;]*, |>> |<< )(\d+)(?=\)?;|\))", more),
    "a store of another word": (r"(\w+\[\d+\] = )(t_)(?=\d)", r"\1t_1"),
    "a store to another place": (r"^(    r\[)(\d+)(?=\] = )", more),
    "a sum goes to another place": (r"(&r\[)(\d+)(?=\])", more),
    "another value is read": (r"(, t_)(\d+)(?=[,)])", more),
    "a parameter of a step is of another type": (
        r"(_step\w*\(\s*[^;{]*?)(uint(?:64|32))(?=_t x)",
        lambda found: f"{found[1]}{'uint32' if found[2] == 'uint64' else 'uint64'}",
    ),
    "a step reads what another made": (r"(_step\w*\(\w+, )(\w+), (\w+)", r"\1\3, \2"),
    "another word of a step is read": (r"^( [^\n]*[(=][^\n]*?\bw_\d+\[)(\d+)(?=\])", more),
    "a high word for a low one": (r"wide_low\(", "wide_high("),
    "a line is left out": (r"^    (?! *[/*]| *\(void\)| *let _ =)[^\n]*;\n", ""),
    "lines change places": (
        r"^( +(?:const \w+|let) (\w+) = [^\n]*;\n)( +[^\n]*\b\2\b[^\n]*;\n)",
        r"\3\1",
    ),
    "a product is added twice": (
        r"^( +s_\d+ = (?:\w*wide_(?:mac|add|sub)\(|s_\d+\.wrapping_)[^\n]*;\n)",
        r"\1\1",
    ),
    "a product is subtracted": (r"wide_mac\(", "wide_add("),
    "a sum is subtracted": (r"wide_add\(|s_\d+\.wrapping_add", lambda f: f[0].replace("add", "sub")),
}


def places(text: str, word: int) -> Iterator[tuple[str, str]]:
    """Each edit of each line of a limb function, and the text with it; not of lines for other words."""
    left_out = [m.span() for m in re.finditer(rf"#if FP_WORD_BITS == {96 - word}\n.*?#endif", text, re.S)]
    start = re.search(r"\bfn (?!mask|add_carry|sub_borrow|mul_wide|wide_)|_limbs_\w+\($|_limbs_\w+\(", text)
    assert start is not None
    for name, (pattern, replacement) in EDITS.items():
        for found in re.compile(pattern, re.M).finditer(text, start.start()):
            edited = found.expand(replacement) if isinstance(replacement, str) else replacement(found)
            line = text[text.rfind("\n", 0, found.start()) + 1 :].lstrip()
            is_read = not any(start <= found.start() < stop for start, stop in left_out)
            if is_read and edited != found[0] and not line.startswith(("/", "*")):
                yield name, f"{text[: found.start()]}{edited}{text[found.end() :]}"


@pytest.mark.parametrize("word", [64, 32])
@pytest.mark.parametrize("language", ["c", "rust"])
@pytest.mark.parametrize("prime", PRIMES)
@pytest.mark.slow
def test_single_edits_are_refused(language, prime, word, rng: random.Random):
    name, files, _ = printed(language, prime, word)
    by_edit: dict[str, list[str]] = {}
    for edit, text in places(files[name], word):
        by_edit.setdefault(edit, []).append(text)
    assert len(by_edit) > 7
    for edit, texts in by_edit.items():
        for text in rng.sample(texts, min(2, len(texts))):
            found = differences(language, prime, word, lambda _, text=text: text)
            assert found or is_same(files[name], text), (edit, changed(files[name], text))


def is_same(text: str, other: str) -> bool:
    """Return whether one value is read in place of another that is defined by the same words."""
    at = next(at for at, (a, b) in enumerate(zip(text, other, strict=False)) if a != b)
    start = at - len(re.search(r"\w*\Z", text[:at])[0])
    names = [re.match(r"\w+", each[start:])[0] for each in (text, other)]
    one, another = (re.findall(rf" {name} = (.*);", text[:start]) for name in names)
    return bool(one) and one[-1:] == another[-1:]


def changed(text: str, other: str) -> list[str]:
    """The lines in which two texts differ."""
    return [line for line in ndiff(text.splitlines(), other.splitlines()) if line[0] in "+-"]
