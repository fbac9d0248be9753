"""Routines in C and Rust: places of results, and the printed text read back."""

import ctypes
import re
import subprocess
from functools import cache
from itertools import chain

import pytest
from test_routines import HEAD, PLAN, constants
from tools import CC

from efdgen.generator.fields.printed import RoutineText
from efdgen.generator.languages.bindings import Bindings
from efdgen.generator.languages.c.printer import Printer as CPrinter
from efdgen.generator.languages.rust.printer import Printer as RustPrinter
from efdgen.generator.routines.interpreter import Interpreter
from efdgen.generator.routines.module import Module, module
from efdgen.generator.routines.parser import Text, library, parse
from efdgen.verify.readback.routines import differences
from efdgen.verify.words.c import read_c
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.rust import read_rust

NONE = Bindings()

# Every way in which a result in its argument's place could be wrong, and some in which it is not.
HOSTILE = """
routine reverse(t: row) -> row as r:
    var r: row
    for i in 0..N:
        r[i] = t[N - 1 - i]
    return r

routine late(t: row) -> row as r:
    var r: row = 0
    for i in 0..N:
        r[i] = t[i] +% 1
    return r

routine early(t: row, u: row) -> row as r:
    var r: row
    for i in 0..N:
        r[i] = t[i] ^ u[i]
    return r

routine written_first(t: row, u: row) -> row as r:
    var r: row
    for i in 0..N:
        r[i] = 1
        r[i] += u[i] & 15
        r[i] ^= t[i]
    return r

routine running(t: row) -> row as r:
    var r: row
    r[0] = 1
    for i in 1..N:
        r[i] = r[i - 1] +% t[i]
    return r

routine nested(t: row) -> row as r:
    var r: row = early(t, t)
    r = early(r, t)
    return r

routine twice(t: row) -> row as r:
    var r = reverse(t)
    r = early(r, t)
    return r

routine under(t: row, i: int) -> row as r:
    var r: row
    if i == 0:
        r = t
    else:
        r[0] = 5
        r[1] = t[0]
        r[2] = t[1]
        r[3] = 9
    return r

routine back(t: row) -> row as r, u32:
    var r: row
    var sum: u32 = 0
    for i in reversed(0..N):
        sum = sum +% t[i]
        r[i] = sum
    return r, sum

routine given(t: row) -> row as r:
    return t

routine sums(t: row) -> row as r:
    var all: u32[2][N]
    all[0] = t
    all[1] = t
    var r: row = 0
    for i, one in all:
        for j in 0..N:
            r[j] = (r[j] +% one[j]) +% u32(i)
    for i, one in all:
        r[0] ^= one[N - 1]
    return r

routine turn(inout r: row, t: row):
    for i in 0..N:
        r[i] = t[N - 1 - i]

routine turned(t: row) -> row as r:
    var r: row
    turn(r, t)
    return r

routine renamed(t: row) -> row as i:
    return t

routine out_of_loops(t: row) -> row as j:
    var sum: u32 = 0
    for j in 0..N:
        sum = sum +% t[j]
    var r: row = 0
    r[0] = sum
    return r

routine rows(t: row) -> u32[2][N] as r:
    var r: u32[2][N]
    r[0] = t
    r[1] = reverse(t)
    r[1][0] |= 3
    return r
"""


def modules(parsed: Text, values: dict, plan: dict | None = None) -> Module:
    return module(parsed, plan or {}, values, parsed.routines)


def different(found, printed, bindings=NONE) -> dict[str, str]:
    """Return how functions and constants of a text differ from a module's, by name."""
    names = tuple(name for name, routine in found.routines.items() if not routine.leaf)
    text = RoutineText(printed.language, "fp", "fp.h", found, names, bindings)
    return dict(differences(text, printed))


def in_c(found) -> str:
    printer = CPrinter(found, "fp")
    lines = [
        f"#define FP_{name} {c.value}" for name, c in found.constants.items() if isinstance(c.value, int)
    ]
    for name in found.routines:
        function = printer.function(name)
        lines += [f"{function.signature} {{", *function.body, "}", ""]
    return "\n".join(lines)


