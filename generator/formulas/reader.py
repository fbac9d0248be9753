"""Statements to model, system, kind and formula, checked; and back to statements for the printer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.formulas.document import Document
from efdgen.generator.formulas.formula import Formula, Kind, Map, Model, System
from efdgen.generator.formulas.names import declared_names
from efdgen.generator.language.printer import print_document
from efdgen.generator.language.syntax import Assignment, Binary, Equation, Name, Number, Statement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from efdgen.generator.formulas.formula import Shared
    from efdgen.generator.language.syntax import Expression


def read_model(statements: Sequence[Statement], model_id: str, text: str, path: str) -> Model:
    """Build a model from its ``coordinates`` file; raise :class:`TextError` for what is wrong in it."""
    laws = ("addition", "doubling", "negation", "neutral", "toweierstrass", "fromweierstrass", "weierstrass")
    document = Document(statements, text, path, {"name", "parameter", "coordinate", "satisfying", *laws})
    parameters, coordinates = document.names("parameter"), document.names("coordinate")
    addition, doubling, negation, neutral, to_weierstrass, from_weierstrass, weierstrass = (
        document.definitions(law) for law in laws
    )
    equations = document.all("satisfying", Equation)
    first, second = ({f"{name}{point}" for name in coordinates} for point in "12")
    document.require_distinct([*parameters, *coordinates, *sorted(first | second)])
    document.require_distinct([*parameters, *to_weierstrass])
    document.require_known(_sides(equations), {*parameters, *coordinates})
    document.require_known(addition.values(), {*parameters, *first, *second})
    document.require_known((*doubling.values(), *negation.values()), {*parameters, *first})
    document.require_known((*neutral.values(), *weierstrass.values()), parameters)
    document.require_known(to_weierstrass.values(), {*parameters, *coordinates})
    document.require_known(from_weierstrass.values(), {*parameters, *to_weierstrass})
    document.finish()
    return Model(
        model_id,
        document.title(),
        parameters,
        coordinates,
        equations,
        addition,
        doubling,
        negation,
        neutral,
        weierstrass,
        to_weierstrass,
        from_weierstrass,
    )


def read_system(
    statements: Sequence[Statement], system_id: str, model: Model, text: str, path: str
) -> System:
    """Build a coordinate system from its ``variables`` file; raise :class:`TextError` for what is wrong."""
    document = Document(statements, text, path, {"name", "parameter", "assume", "variable", "satisfying"})
    parameters, variables = document.names("parameter"), document.names("variable")
    assumptions, meanings = document.all("assume", Equation), document.all("satisfying", Equation)
    document.require_distinct([*model.parameters, *parameters, *model.coordinates, *variables])
    document.require_known(_sides(assumptions), {*model.parameters, *parameters})
    document.require_known(_sides(meanings), {*model.parameters, *parameters, *model.coordinates, *variables})
    document.finish()
    return System(system_id, document.title(), model, parameters, assumptions, variables, meanings)


def read_stated(statements: Sequence[Statement], of: Model | System, text: str, path: str) -> list[Statement]:
    """Return what a file states beside its model or system; raise :class:`TextError` for a defect."""
    model, variables = (of.model, of.variables) if isinstance(of, System) else (of, ())
    parameters = {*model.parameters, *(of.parameters if isinstance(of, System) else ())}
    targets = {"neutral": variables, "tosystem": variables, "homogweight": variables}
    targets["toaffine"] = model.coordinates
    known = {
        "ysquared": {*parameters, *model.coordinates},
        "neutral": parameters,
        "toaffine": {*parameters, *variables},
        "tosystem": {*parameters, *model.coordinates},
        "homogweight": set(),
    }
    document = Document(statements, text, path, {*known})
    document.require_known(_sides(document.all("ysquared", Equation)), known["ysquared"])
    for keyword, names in targets.items():
        values = document.definitions(keyword)
        document.require_known(values.values(), known[keyword])
        if values:
            document.require_defined(keyword, values, names)
    document.finish()
    return list(statements)


def read_kind(statements: Sequence[Statement], kind_id: str, text: str, path: str) -> Kind:
    """Build a kind from its file; raise :class:`TextError` for what is wrong in it."""
    points = {"input", "given", "output", "scaled", "share", "implicit"}
    keywords = {"name", "function", *points, "scalar", "free", "length"}
    document = Document(statements, text, path, keywords)

    inputs, outputs = document.points("input"), document.outputs()
    given, scalars = document.all("given", Equation), document.all("scalar", Equation)
    document.require_known((output.law for output in outputs), (f"P{number}" for number in inputs))
    document.require_known(_sides(given), (f"P{number}" for number in inputs))
    length = document.title("length")
    if length and not (len(inputs) == len(outputs) == len(scalars) == 1 and _is_reciprocal(scalars[0].right)):
        place = next(statement for statement in statements if statement.keyword == "length")
        document.complain("a length wants one input, one output, and one scalar that is 1/V", place)
    document.finish()
    return Kind(
        kind_id,
        document.title(),
        document.title("function"),
        inputs,
        given,
        outputs,
        document.points("scaled"),
        document.shared("share"),
        document.shared("implicit"),
        scalars,
        document.names("free"),
        length,
    )


def _is_reciprocal(expression: Expression) -> bool:
    match expression:
        case Binary("/", Number(1), Name()):
            return True
        case _:
            return False


def read_map(
    statements: Sequence[Statement],
    map_id: str,
    model_of: Callable[[str], Model],
    text: str,
    path: str,
) -> Map:
    """Build a map between models from its file; ``model_of`` loads models by name within the field class.

    Raises :class:`TextError` for what is wrong in it.
    """
    once = {"name", "source", "target", "inverse", "degree"}
    document = Document(statements, text, path, {*once, "parameter", "assume", "curve", "image", "where"})
    model, target = model_of(map_id.split("/")[1]), model_of(document.title("target"))
    parameters, assumptions = document.names("parameter"), document.all("assume", Equation)
    curve, image, where = (document.definitions(keyword) for keyword in ("curve", "image", "where"))
    document.require_distinct([*model.parameters, *parameters, *model.coordinates])
    of_curve = {*model.parameters, *parameters}
    document.require_known([*_sides(assumptions), *curve.values(), *where.values()], of_curve)
    document.require_known(image.values(), {*of_curve, *model.coordinates})
    document.require_defined("curve", curve, target.parameters)
    document.require_defined("image", image, target.coordinates)
    degree = document.title("degree") or "1"
    if not degree.isdecimal():
        place = next(statement for statement in statements if statement.keyword == "degree")
        document.complain(f"{degree!r} is not a degree, which is a number", place)
    document.finish()
    return Map(
        map_id,
        document.title(),
        document.title("source"),
        model,
        target,
        parameters,
        assumptions,
        curve,
        image,
        document.title("inverse"),
        where,
        int(degree),
    )


@dataclass(frozen=True)
class ThreeOperandCode:
    """Published three-operand code: every line that is one, and what is wrong with the code."""

    formula: Formula
    defect: TextError | None


def _no_map(name: str) -> Map:
    raise EfdgenError(f"unknown map {name!r} here")


def read_formula(
    statements: Sequence[Statement],
    formula_id: str,
    system_of: Callable[[str], System],
    kind: Kind,
    text: str,
    path: str,
    map_of: Callable[[str], Map] = _no_map,
) -> Formula:
    """Build a formula; ``system_of`` loads coordinate systems by id, or by name within the formula's model.

    ``map_of`` loads maps by name within the formula's model. Raises :class:`TextError` for an unknown name,
    one declared twice, or a coordinate never computed.
    """
    tests = {"hint", "check", "guard"}
    keywords = {"source", "parameter", "assume", "point", "map", "compute", "ghost", *tests}
    document = Document(statements, text, path, keywords)
    system, map_name = system_of(formula_id.rsplit("/", 2)[0]), document.title("map")
    formula = Formula(
        formula_id,
        system,
        kind,
        document.title("source"),
        document.names("parameter"),
        document.all("assume", Equation),
        document.all("compute", Assignment),
        document.systems(system_of),
        document.all("ghost", Assignment),
        map_of(map_name) if map_name else None,
        document.all("hint", Equation),
        document.all("check", Equation),
        document.names("guard"),
    )
    known = {*formula.all_parameters, *formula.input_coordinates}
    document.require_known(_sides(formula.assumptions), {*known, *formula.scalar_inputs})
    for hint in formula.hints:
        document.require_known([hint.right], known)
        if not isinstance(hint.left, Name) or hint.left.text in known:
            document.complain("a hint begins with a new name, and says what it has to be", hint)
            continue
        known.add(hint.left.text)
    document.require_distinct(declared_names(formula))
    _require_sound(document, formula)
    document.finish()
    return formula


def read_three_operand(
    statements: Sequence[Statement], formula: Formula, text: str, path: str
) -> ThreeOperandCode:
    """Build the published three-operand code of a formula; a defect in it is returned, not raised."""
    document = Document(statements, text, path, {"compute", "error"})
    code = replace(formula, assignments=document.all("compute", Assignment))
    failures = [statement for statement in statements if statement.keyword == "error"]
    for statement in failures:
        document.complain("the published code stops with an error of its generator", statement)
    if not failures:
        _require_sound(document, code)
    try:
        document.finish()
    except TextError as defect:
        return ThreeOperandCode(code, defect)
    return ThreeOperandCode(code, None)


def _require_sound(document: Document, formula: Formula) -> None:
    """Complain of names that are used before they are known, and of coordinates that are never computed."""
    known = {*formula.all_parameters, *formula.input_names}
    for assignment in formula.assignments:
        document.require_known([assignment.value], known)
        known.add(assignment.target)
    document.require_known(_sides(formula.checks), known)
    for statement in document.statements:
        if statement.keyword == "guard" and statement.content not in known:
            document.complain(f"unknown name {statement.content!r}", statement)
    known_to_ghosts = known | set(formula.input_coordinates)
    for ghost in formula.ghosts:
        document.require_known([ghost.value], known_to_ghosts)
        known_to_ghosts.add(ghost.target)
    missing = [name for name in formula.output_names if name not in known]
    missing += [name for name in formula.implicit_outputs if name not in known_to_ghosts]
    if missing:
        document.complain(f"{' and '.join(missing)} never computed", document.statements[-1])


def model_statements(model: Model) -> list[Statement]:
    """Return the lines of a ``coordinates`` file, in the normalised order."""
    return [
        Statement("name", model.title),
        *(Statement("parameter", name) for name in model.parameters),
        *(Statement("coordinate", name) for name in model.coordinates),
        *(Statement("satisfying", equation) for equation in model.equations),
        *_definitions("addition", model.addition),
        *_definitions("doubling", model.doubling),
        *_definitions("negation", model.negation),
        *_definitions("neutral", model.neutral),
        *_definitions("weierstrass", model.weierstrass),
        *_definitions("toweierstrass", model.to_weierstrass),
        *_definitions("fromweierstrass", model.from_weierstrass),
    ]


def system_statements(system: System) -> list[Statement]:
    """Return the lines of a ``variables`` file, in the normalised order."""
    return [
        Statement("name", system.title),
        *(Statement("parameter", name) for name in system.parameters),
        *(Statement("assume", equation) for equation in system.assumptions),
        *(Statement("variable", name) for name in system.variables),
        *(Statement("satisfying", equation) for equation in system.meanings),
    ]


def kind_statements(kind: Kind) -> list[Statement]:
    """Return the lines of a kind's file, in the normalised order."""
    return [
        Statement("name", kind.title),
        Statement("function", kind.function),
        *(Statement("input", f"P{number}") for number in kind.inputs),
        *(Statement("given", equation) for equation in kind.given),
        *(Statement("output", Equation(Name(f"P{output.point}"), output.law)) for output in kind.outputs),
        *(Statement("scaled", f"P{number}") for number in kind.scaled),
        *(Statement("share", _variable_of_points(shared)) for shared in kind.shared),
        *(Statement("implicit", _variable_of_points(implicit)) for implicit in kind.implicit),
        *(Statement("scalar", equation) for equation in kind.scalars),
        *(Statement("free", name) for name in kind.free),
        *([Statement("length", kind.length)] if kind.length else []),
    ]


