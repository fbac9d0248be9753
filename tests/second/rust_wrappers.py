"""Functions that are appended to the modules of a crate, and called in place of its own.

Their parameters are words alone, so rustc compares types; those of a module see what is private in it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from second.machines import arrays_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from efdgen.generator.fields.printed import KernelText, LimbText, PointArgument
    from second.machines import Shape

_HEAD = "\n#[no_mangle]\n#[inline(never)]\npub fn second_"
_WORDS = "[crate::limbs::Word; crate::limbs::LIMBS]"
_NUMBER = "[crate::limbs::Word; crate::limbs::WORDS]"
_HELPERS = f"""
pub(crate) fn second_element(words: &{_WORDS}) -> FieldElement {{ FieldElement(*words) }}
pub(crate) fn second_words(element: FieldElement) -> {_WORDS} {{ element.0 }}
"""
_TYPES = {"element": _WORDS, "words": _NUMBER, "bytes": "[u8; FieldElement::BYTES]"}
# Bodies that are no method's call, by the names of shapes; others call a method with all inputs.
_BODIES = {
    "set_zero": "*o0 = FieldElement::ZERO.0;",
    "set_one": "*o0 = FieldElement::ONE.0;",
    "select": "*o0 = FieldElement::select(&FieldElement(*i0), &FieldElement(*i1), Choice::from(i2 as u8)).0;",
    "from_words": "*o0 = FieldElement::from_words(i0).0;",
    "from_canonical": "*o0 = FieldElement::from_canonical(i0).0;",
    "from_bytes_be": "let r = FieldElement::from_bytes_be(i0); {}",
    "from_bytes_le": "let r = FieldElement::from_bytes_le(i0); {}",
    "equal": "FieldElement(*i0).ct_eq(&FieldElement(*i1)).unwrap_u8() as u32",
    "same": "u32::from(FieldElement(*i0) == FieldElement(*i1))",
    "conditional_select": (
        "let (a, b) = (FieldElement(*i0), FieldElement(*i1)); "
        "*o0 = FieldElement::conditional_select(&b, &a, Choice::from(i2 as u8)).0;"
    ),
}
_OPTION = "*o0 = r.unwrap_or(FieldElement::ZERO).0; r.is_some().unwrap_u8() as u32"


def limb_wrappers(text: LimbText, limbs: int, words: int) -> Iterator[str]:
    """Yield functions that call the limb functions of a module, and checks of its sizes."""
    sizes = f"LIMBS == {limbs} && WORDS == {words} && Word::BITS == {text.word}"
    yield f"\nconst _: () = assert!({sizes});\n"
    for name, value in text.constants.items():
        yield f"{_HEAD}constant_{name}(r: &mut [u{text.word}; {len(value)}]) {{ *r = {name}; }}\n"
    for function in text.functions:
        arrays = arrays_of(function)
        types = (
            f"u{a.bits}" if a.by_value else f"&{'mut ' if a.output else ''}[u{a.bits}; {a.count}]"
            for a in arrays
        )
        names = [f"a{number}" for number in range(len(arrays))]
        parameters = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, types, strict=True))
        returned = f" -> u{text.word}" if function.test else ""
        call = f"{function.name}({', '.join(names)})"
        yield f"{_HEAD}limbs_{function.name}({parameters}){returned} {{ {call} }}\n"


def field_wrappers(shapes: Iterable[tuple[str, str, Shape]]) -> Iterator[str]:
    """Yield functions that call those on elements: each by its name, its name in the text, and its shape."""
    yield _HELPERS
    for name, method, shape in shapes:
        parameters = [f"o{i}: &mut {_TYPES[kind]}" for i, kind in enumerate(shape.outputs)]
        parameters += [
            f"i{i}: &{_TYPES[kind]}" if kind in _TYPES else f"i{i}: usize"
            for i, kind in enumerate(shape.inputs)
        ]
        body = _BODIES[name].format(_OPTION) if name in _BODIES else _method(method, shape)
        returned = " -> u32" if shape.flag else ""
        yield f"{_HEAD}fe_{name}({', '.join(parameters)}){returned} {{ {body} }}\n"


def _method(method: str, shape: Shape) -> str:
    first, *rest = (
        f"FieldElement(*i{i})" if kind == "element" else f"i{i}" for i, kind in enumerate(shape.inputs)
    )
    others = (f"&{each}" if each.startswith("F") else each for each in rest)
    call = f"{first}.{method}({', '.join(others)})"
    if shape.flag:
        return f"u32::from({call}.unwrap_u8())"
    return f"*o0 = {call}{'.0' if shape.outputs == ('element',) else ''};"


def kernel_wrapper(kernel: KernelText) -> str:
    """Return a function that calls a kernel, whose parameters are the members of points."""
    parameters, lines = [], []
    for mark, points in (("o", kernel.outputs), ("i", kernel.inputs)):
        for point in points:
            members = [f"{mark}_{point.name}_{member}" for member in point.members]
            parameters += [f"{name}: &{'mut ' if mark == 'o' else ''}{_WORDS}" for name in members]
            if mark == "i" or kernel.in_place:
                name = f"{mark}_{point.name}"
                lines.append(f"let {'mut ' if mark == 'o' else ''}{name} = {_point(point, name)};")
    given = [f"&mut o_{point.name}" for point in kernel.outputs if kernel.in_place]
    given += [f"&i_{point.name}" for point in kernel.inputs]
    made = [] if kernel.in_place else [f"o_{point.name}" for point in kernel.outputs]
    made += ["flag"] * bool(kernel.tested)
    call = f"{kernel.name}({', '.join(given)});"
    lines.append(f"let {made[0] if len(made) == 1 else f'({chr(44).join(made)})'} = {call}" if made else call)
    lines += [
        f"*o_{point.name}_{member} = crate::field::second_words(o_{point.name}.{member});"
        for point in kernel.outputs
        for member in point.members
    ]
    lines += ["u32::from(flag.unwrap_u8())"] if kernel.tested else []
    returned = " -> u32" if kernel.tested else ""
    return f"{_HEAD}kernel_{kernel.name}({', '.join(parameters)}){returned} {{ {' '.join(lines)} }}\n"


def point_wrappers(points: Iterable[PointArgument]) -> Iterator[str]:
    """Yield functions that select one of two points, and that clear one, for each type of points."""
    for point in points:
        a, b = (f"let {mark} = {_point(point, mark)};" for mark in "ab")
        parameters = {mark: [f"{mark}_{member}: &{_WORDS}" for member in point.members] for mark in "ab"}
        made = [f"r_{member}: &mut {_WORDS}" for member in point.members]
        stored = " ".join(f"*r_{m} = crate::field::second_words(r.{m});" for m in point.members)
        given = ", ".join([*made, *parameters["a"], *parameters["b"], "flag: usize"])
        chosen = f"let r = {point.type}::conditional_select(&a, &b, Choice::from(flag as u8));"
        yield f"{_HEAD}select_{point.type}({given}) {{ {a} {b} {chosen} {stored} }}\n"
        given = ", ".join([*made, *parameters["a"]])
        cleared = f"{a} let mut r = a; r.zeroize(); {stored}"
        yield f'#[cfg(feature = "zeroize")]{_HEAD}clear_{point.type}({given}) {{ {cleared} }}\n'


def _point(point: PointArgument, mark: str) -> str:
    """Return a point whose members are parameters."""
    values = (f"{member}: crate::field::second_element({mark}_{member})" for member in point.members)
    return f"{point.type} {{ {', '.join(values)} }}"


def has(text: str, function: str) -> bool:
    """Return whether a text has a function."""
    return re.search(rf"\bfn {function}\(", text) is not None
