"""Kernels of a Python module, read with Python's own parser, and followed on elements instead of integers.

Stand-ins replace integers: each is an element of the field, with a flag whether it is reduced. If a
function asks whether one is 0, both ways are followed.
"""

from __future__ import annotations

import ast
from collections import Counter, namedtuple
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from efdgen.generator.passes.allocation import constant_name
from efdgen.generator.programs.program import Constant, Parameter
from efdgen.verify.readback.frames import Followed
from efdgen.verify.readback.limbs import FAILURES
from efdgen.verify.readback.python_integers import IntegersModuloP
from efdgen.verify.readback.python_polynomials import PolynomialsModuloF
from efdgen.verify.readback.python_tree import call
from efdgen.verify.readback.ways import Ways

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.fields.printed import KernelText, PointArgument, PythonText
    from efdgen.generator.mathematics.ground import Ground
    from efdgen.generator.programs.program import Program
    from efdgen.verify.readback.elements import Element

Value = Any
PythonField: TypeAlias = IntegersModuloP | PolynomialsModuloF

# Numbers of points in calls of a function that makes all inverses from one.
_COUNTS = range(4)
# Functions of Python that the module's functions call.
_BUILT_IN = {"zip": zip, "reversed": reversed, "all": all}


def field_of(ground: Ground) -> PythonField:
    """Return the field of a module's kernels."""
    return PolynomialsModuloF(ground) if ground.is_binary else IntegersModuloP(ground.prime)


