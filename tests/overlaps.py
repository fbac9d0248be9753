"""Wrappers of the functions in emitted C headers, by their prototypes: outputs in the place of inputs."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

TRIALS = Path(__file__).with_name("overlaps.h")
_DEFINITION = re.compile(
    r"^static inline (?P<type>\w+) (?P<name>whole_\w+)\((?P<parameters>[^{}();]*)\) \{\n(?P<body>.*?)^\}\n",
    re.MULTILINE | re.DOTALL,
)
_PARAMETER = re.compile(r"(?P<type>.*?[\s*])(?P<name>\w+)(?P<size>\[[^\]]*\])?")
_RESULTS = {
    "int": "OVERLAPS_NOTHING",
    "uint32_t": "OVERLAPS_NOTHING",
    "void": "OVERLAPS_NOTHING",
    "size_t": "OVERLAPS_LENGTH",
}

KEPT_STATES = ("whole_hash_stream", "whole_ecdsa_nonces", "whole_eddsa_domain", "uint8_t **")
"""Types of arguments that hold more than their bytes: a library's memory, or pointers."""

_SUMS = "multi_multiply", "multi_multiply_var"

_SIZES = {
    "der_integer.out": "WHOLE_SCALAR_BYTES + 5",
    "hash_mac.key": "hash->digest_bytes",
    "hash_mac.out": "hash->digest_bytes",
    "hash_parts.digest": "hash->digest_bytes",
    "hash_refuse.digest": "hash->digest_bytes",
    "hash_parts.parts": "count * sizeof *parts",
    "hash_extended.parts": "count * sizeof *parts",
    "eddsa_hash.parts": "count * sizeof *parts",
    "eddsa_make_domain.context": "length",
    **{f"{name}.k": "count * WHOLE_SCALAR_BYTES" for name in _SUMS},
    **{f"{name}.p": "count * sizeof *p" for name in _SUMS},
    **{f"{name}.scratch": f"whole_{name}_size(count)" for name in _SUMS},
    "to_affine_batch.r": "n * sizeof *r",
    "to_affine_batch.p": "n * sizeof *p",
    "encode_batch.out": "n * WHOLE_ENCODED_BYTES",
    "encode_xy_batch.out": "n * WHOLE_XY_BYTES",
    "decode_xy_batch.r": "n * sizeof *r",
    "decode_xy_batch.bytes": "n * WHOLE_XY_BYTES",
    **{f"{name}_batch.p": "n * sizeof *p" for name in ("encode", "encode_xy")},
    **{f"{name}_batch.scratch": "n * sizeof *scratch" for name in ("encode", "encode_xy")},
}
_CHANGED = {
    *("ecdsa_low_s.signature", "ecdsa_low_s.recovery_id", "bip340_commit.k"),
    *("ecdsa_pair.s", "ecdsa_pair.k", "ecdsa_combine.s", "ecdsa_combine.k"),
    *("eddsa_combine.s", "bip340_combine.s"),
}
"""Arguments that are read and written: nothing else is in their place."""

_FAILING = """\
static inline int whole_hash_never(void *state, const void *algorithm) {
    (void)state;
    return algorithm == NULL && state == NULL;
}
"""
_WRAPPER = """
static inline {type} {name}({parameters}) {{
    static overlaps_function function = {{"{short}", {result}, {same}, {{0, 0}}, 0, NULL}};
    overlaps_argument list[] = {{{arguments}}};
{tables}    overlaps_trial trial;
    size_t returned = 1;
{declared}    for (int turn = {last}; turn >= 0; turn--) {{
{chosen}        if (overlaps_begin(&trial, &function, list, {count}, turn > 0)) {{
            do {{
                {tried}
            }} while (overlaps_next(&trial, returned));
        }}
        if (turn > 0) {{
            overlaps_end(&trial, 0);
        }}
    }}
    {called}
    overlaps_end(&trial, returned);
    {answered}
}}
"""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function: its declaration, type, name, and the number in brackets, if any."""

    text: str
    type: str
    name: str
    brackets: str

    @property
    def is_pointer(self) -> bool:
        return bool(self.brackets) or self.type.endswith("*")

    @property
    def is_aside(self) -> bool:
        """True for scratch memory, or what a source of random bytes keeps."""
        return self.name in ("scratch", "context") and "const" not in self.type

    @property
    def pointed(self) -> str:
        """The type of what the parameter points to."""
        return self.type.removesuffix("*").strip()


@dataclass(frozen=True)
class Function:
    """A function of a header: its result's type, its name without the prefix, and its parameters."""

    type: str
    name: str
    parameters: tuple[Parameter, ...]

    @property
    def is_tried(self) -> bool:
        """True for a function with outputs, and without an argument that holds more than its bytes."""
        return bool(self.outputs) and not any(
            state in p.text for p in self.parameters for state in KEPT_STATES
        )

    @property
    def outputs(self) -> list[Parameter]:
        """The parameters that are written, and are no memory for a while."""
        return [p for p in self.parameters if p.is_pointer and "const" not in p.type and not p.is_aside]

    @property
    def written(self) -> list[Parameter]:
        """The outputs that are not read."""
        return [p for p in self.outputs if f"{self.name}.{p.name}" not in _CHANGED]

    @property
    def inputs(self) -> list[Parameter]:
        """The parameters that are read."""
        return [p for p in self.parameters if p.is_pointer and "const" in p.type]

    @property
    def refuses(self) -> bool:
        """True for a function with outputs that a refusal makes zeros; batches refuse one by one."""
        return self.type == "int" and bool(self.outputs) and not self.name.endswith("_batch")

    @property
    def has_hash(self) -> bool:
        return any(p.text == "const whole_hash *hash" for p in self.parameters)