def in_rust(found, bindings=NONE) -> str:
    printer = RustPrinter(found, bindings)
    lines = []
    for name in found.routines:
        function = printer.function(name)
        lines += [f"fn {function.signature} {{", *function.body, "}", ""]
    return "\n".join(lines)


@cache
def hostile():
    """Return routines that read late, and their text in C."""
    found = modules(parse(HEAD + HOSTILE), {"N": 4})
    return found, in_c(found)


@pytest.fixture
def library_in_c(cc, tmp_path):
    """Hostile routines in C, as they are called."""
    (tmp_path / "hostile.c").write_text(f"#include <stddef.h>\n#include <stdint.h>\n{hostile()[1]}")
    warnings = ["-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-pedantic", "-Werror"]
    command = [CC, "-std=c99", "-O2", "-shared", "-fPIC", *warnings, "-o", "hostile.so", "hostile.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
    return ctypes.CDLL(str(tmp_path / "hostile.so"))


def test_a_result_may_be_written_where_an_argument_is(library_in_c):
    found, _ = hostile()
    for name, routine in found.routines.items():
        if not routine.results:
            continue
        arrays = [p for p in routine.parameters if p.name in "tu"]
        given = [[11, 22, 33, 44], [5, 6, 7, 8]][: len(arrays)]
        function = getattr(library_in_c, f"fp_{name}")
        function.restype = ctypes.c_uint32
        for number in (0, 1):
            numbers = [number] if len(routine.parameters) > len(arrays) else []
            wanted = Interpreter(found).call(name, *given, *numbers)
            # Two rows are no row: a result of another type is nowhere where an argument is.
            for place in [None, *range(len(arrays))] if name != "rows" else [None]:
                buffers = [(ctypes.c_uint32 * 8)(*values) for values in given]
                result = buffers[place] if place is not None else (ctypes.c_uint32 * 8)()
                returned = function(result, *buffers, *numbers)
                flat = [*chain(*wanted[0])] if name == "rows" else wanted[0]
                assert [*result][: len(flat)] == flat, (name, place)
                assert wanted[1:] in ([], [returned]), name


def test_hostile_routines_are_read_back():
    found = modules(parse(HEAD + HOSTILE), {"N": 4})
    assert not different(found, read_c(hostile()[1], 64))
    assert not different(found, read_rust(f"const N: usize = 4;\n{in_rust(found)}"))


def test_a_result_that_is_written_too_early_is_refused():
    found, text = hostile()
    given, body = "const uint32_t t[FP_N]) {\n", "        {}[i] = t[FP_N - 1 - i];\n    }}\n"
    loop = "    for (size_t i = 0; i < FP_N; i++) {\n"
    start = text.index("void fp_reverse(")
    printed = text[start : text.index("void fp_late(")]
    early = f"void fp_reverse(uint32_t r[FP_N], {given}{loop}{body.format('r')}}}\n\n"
    refused = different(found, read_c(text.replace(printed, early), 64))
    assert refused == {"reverse": "an argument is read after r was written, which may be there"}


@pytest.fixture(scope="module")
def scalars():
    """Routines on scalars, their text in C and in Rust, and what they are called there."""
    found = modules(library("scalars"), constants(), PLAN)
    names = {name: name.removeprefix("scalar_") for name in found.routines}
    bindings = Bindings(functions=names, constants={"SCALAR_WORDS": "WORDS"})
    return found, in_c(found), in_rust(found, bindings), bindings


def changed(found, printed, bindings) -> bool:
    return any("routines read" not in reason for reason in different(found, printed, bindings).values())


def edits(text: str):
    """Yield a text with one edit: a number, an operator, a name, a type or a line."""
    signs = {"+": "-", "-": "+", "*": "+", "|": "^", "&": "|", "^": "|", "<<": ">>", ">>": "<<", "<": "<="}
    signs |= {"==": "!=", "+=": "=", "|=": "^=", "^=": "|=", ">>=": "<<="}
    others = {"t": "a", "i": "j"}
    types = {"(uint32_t)": "(uint64_t)", "(uint64_t)": "(uint32_t)", "u64::from": "u32::from"}
    types |= {"wrapping_sub": "wrapping_add", " as u32": " as u64", "(int8_t)": "(int32_t)"}
    for pattern, replaced in (
        (r"(?<![\w\[] )\b\d+\b(?!; \w+\])", lambda found: str(int(found[0]) + 1)),
        (
            rf"(?<= )({'|'.join(map(re.escape, sorted(signs, key=len, reverse=True)))})(?= )",
            lambda f: signs[f[0]],
        ),
        ("|".join(map(re.escape, types)), lambda found: types[found[0]]),
        (
            r"\b(less|borrow|sum|row|carry|at|i|j|h|t|a|b)\b(?=[\[, );])",
            lambda f: others.get(f[0], "t"),
        ),
        (r"(?<=\n)    [^\n]*;\n", lambda _: ""),
    ):
        for found in re.finditer(pattern, text):
            head = text[: found.start()].rpartition("\n")[2]
            # Signatures and declared types are compared by the languages' own compilers, or by tests below.
            if re.match(r"[a-z#]|    +let (mut )?\w+: [^=]*$", head):
                continue
            yield found, text[: found.start()] + replaced(found) + text[found.end() :]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "rust"])
