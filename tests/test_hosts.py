"""Writing formulas in a host's calls: its rules, the solver's choices, order and places, the command."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import pytest

from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts.aliasing import aliasings
from efdgen.generator.hosts.compile import HostBundle, HostRequest, make_host_bundle
from efdgen.generator.hosts.file import built_in_hosts, load_host
from efdgen.generator.hosts.form import Alternative
from efdgen.generator.hosts.forms import Forms, program_forms
from efdgen.generator.hosts.function import check
from efdgen.generator.hosts.host import Host
from efdgen.generator.hosts.places import place_in_variables
from efdgen.generator.hosts.program import HostCall, HostProgram, HostSource
from efdgen.generator.hosts.render import render
from efdgen.generator.hosts.rules import Condition, Quantity
from efdgen.generator.hosts.run import Bounded, Line, Local, Location, Member, run_lines
from efdgen.generator.hosts.select import Choice, Limits, select
from efdgen.generator.programs.builder import ProgramBuilder
from efdgen.generator.programs.interpreter import PrimeField
from efdgen.generator.programs.program import Add, Input, Mul, MulConstant, Program, Sqr, Sub
from efdgen.verify.certificate import require_proof
from efdgen.verify.hosts.solve import solve

HOSTS = Path(__file__).parents[1] / "efd" / "hosts"
SECP256K1 = load_curve("secp256k1")
SQISIGN = str(Path(__file__).parent / "hosts" / "sqisign" / "curve.toml")
DOUBLING = "g1p/shortw/jacobian-0/doubling/dbl-2021-d"
# A curve and a formula for each host.
EXAMPLES = {
    "arkworks": ("jubjub", "twisted/extended-1/doubling/dbl-2008-hwcd"),
    "boringssl": ("P-384", "jacobian-3/doubling/dbl-2001-b"),
    "ff": ("pallas", DOUBLING),
    "fiat-c": ("edwards25519", "twisted/extended-1/doubling/dbl-2008-hwcd"),
    "fiat-c-montgomery": ("P-256", "jacobian-3/doubling/dbl-2001-b"),
    "fiat-rust": ("curve448", "montgom/xz/ladder/mladd-1987-m"),
    "fiat-rust-montgomery": ("secp256k1", DOUBLING),
    "k256": ("secp256k1", DOUBLING),
    "libsecp256k1": ("secp256k1", DOUBLING),
    "macros": ("edwards25519", "twisted/projective/doubling/dbl-2008-bbjlp"),
    "micro-ecc": ("P-256", "jacobian/zaddu/zaddu-2007-m"),
    "modarith": ("curve25519", "montgom/xz/ladder/mladd-1987-m"),
    "sqisign": (SQISIGN, "montgom/xz/ladder/mladd-1987-m"),
    "sqisign-fp2": (SQISIGN, "montgom/xz/ladder/mladd-1987-m"),
}


@pytest.fixture(scope="module")
def libsecp256k1() -> Host:
    return load_host("libsecp256k1", SECP256K1.prime)


@pytest.fixture(scope="module")
def doubling(database: Database) -> HostBundle:
    request = HostRequest("libsecp256k1", "secp256k1", formulas=(DOUBLING,))
    return make_host_bundle(database, request, solve, require_proof)


def unproved(formula: object, program: object, prime: int) -> str:
    return ""


def small_program() -> Program:
    """X3 = (X1 - Y1)·(X1 + 4·Y1)², Y3 = X1 - Y1 - X3: differences, a multiple, and bounds that grow."""
    builder = ProgramBuilder()
    x, y = builder.emit(Input("X1"), "X1"), builder.emit(Input("Y1"), "Y1")
    difference = builder.emit(Sub(x, y), "D")
    total = builder.emit(Add(x, builder.emit(MulConstant(Fraction(4), y), "M")), "S")
    result = builder.emit(Mul(difference, builder.emit(Sqr(total), "Q")), "X3")
    return builder.build((("X3", result), ("Y3", builder.emit(Sub(difference, result), "Y3"))))


LIMITS = Limits({"X1": 4, "Y1": 4}, {"X3": 2, "Y3": 4}, {})


def chosen_cost(forms: Forms, choice: Choice, host: Host) -> int:
    """Price a choice by walking over it, copies that in-place calls on inputs need included."""
    copy = host.operations["copy"].cost
    total = sum(host.operation(name).cost for name in choice.restores.values())
    total += sum(copy for number in choice.restores if forms.forms[number].origin)
    for way in choice.ways.values():
        if way is not None:
            operation = host.operations[way.operation]
            only_read = operation.in_place and all(forms.forms[o].origin for o in way.operands)
            total += operation.cost + copy * only_read
    return total


def allowed(forms: Forms, choice: Choice, limits: Limits, host: Host) -> bool:
    """Whether a choice keeps every rule: found by running the rules, in the order of the program."""
    try:
        program = select(forms, choice, host, ("X1",))
    except KeyError:
        return False
    for value in program.values:
        if isinstance(value, HostCall):
            bounds = {
                n: program.values[o].bound
                for n, o in zip(value.operation.operands, value.operands, strict=True)
            }
            if not all(c.at({"k": value.factor, **bounds}) for c in value.operation.needs):
                return False
        if value.bound > host.largest:
            return False
    return all(program.values[n].bound <= limits.outputs[name] for name, n in program.outputs)


def every_choice(forms: Forms, inputs: Mapping[str, int]) -> Iterator[Choice]:
    """Yield every way to compute the outputs, with every set of values normalised."""

    def ways(
        pending: tuple[int, ...], taken: Mapping[int, Alternative | None]
    ) -> Iterator[Mapping[int, Alternative | None]]:
        if not pending:
            yield taken
            return
        number, rest = pending[0], pending[1:]
        if number in taken:
            yield from ways(rest, taken)
            return
        form = forms.forms[number]
        for way in [None] if form.origin else form.alternatives:
            if (
                way
                and way.operation == "neg"
                and (base := taken.get(way.operands[0]))
                and base.operation == "neg"
            ):
                continue
            yield from ways((*(way.operands if way else ()), *rest), {**taken, number: way})

    for taken in ways(tuple(output for _, output in forms.outputs), {}):
        for count in range(3):  # more cost more than the choice of the solver
            for restored in combinations(sorted(taken), count):
                yield Choice(taken, dict.fromkeys(restored, "normalize_weak"), inputs)


def test_the_choice_costs_as_little_as_any(libsecp256k1: Host) -> None:
    forms = program_forms(small_program(), libsecp256k1.operations)
    found = solve(forms, LIMITS, libsecp256k1)
    assert allowed(forms, found, LIMITS, libsecp256k1)
    prices = [
        chosen_cost(forms, choice, libsecp256k1)
        for choice in every_choice(forms, LIMITS.inputs)
        if chosen_cost(forms, choice, libsecp256k1) <= chosen_cost(forms, found, libsecp256k1)
        and allowed(forms, choice, LIMITS, libsecp256k1)
    ]
    assert min(prices) == chosen_cost(forms, found, libsecp256k1)
    assert found.restores, "the example is to need a normalisation"


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (replace(LIMITS, outputs={"X3": 0, "Y3": 4}), "X3, from X3 = .*, has a bound of [12], more than 0"),
        (replace(LIMITS, inputs={"X1": 40, "Y1": 1}), "X1 has a bound of 40, above 32"),
    ],
)
def test_where_nothing_can_be_placed_the_line_is_named(libsecp256k1: Host, limits: Limits, said: str) -> None:
    forms = program_forms(small_program(), libsecp256k1.operations)
    with pytest.raises(EfdgenError, match=f"no placement of normalize_weak keeps every bound; {said}"):
        solve(forms, limits, libsecp256k1)


def test_a_rule_that_nothing_restores_is_named(libsecp256k1: Host) -> None:
    without = replace(libsecp256k1, restores=())
    forms = program_forms(small_program(), without.operations)
    with pytest.raises(EfdgenError, match=r"in Q = S\^2, sqr needs a <= 8, and the bounds are (9|[1-9]\d)"):
        solve(forms, LIMITS, without)


def test_bounds_that_nobody_gives_are_closed_under_iteration(database: Database) -> None:
    request = HostRequest("k256", "secp256k1", formulas=("g1p/shortw/projective-0/*/[dm]*-2015-rcb",))
    bundle = make_host_bundle(database, request, solve, unproved)
    taken = {}
    for function in bundle.functions:
        for argument in function.kernel.inputs:
            for variable, name in argument.members.items():
                assert taken.setdefault(variable, function.bounds[name]) == function.bounds[name]
    assert taken.keys() == {"X", "Y", "Z"}
    for function in bundle.functions:
        (output,) = function.kernel.outputs
        assert all(function.bounds[name] <= taken[variable] for variable, name in output.members.items())


COORDINATES = {
    "X1": Member("a", "X"),
    "Y1": Member("a", "Y"),
    "X3": Member("r", "X"),
    "Y3": Member("r", "Y"),
}
X, Y, PRIME = 17, 33, 101


def short_program(host: Host) -> HostProgram:
    """X3 = X1² + X1·Y1, Y3 = 2·X1·Y1·X3; in place, one order of the last three calls needs a copy."""

    def call(name: str, *operands: int, factor: int = 0) -> HostCall:
        return HostCall(host.operations[name], operands, factor, name, 1)

    calls = (
        call("sqr", 0),
        call("mul", 0, 1),
        call("add", 2, 3),
        call("mul_int", 3, factor=2),
        call("mul", 5, 4),
    )
    sources = HostSource("X1", False, 1), HostSource("Y1", False, 1)
    return HostProgram((*sources, *calls), (("X3", 4), ("Y3", 6)))


def shared_with(place: Location) -> list[Location]:
    """Return the input coordinate that an output coordinate is where the output is the input."""
    return [Member("a", place.variable)] if isinstance(place, Member) and place.argument == "r" else []


def lines_of(
    program: HostProgram, order: tuple[int, ...], places: Mapping[int, Location], host: Host
) -> list[Line]:
    """Return the lines of an order with every value in a given place, and the copies that this needs."""
    where = {
        n: COORDINATES[v.name] for n, v in enumerate(program.values) if isinstance(v, HostSource)
    } | dict(places)
    lines = []
    for number in order:
        call, target = program.values[number], where[number]
        assert isinstance(call, HostCall)
        read = [where[operand] for operand in call.operands]
        # The second operand of a product may not be where the result goes, nor where it goes if r is a.
        if call.commutative and read[-1] in (target, *shared_with(target)):
            read.reverse()
        if call.operation.in_place and read[0] != target:
            lines.append(Line(host.operations["copy"], target, (read[0],), (1,), 0, "copy", 1))
            read[0] = target
        lines.append(Line(call.operation, target, tuple(read), (1,) * len(read), call.factor, call.text, 1))
    ends = [(COORDINATES[name], where[number]) for name, number in program.outputs]
    return lines + [
        Line(host.operations["copy"], to, (at,), (1,), 0, "copy", 1) for to, at in ends if to != at
    ]


def right(lines: list[Line]) -> bool:
    """Whether lines compute the short program by the host's rules, also where the output is the input."""
    inputs = {COORDINATES["X1"]: Bounded(X, 1), COORDINATES["Y1"]: Bounded(Y, 1)}
    wanted = [(X * X + X * Y) % PRIME, 2 * X * Y * (X * X + X * Y) % PRIME]
    for aliases in ({}, {Member("r", "X"): Member("a", "X"), Member("r", "Y"): Member("a", "Y")}):
        try:
            held = run_lines(lines, PrimeField(PRIME), inputs, aliases, 32)
        except EfdgenError:
            return False
        results = (Member("r", variable) for variable in "XY")
        if [held[aliases.get(place, place)].value for place in results] != wanted:
            return False
    return True