def map_statements(between: Map) -> list[Statement]:
    """Return the lines of a map's file, in the normalised order."""
    return [
        Statement("name", between.title),
        *([Statement("source", between.source)] if between.source else []),
        Statement("target", between.target.id.rpartition("/")[2]),
        *(Statement("parameter", name) for name in between.parameters),
        *(Statement("assume", equation) for equation in between.assumptions),
        *_definitions("curve", between.curve),
        *_definitions("image", between.image),
        *([Statement("degree", str(between.degree))] if between.degree != 1 else []),
        Statement("inverse", between.inverse),
        *_definitions("where", between.inverse_parameters),
    ]


def formula_statements(formula: Formula) -> list[Statement]:
    """Return the lines of a formula's file, in the normalised order."""
    return [
        *([Statement("source", formula.source)] if formula.source else []),
        *(Statement("parameter", name) for name in formula.parameters),
        *(
            Statement("point", f"P{number} {_short(formula, other)}")
            for number, other in formula.systems.items()
        ),
        *([Statement("map", formula.map.name)] if formula.map else []),
        *(Statement("assume", equation) for equation in formula.assumptions),
        *(Statement("hint", equation) for equation in formula.hints),
        *(Statement("compute", assignment) for assignment in formula.assignments),
        *(Statement("ghost", assignment) for assignment in formula.ghosts),
        *(Statement("check", equation) for equation in formula.checks),
        *(Statement("guard", name) for name in formula.guards),
    ]


def normalised(formula: Formula) -> str:
    """Return a formula's file as ``efd/`` would hold it."""
    return print_document(formula_statements(formula))


def _variable_of_points(shared: Shared) -> str:
    return " ".join([shared.variable, *(f"P{number}" for number in shared.points)])


def _short(formula: Formula, system: System) -> str:
    """Return a system's name within the formula's model, or else its id."""
    return system.id.rpartition("/")[2] if system.model.id == formula.system.model.id else system.id


def _definitions(keyword: str, values: Mapping[str, Expression]) -> list[Statement]:
    return [Statement(keyword, Assignment(target, value)) for target, value in values.items()]


def _sides(equations: Iterable[Equation]) -> list[Expression]:
    return [side for equation in equations for side in (equation.left, equation.right)]
