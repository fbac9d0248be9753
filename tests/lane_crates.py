"""Crates with lanes, and single edits of them: what several tests share."""

import os
import random
import re
import subprocess
from collections.abc import Iterable, Iterator

from lane_machines import MODEL, WIDE, in_rust, is_there
from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.planning.request import plan_curve
from efdgen.verify.plan_proofs import SafePlans


def planned(curve, set_="curve", machine=WIDE):
    """Return the request of a crate with lanes, and its plan."""
    request = Request("rust", curve, set=set_, prefix="whole", machine=machine)
    return request, plan_curve(DATABASE, request, SafePlans())


def written(folder, files, program, machine=WIDE, *, native=None):
    """Write a crate with a program; unless it is ``native`` it calls a model of the instructions."""
    native = is_there(machine) if native is None else native
    for name, given in files.items():
        text = given
        if name.startswith("src/lanes"):
            text = in_rust(text, machine, native=native, model="crate::lanes::model")
            text = text if native else text.replace("mod group;", "mod group;\nmod model;", 1)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "src" / "lanes" / "model.rs").write_text((MODEL / "model.rs").read_text())
    (folder / "examples" / f"{program}.rs").write_text((MODEL / f"{program}.rs").read_text())


def run(folder, cargo, program, text="", features=(), *, optimised=True):
    """Build and run a program of a crate, and return its lines; a model takes minutes to be optimised."""
    arguments = [cargo, "run", "--quiet", "--release", "--example", program]
    arguments += ["--features", ",".join(features)] if features else []
    environment = os.environ | ({} if optimised else {"CARGO_PROFILE_RELEASE_OPT_LEVEL": "0"})
    done = subprocess.run(
        arguments,
        cwd=folder,
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


def edit(rng: random.Random, line: str) -> str:
    """Return a line with one of its edits; the same line where it has none."""
    return rng.choice([*edits(line)] or [line])


def edits(line: str, further: Iterable[tuple[str, str]] = ()) -> Iterator[str]:
    """Yield a line with another number, operator or name; Rust's compiler checks the types of variables.

    ``further`` are texts with others in their places.
    """
    head, equals, line = line.rpartition(" = ") if line.lstrip().startswith("let ") else ("", "", line)
    pairs = [
        ("&", "|"),
        ("^", "|"),
        ("<<", ">>"),
        (">>", "<<"),
        ("sub", "add"),
        ("add", "sub"),
        ("- 1", "+ 1"),
    ]
    pairs += [("x", "y"), ("choose", "mul"), ("&p", "&q"), ("sum", "entry"), ("mask", "wrapping_neg")]
    numbers = [(number, f"{int(number) + 1}") for number in re.findall(r"(?<![\w])\d+(?![\w])", line)]
    yield from (head + equals + line.replace(a, b, 1) for a, b in [*pairs, *numbers, *further] if a in line)