def test_no_order_and_no_places_need_fewer_copies_or_variables(libsecp256k1: Host) -> None:
    boundless = {
        name: replace(operation, needs=(), gives=Quantity.parse("1", ()))
        for name, operation in libsecp256k1.operations.items()
    }
    libsecp256k1 = replace(libsecp256k1, operations=boundless)
    program = short_program(libsecp256k1)
    shared = {"X3": ("X1",), "Y3": ("Y1",)}
    placed = place_in_variables(program, COORDINATES, shared, libsecp256k1.operations["copy"])
    assert placed.least
    assert right(list(placed.lines))
    found = []
    for variables in range(placed.variables + 1):
        locations = [*map(Local, range(variables)), COORDINATES["X3"], COORDINATES["Y3"]]
        for order in ((2, 3, 4, 5, 6), (3, 2, 4, 5, 6), (2, 3, 5, 4, 6), (3, 2, 5, 4, 6), (3, 5, 2, 4, 6)):
            for places in product(locations, repeat=len(order)):
                lines = lines_of(program, order, dict(zip(order, places, strict=True)), libsecp256k1)
                copies = len(lines) - len(order)
                if (copies, variables) <= (placed.copies, placed.variables) and right(lines):
                    found.append((copies, variables))
    assert min(found) == (placed.copies, placed.variables)


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("add", lambda line: replace(line, bound=1), "a bound of"),
        ("add", lambda line: replace(line, read=(0, 0)), "reads more than it says"),
        ("add", lambda line: replace(line, target=Local(9)), "works in place"),
        ("mul", lambda line: replace(line, operands=line.operands[:1] * 2), "needs [ar] and b in two places"),
        ("mul", lambda line: replace(line, operands=(Local(9), line.operands[1])), "reads or writes what"),
        ("mul", lambda line: replace(line, read=(9, 9)), "mul needs a <= 8, and a = 9, b = 9"),
    ],
)
def test_the_rule_runner_refuses(
    doubling: HostBundle, libsecp256k1: Host, name: str, change: Callable[[Line], Line], said: str
) -> None:
    (function,) = doubling.functions
    check(function, libsecp256k1, {})
    lines = list(function.placed.lines)
    number = max(number for number, line in enumerate(lines) if line.operation.name == name)
    lines[number] = change(lines[number])
    broken = replace(function, placed=replace(function.placed, lines=tuple(lines)))
    with pytest.raises(EfdgenError, match=said):
        check(broken, libsecp256k1, {})


