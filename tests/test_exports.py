"""The table of exports: in each language its functions have the names and arguments that it says."""

import ast
import re

import manual
import pytest
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.exports.export import all_exports, exports
from efdgen.generator.exports.prototype import prototype
from efdgen.generator.files import render_plan
from efdgen.generator.planning.exported import exported
from efdgen.generator.planning.request import plan_curve
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.vectors.whole_subjects import whole_curve
from efdgen.verify.vectors.whole_suite import WholeSuite

SECOND = {"P-256": "0x0,0x66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4"}
CURVES = ["P-256", "secp256k1", "edwards25519", "Curve25519"]
# Members of arrays and names of arguments are not of the call.
_ARRAY, _NAME = re.compile(r"(\w+)\[[^\]]*\]"), re.compile(r"\b\w+(?=[,)])")


@pytest.fixture(scope="module", params=CURVES)
def printed(request):
    """Return a curve's plan, its files by language, and the curve for requests."""
    options = {"prefix": "whole", "set": "curve", "table": "small", "second": SECOND.get(request.param)}
    asked = {language: Request(language, request.param, **options) for language in ("c", "rust", "python")}
    plan = plan_curve(DATABASE, asked["c"], SafePlans())
    files = {language: render_plan(plan, own) for language, own in asked.items()}
    return plan, files, whole_curve(plan, DATABASE, options["second"])


@pytest.mark.slow
def test_headers_declare_every_function_as_the_table_does(printed):
    plan, files, _ = printed
    ladder = plan.curve.model == "g1p/montgom"
    infinite, point = ladder or plan.representation.infinite, "AFFINE" if ladder else "POINT"
    text = " ".join(files["c"]["whole.h"].split())
    for function in exported(plan, "c"):
        (found,) = re.findall(rf"static inline ((?:int|void) whole_{function.name}\([^)]*\))", text)
        types = {"NAME": "whole", "POINT": "whole_point", "AFFINE": "whole_affine_point", "FE": "whole_fe"}
        expected = prototype(function, infinite, point)
        for name, spelt in types.items():
            expected = re.sub(rf"\b{name}(?=_|\b)", spelt, expected)
        assert _types(found) == _types(expected), function.name


def _types(declaration: str) -> str:
    return _NAME.sub("", _ARRAY.sub(r"*\1", declaration)).replace(" ", "")


@pytest.mark.slow
@pytest.mark.long
def test_crates_have_every_function_with_the_arguments_of_the_table(printed):
    plan, files, _ = printed
    text = " ".join(" ".join(text.split()) for name, text in files["rust"].items() if name.startswith("src/"))
    root = files["rust"]["src/lib.rs"]
    for function in exported(plan, "rust"):
        found = re.findall(rf"pub fn {function.name}(?:<[^>]*>)?\((.*?)\) (?:->|\{{|where)", text)
        counts = {len([a for a in re.split(r",(?![^<\[]*[>\]])", given) if a.strip()]) for given in found}
        wanted = sum(2 if kind == "affine" else 1 for kind in function.kinds)
        wanted += not function.is_plain and function.name.endswith("_batch")
        assert wanted in counts or wanted + 1 in counts, (function.name, found)
        assert function.is_method or re.search(rf"\b{function.name}\b", root), function.name


def test_modules_have_every_function_with_the_arguments_of_the_table(printed):
    plan, files, _ = printed
    tree = ast.parse(files["python"]["whole/_curve.py"])
    found = {
        node.name: [argument.arg for argument in node.args.args]
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }
    for function in exported(plan, "python"):
        assert ", ".join(found[function.name]) == function.call.partition("(")[2].rstrip(")"), function.name


@pytest.mark.slow
def test_every_function_is_asked_of_drivers(printed):
    plan, _, curve = printed
    suite = WholeSuite(curve, seed=1)
    assert {function.name for function in exported(plan)} <= {*suite.functions}


def test_the_manual_has_the_tables():
    text = manual.PAGE.read_text(encoding="utf-8")
    assert text == manual.printed(text)
    sections = {function.section for function in all_exports()}
    assert all(f"<!-- exports: {section} -->" in text for section in sections)


def test_no_fact_gives_two_functions_of_one_name():
    for facts in (
        {"points", "shortw", "coz", "second"},
        {"points", "edwards", "half", "embedding"},
        {"ladder"},
    ):
        names = [function.name for function in exports(facts)]
        assert len(names) == len({*names})