def test_every_edit_of_printed_routines_is_found(scalars, language):
    found, in_c_text, in_rust_text, bindings = scalars
    text, own = (in_c_text, NONE) if language == "c" else (in_rust_text, bindings)
    read = (lambda edited: read_c(edited, 64)) if language == "c" else read_rust
    assert not changed(found, read(text), own)
    count, missed = 0, []
    for place, edited in edits(text):
        count += 1
        try:
            if not changed(found, read(edited), own):
                missed.append(text[place.start() - 40 : place.end() + 20])
        except NotReadError:
            pass
    assert not missed
    assert count > 300


SUMS = """
routine secret(t: row) -> u32:
    var sum: u32 = 0
    for i in 0..N - 1:
        sum += 3 * t[i + 1] + t[i]
    return sum - t[0]

routine free_var(t: row) -> u32:
    var sum: u32 = 0
    sum += t[0] + t[1]
    return sum
"""


def test_sums_of_secrets_are_never_checked_in_rust():
    found = modules(parse(HEAD + SUMS), {"N": 4})
    text = in_rust(found)
    assert "sum = sum.wrapping_add(3_u32.wrapping_mul(t[i + 1]).wrapping_add(t[i]));" in text
    assert "sum.wrapping_sub(t[0])" in text
    assert "sum += t[0] + t[1];" in text
    printed = f"const N: usize = 4;\n{text}"
    assert not different(found, read_rust(printed))
    for right, wrong in (
        ("sum.wrapping_sub(", "sum.wrapping_add("),
        ("= sum.wrapping_add(", "= t[0].wrapping_add("),
    ):
        assert different(found, read_rust(printed.replace(right, wrong)))


def test_constants_are_read_back(scalars):
    found, text, _, _ = scalars
    tables = "".join(
        f"static const uint32_t fp_{name.lower()}[1][1] = {{{', '.join(map(_braced, constant.value))}}};\n"
        for name, constant in found.constants.items()
        if not isinstance(constant.value, int)
    )
    assert not different(found, read_c(tables + text, 64))
    for old, new in (("0, 0}", "0, 1}"), ("FP_SCALAR_BYTES 32", "FP_SCALAR_BYTES 31"), ("{0, 0", "{0")):
        edited = (tables + text).replace(old, new, 1)
        assert edited != tables + text
        assert different(found, read_c(edited, 64))


def _braced(row: tuple[int, ...]) -> str:
    return f"{{{', '.join(map(str, row))}}}"


def test_a_length_that_is_the_value_of_a_constant_is_read_back():
    """Was refused: a number of 4 was taken for the constant N, which the parameter did not name."""
    text = "routine f(t: u32[4][8], u: row) -> u32:\n    return t[0][0] +% u[0]\n"
    found = modules(parse(HEAD + text), {"N": 4})
    assert not different(found, read_c(in_c(found), 64))
    wrong = in_c(found).replace("[8]", "[7]")
    assert different(found, read_c(wrong, 64)) == {"f": "other parameters"}