def test_what_was_made_by_a_wrong_rule_is_refused(
    database: Database, libsecp256k1: Host, tmp_path: Path
) -> None:
    text = (HOSTS / "libsecp256k1.toml").read_text()
    path = tmp_path / "lenient.toml"
    path.write_text(text.replace('"a <= 8"', '"a <= 32"').replace('"b <= 8"', '"b <= 32"'))
    request = HostRequest(str(path), "secp256k1", formulas=(DOUBLING,), in_bounds="X=9")
    (function,) = make_host_bundle(database, request, solve, unproved).functions
    check(function, libsecp256k1, {})
    lines = [replace(n, operation=libsecp256k1.operation(n.operation.name)) for n in function.placed.lines]
    broken = replace(function, placed=replace(function.placed, lines=tuple(lines)))
    with pytest.raises(EfdgenError, match=r"needs a <= 8, and a = (9|10)"):
        check(broken, libsecp256k1, {})


def test_an_output_written_too_early_is_found(doubling: HostBundle, libsecp256k1: Host) -> None:
    (function,) = doubling.functions
    assert list(aliasings(function.kernel, function.structures)) == [
        {Member("p3", variable): Member("p1", variable) for variable in "XYZ"}
    ]
    early = Line(libsecp256k1.operations["set_int"], Member("p3", "Y"), (), (), 1, "early", 1)
    broken = replace(function, placed=replace(function.placed, lines=(early, *function.placed.lines)))
    with pytest.raises(EfdgenError, match="another result where X of p3 is X of p1"):
        check(broken, libsecp256k1, {})


