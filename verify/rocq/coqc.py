"""Rocq's compiler on certificates: one by one as they are written, or many that share the checker."""

from __future__ import annotations

import hashlib
import os
import re
import resource
import shutil
import tempfile
from collections import deque
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from efdgen.generator import processes
from efdgen.generator.errors import EfdgenError
from efdgen.generator.progress import tick
from efdgen.verify import store
from efdgen.verify.rocq.text import prelude, template, theorem_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from efdgen.verify.rocq.certificate import Certificate

_CLOSED = "Closed under the global context"
_TIME = re.compile(r"^Chars (\d+) - \d+ \[.*\] [\d.]+ secs \(([\d.]+)u,([\d.]+)s\)", re.MULTILINE)
_SHARED = "EfdgenChecker"
_MOST_BYTES, _MOST_THEOREMS = 300_000, 40


class NotCheckedError(EfdgenError):
    """Rocq refuses a certificate."""


@dataclass(frozen=True)
class Checked:
    """The processor time in seconds that Rocq took for a certificate's theorems; None if it was kept."""

    certificate: Certificate
    seconds: float
    earlier: bool = False


def require_rocq() -> str:
    """Return the path of Rocq's compiler; raise :class:`EfdgenError` without one."""
    found = shutil.which("coqc")
    if found is None:
        raise EfdgenError("Rocq's compiler coqc is not installed; on Debian and Ubuntu: apt-get install coq")
    return found


@cache
def version() -> str:
    """Return the version of Rocq's compiler, such as ``8.16.1``."""
    done = processes.run([require_rocq(), "--print-version"])
    return done.stdout.split()[0] if done.stdout.split() else "unknown"


def check(certificate: Certificate) -> Checked:
    """Compile a certificate as it is written; raise :class:`NotCheckedError` where Rocq refuses it."""
    with tempfile.TemporaryDirectory(prefix="efdgen-rocq-") as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        output = _compile(Path(folder), "Certificate", certificate.text(), [certificate])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if output.count(_CLOSED) != len(certificate.names):
        raise NotCheckedError(f"{certificate.subject}: its proof rests on axioms")
    return Checked(certificate, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def check_alone(certificate: Certificate) -> Checked | NotCheckedError:
    """Check a certificate as it is written; return the error where Rocq refuses it."""
    try:
        return check(certificate)
    except NotCheckedError as error:
        return error


def check_together(certificates: Iterable[Certificate], jobs: int) -> Iterator[Checked | NotCheckedError]:
    """Check many certificates in some processes at a time; the checker is compiled once.

    An earlier result for the same text and version of Rocq is looked up. Yields the error for each
    certificate that Rocq refuses.
    """
    missing = []
    for certificate in certificates:
        seconds = store.load(_key(certificate))
        if isinstance(seconds, float):
            yield Checked(certificate, seconds, earlier=True)
        else:
            missing.append(certificate)
    if not missing:
        return
    with tempfile.TemporaryDirectory(prefix="efdgen-rocq-") as name:
        folder = Path(name)
        _compile(folder, _SHARED, f"{template('libraries')}\n{prelude()}", [])
        for checked in _in_groups(folder, deque(_groups(missing)), jobs):
            if isinstance(checked, Checked):
                store.store(_key(checked.certificate), checked.seconds)
            yield checked


def _in_groups(
    folder: Path, groups: deque[list[Certificate]], jobs: int
) -> Iterator[Checked | NotCheckedError]:
    number = 0
    with processes.threads() as pool:
        running: set[Future[list[Checked | NotCheckedError]]] = set()
        while groups or running:
            while groups and len(running) < jobs:
                number += 1
                running.add(pool.submit(_check_group_or_each, folder, f"Group{number}", groups.popleft()))
            done, running = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
            tick()
            for future in done:
                yield from future.result()


def _groups(certificates: Sequence[Certificate]) -> list[list[Certificate]]:
    """Return certificates in groups for one process each, the largest first."""
    ordered = sorted(certificates, key=lambda each: -_size(each))
    groups: list[list[Certificate]] = []
    size = 0
    for certificate in ordered:
        if not groups or size + _size(certificate) > _MOST_BYTES or len(groups[-1]) >= _MOST_THEOREMS:
            groups.append([])
            size = 0
        groups[-1].append(certificate)
        size += _size(certificate)
    return groups


def _size(certificate: Certificate) -> int:
    return sum(map(len, certificate.theorems))


def _check_group_or_each(
    folder: Path, name: str, group: Sequence[Certificate]
) -> list[Checked | NotCheckedError]:
    """Check a group; where Rocq refuses it, check each of its certificates in a process of its own."""
    try:
        return [*_check_group(folder, name, group)]
    except NotCheckedError as error:
        if len(group) == 1:
            return [error]
    parts = (_check_group_or_each(folder, f"{name}_{at}", [each]) for at, each in enumerate(group))
    return [checked for part in parts for checked in part]


def _check_group(folder: Path, name: str, group: Sequence[Certificate]) -> list[Checked]:
    """Check certificates in one process; what they rest on is asked for all at once."""
    text = f"{template('libraries')}Require Import {_SHARED}.\n{template('data')}\n"
    starts = []
    for certificate in group:
        starts.append(len(text.encode()))
        text += "".join(part for theorem in certificate.theorems for part in theorem_parts(theorem))
    every = ", ".join(name for certificate in group for name in certificate.names)
    text += f"Definition everything := ({every}, tt).\nPrint Assumptions everything.\n"
    output = _compile(folder, name, text, group, starts)
    if _CLOSED not in output:
        raise NotCheckedError(f"the proof of one of {every[:200]} rests on axioms")
    seconds = [0.0] * len(group)
    for start, user, system in _TIME.findall(output):
        place = sum(each <= int(start) for each in starts) - 1
        if place >= 0:
            seconds[place] += float(user) + float(system)
    return [Checked(certificate, round(taken, 2)) for certificate, taken in zip(group, seconds, strict=True)]


def _compile(
    folder: Path, name: str, text: str, group: Sequence[Certificate], starts: Sequence[int] = (0,)
) -> str:
    """Compile a file; return its output, or raise :class:`NotCheckedError` with the certificate at fault."""
    (folder / f"{name}.v").write_text(text, encoding="utf-8")
    # Without the user's settings and libraries, a library's name has one meaning.
    environment = {key: value for key, value in os.environ.items() if key != "COQPATH"}
    command = [require_rocq(), "-q", "-R", ".", "", "-noglob", "-time", f"{name}.v"]
    done = processes.run(command, folder, environment)
    if done.returncode == 0:
        return done.stdout
    found = re.search(r"line (\d+), characters", done.stderr)
    at = len("\n".join(text.split("\n")[: int(found[1])]).encode()) if found else 0
    place = max(sum(start < at for start in starts) - 1, 0)
    subject = group[place].subject if group else "the checker"
    reason = " ".join(done.stderr.partition("Error:")[2].split()) or f"exit status {done.returncode}"
    raise NotCheckedError(f"Rocq refuses the certificate of {subject}: {reason[:200]}")


def _key(certificate: Certificate) -> str:
    """Return the key of a result: all that Rocq reads, and its version."""
    parts = (version(), prelude(), *certificate.theorems)
    return f"rocq-{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()}"