POINTS = """
structure point
structure entry

constant BASE: point
constant TABLE: entry[2][N]

leaf add(p: point, q: point) -> point as r
leaf join(inout p: point, q: entry)
leaf times(inout p: point, count: int)
leaf read(table: entry[], digit: u32) -> entry as r
leaf is_small(p: point) -> choice
leaf select(p: point, q: point, flag: choice) -> point as r

routine both(inout p: point, q: point, k: u32):
    let found = read(TABLE[1], k)
    join(p, found)
    let doubled = add(q, q)
    p = add(p, doubled)

export routine chosen(p: point, k: u32) -> point as r:
    var sum: point = BASE
    let few = is_small(p)
    for i in reversed(0..N):
        if i < N - 1:
            times(sum, 2)
        elif i == 0:
            sum = p
        else:
            both(sum, p, k)
    return select(p, sum, few)
"""


def test_structures_are_given_by_their_address_and_read_back():
    found = modules(parse(HEAD + POINTS), {"N": 4})
    types = {"point": "fp_point", "entry": "fp_kernel_entry"}
    bindings = Bindings({"join": "fp_kernel_join"}, types)
    printer, names = CPrinter(found, "fp", bindings), ("both", "chosen")
    functions = [printer.function(name) for name in names]
    text = "#define FP_N 4\n" + "\n".join(
        f"{each.signature} {{\n{chr(10).join(each.body)}\n}}\n" for each in functions
    )

    def read(edited: str) -> dict[str, str]:
        printed = read_c(edited, 64, types=tuple(types.values()))
        return dict(differences(RoutineText("c", "fp", "fp.h", found, names, bindings), printed))

    assert not read(text)
    for old, new in (
        ("join(p, &found)", "join(q, &found)"),
        ("join(p, &found)", "join(p, p, &found)"),
        ("&doubled, q, q", "&doubled, q, p"),
        ("fp_table[1]", "fp_table[0]"),
        ("    fp_add(p, p, &doubled);\n", ""),
        ("fp_point sum = FP_BASE", "fp_point sum = *p"),
        ("sum = *p", "sum = *r"),
        ("sum = *p", "sum = p"),
        ("(&sum, 2)", "(&sum, 3)"),
        ("(r, p, &sum, few)", "(r, &sum, p, few)"),
        ("(r, p, &sum, few)", "(p, r, &sum, few)"),
        ("size_t i = FP_N", "size_t i = FP_N - 1"),
        ("} else if (i == 0) {", "} else if (i == 1) {"),
        ("fp_kernel_entry found", "fp_point found"),
        ("const fp_point *p, uint32_t k", "fp_point *p, uint32_t k"),
    ):
        edited = text.replace(old, new, 1)
        assert edited != text, old
        assert read(edited), (old, new)


def test_structures_are_borrowed_in_rust():
    found = modules(parse(HEAD + POINTS), {"N": 4})
    types = {"point": "Point", "entry": "Entry"}
    methods = frozenset(["add", "select"])
    bindings = Bindings({"join": "add"}, types, {"TABLE": "tables::ALL"}, methods=methods)
    printer = RustPrinter(found, bindings)
    functions = [printer.function(name) for name in ("both", "chosen")]
    text = "const N: usize = 4;\n" + "\n".join(
        f"fn {each.signature} {{\n{chr(10).join(each.body)}\n}}\n" for each in functions
    )

    def read(edited: str) -> dict[str, str]:
        routines = RoutineText("rust", "fp", "src/x.rs", found, ("both", "chosen"), bindings)
        return dict(differences(routines, read_rust(edited)))

    assert not read(text)
    for old, new in (
        ("add(p, &found)", "add(p, q)"),
        ("q.add(q)", "q.add(p)"),
        ("q.add(q)", "q.select(q)"),
        ("tables::ALL[1]", "tables::ALL[0]"),
        ("*p = p.add(&doubled);", ""),
        ("sum: Point = BASE", "sum: Point = *p"),
        ("times(&mut sum, 2)", "times(&mut sum, 3)"),
        ("p.select(&sum, few)", "sum.select(p, few)"),
        ("(0..N).rev()", "0..N"),
        ("} else if i == 0 {", "} else if i == 1 {"),
    ):
        edited = text.replace(old, new, 1)
        assert edited != text, (old, text)
        assert read(edited), (old, new)


