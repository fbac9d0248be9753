"""Fields by themselves, asked by ``efdgen test``: right answers pass, wrong ones and leaks are seen."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.mathematics.primes import is_square
from efdgen.generator.render.field.bundle import render_field
from efdgen.verify.vectors.drivers import Build, build_driver
from efdgen.verify.vectors.field_subjects import FieldSubject, field_subjects
from efdgen.verify.vectors.field_suite import FieldSuite
from efdgen.verify.vectors.secrets import asked, secret_builds, try_build

PRIME = 2**61 - 1
OPERATIONS = ("mul", "inv_var", "sqrt", "is_square", "pow", "to_bytes_le")


def subjects(*languages: str) -> list[FieldSubject]:
    requests = [FieldRequest(name, "2^61-1", operations=OPERATIONS, nonresidue=-1) for name in languages]
    return [*field_subjects(requests[0], {request.lang: render_field(request) for request in requests})]


@pytest.fixture(scope="module")
def both() -> list[FieldSubject]:
    return subjects("c", "rust")


def answers(subject: FieldSubject, build: Build, folder, right: str = "", wrong: str = "") -> list[str]:
    text = subject.files["c"]["fp.h"]
    assert right in text
    files = {**subject.files["c"], "fp.h": text.replace(right, wrong) if right else text}
    return build_driver(build, files, folder).ask(subject.suite(1).requests("c"))


@pytest.mark.long
@pytest.mark.usefixtures("cc", "cargo")
def test_fields_in_a_directory_are_tested_in_every_language(efdgen, tmp_path):
    for language, extension in (("c", -1), ("rust", -1), ("python", None)):
        request = FieldRequest(language, "2^61-1", operations=("sqrt", "mul"), nonresidue=extension)
        for name, text in render_field(request).items():
            path = tmp_path / language / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    done = efdgen("test", tmp_path, "--vectors", tmp_path / "vectors")
    assert (done.code, done.err) == (0, "")
    assert {"GF(p), p = 2^61-1", "GF(p²), p = 2^61-1"} <= {
        line.strip().split("  ")[0] for line in done.out.splitlines()
    }
    assert done.out.count("all as expected") == 3
    assert {"c", "rust", "python"} <= set(done.out.split())
    assert '"efdgen-field-vectors-1"' in next((tmp_path / "vectors").iterdir()).read_text()


@pytest.mark.usefixtures("cc")
def test_an_answer_that_is_wrong_is_seen(both, tmp_path):
    build = replace(Build("c", "c"), arguments=FieldSubject.arguments)
    wrong = "fp_limbs_mul(r->limb, a->limb, a->limb);"
    for at, (subject, named) in enumerate(zip(both, ({"mul", "power"}, {"sqrt"}), strict=True)):
        suite = subject.suite(1)
        good = answers(subject, build, tmp_path / f"good{at}")
        assert all(result.ok for result in suite.judge({"c": good}))
        bad = answers(
            subject, build, tmp_path / f"bad{at}", "fp_limbs_mul(r->limb, a->limb, b->limb);", wrong
        )
        seen = {result.function for result in suite.judge({"c": bad}) if not result.ok}
        assert seen >= named


@pytest.mark.parametrize(
    ("operation", "operand", "answer", "right"),
    [
        ("sqrt", 4, (1, 2), True),
        ("sqrt", 4, (1, PRIME - 2), True),
        ("sqrt", 4, (1, 3), False),
        ("sqrt", 4, (0, 0), False),
        ("sqrt", PRIME - 4, (0, 0), True),
        ("sqrt", PRIME - 4, (1, 2), False),
        ("is_square", 4, (1,), True),
        ("is_square", 4, (0,), False),
        ("inv_var", 2, (2**60,), True),
        ("inv_var", 2, (2,), False),
    ],
)
def test_any_root_will_do_and_nothing_else(both, operation, operand, answer, right):
    suite = both[0].suite(1)
    row = next(row for row in suite.rows if row.operation == operation)
    value = {"sqrt": operand if is_square(operand, PRIME) else 0, "inv_var": pow(operand, -1, PRIME)}
    flag = operation == "inv_var" or is_square(operand, PRIME)
    row = replace(row, operands=(operand,), value=value.get(operation, 0), flag=flag)
    one = replace(suite)
    one.__dict__["rows"] = (row,)
    flags = "" if operation == "inv_var" else str(answer[0])
    numbers = "" if operation == "is_square" else f"{answer[-1]:016x}"
    (result,) = one.judge({"c": [f"{flags} {numbers}".strip()]})
    assert result.ok == right


def without_each_carry(text: str, function: str, word: int) -> Iterator[str]:
    """Yield a header with each carry into a later sum of a function made 0, for words of a size."""
    for start in (found.end() for found in re.finditer(rf"{function}\(\n?.*uint{word}_t.*\{{\n", text)):
        body = text[start : text.index("\n}\n", start)]
        for carry in re.finditer(r"word_(?:addc|subb)\((c_\d+)", body):
            yield f"{text[: start + carry.start(1)]}0{text[start + carry.end(1) :]}"


@pytest.mark.parametrize(("operation", "word"), [("add", 64), ("sub", 64), ("add", 32)])
@pytest.mark.usefixtures("cc")
def test_each_carry_that_is_dropped_is_seen(operation, word, tmp_path):
    """Such as the one that only 2^255 + (2^255 + 2^64 - 1) carries into secp256k1's second limb."""
    request = FieldRequest("c", "2^256-2^32-977", operations=("add", "sub", "from_words", "to_words"))
    (subject,) = field_subjects(request, {"c": render_field(request)})
    suite = subject.suite(1)
    suite.__dict__["rows"] = tuple(row for row in suite.rows if row.operation == operation)
    build = Build("c", "c", level="0", word=word, arguments=FieldSubject.arguments)
    name = "fp.h" if word == 64 else "fp_32.h"
    edits = [*without_each_carry(subject.files["c"][name], f"limbs_{operation}", word)]
    assert len(edits) >= 256 // word
    for wrong in edits:
        driver = build_driver(build, {**subject.files["c"], name: wrong}, tmp_path)
        (result,) = suite.judge({"c": driver.ask(suite.requests("c"))})
        assert not result.ok