def functions(text: str, exported: Collection[str] = ()) -> list[Function]:
    """Return the functions that a header defines, or only exported ones, as far as they are tried."""
    found = (_function(match) for match in _DEFINITION.finditer(text) if _is_exported(match, exported))
    return [function for function in found if function.is_tried]


def wrapped(files: Mapping[str, str], names: list[str], exported: Collection[str] = ()) -> dict[str, str]:
    """Return the files, with wrappers around the functions of some headers that keep no state.

    With ``exported`` functions, which are the curve's, outputs are in the place of inputs of their own type.
    """

    def with_wrapper(match: re.Match[str]) -> str:
        function = _function(match) if _is_exported(match, exported) else None
        if function is None or not function.is_tried:
            return match[0]
        plain = f"plain_{match['name']}"
        renamed = match[0].replace(f"{match['name']}(", f"{plain}(", 1)
        return renamed + _wrapper(function, plain, bool(exported))

    found = dict(files)
    for name in names:
        found[name] = _DEFINITION.sub(with_wrapper, files[name])
        found[name] = found[name].replace("\n#include", '\n#include "overlaps.h"\n#include', 1)
    found["overlaps.h"] = f"#ifndef OVERLAPS_H\n#define OVERLAPS_H\n{TRIALS.read_text()}#endif\n"
    if "whole_hash.h" in files:
        table = "} whole_hash;\n"
        found["whole_hash.h"] = found["whole_hash.h"].replace(table, f"{table}\n{_FAILING}")
    return found


def _function(match: re.Match[str]) -> Function:
    text = " ".join(match["parameters"].split())
    return Function(
        match["type"], match["name"].removeprefix("whole_"), (*map(_parameter, text.split(", ")),)
    )


def _parameter(text: str) -> Parameter:
    match = _PARAMETER.fullmatch(text)
    assert match is not None, text
    return Parameter(text, match["type"].strip(), match["name"], (match["size"] or "")[1:-1])


def _is_exported(match: re.Match[str], exported: Collection[str]) -> bool:
    return not exported or match["name"].removeprefix("whole_") in exported


def _wrapper(function: Function, plain: str, same: bool) -> str:
    pointers = [p for p in function.parameters if p.is_pointer]
    tried = ", ".join(
        f"({p.pointed} *)trial.at[{pointers.index(p)}]" if p.is_pointer else p.name
        for p in function.parameters
    )
    called = ", ".join(p.name for p in function.parameters)
    void, hashes = function.type == "void", function.has_hash
    where = next((i for i, p in enumerate(pointers) if p.name == "hash"), 0)
    tables = (
        "    whole_hash tables[3];\n    tables[0] = tables[1] = tables[2] = *hash;\n"
        "    tables[1].block_bytes = 0;\n    tables[2].init = whole_hash_never;\n"
    )
    return _WRAPPER.format(
        type=function.type,
        name=f"whole_{function.name}",
        parameters=", ".join(p.text for p in function.parameters),
        short=function.name,
        result="OVERLAPS_REFUSES" if function.refuses else _RESULTS[function.type],
        same=int(same),
        arguments=", ".join(_argument(function, p) for p in pointers),
        tables=tables if hashes else "",
        declared="" if void else f"    {function.type} answer;\n",
        last=2 if hashes and function.outputs and not void else 0,
        chosen=f"        list[{where}].at = &tables[turn];\n" if hashes else "",
        count=len(pointers),
        tried=f"{plain}({tried});" if void else f"returned = (size_t){plain}({tried});",
        called=f"{plain}({called});"
        if void
        else f"answer = {plain}({called});\n    returned = (size_t)answer;",
        answered="(void)returned;" if void else "return answer;",
    )


def _argument(function: Function, parameter: Parameter) -> str:
    key = f"{function.name}.{parameter.name}"
    role = "INPUT" if "const" in parameter.type else "CHANGED" if key in _CHANGED else "OUTPUT"
    if parameter.is_aside:
        role = "CHANGED" if parameter.name == "context" else "SCRATCH"
    type_ = parameter.pointed.removeprefix("const ")
    at = f"(void *)(uintptr_t){parameter.name}"
    return f'{{"{parameter.name}", "{type_}", {at}, {_size(function, parameter)}, OVERLAPS_{role}}}'


def _size(function: Function, parameter: Parameter) -> str:
    """Return the bytes of an array, as C: a number in brackets, a length after it, or a structure's size."""
    if given := _SIZES.get(f"{function.name}.{parameter.name}"):
        return given
    if parameter.is_aside:
        return "sizeof(size_t)"
    element = f"sizeof({parameter.pointed.removeprefix('const ')})"
    if parameter.brackets:
        return f"({parameter.brackets}) * {element}"
    names = [p.name for p in function.parameters]
    after = names[names.index(parameter.name) + 1 :][:1]
    if "uint8_t" in parameter.type and after and after[0].endswith("length"):
        return after[0]
    assert "uint8_t" not in parameter.type or parameter.name == "recovery_id", (function.name, parameter.name)
    return element