MEMBERS = """
structure element
structure point

constant NOWHERE: point

leaf fe_mul(a: element, b: element) -> element as r
leaf fe_is_zero(a: element) -> choice
leaf double_kernel(p: point) -> point as r

routine straight(p: point, q: point) -> point as r:
    var r: point
    static for m in point.members:
        r.{m} = fe_mul(p.{m}, q.{m})
    return r

routine crossed(p: point) -> point as r:
    var r: point
    r.X = fe_mul(p.Y, p.Y)
    r.Y = fe_mul(p.X, p.X)
    return r

routine is_nowhere(p: point) -> choice:
    let same = fe_is_zero(p.X) | ~fe_is_zero(p.{point.last})
    return same

routine powers(p: point) -> choice:
    var found: choice = 1
    static for m, power in point.powers:
        var left = p.{m}
        for i in 0..power:
            left = fe_mul(left, p.X)
        found &= fe_is_zero(left)
    return found

routine twice_var(p: point, n: int) -> point as r:
    if not is_nowhere(p) and n > 0:
        return double_kernel(p)
    if powers(p):
        return p
    return NOWHERE

export routine checked(p: point) -> point? as r:
    let made = double_kernel(p)
    let there = ~is_nowhere(made)
    return made, there

routine half_crossed(p: point, q: point) -> point as r:
    var r: point
    r.X = fe_mul(p.X, q.Y)
    r.Y = fe_mul(p.Y, q.X)
    return r

routine named_first(p: point, q: point) -> point as r:
    let x = fe_mul(p.Y, q.X)
    let y = fe_mul(p.X, q.Y)
    var r: point
    r.X = x
    r.Y = y
    return r

routine over(p: point, q: point) -> point as r:
    var r: point
    r.X = fe_mul(p.X, q.X)
    r.Y = fe_mul(p.Y, r.X)
    return r
"""
MEMBER_PLAN = {
    "point.members": ("X", "Y"),
    "point.last": "Y",
    "point.powers": (("X", 0), ("Y", 2)),
}


@cache
def with_members():
    """Return routines on members of structures, and their bindings and texts in C and Rust."""
    found = modules(parse(HEAD + MEMBERS), {"N": 4}, MEMBER_PLAN)
    in_c_names = Bindings(types={"point": "fp_point", "element": "fp_fe"})
    in_rust_names = Bindings(
        {"fe_mul": "mul", "fe_is_zero": "is_zero"},
        {"point": "Point", "element": "FieldElement"},
        methods=frozenset(
            ["fe_mul", "fe_is_zero", "straight", "crossed", "is_nowhere", "powers", "twice_var", "checked"]
        ),
        in_place=frozenset(["double_kernel"]),
        blanks={"point": "NO_POINT"},
        members={"X": "x", "Y": "y"},
    )
    names = [name for name, routine in found.routines.items() if not routine.leaf]
    texts = []
    for printer, head in (
        (CPrinter(found, "fp", in_c_names), ""),
        (RustPrinter(found, in_rust_names), "fn "),
    ):
        functions = [printer.function(name) for name in names]
        texts.append("\n".join(f"{head}{f.signature} {{\n{chr(10).join(f.body)}\n}}\n" for f in functions))
    texts = [f"#define FP_N 4\n{texts[0]}", f"const N: usize = 4;\n{texts[1]}"]
    return found, (in_c_names, in_rust_names), texts


def read_with_members(language: str, edited: str) -> dict[str, str]:
    found, bindings, _ = with_members()
    if language == "c":
        return different(found, read_c(edited, 64, types=("fp_point",)), bindings[0])
    return different(found, read_rust(edited), bindings[1])


