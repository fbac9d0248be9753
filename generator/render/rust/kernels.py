"""The kernels of a bundle as Rust functions, with the types that they take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, assert_never

from efdgen.generator.fields.printed import BatchText, KernelText, PointArgument
from efdgen.generator.fields.whole import whole_formulas
from efdgen.generator.formulas.signature import SCALAR
from efdgen.generator.kernels.batches import PART, ROUTINE, part_name, with_parts
from efdgen.generator.kernels.contract import contract_lines
from efdgen.generator.languages.bindings import Bindings
from efdgen.generator.options import Lowering
from efdgen.generator.programs.kernel import Coordinate, CurveConstant, Temporary
from efdgen.generator.render.locals import with_variables
from efdgen.generator.render.rust.batches import PANICS, batch_lines, batch_routine
from efdgen.generator.render.rust.field import NARROW, WIDE, Constant
from efdgen.generator.text import keywords
from efdgen.generator.text.environment import environment
from efdgen.generator.text.rust import WIDTH, comment, fitted, indented, statement

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from efdgen.generator.fields.field import Field
    from efdgen.generator.fields.whole import WholeFormula
    from efdgen.generator.programs.kernel import Argument, CurveKernels, Kernel, Place, PointType, Step

# The least room for a comment beside a step.
_NARROW = 24

# The most arguments and the most variables of one letter that clippy takes.
_MOST_ARGUMENTS, _MOST_LETTERS = 7, 4
# The fewest letters of names that clippy compares.
_SIMILAR = 3

# Names of types without the group's namespace that replace ambiguous ones.
PLAIN_NAMES = {"scalar": "coz_scalar"}

# The most columns that rustfmt gives to the members of a structure, or the items of a tuple, on one line.
_SHORT_MEMBERS, _SHORT_TUPLE = 18, 60

_MUST_USE = "what is put out means nothing where this is 0"
_NAMES = "The formula has these names"
_MANY = "The formula has as many points and values"


@dataclass(frozen=True)
class Member:
    """A coordinate: its name in Rust, and the formulas'."""

    name: str
    original: str


@dataclass(frozen=True)
class Structure:
    """A type of points, with its comment."""

    name: str
    doc: str
    members: list[Member]


@dataclass(frozen=True)
class _Function:
    """A kernel: its comment, its head, the lines of its body, and the driver's case for it."""

    doc: str
    signature: str
    body: list[str]
    case: str


def fill(template: str, names: Mapping[str, object]) -> str:
    """Return a template with names filled in."""
    return fitted(environment("rust").get_template(template).render(names))


