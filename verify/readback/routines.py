"""Comparison of printed functions with their routines, and of constants with their numbers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from efdgen.generator.fields.printed import BatchText
from efdgen.generator.kernels.batches import ROUTINE
from efdgen.generator.languages.rust.types import types_of
from efdgen.generator.planning.lane_routines import LaneRoutineText
from efdgen.generator.routines import tree, uses
from efdgen.generator.routines.integers import RoutineError
from efdgen.verify.readback.frames import Followed
from efdgen.verify.readback.texts import Source, in_one_text
from efdgen.verify.routines import c, c_names, form, ladder, routine, rust
from efdgen.verify.routines.curve import FOLLOWED
from efdgen.verify.routines.formula_batches import prove_formula_batch
from efdgen.verify.routines.lanes import prove_lanes
from efdgen.verify.routines.leaves import CONTRACTS
from efdgen.verify.routines.signatures import (
    declared_in_c,
    declared_in_rust,
    imported,
    printed_in_c,
    printed_in_rust,
    same_types,
)
from efdgen.verify.words.reader import NotReadError, definitions, without_comments
from efdgen.verify.words.rust import read_rust
from efdgen.verify.words.tree import Call, Literal, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.fields.printed import RoutineText
    from efdgen.generator.languages.bindings import Bindings
    from efdgen.generator.routines.module import Value
    from efdgen.generator.routines.tree import Routine
    from efdgen.verify.words.tree import Expression, Function, Routines

_WORDS = 64, 32
# Files of a crate with the constants that routines read.
_CONSTANTS = "src/lib.rs", "src/words.rs"
# The file with the methods of elements.
_FIELD = "src/field.rs"
# The file of integers modulo the order.
_SCALAR = "src/scalar.rs"


def routine_differences(text: RoutineText, files: Mapping[str, str]) -> Iterator[tuple[str, int | None, str]]:
    """Yield functions of a text that are not their routines, for whom, and how they differ."""
    try:
        if isinstance(text, LaneRoutineText):
            prove_lanes(text)
        if isinstance(text, BatchText):
            prove_formula_batch(text)
            text = text if text.path in files else replace(text, path=f"{text.prefix}.rs")
        for printed in _texts(text, files):
            for name, difference in differences(text, printed):
                yield name, None, difference
        for name, difference in leaf_differences(text, files):
            yield name, None, difference
    except NotReadError as error:
        yield text.path, None, f"the text cannot be read: {error}"
    except RoutineError as error:
        yield text.routines[0], None, f"it is not proved: {error}"


def read_names(text: RoutineText) -> set[str]:
    """Return the names, without a prefix, of the functions that are compared with proved routines."""
    known = ladder.FOLLOWED if "ladder" in text.routines else FOLLOWED
    proved = (known | {ROUTINE}).intersection(text.routines)
    if text.language == "c":
        return set(map(c_names.Names(text.module, text.prefix, text.bindings).function, proved))
    return {text.bindings.functions.get(name, name) for name in proved}


def followed_routines(text: RoutineText) -> Iterator[Followed]:
    """Yield the functions that are compared with routines, by the files that may have them."""
    names = c_names.Names(text.module, text.prefix, text.bindings)
    for name in text.routines:
        if text.language == "c":
            files = (text.path, f"{text.prefix}.c")
            yield from (Followed(file, f"{text.prefix}_{names.function(name)}") for file in files)
        else:
            owner = text.bindings.types["point"] if name in text.bindings.methods else ""
            own = text.bindings.functions.get(name, name)
            yield from (Followed(file, own, owner) for file in (text.path, f"{text.prefix}.rs"))


def differences(text: RoutineText, printed: Routines) -> Iterator[tuple[str, str]]:
    """Yield names of functions and constants that are missing or differ."""
    for name in text.routines:
        try:
            _require_equal(text, name, printed)
        except NotReadError as error:
            yield text.bindings.functions.get(name, name), str(error)
    for name in _constants(text):
        own = _constant_name(text, name)
        found = printed.constants.get(own)
        if found is None or _value(found.value) != text.module.constants[name].value:
            yield own, "it is not what the routines read"


def _constants(text: RoutineText) -> Iterator[str]:
    """Yield the constants with a value that are numbers, or tables that routines of a text read.

    Beside lanes there are no others that are read.
    """
    bodies = [text.module.routines[own].body for own in text.routines]
    for name, constant in text.module.constants.items():
        number = isinstance(constant.value, int) and not text.bindings.lanes
        read = number or any(uses.mentions(body, name) for body in bodies)
        if constant.value is not None and read:
            yield name


def _constant_name(text: RoutineText, name: str) -> str:
    """Return what a constant is called in its file, without a prefix or path."""
    bound = text.bindings.constants.get(name)
    if text.language == "rust":
        return (bound or name).rpartition("::")[2]
    if bound is not None:
        return bound.removeprefix(f"{text.prefix}_").removeprefix(f"{text.prefix.upper()}_")
    table = not isinstance(text.module.constants[name].value, int)
    return name.lower() if table else name


def leaf_differences(text: RoutineText, files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the leaves that routines of a text call and that have another signature there, or no contract."""
    called = {name for own in text.routines for name in tree.called(text.module.routines[own])}
    for name in sorted(called & text.module.leaves):
        routine = text.module.routines[name]
        if name not in CONTRACTS:
            yield name, "it has no contract"
            continue
        try:
            _require_signature(text, routine, files)
        except NotReadError as error:
            yield name, str(error)