def test_members_are_written_in_place_where_no_other_is_read_late():
    _, _, (in_c_text, _) = with_members()
    assert "fp_fe_mul(&r->X, &p->X, &q->X);" in in_c_text
    assert "fp_fe_mul(&r.X, &p->Y, &p->Y);" in in_c_text
    assert "*r_out = r;" in in_c_text


MEMBERS_IN_C = """
#include <stddef.h>
#include <stdint.h>
typedef struct { uint32_t v; } fp_fe;
typedef struct { fp_fe X, Y; } fp_point;
static const fp_point FP_NOWHERE = { {0}, {0} };
static void fp_fe_mul(fp_fe *r, const fp_fe *a, const fp_fe *b) { r->v = a->v * b->v; }
static int fp_fe_is_zero(const fp_fe *a) { return a->v == 0; }
static void fp_double_kernel(fp_point *r, const fp_point *p) { r->X.v = 2 * p->X.v; r->Y.v = 2 * p->Y.v; }
"""


def test_members_may_be_written_where_an_argument_is(cc, tmp_path):
    found, _, (text, _) = with_members()
    (tmp_path / "members.c").write_text(MEMBERS_IN_C + text)
    command = [CC, "-std=c99", "-O2", "-shared", "-fPIC", "-o", "members.so", "members.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
    compiled = ctypes.CDLL(str(tmp_path / "members.so"))
    run = Interpreter(found, {"fe_mul": lambda a, b: [a * b % 2**32]})
    for name in ("straight", "crossed", "half_crossed", "named_first", "over"):
        given = [[3, 5], [7, 11]][: len(found.routines[name].parameters)]
        (wanted,) = run.call(name, *(dict(zip("XY", point, strict=True)) for point in given))
        for place in [None, *range(len(given))]:
            buffers = [(ctypes.c_uint32 * 2)(*values) for values in given]
            result = buffers[place] if place is not None else (ctypes.c_uint32 * 2)()
            getattr(compiled, f"fp_{name}")(result, *buffers)
            assert [*result] == [wanted["X"], wanted["Y"]], (name, place)


MEMBER_EDITS = {
    "c": [
        ("&p->X, &q->X", "&p->X, &q->Y"),
        ("&r->Y, &p->Y", "&r->X, &p->Y"),
        ("*r_out = r;", "*r_out = *p;"),
        ("(1 ^ fp_fe_is_zero(&p->Y))", "fp_fe_is_zero(&p->Y)"),
        ("left = p->Y;", "left = p->X;"),
        ("i < 2", "i < 3"),
        ("!fp_is_nowhere(p)", "fp_is_nowhere(p)"),
        ("fp_double_kernel(r, p);\n        return;", "fp_double_kernel(r, p);"),
        ("*r = FP_NOWHERE;", "*r = *p;"),
        ("int there = 1 ^ ", "int there = "),
        ("return there;", "return 1;"),
        ("fp_fe left", "fp_point left"),
    ],
    "rust": [
        ("self.x.mul(&q.x)", "self.x.mul(&q.y)"),
        ("        y: self.y.mul", "        x: self.y.mul"),
        ("!self.y.is_zero()", "self.y.is_zero()"),
        ("let mut left = self.y;", "let mut left = self.x;"),
        ("0..2", "0..3"),
        ("!bool::from(self.is_nowhere())", "bool::from(self.is_nowhere())"),
        ("return *self;", "return NOWHERE;"),
        ("    double_kernel(&mut r, self);\n", ""),
        ("double_kernel(&mut made, self)", "double_kernel(&mut made, &made)"),
        ("CtOption::new(made, there)", "CtOption::new(*self, there)"),
        ("let there = !", "let there = "),
    ],
}


@pytest.mark.parametrize("language", ["c", "rust"])
def test_members_are_read_back(language):
    text = with_members()[2][language == "rust"]
    assert not read_with_members(language, text)
    for old, new in MEMBER_EDITS[language]:
        edited = text.replace(old, new, 1)
        assert edited != text, old
        try:
            refused = bool(read_with_members(language, edited))
        except NotReadError:
            refused = True
        assert refused, (old, new)
