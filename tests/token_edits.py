"""`make token-edits`: edit printed files at random, token by token, and have the readers refuse each edit.

An edit deletes a token, repeats it, exchanges it with the next one, puts another one in its place, puts a
hostile one before it, or its line under a condition. Files with the same tokens as before, comments aside,
are equal. An edit that the readers accept is compiled: a compiler refuses it, or makes the same code;
anything else is a failure.
"""

from __future__ import annotations

import argparse
import ast
import atexit
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from collected import Collected

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.fields.printed import FileText
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.files import render, render_plan
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.prover import Prover
from efdgen.generator.planning.request import plan_curve
from efdgen.generator.render.field.bundle import render_field
from efdgen.verify.plan_proofs import SafePlans
from efdgen.verify.readback.conditions import CONDITIONS, OWN_CONDITIONS
from efdgen.verify.readback.proofs import as_read
from efdgen.verify.readback.read import Readback
from efdgen.verify.vectors.drivers import c_compilers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from efdgen.generator.fields.claims import Claims

_TOKEN = re.compile(
    r"/\*.*?\*/|//[^\n]*|#[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|0x[0-9A-Fa-f_]+|\d[\d_]*|[A-Za-z_]\w*"
    r"|<<=|>>=|::|->|=>|&&|\|\||<<|>>|[-+*/%&|^=!<>]=|[^\s\w]",
    re.S,
)
HOSTILE = (
    *("static", "volatile", "const", "register", "uint32_t", "int", "u32", "u64", "union", "unsafe", "mut"),
    *("0", "1", "2", "-", "~", "!", "+", "*", "&", "^", "(", ")", "{", "}", ";", ",", "\\\n", "??/\n", "<:"),
    *("/*", "*/", "//", "return;", "return 0", "#undef a\n", "#[cfg(any())]", "#ifdef __linux__\n", "loop {"),
    *("lambda: 0", "global p", "__import__", "or 1", "if 0 else", "a", "self", "0x80000000 << 1"),
)


@dataclass(frozen=True)
class Printed:
    """Files of one kind, and what reads them."""

    name: str
    make: Callable[[Claims], Mapping[str, str]]

    def __str__(self) -> str:
        return self.name


def _kernels(language: str, curve: str, **options: Any) -> Printed:
    def make(claims: Claims) -> Mapping[str, str]:
        request = Request(language, curve, prefix="toy", **options)
        return render(make_bundle(Database(), request, Prover()), request, claims)

    told = "".join(f", {value}" for value in options.values() if isinstance(value, str))
    return Printed(f"kernels of {curve} in {language}{told}", make)


def _whole(language: str, curve: str, **options: Any) -> Printed:
    def make(claims: Claims) -> Mapping[str, str]:
        request = Request(language, curve, **options)
        plan = plan_curve(Database(), request, SafePlans())
        return render_plan(plan, request, claims)

    return Printed(f"{curve} in {language}, {', '.join(map(str, options.values()))}", make)


def _field(language: str, prime: str, **options: Any) -> Printed:
    def make(claims: Claims) -> Mapping[str, str]:
        return render_field(FieldRequest(language, prime, prefix="toy", **options), claims)

    return Printed(f"GF({prime}) in {language}", make)


PRINTED = (
    _kernels("c", "secp256k1"),
    _kernels("c", "P-256", layout="split"),
    _kernels("c", "Curve25519", lowering="calls"),
    _kernels("c", "sect163k1"),
    _kernels("rust", "secp256k1"),
    _kernels("rust", "edwards25519", layout="module"),
    _kernels("rust", "sect163k1"),
    _kernels("python", "secp256k1"),
    _kernels("python", "sect163k1"),
    _field("c", "2^127 - 1"),
    _field("rust", "2^127 - 1", nonresidue=-1),
    _whole("c", "secp256k1", set="protocols"),
    _whole("c", "X25519", set="protocols"),
    _whole("c", "P-224", set="curve", layout="split"),
    _whole("rust", "P-256", set="protocols"),
    _whole("rust", "secp256k1", set="protocols", api="rustcrypto"),
    _whole("rust", "edwards25519", set="protocols", api="dalek", crate_name="curve25519-dalek"),
    _whole("python", "edwards25519", set="protocols"),
    _whole("python", "secp256k1", set="protocols", backend="c"),
)


