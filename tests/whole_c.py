"""Whole curves in C, compiled with the driver that answers requests: what several tests share."""

import subprocess
from functools import cache
from pathlib import Path

from tools import UNOPTIMISED, WARNINGS
from whole_curves import DATABASE
from whole_drivers import Subject

from efdgen.generator.compile import Request
from efdgen.generator.planning.ladder import LadderPlan
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.render.c.bundle import Options
from efdgen.generator.render.c.curve import render_curve
from efdgen.generator.render.c.ladder import render_ladder
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.vectors.drivers import Driver
from efdgen.verify.vectors.whole_subjects import whole_curve


@cache
def planned(curve: str, coordinates: str | None, table: str, second: str | None = None):
    request = Request("c", curve, coordinates, prefix="whole", set="curve", table=table, second=second)
    return plan_curve(DATABASE, request, SafePlans())


def build(
    folder: Path,
    curve: str,
    coordinates=None,
    *flags,
    compiler,
    lowering="calls",
    table="small",
    layout="header",
    second=None,
    edit=None,
    change=None,
) -> Subject:
    """Return a curve whose driver is compiled without a warning.

    Before, ``change`` changes the plan, and ``edit`` the header.
    """
    plan = planned(curve, coordinates, table, second)
    plan = change(plan) if change else plan
    files = texts(plan, lowering, layout)
    if edit:
        files["whole.h"] = edit(files["whole.h"])
    sources = sorted(name for name in files if name.endswith(".c"))
    compile_files(folder, files, compiler, *(flags or UNOPTIMISED), *sources, "-o", "driver")
    return Subject(whole_curve(plan, DATABASE, second), Driver("c", (str(folder / "driver"),)), plan)


def texts(plan: CurvePlan | LadderPlan, lowering: str, layout: str = "header") -> dict[str, str]:
    """Return a plan's files."""
    options = Options(layout, lowering)
    return render_curve(plan, options) if isinstance(plan, CurvePlan) else render_ladder(plan, options)


def compile_files(folder: Path, files: dict[str, str], compiler: str, *arguments: str) -> None:
    """Write files and compile them; a warning is an error."""
    for name, text in files.items():
        (folder / name).write_text(text)
    subprocess.run([compiler, "-std=c99", *WARNINGS, *arguments], cwd=folder, check=True)
