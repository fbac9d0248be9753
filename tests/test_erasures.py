"""Erasure of scalars, digits and entries in C, in text and on the stack, and of rooms in Rust."""

import re
import subprocess
from contextlib import suppress
from functools import cache

import pytest
from test_routines import HEAD
from test_routines_printed import different, in_c, in_rust, modules
from tools import CC
from whole_curves import DATABASE
from wipes import locals_left

from efdgen.generator.compile import Request
from efdgen.generator.errors import EfdgenError
from efdgen.generator.languages.erasure import erasing
from efdgen.generator.routines.parser import parse
from efdgen.verify.vectors.whole_subjects import whole_subject
from efdgen.verify.words.c import read_c
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.rust import read_rust

CURVES = ("secp256k1", "P-256", "edwards25519", "Curve25519", "Jubjub")
# It is odd, so that recoding shifts it and no more.
SCALAR = int.from_bytes(range(0x42, 0x62))


@cache
def header(curve: str) -> str:
    """Return the header of a whole curve, in which nothing is proved."""
    request = Request("c", curve, set="curve", prefix="whole", table="small", lowering="calls")
    return whole_subject(DATABASE, request, ["c"]).files["c"]["whole.h"]


@pytest.mark.slow
@pytest.mark.parametrize("curve", CURVES)
def test_locals_of_functions_on_scalars_are_erased(curve):
    text = header(curve)
    assert locals_left(text, "whole") == {}
    erased = {*re.findall(r"^ +WHOLE_WIPE\(.*\n", text, re.M)}
    assert erased
    assert [line for line in sorted(erased) if not locals_left(text.replace(line, ""), "whole")] == []


PROGRAM = r"""
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "whole.h"

static unsigned char stack[1 << 20] __attribute__((aligned(4096)));
static const uint8_t k[WHOLE_SCALAR_BYTES] = {SCALAR}, forms[3][WHOLE_SCALAR_BYTES] = {FORMS};

static void *multiply(void *unused) {
    whole_point r;
    (void)unused;
    CALL;
    return NULL;
}

/* Returns the length of the longest part of a number that is on the stack, of at most eight bytes. */
static int found(const uint8_t number[WHOLE_SCALAR_BYTES]) {
    int most = 0;
    for (size_t at = 0; at + 8 <= WHOLE_SCALAR_BYTES; at++) {
        for (size_t i = 0; i + 8 <= sizeof stack; i++) {
            int same = 0;
            while (same < 8 && stack[i + (size_t)same] == number[at + (size_t)same]) {
                same++;
            }
            most = same > most ? same : most;
        }
    }
    return most;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    memset(stack, 0xA5, sizeof stack);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, sizeof stack);
    if (pthread_create(&thread, &attributes, multiply, NULL) != 0) {
        return 1;
    }
    pthread_join(thread, NULL);
    printf("%d %d %d\n", found(forms[0]), found(forms[1]), found(forms[2]));
    return 0;
}
"""
CALLS = ("whole_multiply_generator(&r, k)", "whole_multiply(&r, k, &WHOLE_GENERATOR)")


@pytest.mark.long
@pytest.mark.parametrize("call", CALLS, ids=["generator", "point"])
@pytest.mark.parametrize("curve", ["secp256k1", "P-256"])
def test_no_scalar_is_left_on_the_stack(cc, tmp_path, curve, call):
    (tmp_path / "whole.h").write_text(header(curve))
    (tmp_path / "program.c").write_text(PROGRAM)
    forms = [SCALAR.to_bytes(32, "big"), SCALAR.to_bytes(32, "little"), (SCALAR >> 1).to_bytes(32, "little")]
    rows = [", ".join(map(str, form)) for form in forms]
    options = [f"-DCALL={call}", f"-DSCALAR={rows[0]}", f"-DFORMS={{{'}, {'.join(rows)}}}", "-pthread"]
    ways = {"erased": [], "left": ["-DWHOLE_WIPE(at,length)=((void)(at),(void)(length))"]}
    longest = {}
    for name, more in ways.items():
        for level in ("-O0", "-O1", "-O2", "-O3", "-Os"):
            command = [CC, "-std=gnu99", level, *options, *more, "-o", "program", "program.c"]
            subprocess.run(command, cwd=tmp_path, check=True)
            done = subprocess.run(["./program"], cwd=tmp_path, check=True, capture_output=True, text=True)
            longest[name, level] = max(map(int, done.stdout.split()))
    # Without optimisation, later calls write over some of it.
    assert {longest["left", level] for level in ("-O1", "-O2", "-O3", "-Os")} == {8}
    assert {name for (name, _), length in longest.items() if length >= 8} == {"left"}