class Kernels:
    """Prints what belongs to one group of a bundle.

    Kernels that are ``in_place`` write their outputs to their first arguments, for a whole curve adds to
    points that it has. All others return them.
    """

    def __init__(
        self,
        group: CurveKernels,
        field: Field,
        lowering: Lowering,
        plain_types: bool = False,
        in_place: bool = False,
        inlined: Collection[str] = (),
    ) -> None:
        self._offered = {kernel.name for kernel in group.kernels}
        group = with_parts(group)
        named = {kernel.name: with_variables(kernel, _reserved(kernel)) for kernel in group.kernels}
        self._group = replace(group, kernels=tuple(kernel for kernel, _ in named.values()))
        self._variables = {name: variables for name, (_, variables) in named.items()}
        self._plain_types, self._in_place = plain_types, in_place
        self._inlined = inlined
        self.whole = whole_formulas(group, field) if lowering == "whole" else {}
        places = {place for kernel in group.kernels for place in kernel.places()}
        read = sorted(place.name for place in places if isinstance(place, CurveConstant))
        self._constants = _distinct({name: self._name(f"CONSTANT_{name}").upper() for name in read})

    def constants(self) -> Iterator[Constant]:
        """Yield the constants that the functions read."""
        called = [kernel for kernel in self._group.kernels if kernel.name not in self.whole]
        elements = {place for kernel in called for place in kernel.places()}
        words = {place for whole in self.whole.values() for place in whole.places}
        for original, name in self._constants.items():
            doc, value, place = (
                f"The constant `{original}` of the curve.",
                self._group.constants[original],
                CurveConstant(original),
            )
            yield Constant(name, doc, value, place in words, place in elements)

    def types(self) -> Iterator[Structure]:
        """Yield the structures that the functions take."""
        curve = self._group.curve
        description = self._group.description.replace(curve, f"`{curve}`", 1)
        for point_type in self._group.types:
            place = point_type.system or description
            told = [f"A point of {place}.", "", f"`{point_type.meaning}`."]
            doc = comment(told if point_type != SCALAR else ["An intermediate value of formulas."], "///")
            members = [Member(name, original) for original, name in member_names(point_type).items()]
            yield Structure(self._type(point_type), doc, members)

    def functions(self) -> Iterator[_Function]:
        """Yield the functions themselves."""
        for kernel in self._group.kernels:
            if kernel.batch:
                yield self._batch(kernel)
                continue
            signature, body = self._signature(kernel), list(self._body(kernel))
            yield _Function(_documentation(kernel), signature, body, self._case(kernel))

    def texts(self, prefix: str) -> Iterator[KernelText | BatchText]:
        """Yield what each function must be."""
        constants = {text: name for name, text in self._constants.items()}
        for kernel in self._group.kernels:
            if kernel.batch:
                yield self._routine(kernel, prefix)
                continue
            inputs, outputs = (
                tuple(PointArgument(a.name, self._type(a.type), _coordinates(a)) for a in arguments)
                for arguments in (kernel.inputs, kernel.outputs)
            )
            whole = self.whole.get(kernel.name)
            yield KernelText(
                language="rust",
                prefix=prefix,
                name=self._name(kernel.name).lower(),
                program=kernel.program,
                inputs=inputs,
                outputs=outputs,
                constants=constants,
                tested=kernel.tested,
                whole=whole.operation if whole else None,
                in_place=self._in_place,
            )

    def _batch(self, kernel: Kernel) -> _Function:
        head, body = batch_lines(self._routine(kernel, ""))
        return _Function(f"{_documentation(kernel)}\n{PANICS}", head, body, self._case(kernel))

    def _routine(self, kernel: Kernel, prefix: str) -> BatchText:
        (point,), (output,) = kernel.inputs, kernel.outputs
        types = {"input": self._type(point.type), "output": self._type(output.type)}
        members = member_names(point.type) | member_names(output.type)
        own = ((ROUTINE, kernel.name), (PART, part_name(kernel)))
        functions = {routine: self._name(name).lower() for routine, name in own}
        return batch_routine(kernel, prefix, Bindings(functions, types, members=members))

    def _signature(self, kernel: Kernel) -> str:
        read = {place.argument for place in kernel.places() if isinstance(place, Coordinate)}
        outputs = [(output.name, self._type(output.type)) for output in kernel.outputs]
        arguments = [f"{name}: &mut {kind}" for name, kind in outputs if self._in_place]
        arguments += [
            f"{'' if point.name in read else '_'}{point.name}: &{self._type(point.type)}"
            for point in kernel.inputs
        ]
        returned = [kind for _, kind in outputs if not self._in_place] + ["Choice"] * bool(kernel.tests)
        return self._head(kernel, arguments, returned, _MUST_USE if kernel.tests else "")

    def _head(self, kernel: Kernel, arguments: list[str], returned: list[str], reason: str) -> str:
        name = self._name(kernel.name).lower()
        used = [f'#[must_use = "{reason}"]' if reason else "#[must_use]"] if returned else []
        if len(arguments) > _MOST_ARGUMENTS:
            used += [f"// {_MANY}.", "#[allow(clippy::too_many_arguments)]"]
        for lint in self._named_against(kernel):
            used += [f"// {_NAMES}.", f"#[allow(clippy::{lint})]"]
        if kernel.name in self._inlined:
            used.append("#[inline(always)]")
        tail = f") -> {_tuple(returned)} {{" if returned else ") {"
        start = f"pub fn {name}(" if kernel.name in self._offered else f"fn {name}("
        head = f"{start}{', '.join(arguments)}{tail}"
        wide = len(returned) > 1 and len(", ".join(returned)) > _SHORT_TUPLE
        if len(head) <= WIDTH and not wide:
            return "\n".join([*used, head])
        ends = [") -> (", *(f"    {kind}," for kind in returned), ") {"] if wide else [tail]
        return "\n".join([*used, start, *(f"    {argument}," for argument in arguments), *ends])

    def _named_against(self, kernel: Kernel) -> Iterator[str]:
        """Yield the lints of names that the formula's may break."""
        variables = self._variables[kernel.name]
        if sum(len(variable) == 1 for variable in variables) > _MOST_LETTERS:
            yield "many_single_char_names"
        if any(_are_similar(*pair) for pair in combinations(variables, 2)):
            yield "similar_names"

    def _body(self, kernel: Kernel) -> Iterator[str]:
        if kernel.name not in self.whole:
            yield from self._calls(kernel, " " * 4)
            return
        yield from (f"#[cfg({WIDE})]", "{")
        yield from map(indented, self._whole(self.whole[kernel.name], kernel))
        yield from ("}", f"#[cfg({NARROW})]", "{")
        yield from map(indented, self._calls(kernel, " " * 8))
        yield "}"

    def _whole(self, whole: WholeFormula, kernel: Kernel) -> Iterator[str]:
        taken = {argument.name for argument in kernel.outputs}
        places = []
        for place in whole.places:
            if isinstance(place, CurveConstant):
                places.append(f"&limbs::{self._constants[place.name]}")
            else:
                written = isinstance(place, Coordinate) and place.argument in taken
                places.append(f"{self._place(place, kernel)}.{'words_mut' if written else 'words'}()")
        call = statement(f"limbs::{whole.operation.name}({', '.join(places)});", 8)
        if self._in_place:
            yield from call
            return
        for output in kernel.outputs:
            blank = dict.fromkeys(member_names(output.type).values(), "FieldElement::ZERO")
            first, *rest = _structure(self._type(output.type), blank)
            *most, last = [f"let mut {output.name} = {first}", *rest]
            yield from (*most, f"{last};")
        yield from call
        yield _tuple([output.name for output in kernel.outputs])

    def _calls(self, kernel: Kernel, indent: str) -> Iterator[str]:
        for step in kernel.steps:
            line = f"let {self._place(step.target, kernel)} = {self._expression(step, kernel)};"
            # Text that does not fit beside the step goes on below, where rustfmt keeps it.
            text = comment([step.text], "//", max(WIDTH - len(f"{indent}{line} "), _NARROW)).splitlines()
            yield f"{line} {text[0]}"
            yield from (f"{'':{len(line)}} {rest}" for rest in text[1:])
        tests = ((test, self._place(test.value, kernel)) for test in kernel.tests)
        flag = " & ".join(f"{'' if test.zero else '!'}{value}.is_zero()" for test, value in tests)
        if not self._in_place:
            yield from self._returned(kernel, [[flag]] if flag else [])
            return
        for store in kernel.stores:
            target = self._place(Coordinate(store.argument, store.member), kernel)
            yield f"{target} = {self._place(store.value, kernel)};"
        if flag:
            yield flag

    def _returned(self, kernel: Kernel, flag: list[list[str]]) -> Iterator[str]:
        """Yield the expression of the outputs, and of the choice that tests make, if any."""
        stored = {(store.argument, store.member): store.value for store in kernel.stores}
        values = []
        for output in kernel.outputs:
            names = member_names(output.type)
            members = {name: self._place(stored[output.name, v], kernel) for v, name in names.items()}
            values.append(_structure(self._type(output.type), members))
        values += flag
        if len(values) == 1:
            yield from values[0]
            return
        line = ", ".join(value[0] for value in values)
        if all(len(value) == 1 for value in values) and len(line) <= _SHORT_TUPLE:
            yield f"({line})"
            return
        yield "("
        for *most, last in values:
            yield from (f"    {each}" for each in (*most, f"{last},"))
        yield ")"

    def _case(self, kernel: Kernel) -> str:
        """Return the driver's case for a request, empty for a function that it cannot call."""
        if kernel.name not in self._offered:
            return ""
        request = f"{self._group.namespace}.{kernel.name}".lstrip(".")
        inputs, outputs = (" ".join(a.name for a in side) for side in (kernel.inputs, kernel.outputs))
        flag = ", flag" if kernel.tests else ""
        macro = "batch" if kernel.batch else "call"
        call = f"{macro}!(request: {self._name(kernel.name).lower()}({inputs}) -> {outputs}{flag})"
        line = f'        "{request}" => {call},'
        if len(line) <= WIDTH:
            return line
        if len(f"            {call}") > WIDTH:
            # rustfmt leaves a macro's own syntax as it is.
            call = call.replace("request: ", f"request:\n{'':16}").replace(" -> ", f"\n{'':16}-> ")
        return f'        "{request}" => {{\n            {call}\n        }}'

    def _type(self, point_type: PointType) -> str:
        plain = PLAIN_NAMES.get(point_type.name, point_type.name)
        return type_name(plain if self._plain_types else self._name(point_type.name))

    def _name(self, name: str) -> str:
        return self._group.named(name)

    def _expression(self, step: Step, kernel: Kernel) -> str:
        values = [self._place(place, kernel) for place in step.operands]
        match step.operation:
            case "add" | "sub" | "mul":
                return f"{values[0]}.{step.operation}(&{values[1]})"
            case "neg" | "half":
                return f"{values[0]}.{step.operation}()"
            case "sqr":
                return f"{values[0]}.square()"
            case "inv":
                return f"{values[0]}.invert()"
            case "copy":
                return values[0]
            case _:
                assert_never(step.operation)

    def _place(self, place: Place, kernel: Kernel) -> str:
        match place:
            case Temporary(number):
                return self._variables[kernel.name][number]
            case Coordinate(name, member):
                types = {argument.name: argument.type for argument in (*kernel.inputs, *kernel.outputs)}
                return f"{name}.{member_names(types[name])[member]}"
            case CurveConstant(name):
                return self._constants[name]
            case _:
                assert_never(place)


