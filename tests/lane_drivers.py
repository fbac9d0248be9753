"""Programs that call functions on lanes: a number for each coordinate and lane comes in, and goes out.

They run on a model of the instructions, and where the machine has these, on the machine.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from lane_machines import MODEL, in_c, in_rust
from lane_machines import flags as flags_of
from tools import CC

from efdgen.generator.lanes.text import member_name, type_name
from efdgen.generator.lanes.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from efdgen.generator.fields.printed import LaneFunction, PointArgument
    from efdgen.generator.lanes.render import LaneBundle


def build(folder: Path, bundle: LaneBundle, *, native: bool) -> Path:
    """Build the program of all functions of a bundle that take elements."""
    ((name, text),) = bundle.files().items()
    mode = "native" if native else "model"
    if bundle.language == "c":
        (folder / name).write_text(in_c(text, bundle.machine, mode))
        (folder / "driver.c").write_text("\n".join(_in_c(bundle)))
        flags = [*flags_of(bundle.machine, mode), "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]
        subprocess.run([CC, "-O0", *flags, "driver.c", "-o", "driver"], cwd=folder, check=True)
        return folder / "driver"
    (folder / "model.rs").write_text((MODEL / "model.rs").read_text())
    (folder / name).write_text(in_rust(text, bundle.machine, native=native, model="crate::model"))
    (folder / "driver.rs").write_text("\n".join(_in_rust(bundle, native=native)))
    edition = ["--edition", "2021", "-C", "opt-level=0", "-A", "warnings"]
    subprocess.run(["rustc", *edition, "driver.rs", "-o", "driver"], cwd=folder, check=True)
    return folder / "driver"


def functions(bundle: LaneBundle) -> list[LaneFunction]:
    """Return the functions of a bundle that take elements and give elements."""
    return [f for f in bundle.functions if f.name not in ("from_words", "to_words")]


def answers(driver: Path, function: LaneFunction, rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return what a function makes of inputs, one for each lane: the numbers of its coordinates in order."""
    columns = [number for column in zip(*rows, strict=True) for number in column]
    text = " ".join([function.name, *(f"{number:x}" for number in columns)])
    done = subprocess.run([driver], input=text, capture_output=True, text=True, check=True, timeout=60)
    numbers = [int(word, 16) for word in done.stdout.split()]
    outputs = [numbers[at : at + len(rows)] for at in range(0, len(numbers), len(rows))]
    return [list(row) for row in zip(*outputs, strict=True)]


def _in_c(bundle: LaneBundle) -> Iterator[str]:
    prefix, words = bundle.prefix, words_of(bundle.plan.reduction)
    count = bundle.instructions.count
    yield f"""#include <stdio.h>
#include <string.h>
#include "{bundle.path}"

static {prefix}_fe taken(void) {{
    uint64_t word[{words}][{count}];
    for (int i = 0; i < {count}; i++) {{
        char text[{16 * words + 2}], padded[{16 * words + 1}];
        if (scanf("%{16 * words + 1}s", text) != 1) {{ text[0] = 0; }}
        snprintf(padded, sizeof padded, "%0*d", (int)({16 * words} - strlen(text)), 0);
        if (strlen(text) == {16 * words}) {{ padded[0] = 0; }}
        strcat(padded, text);
        for (int j = 0; j < {words}; j++) {{
            char part[17] = {{0}};
            memcpy(part, padded + 16 * ({words} - 1 - j), 16);
            unsigned long long value;
            sscanf(part, "%llx", &value);
            word[j][i] = value;
        }}
    }}
    {prefix}_words t;
    memcpy(&t, word, sizeof t);
    {prefix}_fe r;
    {prefix}_from_words(&r, &t);
    return r;
}}

static void given(const {prefix}_fe *a) {{
    {prefix}_words t;
    uint64_t word[{words}][{count}];
    {prefix}_to_words(&t, a);
    memcpy(word, &t, sizeof t);
    for (int i = 0; i < {count}; i++) {{
        for (int j = {words} - 1; j >= 0; j--) {{
            printf("%016llx", (unsigned long long)word[j][i]);
        }}
        printf("\\n");
    }}
}}

int main(void) {{
    char name[100];
    if (scanf("%99s", name) != 1) {{ return 1; }}"""
    for function in functions(bundle):
        yield f'    if (strcmp(name, "{function.name}") == 0) {{'
        for argument in (*function.outputs, *function.inputs):
            yield f"        {prefix}_{argument.type} {argument.name};"
        for argument in function.inputs:
            yield from (f"        {place} = taken();" for place in _places(bundle, argument))
        names = ", ".join(f"&{a.name}" for a in (*function.outputs, *function.inputs))
        yield f"        {bundle.name(function)}({names});"
        for argument in function.outputs:
            yield from (f"        given(&{place});" for place in _places(bundle, argument))
        yield "    }"
    yield "    return 0;\n}\n"