class PythonReader:
    """Compares the functions of one module with their programs."""

    def __init__(self, text: PythonText) -> None:
        self._text = text
        self._field = field_of(text.ground)
        self._points = {a.type: a for kernel in text.kernels for a in (*kernel.inputs, *kernel.outputs)}

    @property
    def file(self) -> str:
        """The module's path."""
        return f"{self._text.prefix}.py"

    def followed(self) -> Iterator[Followed]:
        """Yield the functions that are followed."""
        yield from (Followed(self.file, kernel.name) for kernel in self._text.kernels)

    def differences(self, files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the names that are not as they should be, and how they differ."""
        try:
            statements = ast.parse(files[self.file]).body
        except (KeyError, SyntaxError) as error:
            yield self.file, f"the text cannot be read: {error}"
            return
        bound = Counter(name for statement in statements for name in _bound(statement))
        functions = {s.name: s for s in statements if isinstance(s, ast.FunctionDef)}
        yield from self._definitions(statements, bound)
        yield from self._field.differences({name: f for name, f in functions.items() if bound[name] == 1})
        for kernel in self._text.kernels:
            function = functions.get(kernel.name)
            if function is None or bound[kernel.name] != 1:
                yield kernel.name, "it is not in the text, or more than once"
            elif difference := self._difference(kernel, function, bound):
                yield kernel.name, difference

    def _definitions(self, statements: list[ast.stmt], bound: Counter[str]) -> Iterator[tuple[str, str]]:
        """Yield how numbers and types differ, and what functions call."""
        needed, offered = self._field.needed, self._field.offered
        assigned = {
            statement.targets[0].id: statement.value
            for statement in statements
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
        }
        for name, number in {**needed, **offered, **self._text.values}.items():
            if (name in bound or name in needed) and (
                bound[name] != 1 or _number(assigned.get(name)) != number
            ):
                yield name, "it is not this number, or not always"
        for name in bound.keys() & {*self._field.built_in, *_BUILT_IN}:
            yield name, "it is what functions call, and something else here"
        classes = {s.name: s for s in statements if isinstance(s, ast.ClassDef)}
        for name, point in self._points.items():
            if bound[name] != 1 or not _is_point(classes.get(name), point):
                yield name, f"it is no tuple of {', '.join(point.members)}"

    def _difference(self, kernel: KernelText, function: ast.FunctionDef, bound: Counter[str]) -> str:
        """Follow a function on every way, and return how it differs."""
        given = ast.unparse(function.args)
        if function.decorator_list or given != _parameters(kernel):
            return f"its parameters are {given}"
        try:
            for count in _COUNTS if kernel.inverses else (1,):
                for way in Ways.all(binary=self._text.ground.is_binary):
                    followed = _Call(self._text, self._field, kernel, way, count)
                    if differs := followed.differs(function, bound):
                        return f"{differs}, of {count} points" if kernel.inverses else differs
        except (*FAILURES, NameError, ArithmeticError) as error:
            return f"it cannot be followed: {error}"
        return ""


class _Call:
    """A call of a function on one way: of one point, or of some where it makes all inverses from one."""

    def __init__(
        self, text: PythonText, field: PythonField, kernel: KernelText, way: Ways, count: int
    ) -> None:
        self._text, self._field, self._kernel, self._way = text, field, kernel, way
        self._types = {a.type: namedtuple(a.type, a.members) for a in (*kernel.inputs, *kernel.outputs)}
        self._named = {name: way.input(name) for name in text.constants.values()}
        self._named |= {name: way.constant(Fraction(value)) for name, value in text.literals.items()}
        self._points = [
            {name: way.input(f"{name}, {turn}") for a in kernel.inputs for name in a.members.values()}
            for turn in range(count)
        ]

    def differs(self, function: ast.FunctionDef, bound: Counter[str]) -> str:
        """Follow the function, and return how its results differ from the program's."""
        kernel, way, space = self._kernel, self._way, self._names(bound)
        lists = [tuple(self._point(a, values) for values in self._points) for a in kernel.inputs]
        given = lists if kernel.inverses else [one for (one,) in lists]
        result = call(function, given, space)
        if self._way.taken:
            # Products that were made before something was known get their normal form.
            result = call(function, given, space)
        inverses = [{n: way.inv(p[of]) for n, of in kernel.inverses.items()} for p in self._points]
        program = _with_literals(kernel.program, self._text.literals)
        wanted = [
            way.outputs(program, {**self._named, **point, **inverse})
            for point, inverse in zip(self._points, inverses, strict=True)
        ]
        if kernel.inverses:
            results, *flags = result
            found = [(one,) for one in results]
            holds = [not way.is_zero(p[of]) for p in self._points for of in kernel.inverses.values()]
        else:
            parts = result if type(result) is tuple else (result,)
            found, flags = [parts[: len(kernel.outputs)]], parts[len(kernel.outputs) :]
            holds = [way.is_zero(wanted[0][name]) == name.startswith("check") for name in kernel.tested]
        if len(found) != len(wanted):
            return "it returns another number of points"
        for outputs, values in zip(found, wanted, strict=True):
            if differs := self._compared(outputs, values):
                return differs
        says = [all(holds)] if kernel.tested or kernel.inverses else []
        return "" if [*map(bool, flags)] == says else "what it returns is not what it tests"

    def _point(self, argument: PointArgument, values: Mapping[str, Element]) -> Value:
        type_of: Value = self._types[argument.type]
        return type_of(*(self._field.value(self._way, values[name]) for name in argument.members.values()))

    def _names(self, bound: Counter[str]) -> dict[str, Value]:
        """Return what the function finds: what it calls, and as far as the module has them, numbers."""
        numbers = {
            text: self._field.value(self._way, self._named[name])
            for text, name in self._text.constants.items()
        }
        offered = {**self._field.names(self._way), **numbers}
        there = bound.keys() | self._field.built_in
        known = {name: value for name, value in offered.items() if name in there}
        return {**known, **_BUILT_IN, **self._types}

    def _compared(self, outputs: tuple[Value, ...], wanted: Mapping[str, Element]) -> str:
        """Return how the outputs for one point differ."""
        types = tuple(self._types[output.type] for output in self._kernel.outputs)
        if tuple(map(type, outputs)) != types:
            return "it returns other types"
        for output, found in zip(self._kernel.outputs, outputs, strict=True):
            for (member, name), value in zip(output.members.items(), found, strict=True):
                constant = isinstance(value, int) and value in (0, 1)
                element = self._way.constant(Fraction(value)) if constant else self._field.element(value)
                if element is None:
                    return f"{output.name}.{member} is not reduced"
                if not self._way.equal(element, wanted[name]):
                    return f"{output.name}.{member} is not {name}"
        return ""


def _with_literals(program: Program, literals: Mapping[str, int]) -> Program:
    """Return a program that reads some of its numbers by name."""
    return replace(
        program,
        instructions=tuple(
            replace(instruction, operation=Parameter(constant_name(operation.value)))
            if isinstance(operation := instruction.operation, Constant)
            and constant_name(operation.value) in literals
            else instruction
            for instruction in program.instructions
        ),
    )


def _parameters(kernel: KernelText) -> str:
    """Return the parameters of a function as they must be there."""
    if kernel.inverses:
        return ", ".join(f"points: Sequence[{point.type}]" for point in kernel.inputs)
    return ", ".join(f"{point.name}: {point.type}" for point in kernel.inputs)


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement of a module binds in it, each time that it does."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
            yield from (name for n in ast.walk(node) if isinstance(n, ast.Global) for name in n.names)
            return
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name.partition(".")[0]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
    for child in ast.iter_child_nodes(node):
        yield from _bound(child)


def _number(node: ast.expr | None) -> int | None:
    """Return the number that an expression of numbers is, of whatever type it becomes."""
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            found = _number(operand)
            return None if found is None else -found
        case ast.BinOp(left=left, op=ast.LShift() | ast.BitOr() as operator, right=right):
            a, b = _number(left), _number(right)
            if a is None or b is None:
                return None
            return a << b if isinstance(operator, ast.LShift) else a | b
        case ast.Call(func=ast.Name(id="_integer"), args=[argument], keywords=[]):
            return _number(argument)
    return None


def _is_point(node: ast.ClassDef | None, point: PointArgument) -> bool:
    """Return whether a class is a tuple of the members of a point, in order, and nothing else."""
    if (
        node is None
        or [*map(ast.unparse, node.bases)] != ["NamedTuple"]
        or node.keywords
        or node.decorator_list
    ):
        return False
    _, *members = node.body
    return [ast.unparse(member) for member in members] == [f"{name}: int" for name in point.members]