def test_a_coordinate_may_be_that_of_a_point_of_another_type(database: Database) -> None:
    request = HostRequest("micro-ecc", "P-256", formulas=("jacobian-3/scaling/z",))
    bundle = make_host_bundle(database, request, solve, unproved)
    (function,) = bundle.functions
    assert {Member("p3", "Y"): Member("p1", "Y")} in aliasings(function.kernel, function.structures)
    first, *others = function.placed.lines
    early = replace(first, target=Member("p3", "Y"))
    late = [
        replace(line, operands=tuple(early.target if o == first.target else o for o in line.operands))
        for line in others
    ]
    broken = replace(function, placed=replace(function.placed, lines=(early, *late)))
    with pytest.raises(EfdgenError, match="another result where Y of p3 is Y of p1"):
        check(broken, bundle.host, {})


def test_what_gives_single_elements_is_refused_where_points_are_returned(database: Database) -> None:
    request = HostRequest("ff", "P-256", formulas=("g1p/shortw/jacobian/zacau-xy/zacau-2011-gjmrv",))
    bundle = make_host_bundle(database, request, solve, unproved)
    with pytest.raises(EfdgenError, match="gives C3 by itself, and functions in ff return structures alone"):
        render(bundle)


@pytest.mark.parametrize(
    "formula", ["twisted/affine/doubling-hinted/dbl", "shortw/jacobian/scaling-batch/scale"]
)
def test_what_returns_more_than_points_is_refused(database: Database, formula: str) -> None:
    curve = "edwards25519" if "twisted" in formula else "P-256"
    request = HostRequest("macros", curve, formulas=(f"g1p/{formula}",))
    with pytest.raises(EfdgenError, match="tests its inputs, or takes many points at once"):
        make_host_bundle(database, request, solve, unproved)


