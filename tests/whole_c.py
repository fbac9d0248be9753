"""Whole curves in C, compiled with the driver that answers requests: what several tests share."""

import subprocess
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import INFINITY, AffineCurve
from efdgen.generator.planning.ladder import LadderPlan
from efdgen.generator.planning.make import unproved
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.render.c import Options
from efdgen.generator.render.c_curve import render_curve
from efdgen.generator.render.c_ladder import render_ladder
from efdgen.verify.scalars.reasons import require_safe

WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Werror")
SANITIZED = ("-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
TINY = 4000


@dataclass
class Subject:
    """A curve's driver, compiled, its plan, and the affine law; points are affine."""

    plan: CurvePlan | LadderPlan
    driver: Path
    affine: AffineCurve
    _multiples: dict = field(default_factory=dict)
    _sums: dict = field(default_factory=dict)

    @property
    def generator(self):
        return tuple(self.plan.curve.generator.values())

    @property
    def scalar_bytes(self) -> int:
        return self.plan.reduction.bytes

    @cached_property
    def points(self):
        """Every point of a tiny curve."""
        points = list(self.affine.all_points())
        return [INFINITY, *points] if self.affine.neutral == INFINITY else points

    def add(self, p, q):
        """Return a sum of points of a tiny curve, by the affine law, computed once."""
        if (p, q) not in self._sums:
            self._sums[p, q] = self._sums[q, p] = self.affine.add(p, q)
        return self._sums[p, q]

    def multiple(self, k: int, p):
        """Return k·p by the affine law, through the nearest multiple of the number of points."""
        count = self.plan.order * self.plan.cofactor
        k %= count
        if count < TINY:
            return self.multiples(p)[k]
        return self.affine.multiple(k, p) if 2 * k < count else self.affine.multiple(count - k, self.minus(p))

    def multiples(self, p):
        """Return all multiples of a point of a tiny curve, from 0 on."""
        if p not in self._multiples:
            found = [self.affine.neutral]
            while len(found) < self.plan.order * self.plan.cofactor:
                found.append(self.add(found[-1], p))
            self._multiples[p] = found
        return self._multiples[p]

    def minus(self, p):
        return self.affine.negate(p)

    def scalar(self, k: int) -> str:
        order = "big" if self.plan.curve.model == "g1p/shortw" else "little"
        return k.to_bytes(self.scalar_bytes, order).hex()

    def element(self, value: int) -> str:
        return value.to_bytes(-(-self.plan.curve.prime.bit_length() // 8), "big").hex()

    def point(self, p) -> str:
        return "".join(map(self.element, p)) or "O"

    def encoded(self, p) -> bytes:
        """Return a point as SEC 1, 2.3.3 and RFC 8032, 5.1.2 have it."""
        size = self.plan.encoding
        if self.plan.model == "shortw":
            return bytes([2 + p[1] % 2]) + p[0].to_bytes(size.field, "big")
        return (p[1] | (p[0] & 1) << (8 * size.point - 1)).to_bytes(size.point, "little")

    def differences(self, cases: list[tuple[str, str]]) -> list[str]:
        """Return the requests that the driver answers differently."""
        return differences(self.driver, cases)


def differences(driver: Path, cases: list[tuple[str, str]]) -> list[str]:
    """Return the requests that a driver answers differently."""
    text = "".join(f"{request}\n" for request, _ in cases)
    done = subprocess.run([driver], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    answers = done.stdout.splitlines()
    pairs = zip(cases, answers, strict=True)
    return [f"{request}: {right}, not {found}" for (request, right), found in pairs if found != right]


@cache
def planned(curve: str, coordinates: str | None, table: str, second: str | None = None):
    request = Request("c", curve, coordinates, prefix="whole", set="curve", table=table, second=second)
    return plan_curve(DATABASE, request, unproved, require_safe)


def build(
    folder: Path,
    curve: str,
    coordinates=None,
    *flags,
    compiler="gcc",
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
    compile_files(folder, files, compiler, *(flags or ["-O0"]), *sources, "-o", "driver")
    affine = AffineCurve(DATABASE.model(plan.curve.model), plan.curve.prime, plan.curve.parameters)
    return Subject(plan, folder / "driver", affine)


def texts(plan: CurvePlan | LadderPlan, lowering: str, layout: str = "header") -> dict[str, str]:
    """Return a plan's files."""
    options = Options(layout, lowering)
    return render_curve(plan, options) if isinstance(plan, CurvePlan) else render_ladder(plan, options)


def compile_files(folder: Path, files: dict[str, str], compiler: str, *arguments: str) -> None:
    """Write files and compile them; a warning is an error."""
    for name, text in files.items():
        (folder / name).write_text(text)
    subprocess.run([compiler, "-std=c99", *WARNINGS, *arguments], cwd=folder, check=True)
