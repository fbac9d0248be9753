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

    def started(self, program: str, folder: Path, target: Path) -> list[str]:
        """Build a test program in a folder; return the command that starts it."""
        if self.language == "python":
            return [sys.executable, "-B", f"{folder}/{program}.py"]
        if self.language == "c":
            flags = ("-std=c99", *self.flags, f"-DFP_WORD_BITS={self.word}")
            build = [command(self.compiler), *flags, f"{program}.c", "-o", program]
        else:
            word = ["--features", "word32"] * (self.word == 32)
            cargo = ["cargo", "build", "--quiet", "--offline", "--target-dir", target, *word]
            build = [*cargo, "--example", program]
        subprocess.run(build, cwd=folder, check=True)
        return [str((folder if self.language == "c" else target / "debug/examples") / program)]


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
    operations: tuple[str, ...] = (),
) -> list[Program]:
    """Build the test programs of a field from its edited files, that of GF(p) before that of GF(p²).

    With ``operations`` they have these alone, and are built as printed.
    """
    language = how.language
    # Crates that share a folder of results have different names.
    prefix = folder.name.replace("_", "") if language == "rust" else "fp"
    request = wanted.request(language, prefix=prefix, operations=operations)
    files = edit(render_field(request))
    place, found = {"c": "{}.c", "rust": "examples/{}.rs", "python": "{}.py"}[language], []
    for subject in field_subjects(request, {language: files}):
        name = subject.subject.program
        program = name.replace("test", prefix) if language == "rust" else name
        text = files.pop(place.format(name))
        more = language != "python" and not operations
        files[place.format(program)] = with_more(language, text, subject) if more else text
        found.append((program, subject, MORE if more else ()))
    write_files(folder, {name: text for name, text in files.items() if name != "Cargo.lock"})
    return [
        _built(how, subject, [*how.started(program, folder, target), "run"], more, seed)
        for program, subject, more in found
    ]


def _built(
    how: Build, subject: FieldSubject, command: list[str], more: tuple[str, ...], seed: int
) -> Program:
    field, left_out = subject.field, subject.left_out["python"] if how.language == "python" else ()
    names = [*(function.name for function in subject.subject.known), *subject.subject.derived, *more]
    nonresidue = field.nonresidue if subject.subject.degree == 2 else None
    elements = Elements(field.prime, nonresidue, field.small)
    found = _stored if how.language == "c" and more else _loose
    loose = tuple(found(how, subject, Random(seed))) if subject.subject.takes_words else ()
    functions = tuple(name for name in names if name not in left_out)
    return Program(Driver(how.language, (*command,)), elements, functions, loose, seed)


def _stored(how: Build, subject: FieldSubject, rng: Random) -> Iterable[Operand]:
    """Yield words that an element may be stored as, as a number after #."""
    (found,) = (each for each in subject.field.representations if each.word == how.word)
    for words in kept_words(found, rng, 6):
        number = sum(word << how.word * at for at, word in enumerate(words))
        yield f"#{number:x}", (found.number(words) * pow(found.radix, -1, found.prime) % found.prime,)


def _loose(how: Build, subject: FieldSubject, rng: Random) -> Iterable[Operand]:
    """Yield numbers after # that fit the words of an element."""
    prime = subject.field.prime
    top = (1 << -(-prime.bit_length() // how.word) * how.word) - 1
    for number in {prime, prime + 1, 2 * prime, top, top - 1, *(rng.randrange(top + 1) for _ in range(6))}:
        if number <= top:
            yield f"#{number:x}", (number % prime,)


def with_more(language: Language, text: str, subject: FieldSubject) -> str:
    """Return a test program that answers requests for more functions.

    In C its operations write to operands too, and words after # are those of a stored element.
    """
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
