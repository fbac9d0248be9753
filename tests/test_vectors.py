"""The shared vectors: what is expected, how they are written, and that wrong kernels are refused."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from every_kind import of_every_kind
from whole_curves import CUBIC, SHORTW

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.load import checked_curve, load_curve
from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.edges import edges
from efdgen.generator.fields.field import Field
from efdgen.generator.files import render as render_request
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.contract import header_lines
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.output import write_files
from efdgen.generator.programs.interpreter import run_kernel
from efdgen.generator.text.c import comment
from efdgen.generator.tuning.tuning import FormulaChoice, Tuning
from efdgen.verify.vectors.cases import tied_coordinates
from efdgen.verify.vectors.data import WRONG_HINT, Suite, parse_suite, read_suite, write_suite
from efdgen.verify.vectors.directories import directory_subjects
from efdgen.verify.vectors.drivers import build_driver, require_compilers
from efdgen.verify.vectors.published import FOLDER, published_multiples
from efdgen.verify.vectors.runner import faults, judge, requests
from efdgen.verify.vectors.steps import Steps
from efdgen.verify.vectors.subjects import Subject, curve_subject
from efdgen.verify.vectors.suite import make_suite

# RFC 8032, section 7.1: secret and public keys.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    ),
]


@pytest.fixture(scope="module")
def tiny_curve(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("curve") / "tiny.toml"
    path.write_text(SHORTW)
    return path


@pytest.fixture(scope="module")
def tiny(database: Database, tiny_curve: Path) -> Subject:
    formulas = of_every_kind(database, str(tiny_curve), "jacobian")
    return curve_subject(database, Request("python", str(tiny_curve), "jacobian", formulas), ["python"])


@pytest.fixture(scope="module")
def tiny_suite(tiny: Subject) -> Suite:
    return make_suite(tiny, seed=1)


@pytest.fixture(scope="module")
def edwards(database: Database) -> Subject:
    formulas = ("g1p/twisted/extended-1/*/add-2008-hwcd-4", "g1p/twisted/extended-1/doubling/dbl-2008-hwcd")
    return curve_subject(database, Request("python", "edwards25519", "extended-1", formulas), ["python"])


def test_steps_of_kernels_come_to_edge_values(edwards: Subject, edwards_suite: Suite) -> None:
    (group,), values = edwards.bundle.groups, set(edges(Field(edwards_suite.ground), 32))
    for kernel, function in zip(group.kernels, edwards_suite.functions, strict=True):
        rare = [case for case in function.cases if case.origin == "edge"]
        steps = Steps(kernel.program, edwards_suite.ground, {**kernel.parameters, **group.constants})
        names = [name for argument in kernel.inputs for name in argument.coordinates]
        assert len(rare) > 100
        for case in rare:
            coordinates = dict(zip(names, case.inputs, strict=True))
            assert any(steps.value(number, coordinates) in values for number in steps.numbers)


@pytest.fixture(scope="module")
def edwards_suite(edwards: Subject) -> Suite:
    return make_suite(edwards, seed=1)


def interpreted(subject: Subject, suite: Suite) -> list[str]:
    """Answer a suite by running the kernels in this process, as the Python driver is asked it."""
    field = suite.ground
    kernels = {kernel.name: kernel for group in subject.bundle.groups for kernel in group.kernels}
    answers = []
    for request in requests(suite, "python"):
        name, _, *texts = request.split(" ")
        kernel, values = kernels[name], (int(text, 16) for text in texts)
        points = {a.name: {m: next(values) for m in a.type.members} for a in kernel.inputs}
        outputs = run_kernel(kernel, field, subject.bundle.groups[0].constants, points)
        answers.append(
            " ".join(f"{outputs[a.name][m]:0{suite.digits}x}" for a in kernel.outputs for m in a.type.members)
        )
    return answers


def mutated(subject: Subject, name: str, number: int, operation: str) -> Subject:
    """Replace the operation of one step of a kernel."""
    (group,) = subject.bundle.groups
    kernels = []
    for kernel in group.kernels:
        steps = list(kernel.steps)
        if kernel.name == name:
            steps[number] = replace(steps[number], operation=operation)
        kernels.append(replace(kernel, steps=tuple(steps)))
    return replace(subject, bundle=replace(subject.bundle, groups=(replace(group, kernels=tuple(kernels)),)))


def changed(answers: list[str], number: int, coordinate: int) -> list[str]:
    """Add 1 to the last digit of a coordinate of one answer."""
    words = answers[number].split(" ")
    words[coordinate] = words[coordinate][:-1] + f"{(int(words[coordinate][-1], 16) + 1) % 10:x}"
    return [*answers[:number], " ".join(words), *answers[number + 1 :]]


def verdicts(suite: Suite, **answers: list[str]) -> dict[str, bool]:
    found: dict[str, bool] = dict.fromkeys(answers, True)
    for result in judge(suite, answers):
        found[result.language] &= result.ok
    return found


def test_kernels_pass_and_are_asked_every_pair_of_points(tiny: Subject, tiny_suite: Suite) -> None:
    results = judge(tiny_suite, {"python": interpreted(tiny, tiny_suite)})
    assert all(result.ok for result in results)
    counted = {result.function: (result.cases, result.exceptional) for result in results}
    # 16 affine points; P1 = ±P2 is exceptional in an addition, and no point has order 2 or 3.
    assert counted["add"] == (256, 32)
    assert counted["double"] == (16, 0)


@pytest.mark.slow
def test_every_flipped_sign_is_caught(tiny: Subject, tiny_suite: Suite) -> None:
    flips = {"add": "sub", "sub": "add"}
    (group,) = tiny.bundle.groups
    caught = 0
    for kernel, function in zip(group.kernels, tiny_suite.functions, strict=True):
        alone = replace(tiny_suite, functions=(function,))
        for number, step in enumerate(kernel.steps):
            if step.operation in flips:
                broken = mutated(tiny, kernel.name, number, flips[step.operation])
                (result,) = judge(alone, {"python": interpreted(broken, alone)})
                assert (result.function, result.ok) == (kernel.name, False), step
                caught += 1
    assert caught > 30


def test_a_flipped_sign_in_a_module_is_caught(tiny: Subject, tiny_suite: Suite, tmp_path: Path) -> None:
    for good in (True, False):
        files = dict(tiny.files["python"])
        if not good:
            files["tiny.py"] = files["tiny.py"].replace(" - ", " + ", 1)
            assert files != tiny.files["python"]
        driver = build_driver("python", files, tmp_path / str(good))
        assert verdicts(tiny_suite, python=driver.ask(requests(tiny_suite, "python"))) == {"python": good}


def test_every_coordinate_counts(edwards: Subject, edwards_suite: Suite) -> None:
    answers = interpreted(edwards, edwards_suite)
    assert verdicts(edwards_suite, python=answers) == {"python": True}
    for coordinate in range(4):
        assert verdicts(edwards_suite, python=changed(answers, 0, coordinate)) == {"python": False}


def test_a_driver_that_aliases_wrongly_is_caught(tiny: Subject, tiny_suite: Suite) -> None:
    asked, answers = requests(tiny_suite, "python"), interpreted(tiny, tiny_suite)
    calls = zip(asked, answers, strict=True)
    aliased = next(
        n for n, (request, answer) in enumerate(calls) if " p1 " in request and answer[-2:] != "00"
    )
    assert verdicts(tiny_suite, python=changed(answers, aliased, 0)) == {"python": False}
    # A representative of the right point, but another one than without aliasing.
    words = [int(text, 16) for text in answers[aliased].split(" ")]
    scaled = " ".join(f"{word * 2**power % 13:02x}" for word, power in zip(words, (2, 3, 1), strict=True))
    answers[aliased] = scaled
    assert verdicts(tiny_suite, python=answers) == {"python": False}


def test_languages_have_to_agree_bit_for_bit(tiny: Subject, tiny_suite: Suite) -> None:
    answers = interpreted(tiny, tiny_suite)
    field = [case.answer for case in tiny_suite.field]
    assert verdicts(tiny_suite, c=field + answers, python=answers) == {"c": True, "python": True}
    other = changed(field + answers, len(field), 0)
    assert verdicts(tiny_suite, c=field + answers, rust=other, python=answers) == {
        "c": True,
        "rust": False,
        "python": True,
    }
    assert verdicts(tiny_suite, c=changed(field, 99, 0) + answers, python=answers) == {
        "c": False,
        "python": True,
    }


@pytest.mark.parametrize(
    "answer", ["", "error: no such function", "00", "00 00 00 00", "0d 00 00", "xx 00 00"]
)
def test_what_is_no_answer_fails(tiny: Subject, tiny_suite: Suite, answer: str) -> None:
    answers = [answer, *interpreted(tiny, tiny_suite)[1:]]
    assert verdicts(tiny_suite, python=answers) == {"python": False}


def test_exceptional_answers_have_to_be_what_the_equations_give(tiny: Subject, tiny_suite: Suite) -> None:
    answers = interpreted(tiny, tiny_suite)
    first = tiny_suite.functions[0]
    number = 0
    for case in first.cases:
        if case.exceptional:
            break
        number += 1 + len(case.aliases)
    assert verdicts(tiny_suite, python=changed(answers, number, 0)) == {"python": False}


def test_a_formula_that_fails_too_often_is_refused(tiny_suite: Suite, edwards_suite: Suite) -> None:
    add = next(function for function in tiny_suite.functions if function.name == "add")
    exceptional = tuple(case for case in add.cases if case.exceptional)
    small, some = (
        replace(tiny_suite, ground=PrimeField(17)),
        replace(add, cases=(*exceptional, *add.cases[2:4])),
    )
    assert not faults(small, add)
    assert not faults(tiny_suite, some)
    assert faults(small, some)[0].reason == "the formula fails in 32 of 34 cases"
    assert faults(small, replace(add, cases=()))[0].reason == "no input of this function could be made"
    (large, *_) = edwards_suite.functions
    assert not faults(edwards_suite, large)
    failing = replace(large.cases[0], expected=(), exact=(0, 0, 0, 0))
    (fault,) = faults(edwards_suite, replace(large, cases=(failing, *large.cases[1:])))
    assert fault.reason == "the formula fails at random points"


def test_points_come_in_several_representatives(edwards_suite: Suite) -> None:
    double = next(function for function in edwards_suite.functions if function.name == "double")
    (shape,) = double.inputs
    z = list(shape.members).index("Z")
    random = [case for case in double.cases if case.origin == "random"]
    assert {case.inputs[z] == 1 for case in random} == {True, False}


def test_suites_survive_writing_and_reading(
    database: Database, tiny: Subject, tiny_suite: Suite, tmp_path: Path
) -> None:
    path = tmp_path / "tiny.json"
    path.write_text(write_suite(tiny_suite))
    assert write_suite(make_suite(tiny, seed=1)) == path.read_text()
    assert write_suite(make_suite(tiny, seed=2)) != path.read_text()
    assert read_suite(path, database) == tiny_suite
    document = json.loads(path.read_text())
    assert document["functions"][0]["outputs"][0]["meaning"] == ["x == X/Z^2", "y == Y/Z^3"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "<text>:1:2: Expecting property name"),
        ("[]", 'expected an object with "schema": "efdgen-vectors-1"'),
        ('{"schema": "efdgen-vectors-0"}', 'expected an object with "schema"'),
        ('{"schema": "efdgen-vectors-1"}', "KeyError at 'prime'"),
        ('{"schema": "efdgen-vectors-1", "prime": "xyz"}', "ValueError"),
    ],
)
def test_what_is_no_suite_is_refused(database: Database, text: str, reason: str) -> None:
    with pytest.raises(EfdgenError) as caught:
        parse_suite(text, database)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_suite_that_cannot_be_read_is_refused(database: Database, tmp_path: Path) -> None:
    with pytest.raises(EfdgenError, match=r"missing\.json: No such file or directory"):
        read_suite(tmp_path / "missing.json", database)


@pytest.mark.drawn(4)
@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.stem)
def test_published_multiples_are_what_the_affine_law_gives(database: Database, path: Path) -> None:
    curve = checked_curve(path.stem)
    published = published_multiples(curve)
    affine = AffineCurve(database.model(curve.model), curve.field, curve.parameters)
    assert published[1] == tuple(curve.generator.values())
    assert len(published) > 5
    for factor, point in published.items():
        assert affine.multiple(factor, published[1]) == point


def test_the_multiples_of_edwards25519_are_the_public_keys_of_rfc_8032() -> None:
    published = published_multiples(load_curve("edwards25519"))
    for secret, public in RFC_8032:
        digest = bytearray(hashlib.sha512(bytes.fromhex(secret)).digest()[:32])
        digest[0] &= 0b11111000
        digest[31] = digest[31] & 0b01111111 | 0b01000000
        x, y = published[int.from_bytes(digest, "little")]
        assert (y | (x & 1) << 255).to_bytes(32, "little").hex() == public


def test_chains_lead_from_the_generator_to_every_published_multiple(edwards_suite: Suite) -> None:
    published = published_multiples(load_curve("edwards25519"))
    steps = [
        (function.name, case)
        for function in edwards_suite.functions
        for case in function.cases
        if case.origin in ("chain", "published")
    ]
    made = {case.exact for _, case in steps}
    starts = {case.inputs[4:] for name, case in steps if name == "add"}
    assert len(starts) == 1
    assert all(case.inputs[:4] in made | starts for _, case in steps)
    reached = {case.expected[0] for _, case in steps if case.origin == "published"}
    assert reached == {point for factor, point in published.items() if factor > 1}


def test_a_wrong_published_multiple_is_caught(edwards: Subject, edwards_suite: Suite) -> None:
    double = next(function for function in edwards_suite.functions if function.name == "double")
    number = next(n for n, case in enumerate(double.cases) if case.origin == "published")
    ((x, y),) = double.cases[number].expected
    wrong = replace(double.cases[number], expected=((x + 1, y),))
    lying = replace(double, cases=(*double.cases[:number], wrong, *double.cases[number + 1 :]))
    functions = tuple(lying if function is double else function for function in edwards_suite.functions)
    suite = replace(edwards_suite, functions=functions)
    assert verdicts(suite, python=interpreted(edwards, suite)) == {"python": False}


def test_inputs_that_share_a_coordinate_get_the_same(database: Database) -> None:
    formula = database.formula("g1p/shortw/jacobian/addition/zadd-2007-m")
    assert tied_coordinates(formula) == [("Z2", "Z1")]
    subject = curve_subject(
        database, Request("python", "secp256k1", "jacobian", ("zadd-2007-m",)), ["python"]
    )
    (function,) = make_suite(subject, seed=Random(7).randrange(99)).functions
    assert function.cases
    assert all(case.inputs[2] == case.inputs[5] for case in function.cases)


def test_a_wrong_hint_may_be_accepted_where_the_checks_accept_every_hint(
    database: Database, tmp_path: Path
) -> None:
    path = tmp_path / "cubic.toml"
    path.write_text(CUBIC)
    formula = "g1p/shortw/affine/addition-hinted/add-slope-x"
    subject = curve_subject(database, Request("python", str(path), "affine", (formula,)), ["python"])
    (function,) = make_suite(subject, seed=1).functions
    wrong = [case for case in function.cases if case.origin == WRONG_HINT]
    accepted = 0
    for case in wrong:
        x1, y1, x2, y2, slope, x3 = case.inputs
        chord = (slope * x1 - y1 - (slope * x2 - y2)) % 19 == 0
        right = ((slope * x1 - y1) ** 2 - 4 - x3 * x1 * x2) % 19 == 0
        assert case.accepted == (chord and right), case
        if x1 * x2 and x1 != x2:
            assert not case.accepted, case
        accepted += bool(case.accepted)
    assert 0 < accepted < len(wrong)


def test_a_small_curve_is_tested_from_the_command_line(efdgen, tiny_curve: Path, tmp_path: Path) -> None:
    vectors = tmp_path / "vectors"
    outcome = efdgen("test", "--curve", tiny_curve, "--lang", "python", "--json", "--vectors", vectors)
    assert outcome.code == 0
    assert "all as expected" in outcome.err
    rows = json.loads(outcome.out)
    assert {row["language"] for row in rows} == {"python"}
    assert all(row["ok"] and row["calls"] == row["passed"] > 0 for row in rows)
    assert json.loads((vectors / "tiny.json").read_text())["prime"] == "d"


@pytest.mark.usefixtures("cc", "cargo")
def test_kernels_in_a_directory_are_tested_as_they_stand(efdgen, database: Database, tmp_path: Path) -> None:
    request = Request("python", "secp256k1", formulas=("dbl-2009-l",))
    write_files(tmp_path / "kernels", curve_subject(database, request, ["python"]).files["python"])
    assert efdgen("test", tmp_path).code == 0
    module = tmp_path / "kernels" / "secp256k1.py"
    module.write_text(module.read_text().replace(" - ", " + ", 1))
    outcome = efdgen("test", tmp_path)
    assert outcome.code == 1
    assert "does not represent" in outcome.out


def test_kernels_of_other_formulas_by_a_tuning_are_tested_by_themselves(database, tmp_path: Path) -> None:
    """The formulas that a header names are tested, whatever a tuning chose beside them."""
    first, second = (f"g1p/shortw/jacobian-0/doubling/{name}" for name in ("dbl-2009-l", "dbl-1986-cc"))
    tuning = Tuning("c", ("a compiler",), formulas=(FormulaChoice("secp256k1", "double", first),), name="t")
    requests = [Request("c", "secp256k1", formulas=(formula,)) for formula in (first, second)]
    bundles = [make_bundle(database, request, Prover()) for request in requests]
    bundles[0] = replace(bundles[0], command=Request("c", "secp256k1", tuning=tuning).command)
    for number, bundle in enumerate(bundles):
        header = comment(header_lines(bundle))
        write_files(tmp_path / str(number), {"driver.c": header, "secp256k1.h": header})
    subjects = directory_subjects(database, [tmp_path / "0", tmp_path / "1"])
    ids = [[kernel.formula.id for kernel in subject.bundle.groups[0].kernels] for subject in subjects]
    assert ids == [[first], [second]]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--curve", "secp256k2"], "did you mean secp256k1"),
        (["--all", "--curve", "secp256k1"], "one at a time"),
        (["no-such-directory"], "no generated kernels"),
        (["--curve", "secp256k1", "--lang", "python", "--formulas", "nothing"], "no formula matches"),
    ],
)
@pytest.mark.usefixtures("cc", "cargo")
def test_bad_requests_end_with_one_line(efdgen, tmp_path: Path, monkeypatch, arguments, reason) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = efdgen("test", *arguments)
    assert outcome.code == 2
    assert reason in outcome.err
    assert outcome.err.count("\n") == 1
    assert not outcome.out


def test_a_missing_compiler_is_named_with_the_way_round_it(efdgen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-cc")
    outcome = efdgen("test", "--curve", "secp256k1")
    assert outcome.code == 2
    assert "no C compiler called no-such-cc" in outcome.err
    assert "--lang rust --lang python" in outcome.err
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EfdgenError, match=r"cargo.*without it: --lang c --lang python"):
        require_compilers(["rust"])
    require_compilers(["python"])


@pytest.mark.usefixtures("cc")
def test_a_compiler_that_refuses_is_quoted(tmp_path: Path) -> None:
    with pytest.raises(EfdgenError, match=r"does not compile the c kernels:\n.*driver\.c"):
        build_driver("c", {"driver.c": "int main(void) { return nothing; }\n"}, tmp_path)


def test_a_driver_that_breaks_down_is_quoted(tmp_path: Path) -> None:
    driver = build_driver("python", {"driver.py": "raise SystemExit('out of order')\n"}, tmp_path)
    with pytest.raises(EfdgenError, match="python driver failed with status 1: out of order"):
        driver.ask(["field.one -"])


def test_languages_print_what_a_request_asks(database: Database) -> None:
    request = Request("python", "secp256k1", formulas=("dbl-2009-l",))
    subject = curve_subject(database, request, ["python", "c"])
    assert subject.files["python"] == render_request(subject.bundle, request)
    assert set(subject.files) == {"python", "c"}