SECRETS = """
routine all(t: row) -> u32:
    var own: row = t
    for i in 0..N:
        var inner: row = own
        own[i] = inner[i] +% 1
    let first = own[0]
    return first

routine sized(t: row) -> row as r:
    var own: row = t
    let zero: row = 0
    own[0] = own[0] +% zero[0]
    var r: row = own
    return r

routine free_var(t: row) -> u32:
    let own: row = t
    return own[0]
"""


def test_what_depends_on_secrets_is_erased_and_read_back():
    found = erasing(modules(parse(HEAD + SECRETS), {"N": 4}))
    text = in_c(found)
    erased = re.findall(r"FP_WIPE\((.*), sizeof (.*)\)", text)
    assert erased == [("inner", "inner"), ("own", "own"), ("own", "own")]
    assert not different(found, read_c(text, 64))
    erasure = "    FP_WIPE(own, sizeof own);\n"
    for old, new in (
        (erasure, ""),
        (erasure, erasure * 2),
        (erasure, erasure.replace("sizeof own", "4")),
        (erasure, erasure.replace("sizeof own", "sizeof t")),
        (erasure, erasure.replace("WIPE(own", "WIPE(&own")),
        (erasure, erasure.replace("own", "t")),
        (erasure, erasure.replace("own", "first")),
        ("    uint32_t first", f"{erasure}    uint32_t first"),
    ):
        edited = text.replace(old, new, 1)
        assert edited != text
        with suppress(NotReadError):
            assert different(found, read_c(edited, 64)), edited


def test_a_number_is_not_returned_of_what_is_erased():
    text = "routine first(t: row) -> u32:\n    var own: row = t\n    return own[0]\n"
    found = modules(parse(HEAD + text), {"N": 4})
    with pytest.raises(EfdgenError, match="what it returns of own has a name"):
        erasing(found)


ROOMS = """
routine total(t: u32[count][N]) -> u32:
    room own: row[count]
    var first: row = 0
    for i, one in t:
        own[i] = one
        first = one
    var sum = first[0]
    for i, one in own:
        sum = sum +% one[0]
    return sum

routine total_var(t: u32[count][N]) -> u32:
    room own: row[count]
    for i, one in t:
        own[i] = one
    return own[0][0]
"""


def test_rooms_that_depend_on_secrets_are_erased_in_rust_and_read_back():
    found = erasing(modules(parse(HEAD + ROOMS), {"N": 4}), rooms_alone=True)
    text = f"const N: usize = 4;\n{in_rust(found)}"
    erasure = "    erase(&mut own);\n"
    assert (text.count("erase("), text.count(f"{erasure}    sum\n")) == (1, 1)
    assert not different(found, read_rust(text))
    for old, new in (
        (erasure, ""),
        (erasure, erasure * 2),
        (erasure, erasure.replace("own", "first")),
        (erasure, erasure.replace("&mut own", "&mut own[0]")),
        (erasure, erasure.replace("&mut ", "")),
        ("    let mut sum", f"{erasure}    let mut sum"),
        (f"{erasure}    sum\n", f"{erasure}    own[0][0]\n"),
    ):
        edited = text.replace(old, new, 1)
        assert edited != text
        with suppress(NotReadError):
            assert different(found, read_rust(edited)), edited


def test_a_point_is_not_returned_of_a_room_that_is_erased():
    text = ROOMS.replace("return sum", "return own[0][0]").replace("total_var", "other")
    with pytest.raises(EfdgenError, match="what it returns of own has a name"):
        erasing(modules(parse(HEAD + text), {"N": 4}), rooms_alone=True)
