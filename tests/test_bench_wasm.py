"""Results of `make bench-wasm`: ratios, scaled targets, checks of operations, and the tables of the page."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "small-machines.md"
FIGURES = ROOT / "docs" / "plots" / "wasm.json"
NODE = ROOT / "bench" / "wasm" / "node"


@pytest.fixture
def bench(monkeypatch):
    # A checkout in a folder of this name is a module too.
    monkeypatch.delitem(sys.modules, "wasm", raising=False)
    monkeypatch.syspath_prepend(ROOT / "bench")
    import wasm

    yield wasm
    for name in ("measure", "operations", "outputs", "page", "subjects", "tables", "targets", "wasm"):
        sys.modules.pop(name, None)


@pytest.fixture
def in_wasmtime(monkeypatch):
    """The program for Wasmtime, without Wasmtime, which `make bench-wasm` installs."""
    engine = ModuleType("wasmtime")
    for name in ("Config", "Engine", "Func", "Instance", "Memory", "Module", "Store"):
        setattr(engine, name, type(name, (), {}))
    monkeypatch.setitem(sys.modules, "wasmtime", engine)
    monkeypatch.syspath_prepend(ROOT / "bench" / "wasm")
    import in_wasmtime

    yield in_wasmtime
    sys.modules.pop("in_wasmtime")


def section():
    return PAGE.read_text(encoding="utf-8").partition("\n## WebAssembly\n")[2].partition("\n## ")[0]


def figures():
    return json.loads(FIGURES.read_text(encoding="utf-8"))


def test_peers_have_ratios_and_targets_are_scaled_by_a_peer_here(bench, monkeypatch, tmp_path):
    monkeypatch.setattr(bench, "HERE", tmp_path)
    (tmp_path / "targets.toml").write_text(
        '[t]\nA = { target = 10, peer = "peer", took = 20 }\n'
        'B = { target = 4, peer = "peer", took = 20, of = "A" }\nC = { target = 80 }\n'
    )
    wide = ("emitted, wide", "Rust's crates, wide")
    table = bench.Table("t", "", ("operation", "emitted", "peer", *wide))
    rows = {
        "A": {"emitted": 20.0, "peer": 50.0},
        "B": {"emitted": 1234.5, "peer": 7.0, wide[0]: 1.0, wide[1]: 3.0},
        "C": {"emitted": 1.0, "peer": 3.0},
        "D": {"emitted": 2.0, "peer": 3.0, wide[0]: 4.0},
    }
    assert bench.targets("t", rows) == {"A": 25, "B": 10, "C": 80}
    assert table.lines(rows) == {
        "A": "| A | 20 | 50 (2.50) |  |  | 25 |",
        "B": "| B | 1,234 | 7 (0.01) | 1 | 3 (3.00) | 10 |",
        "C": "| C | 1 | 3 (3.00) |  |  | 80 |",
        "D": "| D | 2 | 3 (1.50) | 4 |  |  |",
    }
    assert {line.count("|") for line in (*table.head, *table.lines(rows).values())} == {7}
    assert bench.spread(rows, rows) == 0
    assert bench.spread(rows, {"A": {"emitted": 30.0, "peer": 60.0}}) == pytest.approx(1 - 2 / 2.5)


def test_tables_of_the_page_are_those_of_the_figures(bench):
    page = PAGE.read_text(encoding="utf-8")
    assert bench.updated(page, figures()) == page
    for table in bench.TABLES:
        rows = table.lines(figures()[table.key])
        assert "\n".join([*table.head, *rows.values(), ""]) in f"{section()}\n"
        named = {subject for row in figures()[table.key].values() for subject in row}
        assert named == {*table.columns[1:]}
        assert {*bench.targets(table.key, figures()[table.key])} <= {*rows}


def test_figures_have_a_line_for_each_row(bench):
    from json_lines import json_lines

    text = FIGURES.read_text(encoding="utf-8")
    assert f"{json_lines(figures())}\n" == text
    tables = [figures()[table.key] for table in bench.TABLES] + [*figures()["medians"].values()]
    assert len(text.splitlines()) < sum(map(len, tables)) + 16


def test_versions_of_peers_are_those_that_are_locked():
    text = " ".join(section().split())
    crates = tomllib.loads((NODE.parent / "published" / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    names = ("p256", "k256", "ed25519-dalek", "x25519-dalek", "curve25519-dalek")
    locked = {package["name"]: package["version"] for package in crates if package["name"] in names}
    packages = json.loads((NODE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    titles = {
        "@noble/curves": "noble-curves",
        "libsodium-wrappers": "libsodium.js",
        "tiny-secp256k1": "tiny-secp256k1",
    }
    locked |= {title: packages[f"node_modules/{name}"]["version"] for name, title in titles.items()}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    locked["Wasmtime"] = re.findall(r"wasmtime==([\d.]+)", makefile)[0]
    assert len(locked) == 9
    assert not [
        pair for pair in locked.items() if not re.search(rf"{pair[0]}`? {re.escape(pair[1])}\b", text)
    ]


INPUTS = {
    curve: {
        name: bytes([index] * 64)
        for index, name in enumerate(("secret", "key", "message", "signature", "shared"))
    }
    for curve in ("P-256", "secp256k1", "Ed25519", "X25519")
}


class Fake:
    """A module whose functions return what is expected, except one."""

    def __init__(self, wrong):
        self.wrong = wrong

    def run(self, name, inputs, count):
        if name == self.wrong:
            return 0
        accepted = inputs[2] == INPUTS["P-256"]["signature"] if name.endswith("verify") else True
        return count if accepted or self.wrong == "lax" else 0

    def output(self, length):
        return INPUTS["P-256"]["signature" if length == 64 else "shared"]


def test_a_module_that_disagrees_with_node_is_not_timed_in_wasmtime(in_wasmtime):
    in_wasmtime.check(Fake(None), INPUTS)
    for name, *_ in in_wasmtime.OPERATIONS.values():
        with pytest.raises(SystemExit, match="fails in Wasmtime"):
            in_wasmtime.check(Fake(name), INPUTS)
    with pytest.raises(SystemExit, match="P-256: verify fails"):
        in_wasmtime.check(Fake("lax"), INPUTS)
    shared = {**INPUTS, "X25519": {**INPUTS["X25519"], "shared": b"other"}}
    with pytest.raises(SystemExit, match="X25519 fails"):
        in_wasmtime.check(Fake(None), shared)


CHECK = """
import { changed, check, INPUTS } from "%s";
const { signature, shared } = INPUTS[%s];
check(%s, { sign: () => %s, verify: (given, count) => (%s ? count : 0), exchange: () => %s });
"""
VALID = "given[0] === signature[0]"


@pytest.mark.core
@pytest.mark.usefixtures("wasm")
@pytest.mark.parametrize("curve", ["P-256", "secp256k1", "Ed25519", "X25519"])
def test_a_subject_that_disagrees_with_node_is_not_timed(curve):
    def passes(sign, verify, exchange):
        text = CHECK % (NODE / "inputs.mjs", f'"{curve}"', f'"{curve}"', sign, verify, exchange)
        command = ["node", "--input-type=module", "--eval", text]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    right = ("signature", VALID, "shared")
    assert passes(*right)
    wrong = [
        ("changed(signature)", *right[1:]),
        ("signature", "true", "shared"),
        ("signature", "false", "shared"),
    ]
    if curve == "X25519":
        wrong = [("signature", VALID, "changed(shared)")]
    assert not any(passes(*each) for each in wrong)
