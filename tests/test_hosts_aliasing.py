"""Structures of one type, or of which one is the first part of another: they may be the same object."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from host_driver import c_driver
from host_formulas import HOSTS
from host_packages import C_HOSTS
from host_provers import Bounds

from efdgen.generator.curves.load import load_curve
from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.formulas.database import Database
from efdgen.generator.hosts.aliasing import aliasings
from efdgen.generator.hosts.compile import HostBundle, HostRequest, make_host_bundle
from efdgen.generator.hosts.file import load_host
from efdgen.generator.hosts.function import check
from efdgen.generator.hosts.render import render
from efdgen.generator.hosts.run import Line, Member
from efdgen.verify.hosts.packages import crate_sources, run_tool
from efdgen.verify.hosts.trial import trial
from efdgen.verify.readback import hosts as readback

ROOT = Path(__file__).parents[1]
CURVE = load_curve("edwards25519")
FORMULAS = (
    "twisted/projective/doubling/dbl-to-extended",
    "twisted/extended-1/doubling/dbl-to-projective",
    "twisted/extended/conversion/to-cached",
)
STRUCTURE = """
[[points]]
type = "{type}"
systems = {systems}
members = {members}
{prefix}
"""
EXTENDED, PROJECTIVE = '{ X = "x", Y = "y", Z = "z", T = "t" }', '{ X = "x", Y = "y", Z = "z" }'
CACHED = '{ S = "x", D = "y", Z = "z", T = "t" }'
# The type of projective points, and what they are a prefix of.
NOTATIONS = {"one type": ("point", ""), "a prefix": ("start", 'prefix_of = "point"')}
DECLARED = """
typedef struct { FE x, y, z; } start;
typedef struct { FE x, y, z, t; } point;
"""


def host_text(notation: str) -> str:
    """Return a host whose structures for three systems can be one object."""
    shorter, prefix = NOTATIONS[notation]
    text = (HOSTS / "macros.toml").read_text()
    start, _, style = text.partition("[style]")
    style = style.partition("'''")[2].partition("'''")[2].partition("\n")[2].partition("\n")[2]
    points = [
        STRUCTURE.format(type=kind, systems=systems, members=members, prefix=end)
        for kind, systems, members, end in (
            (shorter, '["projective"]', PROJECTIVE, prefix),
            ("point", '["extended", "extended-1"]', EXTENDED, ""),
            ("point", '["cached"]', CACHED, ""),
        )
    ]
    return f"{start}{''.join(points)}\n[style]\n{style}"


@pytest.fixture(scope="module", params=NOTATIONS)
def bundle(
    request: pytest.FixtureRequest, database: Database, tmp_path_factory: pytest.TempPathFactory
) -> HostBundle:
    path = tmp_path_factory.mktemp("host") / "mine.toml"
    path.write_text(host_text(request.param))
    asked = HostRequest(str(path), "edwards25519", formulas=FORMULAS)
    return make_host_bundle(database, asked, Bounds())


def test_coordinates_coincide_by_the_names_of_members(bundle: HostBundle) -> None:
    """S of a cached point is where X of an extended one is."""
    expected = {
        "convert_to_cached": {"S": "X", "D": "Y", "Z": "Z", "T": "T"},
        "double_to_projective": {variable: variable for variable in "XYZ"},
        "double_to_extended": {variable: variable for variable in "XYZ"},
    }
    for function in bundle.functions:
        (output,), (given,) = function.kernel.outputs, function.kernel.inputs
        same = {
            Member(output.name, one): Member(given.name, other)
            for one, other in expected[function.kernel.name].items()
        }
        assert list(aliasings(function.kernel, function.structures)) == [same]


def test_the_comment_says_what_may_be_one_object(bundle: HostBundle) -> None:
    (text,) = render(bundle).values()
    words = " ".join(text.replace("\n *", "\n").split())
    assert words.count("r may be the same object as a, with x, y and z in common") == 2
    assert words.count("r may be the same object as an input of the same type") == 1
    assert not list(readback.differences(bundle, render(bundle)))


def test_an_output_written_too_early_is_found(bundle: HostBundle) -> None:
    """In the lines, and in the text."""
    for number, function in enumerate(bundle.functions):
        (output,), (given,) = function.kernel.outputs, function.kernel.inputs
        variable = next(v for v in output.members if v != "T")
        early = Line(
            bundle.host.operations["copy"],
            (Member(output.name, variable),),
            (Member(given.name, "Z"),),
            (1,),
            0,
            ("early",),
            (1,),
        )
        lines = (early, *function.placed.lines)
        broken = replace(function, placed=replace(function.placed, lines=lines))
        with pytest.raises(EfdgenError, match="another result where"):
            check(broken, bundle.host, {})
        functions = [*bundle.functions]
        functions[number] = broken
        files = render(replace(bundle, functions=tuple(functions)))
        ((name, difference),) = readback.differences(bundle, files)
        assert name == function.kernel.name
        assert "in the place of" in difference


@pytest.mark.usefixtures("cc", "gcc", "cxx", "cargo")
def test_functions_pass_the_vectors_in_every_aliasing(bundle: HostBundle, tmp_path: Path) -> None:
    sources = crate_sources(C_HOSTS, ROOT / "build" / "hosts" / "c") / "boring-sys" / "deps" / "boringssl"
    harness = (ROOT / "tests" / "hosts" / "macros-25519.c").read_text().replace("STRUCTURES", DECLARED)
    (tmp_path / "driver.c").write_text(c_driver(bundle, harness, "FE"))
    (text,) = render(bundle).values()
    early = re.sub(r"(?m)^    /. Operations:.*\n(    FE t.*\n)?", r"\g<0>    FE_COPY(&r->x, &a->z);\n", text)
    flags, failed = ("-O1", "-w", f"-I{sources}", "-I."), []
    for written in (text, early):
        (tmp_path / "point.h").write_text(written)
        run_tool(["g++", *flags, "-x", "c++", "driver.c", "-o", "driver"], tmp_path)
        results = trial(bundle, CURVE, [str(tmp_path / "driver")], seed=1)
        failed.append([result.function for result in results if not result.ok])
    assert failed == [[], [function.kernel.name for function in bundle.functions]]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('prefix_of = "point"', 'prefix_of = "pint"', "which is not a type of points; did you mean point"),
        ('prefix_of = "point"', "prefix_of = 3", "prefix_of must be the type of another structure"),
        (PROJECTIVE, '{ X = "x", Y = "y", Z = "w" }', "prefix_of 'point', which has no member w"),
        (CACHED, f'{CACHED}\nprefix_of = "start"', "prefix_of leads to more than one structure"),
    ],
)
def test_a_prefix_that_is_none_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = host_text("a prefix")
    assert old in text
    (tmp_path / "mine.toml").write_text(text.replace(old, new))
    with pytest.raises(TextError, match=said):
        load_host(str(tmp_path / "mine.toml"), CURVE.field)