@cache
def made(printed: Printed) -> tuple[Mapping[str, str], Readback]:
    """Return files, and their readers."""
    claims = Collected()
    files = printed.make(claims)
    texts = as_read({each.path: each.text for each in claims.every if isinstance(each, FileText)})
    return files, Readback([*claims.texts, *(FileText(path, text) for path, text in texts.items())])


@dataclass(frozen=True)
class Edit:
    """An edit of a file at a token."""

    file: str
    kind: str
    start: int
    end: int
    text: str

    def of(self, files: Mapping[str, str]) -> dict[str, str]:
        """Return files with the edit."""
        whole = files[self.file]
        return {**files, self.file: f"{whole[: self.start]}{self.text}{whole[self.end :]}"}


def edit(files: Mapping[str, str], rng: Random) -> Edit:
    """Return an edit of a token, of a file that is drawn by its length."""
    names = sorted(files)
    name = rng.choices(names, [len(files[each]) for each in names])[0]
    text = files[name]
    tokens = [*_TOKEN.finditer(text)]
    at = rng.randrange(len(tokens) - 1)
    one, other = tokens[at], tokens[at + 1]
    kind = rng.choice(["delete", "repeat", "exchange", "replace", "insert", "insert", "condition"])
    start, end = one.span()
    match kind:
        case "delete":
            new = ""
        case "repeat":
            new = f"{one[0]} {one[0]}"
        case "exchange":
            new, end = f"{other[0]}{text[one.end() : other.start()]}{one[0]}", other.end()
        case "condition" if not name.endswith(".py"):
            start, end = text.rfind("\n", 0, start) + 1, text.find("\n", start)
            new = _under_condition(name, text[start:end], rng)
        case "replace":
            new = rng.choice(tokens)[0] if rng.random() < 0.7 else rng.choice(HOSTILE)
        case _:
            new = f"{rng.choice(HOSTILE)} {one[0]}"
    return Edit(name, kind, start, end, new)


def _under_condition(file: str, line: str, rng: Random) -> str:
    """Return a line that is there on some condition of a list."""
    if file.endswith((".h", ".c")):
        prefix = file.rpartition("/")[2].rpartition(".")[0].upper()
        own = [f"{prefix}_{name}" for name in OWN_CONDITIONS]
        name = rng.choice([*CONDITIONS, *own, f"EFDGEN_{prefix}_H"])
        return f"#{rng.choice(['ifdef', 'ifndef'])} {name}\n{line}\n#endif"
    name = rng.choice(["zeroize", "word32", "alloc", "serde"])
    condition = rng.choice([f'feature = "{name}"', 'target_arch = "x86_64"', 'efdgen_carry = "portable"'])
    return f"#[cfg({rng.choice([condition, f'not({condition})'])})]\n{line}"


def meaning(file: str, text: str) -> list[str]:
    """Return the tokens of a text, comments left out."""
    comments = ("#",) if file.endswith(".py") else ("/*", "//")
    return [token for token in _TOKEN.findall(text) if not token.startswith(comments)]


def verdict(printed: Printed, edited: Mapping[str, str]) -> str:
    """Return who refuses files, with the reason; nothing where nobody does."""
    _, readback = made(printed)
    read = as_read(edited)
    for who, found in (("frames", readback.frames(read)), ("readers", readback.found(read))):
        if (first := next(iter(found), None)) is not None:
            return f"{who}: {first}"
    return ""


def compiled(files: Mapping[str, str]) -> dict[str, str] | None:
    """Return the assembly of files by compilers and words of both sizes; None where one refuses them.

    Without C and Rust these are the syntax trees of Python.
    """
    if not any(name.endswith((".h", ".rs")) for name in files):
        modules = {name: text for name, text in files.items() if name.endswith(".py")}
        try:
            return {name: ast.dump(ast.parse(text)) for name, text in modules.items()}
        except SyntaxError:
            return None
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if any(name.endswith(".h") for name in files):
            return _assembly_of_c(Path(folder))
        return _assembly_of_rust(Path(folder))