def _in_rust(bundle: LaneBundle, *, native: bool) -> Iterator[str]:
    module, words = bundle.prefix, words_of(bundle.plan.reduction)
    count, register = bundle.instructions.count, bundle.instructions.intrinsics["type"]
    register = f"core::arch::x86_64::{register}" if native else f"model::{register}"
    yield f"""{"" if native else "mod model;"}
mod {module};
use {module}::*;
use std::io::Read;

type Columns<'a> = std::str::SplitWhitespace<'a>;

fn taken(text: &mut Columns) -> Fe {{
    let mut word = [[0_u64; {count}]; {words}];
    for i in 0..{count} {{
        let number = format!("{{:0>{16 * words}}}", text.next().unwrap());
        for j in 0..{words} {{
            let at = 16 * ({words} - 1 - j);
            word[j][i] = u64::from_str_radix(&number[at..at + 16], 16).unwrap();
        }}
    }}
    unsafe {{
        let t = Words {{ limb: std::mem::transmute::<_, [{register}; {words}]>(word) }};
        let mut r: Fe = std::mem::zeroed();
        from_words(&mut r, &t);
        r
    }}
}}

fn given(a: &Fe) {{
    unsafe {{
        let mut t: Words = std::mem::zeroed();
        to_words(&mut t, a);
        let word: [[u64; {count}]; {words}] = std::mem::transmute(t.limb);
        for i in 0..{count} {{
            println!("{{}}", word.iter().rev().map(|row| format!("{{:016x}}", row[i])).collect::<String>());
        }}
    }}
}}

fn main() {{
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut text = text.split_whitespace();
    let name = text.next().unwrap();"""
    for function in functions(bundle):
        yield f'    if name == "{function.name}" {{ unsafe {{'
        for argument in (*function.outputs, *function.inputs):
            yield f"        let mut {argument.name}: {type_name(argument.type, 'rust')} = std::mem::zeroed();"
        for argument in function.inputs:
            yield from (f"        {place} = taken(&mut text);" for place in _places(bundle, argument))
        names = [f"&mut {a.name}" for a in function.outputs] + [f"&{a.name}" for a in function.inputs]
        yield f"        {module}::{function.name}({', '.join(names)});"
        for argument in function.outputs:
            yield from (f"        given(&{place});" for place in _places(bundle, argument))
        yield "    } }"
    yield "}\n"


def _places(bundle: LaneBundle, argument: PointArgument) -> Iterator[str]:
    for member in argument.members:
        yield f"{argument.name}.{member_name(member, bundle.language)}" if member else argument.name


def encodings(whole, rng, count):
    """Return encodings: of random points, edited, or with a special y."""
    p, size = whole.curve.prime, len(whole.encoded(whole.generator))
    special = [0, 1, 2, p - 1, p, p + 1, rng.randrange(p)]
    found = []
    for _ in range(count):
        data = bytearray(rng.choice(special).to_bytes(size, "little"))
        kind = rng.randrange(5)
        if kind > 1:
            data = bytearray(
                whole.encoded(whole.affine.multiple(rng.randrange(whole.order), whole.generator))
            )
        data[-1] ^= 0x80 * (kind % 2)
        if kind == 4:
            data[rng.randrange(size)] ^= 1 << rng.randrange(8)
        found.append(bytes(data))
    return found