def _require_signature(text: RoutineText, leaf: Routine, files: Mapping[str, str]) -> None:
    bindings = text.bindings
    if text.language == "c":
        names = c_names.Names(text.module, text.prefix, bindings)
        own = f"{text.prefix}_"
        others = [body for path, body in files.items() if path.startswith(own) and path.endswith(".h")]
        whole = "\n".join([in_one_text(files, text.prefix), *others])
        found = printed_in_c(names.function(leaf.name), whole, text.prefix)
        same = same_types(whole, text.prefix)
        types = {kind: same.get(name, name) for kind, name in names.types.items()}
        wanted = declared_in_c(leaf, types)
    else:
        owner, _, name = bindings.functions.get(leaf.name, leaf.name).rpartition("::")
        method = leaf.name in bindings.methods
        own = bindings.types[leaf.parameters[0].kind.name] if method else owner
        rest = [body for path, body in files.items() if path.endswith(".rs")]
        sources = [files[text.path], *rest]
        if bindings.lanes:
            sources = _others_in_folder(text.path, files)
        for kind, path in (("element", _FIELD), ("number", _SCALAR)):
            if own and own == bindings.types.get(kind) and not bindings.lanes:
                sources = [files.get(path, files[text.path])]
        found = printed_in_rust(imported(name, files[text.path]), sources, own, method=method)
        in_place = leaf.name in bindings.in_place
        types = {**types_of(bindings), **bindings.types}
        wanted = declared_in_rust(leaf, types, in_place=in_place)
    if found != wanted:
        raise NotReadError(f"its signature is {found}, and not {wanted}")


def _others_in_folder(path: str, files: Mapping[str, str]) -> list[str]:
    """Return the texts of the other files in a file's folder."""
    folder = path.rpartition("/")[0]
    return [text for other, text in files.items() if other != path and other.rpartition("/")[0] == folder]


def _require_equal(text: RoutineText, name: str, printed: Routines) -> None:
    module, bindings = text.module, text.bindings
    if text.language == "c":
        names = c_names.Names(module, text.prefix, bindings)
        function = _function(printed, names.function(name))
        found = c.form_of(names, function)
        wanted = routine.form_of(
            module, name, c_names.places_of(names, function), names.function, names.types
        )
    else:
        function = _function(printed, bindings.functions.get(name, name))
        found = form.settled(*rust.form_of(module, name, function, bindings))
        spelled = bindings.functions
        wanted = form.settled(*routine.form_of(module, name, {}, lambda n: spelled.get(n, n), bindings.types))
    if found != wanted:
        raise NotReadError("it is another routine")