def test_the_doubling_of_libsecp256k1_is_found_again(doubling: HostBundle) -> None:
    text = render(doubling)["secp256k1_formula.h"]
    assert "/* Operations: 3 mul, 4 sqr, 8 add/half/mul_int/negate */" in text
    assert "secp256k1_fe_negate(&r->y, &" in text
    assert "normalize" not in text.partition("static void")[2]
    shown = (HOSTS.parents[1] / "docs" / "dropping-in.md").read_text()
    assert text[text.index("static void") : text.index("\n#endif")].strip() in shown


@pytest.mark.parametrize("name", built_in_hosts())
def test_every_host_writes_a_formula(database: Database, name: str) -> None:
    curve, formula = EXAMPLES[name]
    request = HostRequest(name, curve, formulas=(formula,), license="BSD-3-Clause")
    ((path, text),) = render(make_host_bundle(database, request, solve, unproved)).items()
    assert path.endswith((".h", ".rs"))
    assert "SPDX-License-Identifier: BSD-3-Clause\n" in text
    assert request.command.split(" --formulas")[0] in " ".join(text.split())
    assert not re.search(r"\{\w+\}", text), "a placeholder is left"
    if name == "boringssl":
        again = render(make_host_bundle(database, request, solve, unproved))
        assert again == {path: text}


def test_outputs_come_where_the_host_has_them(database: Database) -> None:
    texts = {}
    for name in ("modarith", "sqisign-fp2", "micro-ecc"):
        curve, formula = EXAMPLES[name]
        (texts[name],) = render(
            make_host_bundle(database, HostRequest(name, curve, formulas=(formula,)), solve, unproved)
        ).values()
    assert re.search(r"modsub\(x2, z2, tmp\d\); +/\* B = X2 - Z2 \*/", texts["modarith"])
    assert re.search(r"fp2_sub\(&tmp\d, x2, z2\); +/\* B = X2 - Z2 \*/", texts["sqisign-fp2"])
    assert re.search(r"uECC_vli_modSub\(\w+, x1, x2, uECC_curve_p\(curve\)", texts["micro-ecc"])
    for text in texts.values():
        assert "no order of these calls needs fewer" in " ".join(text.split())


@pytest.mark.parametrize(
    ("text", "names"), [("a - 1", "a"), ("c + 1", "a"), ("1/a", "a"), ("a^2", "a"), ("2*", "a")]
)
def test_a_quantity_that_is_none_is_refused(text: str, names: str) -> None:
    with pytest.raises((ValueError, TextError)):
        Quantity.parse(text, names)


