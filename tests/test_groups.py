"""Groups of prime order (RFC 9496): published elements in three languages, and options that are refused.

The commands of docs/curves-api.md are among the requests.
"""

import importlib
import shlex
import subprocess
from pathlib import Path

import pytest
from ecosystem.sources import write_program
from protocol_vectors import records
from tools import CC, UNOPTIMISED
from whole_curves import DATABASE
from whole_rust import run_cargo

import efdgen
from efdgen.api.requests import request_of
from efdgen.generator.errors import EfdgenError
from efdgen.generator.files import render_plan
from efdgen.generator.options import Options
from efdgen.generator.planning.request import plan_curve
from efdgen.verify.plan_proofs import SafePlans

TESTS = Path(__file__).parent
VECTORS = records(TESTS / "vectors/rfc9496.txt", "COUNT")
GROUPS = {"ristretto255": (32, (16, 29, 11)), "decaf448": (56, (16, 21, 7))}
"""The groups: bytes of encodings, and the numbers of vectors."""
LANGUAGES = ("c", "rust", "python")


def published(group: str) -> dict[str, str]:
    """Return the published answers to requests of the programs, by the request."""
    titles = [f"{group} {kind}" for kind in ("multiples", "refused", "uniform")]
    multiples, refused, uniform = ([v for v in VECTORS if v[""] == title] for title in titles)
    assert (len(multiples), len(refused), len(uniform)) == GROUPS[group][1]
    found = {f"{name} {k}": v["ENCODING"] for k, v in enumerate(multiples) for name in ("multiple", "sum")}
    found |= {f"read {v['ENCODING']}": v["ENCODING"] for v in (*multiples, *uniform)}
    found |= {f"uniform {v['BYTES']}": v["ENCODING"] for v in uniform}
    return found | {f"read {v['ENCODING']}": "refused" for v in refused}


def written(folder: Path, **options: str) -> None:
    """Write the files of a group, in which nothing is proved."""
    request = request_of(Options(table="small", **options), {"group", "lang"})
    for name, text in render_plan(plan_curve(DATABASE, request, SafePlans()), request).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_published_elements_in_c(group, cc, tmp_path):
    written(tmp_path, group=group, lang="c")
    given = [f"-DGROUP={group}", f'-DHEADER="{group}.h"', f"-DSIZE={GROUPS[group][0]}"]
    strict = ["-std=c99", "-Wall", "-Wextra", "-Wno-unused-function", "-pedantic", "-Werror"]
    source = str(TESTS / "group_program.c")
    command = [CC, *strict, *UNOPTIMISED, *given, "-I", str(tmp_path), "-o", "program", source]
    subprocess.run(command, cwd=tmp_path, check=True)
    words = shlex.split(" ".join(published(group)))
    done = subprocess.run(["./program", *words], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == [*published(group).values()]


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_published_elements_in_rust(group, cargo, tmp_path):
    written(tmp_path / "crate", group=group, lang="rust")
    need = 'group_of_prime_order = { path = "crate", package = "NAME", features = ["alloc", "zeroize"] }'
    program = (TESTS / "group_program.rs").read_text()
    write_program(tmp_path, [need.replace("NAME", group)], main=program)
    words = shlex.split(" ".join(published(group)))
    assert run_cargo(tmp_path, "run", "--quiet", "--", *words).splitlines() == [*published(group).values()]
    run_cargo(tmp_path / "crate", "fmt", "--check")
    run_cargo(tmp_path / "crate", "clippy", "--quiet", "--all-features", "--", "-D", "warnings")
    run_cargo(tmp_path / "crate", "test", "--quiet", "--doc")


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_published_elements_in_python(group, tmp_path, monkeypatch):
    written(tmp_path, group=group, lang="python")
    monkeypatch.syspath_prepend(tmp_path)
    package = importlib.import_module(group)
    element, generator = package.Element, package.GENERATOR
    assert (len(bytes(generator)), package.UNIFORM_BYTES) == (GROUPS[group][0], 2 * GROUPS[group][0])
    for request, expected in published(group).items():
        name, text = request.split()
        if expected == "refused":
            with pytest.raises(ValueError, match="not an encoded coset"):
                element.from_bytes(bytes.fromhex(text))
            continue
        if name == "read":
            found = element.from_bytes(bytes.fromhex(text))
        elif name == "uniform":
            found = element.from_uniform_bytes(bytes.fromhex(text))
        elif name == "multiple":
            found = int(text) * generator
            assert found.is_identity() == (text == "0")
        else:
            found = package.multi_multiply([int(text), 5], [generator, package.IDENTITY])
        assert bytes(found).hex() == expected
        again = eval(repr(found), {"Element": element})
        assert (again, hash(again)) == (found, hash(found + package.IDENTITY))


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"group": "ristretto"}, "no group 'ristretto'; choose decaf448 or ristretto255"),
        ({"group": "decaf448", "curve": "edwards448"}, "give curve, or group .*, not both"),
        ({}, "give curve, or group for a group of prime order$"),
        ({"group": "decaf448", "set": "protocols"}, "--set has no effect with --group; remove it"),
        ({"group": "decaf448", "second": "1,2"}, "--second has no effect with --group; remove it"),
        ({"group": "decaf448", "lang": "python", "layout": "module"}, "a group in Python is a package"),
    ],
)
def test_options_that_do_not_go_with_a_group_are_refused(options, reason):
    with pytest.raises(EfdgenError, match=reason):
        efdgen.compile(**{"lang": "c"} | options)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_of_a_group_names_no_curve(language):
    request = request_of(Options(group="ristretto255", lang=language), {"group", "lang"})
    words = f"efdgen compile --lang {language} --group ristretto255"
    assert (" ".join(request.command.words), request.curve, request.set) == (words, "edwards25519", "curve")