def _function(printed: Routines, name: str) -> Function:
    if name not in printed.functions:
        raise NotReadError("it is not there")
    return printed.functions[name]


def _texts(text: RoutineText, files: Mapping[str, str]) -> Iterator[Routines]:
    """Yield functions and constants, in C as each compiler sees them."""
    bindings, values = text.bindings, [*_constants(text)]
    if text.language == "c":
        names = c_names.Names(text.module, text.prefix, bindings)
        own = {*map(names.function, text.routines), *(_constant_name(text, name) for name in values)}
        types = names.structures
        read = files if text.path == f"{text.prefix}.h" else _beside(text, files)
        source, before = Source("c", text.prefix, read, own.__contains__, types), None
        for seen in (seen for word in _WORDS for seen in source.texts(word)):
            if seen.limbs != before:
                yield seen.limbs
            before = seen.limbs
    else:
        functions = {bindings.functions.get(name, name) for name in text.routines}
        found = read_rust(files[text.path], None, functions.__contains__)
        for inside in _methods(text, files[text.path]):
            found.functions.update(read_rust(inside, None, functions.__contains__).functions)
        for path in dict.fromkeys((text.path, *_CONSTANTS)):
            here = {_constant_name(text, name) for name in values if _may_be_in(path, bindings, name)}
            missing = here - found.constants.keys()
            if path in files and missing:
                found.constants.update(read_rust(files[path], None, missing.__contains__).constants)
        yield found


def _beside(text: RoutineText, files: Mapping[str, str]) -> dict[str, str]:
    """Return a header beside the curve's, after the names and numbers that it has from there."""
    names, prefix = c_names.Names(text.module, text.prefix, text.bindings), text.prefix
    known = {f"{prefix}_{names.function(name)}" for name in text.module.routines} | {
        f"{prefix.upper()}_{macro}" for macro in ("WIPE", "FUNCTION")
    }
    own = {f"{prefix}_{names.function(name)}" for name in text.routines}
    known |= {*text.bindings.types.values(), *text.bindings.constants.values(), f"{prefix.upper()}_IDENTITY"}
    own |= {name for name in known if f" {name} = {{" in files.get(text.path, "")}
    types = [f"typedef int {name};" for name in sorted(known - own) if re.fullmatch(r"\w+", name)]
    numbers = re.findall(
        rf"^#define {prefix.upper()}_(?!WORD_BITS)\w+ \d+$", files.get(f"{prefix}.h", ""), re.M
    )
    # The size of a word is known by its own name.
    file = files.get(text.path, "").replace(f"{prefix.upper()}_WORD_BITS", "WORD_BITS")
    return {f"{prefix}.h": "\n".join([*numbers, *types, file])}


def _methods(text: RoutineText, file: str) -> Iterator[str]:
    """Yield what is inside the implementation of points, where a text has methods."""
    if not text.bindings.methods.intersection(text.routines):
        return
    head = f"impl {text.bindings.types['point']} {{"
    for definition in definitions(without_comments(file).splitlines()):
        if definition.lstrip().startswith(head):
            yield definition.lstrip().removeprefix(head).rpartition("}")[0]


def _may_be_in(path: str, bindings: Bindings, name: str) -> bool:
    """Return whether a constant may be in a file, given the module that is named before it, if any."""
    module = bindings.constants.get(name, name).rpartition("::")[0]
    return not module or path == f"src/{module}.rs"


def _value(expression: Expression) -> Value | None:
    """Return a number, or a table of numbers."""
    match expression:
        case Literal(value) | Call("U32::all" | "ALL", (Literal(value),)):
            return value
        case Sequence(items):
            found = [_value(item) for item in items]
            return None if None in found else tuple(value for value in found if value is not None)
        case _:
            return None
