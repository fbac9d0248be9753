"""Test programs of fields in C, Rust and Python: built, with more functions, and asked."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from conformance_fields import MORE, SEED, Elements, Operand, Wanted, rows
from edits import once
from field_primes import kept_words
from tools import command

from efdgen.generator.fields.bundle import unproved
from efdgen.generator.output import write_files
from efdgen.generator.render.field.bundle import render_field
from efdgen.verify.vectors.drivers import Driver
from efdgen.verify.vectors.field_subjects import FieldSubject, field_subjects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from efdgen.generator.options import Language

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Build:
    """A language, the size of its words, and in C a compiler by its fixture, with flags."""

    language: Language
    word: int = 64
    compiler: str = "cc"
    flags: tuple[str, ...] = ()

    def command(self, program: str, target: Path) -> list[str | Path]:
        """Return the command that builds a test program, which in Python is nothing."""
        if self.language == "c":
            flags = ("-std=c99", *self.flags, f"-DFP_WORD_BITS={self.word}")
            return [command(self.compiler), *flags, f"{program}.c", "-o", program]
        word = ["--features", "word32"] * (self.word == 32)
        cargo = ["cargo", "build", "--quiet", "--offline", "--target-dir", target, *word]
        return [*cargo, "--example", program]


@dataclass(frozen=True)
class Program:
    """A test program: the elements by their definition, its functions, and operands that are not reduced."""

    driver: Driver
    field: Elements
    functions: tuple[str, ...]
    loose: tuple[Operand, ...]
    seed: int

    def wrong(self) -> list[str]:
        """Return the requests with answers that are wrong."""
        asked = rows(self.field, self.functions, self.loose, Random(self.seed))
        answers = self.driver.ask([row.request for row in asked])
        pairs = zip(asked, answers, strict=True)
        return [f"{row.request}: {answer}" for row, answer in pairs if not row.is_right(self.field, answer)]

    def passes(self) -> bool:
        """Return whether its own tests pass."""
        command = (*self.driver.command[:-1], "test", "50")
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def programs(
    how: Build,
    wanted: Wanted,
    folder: Path,
    target: Path,
    edit: Callable[[dict[str, str]], dict[str, str]] = dict,
    seed: int = SEED,
) -> list[Program]:
    """Build the test programs of a field from its edited files, that of GF(p) before that of GF(p²)."""
    language = how.language
    # Crates that share a folder of results have different names.
    prefix = folder.name.replace("_", "") if language == "rust" else "fp"
    request = wanted.request(language, prefix)
    files = edit(render_field(request, unproved))
    place, found = {"c": "{}.c", "rust": "examples/{}.rs", "python": "{}.py"}[language], []
    for subject in field_subjects(request, {language: files}):
        name = subject.subject.program
        program = name.replace("test", prefix) if language == "rust" else name
        files[place.format(program)] = with_more(language, files.pop(place.format(name)), subject)
        found.append((program, subject))
    write_files(folder, {name: text for name, text in files.items() if name != "Cargo.lock"})
    return [_built(how, program, subject, folder, target, seed) for program, subject in found]


def _built(how: Build, program: str, subject: FieldSubject, folder: Path, target: Path, seed: int) -> Program:
    known, derived = subject.subject.known, subject.subject.derived
    functions = [*(function.name for function in known), *derived]
    if how.language == "python":
        words, left_out = [sys.executable, "-B", f"{folder}/{program}.py"], subject.left_out["python"]
        functions = [name for name in functions if name not in left_out]
    else:
        subprocess.run(how.command(program, target), cwd=folder, check=True)
        words = [str((target / "debug/examples" if how.language == "rust" else folder) / program)]
        functions += MORE
    field = subject.field
    nonresidue = field.nonresidue if subject.subject.degree == 2 else None
    elements = Elements(field.prime, nonresidue, field.small)
    loose = () if nonresidue else tuple(_loose(how, subject, Random(seed)))
    return Program(Driver(how.language, (*words, "run")), elements, tuple(functions), loose, seed)


def _loose(how: Build, subject: FieldSubject, rng: Random) -> Iterable[Operand]:
    """Yield operands after #: in C the words of a stored element, else numbers that fit the words of one."""
    prime = subject.field.prime
    if how.language == "c":
        (found,) = (each for each in subject.field.representations if each.word == how.word)
        for words in kept_words(found, rng, 6):
            number = sum(word << how.word * at for at, word in enumerate(words))
            yield f"#{number:x}", (found.number(words) * pow(found.radix, -1, prime) % prime,)
        return
    top = (1 << -(-prime.bit_length() // how.word) * how.word) - 1
    for number in {prime, prime + 1, 2 * prime, top, top - 1, *(rng.randrange(top + 1) for _ in range(6))}:
        if number <= top:
            yield f"#{number:x}", (number % prime,)


def with_more(language: Language, text: str, subject: FieldSubject) -> str:
    """Return a test program that answers requests for more functions.

    In C its operations write to operands too, and words after # are those of a stored element.
    """
    if language == "python":
        return text
    more = (FOLDER / ("more.c" if language == "c" else "more.rs")).read_text()
    if language == "rust":
        before = "    let operands: Option<Vec<FieldElement>> = words.map(read).collect();\n"
        call = "if let Some(found) = more(name, &words.clone().collect::<Vec<_>>()) { return found; }\n"
        return once(before, call + before)(once("fn answer(", f"{more}fn answer(")(text))
    fe = "fp_fe" if subject.subject.degree == 1 else "fp_fe2"
    head, before = "static int run(void) {", "        if (f == NULL) {\n"
    text = once(head, more.replace("FE_", f"{fe}_") + head)(text)
    text = once(before, f"        if (f == NULL && name != NULL && more(name)) continue;\n{before}")(text)
    text = once("flag = apply(f, &r, in);", "flag = apply_anywhere(f, &r, in);")(text)
    if not subject.subject.takes_words:
        return text
    start = text.index("static int read_words")
    end = text.index("\n}\n", start)
    body = text[start:end].replace("FP_WORDS", "FP_LIMBS")
    body = once("fp_fe_from_words(r, t);", "memcpy(r->limb, t, sizeof t);")(body)
    return text[:start] + body + text[end:]