def _are_similar(one: str, other: str) -> bool:
    """Return whether two names of three letters or more differ in one letter, which clippy may find."""
    return min(len(one), len(other)) >= _SIMILAR and bool(_shortened(one) & _shortened(other))


def _shortened(name: str) -> set[str]:
    """Return a name, and it without each of its letters."""
    return {name, *(name[:at] + name[at + 1 :] for at in range(len(name)))}


def _reserved(kernel: Kernel) -> Collection[str]:
    return {argument.name for argument in (*kernel.inputs, *kernel.outputs)} | keywords.RUST


def type_name(name: str) -> str:
    """Return the name of a type in Rust: ``NormalizedPoint`` for ``normalized_point``."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def member_names(point_type: PointType) -> dict[str, str]:
    """Return a name for each variable of a point: the variable in lower case, where that is legal."""
    wanted = {variable: variable.lower() for variable in point_type.members}
    illegal = {v for v, name in wanted.items() if name[0].isdigit() or name in keywords.RUST}
    return _distinct({v: f"v{name}" if v in illegal else name for v, name in wanted.items()})


def _coordinates(argument: Argument) -> dict[str, str]:
    """Return the name in the formula of each member of a point, by its name in Rust."""
    return {name: argument.members[variable] for variable, name in member_names(argument.type).items()}


def _distinct(wanted: Mapping[str, str]) -> dict[str, str]:
    """Return the wanted names, with a number after those that others before them have taken."""
    taken: dict[str, str] = {}
    for original, name in wanted.items():
        number = 2
        unique = name
        while unique in taken.values():
            unique, number = f"{name}_{number}", number + 1
        taken[original] = unique
    return taken


def _tuple(items: Sequence[str]) -> str:
    """Return one item, or a tuple of several."""
    return items[0] if len(items) == 1 else f"({', '.join(items)})"


def _structure(name: str, members: Mapping[str, str]) -> list[str]:
    """Return the lines of a structure, as rustfmt breaks it."""
    told = [value if member == value else f"{member}: {value}" for member, value in members.items()]
    if len(", ".join(told)) <= _SHORT_MEMBERS:
        return [f"{name} {{ {', '.join(told)} }}"]
    return [f"{name} {{", *(f"    {each}," for each in told), "}"]


def _documentation(kernel: Kernel) -> str:
    """Return a function's comment; what a reviewer asks is in a block of its own, aligned."""
    summary, exceptions, *facts = contract_lines(kernel, {"Aliasing": ""})
    law, parenthesis, title = summary.partition(" (")
    return comment([f"`{law}`{parenthesis}{title}", "", exceptions, "", "```text", *facts, "```"], "///")
