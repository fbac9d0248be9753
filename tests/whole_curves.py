"""Whole curves as Python modules, and the affine law beside them: what several tests share."""

import sys
import types
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

from efdgen.generator.compile import Request
from efdgen.generator.curves.affine import INFINITY, AffineCurve, Point
from efdgen.generator.files import render_plan
from efdgen.generator.formulas.database import Database
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.planning.plan import CurvePlan
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.render.python.curve import render_curve
from efdgen.verify.plan_proofs import SafePlans

DATABASE = Database()
SECOND = 3

# y^2 = x^3 + 2x + 9 over GF(13) has 17 points, y^2 = x^3 + 3x^2 + x over GF(47) has 44.
SHORTW = """\
name = "tiny"
model = "g1p/shortw"
prime = 13
order = 17
cofactor = 1
parameters = {a = 2, b = 9}
generator = {x = 0, y = 3}
"""
CUBIC = """\
name = "tiny"
model = "g1p/shortw"
prime = 19
order = 7
cofactor = 3
parameters = {a = 0, b = 4}
generator = {x = 1, y = 9}
"""
MONTGOM = """\
name = "tiny"
model = "g1p/montgom"
prime = 47
order = 11
cofactor = 4
parameters = {a = 3, b = 1}
generator = {x = 8, y = 17}
"""
TINY = {
    "prime": 'model = "g1p/shortw"\nprime = 37\norder = 43\ncofactor = 1\nparameters = {a = 3, b = 7}\n',
    "halves": 'model = "g1p/shortw"\nprime = 43\norder = 31\ncofactor = 1\nparameters = {a = 0, b = 7}\n',
    "long halves": (
        'model = "g1p/shortw"\nprime = 2503\norder = 2551\ncofactor = 1\nparameters = {a = 0, b = 3}\n'
    ),
    "negative": (
        'model = "g1p/shortw"\nprime = 37\norder = 47\ncofactor = 1\nparameters = {a = -1, b = 2}\n'
    ),
    "three": ('model = "g1p/shortw"\nprime = 31\norder = 41\ncofactor = 1\nparameters = {a = -3, b = 6}\n'),
    "even": 'model = "g1p/shortw"\nprime = 47\norder = 13\ncofactor = 4\nparameters = {a = 1, b = 6}\n',
    "odd": 'model = "g1p/shortw"\nprime = 47\norder = 17\ncofactor = 3\nparameters = {a = 1, b = 7}\n',
    "twisted": 'model = "g1p/twisted"\nprime = 61\norder = 7\ncofactor = 8\nparameters = {a = -1, d = 2}\n',
    "square": 'model = "g1p/twisted"\nprime = 47\norder = 13\ncofactor = 4\nparameters = {a = 4, d = 5}\n',
    "edwards": 'model = "g1p/edwards"\nprime = 67\norder = 17\ncofactor = 4\nparameters = {c = 1, d = 2}\n',
    "ladder47": 'model = "g1p/montgom"\nprime = 47\norder = 11\ncofactor = 4\nparameters = {a = 3, b = 1}\n',
    "ladder47of8": (
        'model = "g1p/montgom"\nprime = 47\norder = 7\ncofactor = 8\nparameters = {a = 22, b = 1}\n'
    ),
    "ladder53": 'model = "g1p/montgom"\nprime = 53\norder = 11\ncofactor = 4\nparameters = {a = 4, b = 2}\n',
    "ladder59": 'model = "g1p/montgom"\nprime = 59\norder = 7\ncofactor = 8\nparameters = {a = 14, b = 1}\n',
}


@dataclass
class Subject:
    """A curve's module, its plan, and the affine law; points of tests are affine."""

    plan: CurvePlan
    module: ModuleType
    affine: AffineCurve

    def lift(self, point: Point):
        """Return an affine point, or the one at infinity, as the module's."""
        return self.module.IDENTITY if point == INFINITY else self.module.from_affine(*point)

    def lower(self, point) -> Point:
        """Return a point of the module as an affine one, or as the one at infinity."""
        if self.plan.representation.infinite and self.module.is_identity(point):
            return INFINITY
        return tuple(map(int, self.module.to_affine(point)))

    @property
    def generator(self) -> Point:
        return tuple(self.plan.curve.generator.values())


@cache
def subject(curve: str, coordinates: str | None = None, table: str = "small") -> Subject:
    """Return a curve in a coordinate system, planned, found safe, and run; formulas are proved elsewhere."""
    database = DATABASE
    request = Request("python", curve, coordinates, prefix="whole", set="curve", table=table)
    plan = plan_curve(database, request, SafePlans())
    module = run(plan)
    affine = AffineCurve(database.model(plan.curve.model), plan.curve.field, plan.curve.parameters)
    return Subject(plan, module, affine)


def run(plan: CurvePlan) -> ModuleType:
    """Return a plan's module."""
    module = types.ModuleType("whole")
    exec(compile(render_curve(plan)["whole.py"], "whole.py", "exec"), vars(module))
    return module


def tiny_file(folder: Path, name: str) -> str:
    """Write the file of a tiny curve with a generator of its order; return the path."""
    path = folder / f"{name}.toml"
    if path.exists():
        return str(path)
    values = dict(line.split(" = ", 1) for line in TINY[name].splitlines())
    parameters = dict(p.split(" = ") for p in values["parameters"].strip("{}").split(", "))
    affine = AffineCurve(
        DATABASE.model(values["model"].strip('"')),
        PrimeField(int(values["prime"])),
        {key: int(value) % int(values["prime"]) for key, value in parameters.items()},
    )
    order = int(values["order"])
    x, y = next(p for p in affine.all_points() if p != affine.neutral and has_order(affine, p, order))
    path.write_text(f'name = "tiny"\n{TINY[name]}generator = {{x = {x}, y = {y}}}\n')
    return str(path)


def has_order(affine: AffineCurve, point: Point, order: int) -> bool:
    return affine.multiple(order, point) == affine.neutral


@cache
def protocol_modules(curve: str) -> dict[str, ModuleType]:
    """Return a curve's module as ``curve``, and those of its protocols, by the ends of their names."""
    prefix = "".join(filter(str.isalnum, curve)).lower()
    request = Request("python", curve, prefix=prefix, set="protocols", table="small", layout="module")
    files = render_plan(plan_curve(DATABASE, request, SafePlans()), request)
    modules = {}
    for name in sorted(files.keys() - {"driver.py", "driver_protocols.py"}, key=len):
        module = types.ModuleType(name.removesuffix(".py"))
        sys.modules[module.__name__] = module
        exec(compile(files[name], name, "exec"), vars(module))
        modules[module.__name__.removeprefix(prefix).removeprefix("_") or "curve"] = module
    return modules
