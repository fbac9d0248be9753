"""The programs in README.md, made by the commands above them."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from efdgen.generator.curves.affine import AffineCurve
from efdgen.generator.curves.load import load_curve
from efdgen.generator.formulas.database import Database

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def program(language: str) -> tuple[list[str], str]:
    """Return the arguments of the command above the first program in a language, and the program."""
    before, mark, after = README.partition(f"```{language}\n")
    assert mark
    *_, command = re.findall(r"^    efdgen (compile .*)$", before, re.MULTILINE)
    return shlex.split(command), after.partition("```")[0]


def multiple(name: str, factor: int) -> tuple[int, ...]:
    """Return a multiple of a curve's generator, by the affine law."""
    curve = load_curve(name)
    affine = AffineCurve(Database().model(curve.model), curve.field, curve.parameters)
    return affine.multiple(factor % curve.order, tuple(curve.generator.values()))


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def made(efdgen, monkeypatch, tmp_path):
    def make(language: str) -> str:
        arguments, text = program(language)
        monkeypatch.chdir(tmp_path)
        done = efdgen(*arguments)
        assert (done.code, done.err) == (0, "")
        return text

    return make


def test_the_program_in_c(cc, made, tmp_path):
    (tmp_path / "main.c").write_text(made("c"))
    run(tmp_path, cc, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", "main", "main.c")
    x, y = multiple("secp256k1", 7 << 248)
    assert run(tmp_path, "./main") == f"{2 + y % 2:02x}{x:064x}"


@pytest.mark.long
def test_the_program_in_rust(cargo, made, tmp_path):
    text = made("rust")
    user = tmp_path / "user"
    (user / "src").mkdir(parents=True)
    (user / "src/main.rs").write_text(text)
    manifest = '[package]\nname = "user"\nversion = "0.0.0"\nedition = "2021"\n'
    (user / "Cargo.toml").write_text(f'{manifest}[dependencies]\nedwards25519 = {{ path = "../curve" }}\n')
    secret = int.from_bytes(bytes([7] * 32), "little")
    x, y = multiple("edwards25519", secret)
    encoded = (y | (x & 1) << 255).to_bytes(32, "little")
    assert run(user, cargo, "run", "--quiet") == f"[{', '.join(f'{byte:02x}' for byte in encoded)}]\n"