def test_loose_operands_are_asked_for_in_every_language_that_has_words(both):
    lines = both[0].suite(1).requests("c")
    loose = {int(word[1:], 16) for line in lines for word in line.split() if word[0] == "#"}
    assert {PRIME, 2**62, 2**64 - 1} <= loose
    assert max(loose) < 2**64
    assert not any("#" in line for line in both[1].suite(1).requests("c"))


LEAKS = [
    ("c", 0, "fp.h", "fp_fe_select(&digit, &table[1], &table[0], low);", "digit = table[low];", "address"),
    ("rust", 1, "src/field.rs", "", "", ""),
    (
        *("rust", 0, "src/field.rs", "let square = self.square();\n"),
        *("let square = self.square();\nif core::hint::black_box(e[0]) == 0 { return square; }\n", "branch"),
    ),
]


@pytest.mark.parametrize(("language", "degree", "file", "right", "wrong", "what"), LEAKS)
@pytest.mark.usefixtures("gcc", "cargo", "valgrind")
def test_what_leaks_is_found_and_nothing_else(both, language, degree, file, right, wrong, what, tmp_path):
    subject = both[degree]
    text = subject.files[language][file]
    assert right in text
    *_, build = secret_builds([language], ["gcc"], [64])
    build = replace(build, arguments=FieldSubject.arguments)
    files = {**subject.files[language], file: text.replace(right, wrong) if right else text}
    suite = subject.suite(1)
    assert isinstance(suite, FieldSuite)
    trial = try_build(build, files, suite, tmp_path)
    assert trial.sees
    assert {leak.what for leak in trial.found} == ({what} if what else set())
    assert not trial.wrong
    assert {"power", "sqrt", "mul", "is_square"} <= set(asked(suite))
    assert "inv_var" not in asked(suite)