def test_conditions_round_down() -> None:
    assert Condition.parse("a/2 + 1 <= 3", "a").at({"a": 5})
    assert not Condition.parse("a/2 + 1 <= 3", "a").at({"a": 6})
    with pytest.raises(ValueError, match="left <= right"):
        Condition.parse("a < 3", "a")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[operations]", "[operation]", "unknown key 'operation'; did you mean operations"),
        ("mul_int =", "times =", "unknown operation 'times'"),
        ("{bound_a}", "{bound}", "{bound} stands for nothing"),
        ("k*a <= 32", "k*c <= 32", "c is not one of a, k"),
        ('distinct = ["r b", "a b"]', 'distinct = ["r c"]', "distinct holds pairs"),
        ("cost = 20", "cost = -1", "cost must be a non-negative integer"),
        ("normalize_weak = {", "half = {", "half is an operation already"),
        ('language = "c"', 'language = "go"', "language is c or rust, not 'go'"),
        ('names};"', 'names}"\nname = 3', "unknown key 'name'"),
        ('["a + b <= 32"]', "[3]", "needs must be a list of texts"),
        ("sqr({r}, {a})", "sqr({a})", "code must say where the result goes"),
        ("sqr({r}, {a})", "sqr({r, {a})", "a brace of the code's own is written twice"),
        ('["SECP256K1_GE_VERIFY({argument});"]', '["{arg}"]', "{arg} stands for nothing"),
        ("/* {text}", "/* {line}", "{line} stands for nothing; there can be {bound}, {text}"),
        ('{ X = "x", Y = "y" }', '{ X = 1, Y = "y" }', "secp256k1_ge: members must be names"),
        ("{ X = 4, Y = 3 }", "{ X = 4, Z = 3 }", "secp256k1_ge: bounds has Z, which is no member"),
        ('prefix = "secp256k1_formula_"', 'prefix = "my prefix"', "prefix must begin a name"),
        ("largest = 32", 'largest = 32\nvariables = "many"', "variables is shared or bindings, not 'many'"),
    ],
)
def test_a_fault_in_a_file_is_shown(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = (HOSTS / "libsecp256k1.toml").read_text()
    assert old in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(TextError, match=re.escape(said)):
        load_host(str(path), SECP256K1.prime)


@pytest.mark.parametrize(
    ("missing", "said"),
    [("sqr", r"XX = X1\^2 needs more than mul, add"), ("neg", r"t1 = Y1 - Y2 needs more than mul, sqr")],
)
def test_what_a_host_cannot_compute_is_named(
    database: Database, tmp_path: Path, missing: str, said: str
) -> None:
    text = (HOSTS / "libsecp256k1.toml").read_text()
    path = tmp_path / "mine.toml"
    path.write_text(re.sub(rf"(?m)^{missing} = .*\n", "", text))
    formula = DOUBLING if missing == "sqr" else "jacobian/zaddu/zaddu-2007-m"
    request = HostRequest(str(path), "secp256k1", formulas=(formula,))
    with pytest.raises(EfdgenError, match=said):
        make_host_bundle(database, request, solve, unproved)


def test_a_field_of_the_user_is_described_by_a_file(efdgen: Callable[..., object], tmp_path: Path) -> None:
    text = (HOSTS / "macros.toml").read_text().replace("FE_", "MY_")
    (tmp_path / "mine.toml").write_text(text)
    arguments = ("--field-api", str(tmp_path / "mine.toml"), "--prefix", "my_", "--out", str(tmp_path))
    formulas = ("--curve", "edwards25519", "--formulas", "twisted/projective/doubling/dbl-2008-bbjlp")
    outcome = efdgen("compile", *arguments, *formulas)
    assert outcome.code == 0, outcome.err
    written = (tmp_path / "my.h").read_text()
    assert "static void my_double(" in written
    assert "MY_SQR(" in written
    assert str(tmp_path) not in written


def test_what_cannot_be_asked_for(efdgen: Callable[..., object]) -> None:
    start = ("compile", "--field-api", "libsecp256k1")
    for arguments, said in (
        ((*start, "--curve", "P-256"), "no field modulo"),
        ((*start, "--curve", "secp256k1", "--formulas", "jacobian-3/doubling/dbl-2001-b"), "needs a = -3"),
        ((*start, "--curve", "secp256k1", "--in-bounds", "X:4"), "--in-bounds is a list"),
        ((*start, "--curve", "secp256k1", "--layout", "split"), "go with --lang"),
        ((*start, "--curve", "secp256k1", "--prefix", "a-b"), "--prefix must begin a name"),
        (("compile", "--field-api", "micro-ecc", "--curve", "edwards25519"), "micro-ecc has no field modulo"),
        (("compile", "--field-api", "sqisign", "--curve", "curve25519"), "sqisign has no field modulo"),
        (("compile", "--field-api", "libsecp", "--curve", "secp256k1"), "did you mean libsecp256k1"),
        (("compile", "--curve", "secp256k1"), "give --lang, or --field-api"),
    ):
        outcome = efdgen(*arguments)
        assert outcome.code == 2
        assert said in outcome.err
