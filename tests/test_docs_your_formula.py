"""The tutorial on a formula of one's own: its commands are run as they stand, and print what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "docs/your-formula.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("cc", "cargo")
def test_the_commands_of_the_page(tmp_path):
    formula, refutation, ranking = (
        text.strip("\n") for text in re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)
    )
    (tmp_path / "dbl-mine").write_text(formula + "\n")
    path = f"{os.environ['PATH']}:{os.defpath}"  # sed, mkdir and mv too
    said = []
    unprinted = re.sub(r"```\n.*?```", "", PAGE, flags=re.DOTALL)
    for command in re.findall(r"^    (\S.*)$", unprinted, re.MULTILINE):
        words = re.sub(r"^efdgen ", f"{sys.executable} -m efdgen ", command)
        done = subprocess.run(
            words,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
            shell=True,
        )
        said.append((command, done.returncode, done.stdout, done.stderr))
    codes = [code for _, code, *_ in said]
    assert codes == [1, *[0] * (len(said) - 1)], said
    assert refutation in said[0][2]
    assert ranking in said[2][2]
    assert "proved for every p but 2, 3" in said[2][2]
    assert "all as expected" in said[-1][2]
