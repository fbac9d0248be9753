"""The playground's archive as a browser has it: unpacked, with FLINT, and without what a browser lacks."""

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from importlib.metadata import distribution
from pathlib import Path

from efdgen.reference.playground.archive import archive

MISSING = ("_multiprocessing", "fcntl", "multiprocessing", "resource", "rich", "sage", "termios", "z3")
"""Modules that Pyodide lacks, or that no proof may need."""

PROGRAM = """
import json, sys
sys.path[:0] = sys.argv[1:]
sys.modules.update(dict.fromkeys({missing!r}))
import efdgen
assert efdgen.__file__.startswith(sys.argv[1])
from efdgen.reference.playground.entry import check
print(json.dumps([json.loads(check(*each)) for each in json.load(sys.stdin)]))
"""


def unpack(folder: Path) -> Path:
    """Unpack the archive, and FLINT beside it; return where."""
    with zipfile.ZipFile(io.BytesIO(archive())) as file:
        file.extractall(folder / "packages")
    flint = folder / "flint"
    flint.mkdir()
    for top in {Path(path).parts[0] for path in distribution("python-flint").files} - {".."}:
        (flint / top).symlink_to(distribution("python-flint").locate_file(top))
    return folder


def answers(folder: Path, questions: Sequence[tuple[str, str]]) -> list[dict]:
    """Return what the entry answers to texts and places, in an interpreter without other packages."""
    command = [sys.executable, "-I", "-S", "-c", PROGRAM.format(missing=MISSING)]
    done = subprocess.run(
        [*command, f"{folder / 'packages'}", f"{folder / 'flint'}"],
        input=json.dumps(questions),
        env={"PATH": os.defpath},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
