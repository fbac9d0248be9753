"""Whether printed functions are the routines that they were printed from, and constants their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.verify.readback.texts import Source
from efdgen.verify.routines import c, routine, rust
from efdgen.verify.words.reader import NotReadError
from efdgen.verify.words.rust import read_rust
from efdgen.verify.words.tree import Literal, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from efdgen.generator.fields.printed import RoutineText
    from efdgen.generator.routines.module import Module, Value
    from efdgen.verify.words.tree import Expression, Routines

_WORD = 64
_LIBRARY = "src/lib.rs"


def routine_differences(text: RoutineText, files: Mapping[str, str]) -> Iterator[tuple[str, int | None, str]]:
    """Yield functions of a text that are not their routines, for whom, and how they differ."""
    try:
        for printed in _texts(text, files):
            for name, difference in differences(text.module, printed, text.names):
                yield name, None, difference
    except NotReadError as error:
        yield text.path, None, f"the text cannot be read: {error}"


def differences(
    module: Module, printed: Routines, names: Mapping[str, str] | None = None
) -> Iterator[tuple[str, str]]:
    """Yield names of functions and constants that are missing or differ; ``names`` are those of the text."""
    names = names or {}
    for name in module.routines:
        try:
            _require_equal(module, name, printed, names)
        except NotReadError as error:
            yield names.get(name, name), str(error)
    for name, constant in module.constants.items():
        table = not isinstance(constant.value, int)
        own = name.lower() if table and printed.language == "c" else names.get(name, name)
        found = printed.constants.get(own)
        if found is None or _value(found.value) != constant.value:
            yield own, "it is not what the routines read"


def _require_equal(module: Module, name: str, printed: Routines, names: Mapping[str, str]) -> None:
    function = printed.functions.get(names.get(name, name))
    if function is None:
        raise NotReadError("it is not there")
    if printed.language == "c":
        found = c.form_of(module, function)
        wanted = routine.form_of(module, name, c.places_of(module, function))
    else:
        found = rust.form_of(module, name, function, names)
        wanted = routine.form_of(module, name, {})
    if found != wanted:
        raise NotReadError("it is another routine")


def _texts(text: RoutineText, files: Mapping[str, str]) -> Iterator[Routines]:
    """Yield functions and constants, in C as each compiler sees them."""
    own = {*text.module.routines, *text.module.constants, *map(str.lower, text.module.constants)}
    own |= set(text.names.values())
    if text.language == "c":
        for seen in Source("c", text.prefix, files, own.__contains__).texts(_WORD):
            yield seen.limbs
    else:
        found = read_rust(files[text.path], None, own.__contains__)
        missing = {text.names.get(name, name) for name in text.module.constants} - found.constants.keys()
        found.constants.update(read_rust(files[_LIBRARY], None, missing.__contains__).constants)
        yield found


def _value(expression: Expression) -> Value | None:
    """Return a number, or a table of numbers."""
    match expression:
        case Literal(value):
            return value
        case Sequence(items):
            found = [_value(item) for item in items]
            return None if None in found else tuple(value for value in found if value is not None)
        case _:
            return None