def _assembly_of_c(folder: Path) -> dict[str, str] | None:
    found = {}
    for source in sorted(folder.rglob("*.c")):
        prefixes = [header.stem.upper() for header in source.parent.glob("*.h")]
        for command, word in product(c_compilers(), (64, 32)):
            macros = [f"-D{prefix}_WORD_BITS={word}" for prefix in prefixes]
            flags = ("-std=c99", "-pedantic-errors", "-O1", "-S", "-o", "-", str(source))
            done = subprocess.run([command, *macros, *flags], capture_output=True, text=True, check=False)
            if done.returncode:
                return None
            found[f"{source.name} {command} {word}"] = done.stdout
    return found


def _assembly_of_rust(folder: Path) -> dict[str, str] | None:
    if not (folder / "Cargo.toml").exists():
        (module,) = folder.glob("*.rs")
        lines = ["[package]", 'name = "toy"', 'version = "0.1.0"', 'edition = "2021"', "[lib]"]
        lines += [f'path = "{module.name}"', "[dependencies]", 'subtle = "2"', "[features]", "word32 = []"]
        (folder / "Cargo.toml").write_text("\n".join([*lines, ""]), encoding="utf-8")
    found = {}
    for features in ("", "word32"):
        command = ["cargo", "rustc", "-q", "--release", "--lib", f"--target-dir={_built()}"]
        command += [f"--features={features}", "--", "--emit=asm", "-Ccodegen-units=1", f"-o{folder}/out"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            return None
        texts = [path.read_text(encoding="utf-8") for path in folder.glob("out*.s")]
        assert any(texts)
        found[features] = _in_order("".join(texts))
    return found


@cache
def _built() -> str:
    """Return the directory of what this process builds, removed at its end: dependencies are built once."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return folder.name


def _in_order(assembly: str) -> str:
    """Return the sections of an assembly, sorted: rustc numbers units and labels in any order."""
    plain = re.sub(r"\.L([A-Za-z]+)\d+", r".L\1", re.sub(r"^\t\.file\b.*\n", "", assembly, flags=re.M))
    return "".join(sorted(re.split(r"^(?=\t\.section)", plain, flags=re.M)))


def outcomes(printed: Printed, seed: int, count: int) -> Iterator[tuple[Edit, str]]:
    """Yield edits, and who refuses each: the frames, readers, nobody as it is ``equal``, or nobody."""
    files, _ = made(printed)
    rng = Random(f"{seed} {printed}")
    for _ in range(count):
        drawn = edit(files, rng)
        edited = drawn.of(files)
        name = drawn.file
        same = meaning(name, edited[name]) == meaning(name, files[name])
        who = "equal" if same else verdict(printed, edited)
        yield drawn, who or settled(printed, edited)


def settled(printed: Printed, edited: Mapping[str, str]) -> str:
    """Return the compilers' verdict on files that the readers accept: refused, or the same code."""
    found = compiled(edited)
    if found is None:
        return "refused by a compiler"
    return "the same code" if found == _compiled(printed) else ""


@cache
def _compiled(printed: Printed) -> dict[str, str] | None:
    return compiled(made(printed)[0])


def main() -> None:
    """Run the edits of some kinds of files, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10, help="edits of each kind of files")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--kinds", default="", help="a part of the names of kinds")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else Random().getrandbits(32)
    print(f"seed {seed}", flush=True)
    accepted = 0
    for printed in (each for each in PRINTED if options.kinds in each.name):
        start, found = time.process_time(), Counter[str]()
        files, readback = made(printed)
        assert not [*readback.found(as_read(files))]
        for drawn, who in outcomes(printed, seed, options.count):
            found[who.partition(":")[0] or "accepted"] += 1
            if not who:
                accepted += 1
                text = drawn.of(files)[drawn.file]
                line = text.count("\n", 0, drawn.start) + 1
                print(f"ACCEPTED {printed}, {drawn.file}:{line}: {drawn.kind} {drawn.text!r}")
                print(f"    {text[max(0, drawn.start - 60) : drawn.start + 60]!r}", flush=True)
        told = ", ".join(f"{count} {who}" for who, count in sorted(found.items()))
        print(f"{printed}: {told}; {time.process_time() - start:.0f} s", flush=True)
    sys.exit(accepted > 0)


if __name__ == "__main__":
    main()
