"""Results of `make bench`: medians, the best peer, ratios, and targets of rows that there are."""

import json
import re
import sys
import tomllib
from argparse import Namespace
from pathlib import Path

import pytest
from plots import shown

from efdgen.generator.measuring.drawing import svg
from efdgen.generator.render.rust.packages import VERSION

BENCH = Path(__file__).resolve().parents[1] / "bench"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    import measure
    import subjects
    import targets

    yield measure, subjects, targets
    for name in ("libraries", "measure", "page", "subjects", "tables", "targets"):
        sys.modules.pop(name, None)


def test_a_ratio_is_the_median_of_the_ratios_of_rounds(bench):
    measure, *_ = bench
    row = measure.Row(
        {
            ("efdgen, gcc", "latency"): [10.0, 20.0, 400.0],
            ("efdgen, clang", "latency"): [90.0, 91.0, 92.0],
            ("crrl, rustc", "latency"): [15.0, 40.0, 500.0],
            ("OpenSSL", "latency"): [5.0, 10.0, 200.0],
        }
    )
    assert row.best("latency", ours=True) == "efdgen, gcc"
    assert row.best("latency", ours=False) == "OpenSSL"
    assert row.best("latency", ours=False, portable=True) == "crrl, rustc"
    assert row.ratio("latency", portable=True) == 1.5
    assert row.ratio("latency", portable=False) == 0.5
    assert row.ratio("throughput", portable=True) is None


def test_what_is_built_natively_is_built_so_in_every_language_and_elsewhere(bench, monkeypatch, tmp_path):
    import libraries

    ran = []
    monkeypatch.setattr(libraries, "_run", lambda *words, **named: ran.append((words, named)))
    built = [
        [libraries._Library("x", "cc", tmp_path, ["-O2"]).built(processor), libraries._rust(processor)]
        for processor in (libraries.ANY, libraries.NATIVE)
    ]
    assert not {*built[0]} & {*built[1]}
    for compiled, (c, rust) in zip(built, (ran[:2], ran[2:]), strict=True):
        assert compiled[0] in c[0]
        assert compiled[1].parents[1] in rust[0]
    flags = [({*c[0]}, rust[1]["environment"]["RUSTFLAGS"]) for c, rust in (ran[:2], ran[2:])]
    assert [("-march=native" in c, "-mbmi2" in c) for c, _ in flags] == [(False, True), (True, False)]
    assert ["native" in rust for _, rust in flags] == [False, True]


@pytest.mark.parametrize(
    ("part", "others"),
    [
        ("rust", {"bench-peers"}),
        ("operations", {"operations", "curve25519-dalek", "ed25519-dalek", "k256", "p256", "x25519-dalek"}),
        ("lanes", {"lanes"}),
    ],
)
def test_locks_name_the_version_that_crates_are_emitted_with(part, others):
    """Was: a release stopped `make bench`, for its lock had the version before."""
    packages = tomllib.loads((BENCH / part / "Cargo.lock").read_text())["package"]
    emitted = [p for p in packages if "source" not in p and p["name"] not in others]
    assert {package["version"] for package in emitted} == {VERSION}


def test_every_target_is_of_a_prime_or_a_curve_that_is_measured(bench):
    _, subjects, targets = bench
    known = {subject.name for subject in (*subjects.FIELDS, *subjects.CURVES, subjects.X_ONLY)}
    found = targets.targets()
    assert {name.partition("/")[0] for name in found} <= known
    # Published figures of 5·2^248 - 1, which nothing here measures.
    published = {name: target.published for name, target in found.items() if target.published}
    base = {"mul": 46, "sqr": 33, "add": 13, "sub": 13, "inv": 7911, "sqrt": 9056, "is_square": 6616}
    extension = {"mul": 199, "sqr": 128, "inv": 7983, "sqrt": 33162, "is_square": 6701}
    assert published == {
        **{f"5*2^248-1/{operation}": cycles for operation, cycles in base.items()},
        **{f"(5*2^248-1)^2/{operation}": cycles for operation, cycles in extension.items()},
    }


PAGE = """# Speed

By hand.

## Fields

### 5·2^248-1

Also by hand.

| operation | old |
|---|---:|
| mul | 1 |
| inv | 2 |

After it.

## Curves

## Binary curves

## Last
"""


def test_measured_rows_replace_their_lines_in_a_page_and_nothing_else(bench):
    measure, _, targets = bench
    import page

    both = {
        ("efdgen, gcc", "latency"): [30.0],
        ("efdgen, clang", "latency"): [1200.0],
        ("crrl, rustc", "latency"): [60.0],
        ("fp2, rustc", "latency"): [90.0],
        ("efdgen, gcc", "throughput"): [20.0],
        ("crrl, rustc", "throughput"): [50.0],
        ("fp2, rustc", "throughput"): [10.0],
    }
    rows = {
        "5*2^248-1/mul": measure.Row(both),
        "(5*2^248-1)^2/mul": measure.Row({("efdgen, rustc", "latency"): [7.0]}),
        "P-256/mul": measure.Row({("efdgen, gcc", "latency"): [10.0], ("OpenSSL", "latency"): [5.0]}),
        "sect233k1/mul": measure.Row(
            {("efdgen, gcc, portable", "latency"): [40.0], ("NTL", "latency"): [60.0]}
        ),
        "secp256k1/doubling": measure.Row({("efdgen, gcc", "latency"): [9.0], ("a", "latency"): [9.0]}),
    }
    wanted = {"5*2^248-1/mul": targets.Target(latency=28.8, gcc_latency=39.5, published=46)}
    updated = page.update(PAGE, rows, wanted)
    assert updated.startswith(PAGE[: PAGE.index("| operation")])
    head, rule, mul, inv = updated[updated.index("| operation") :].split("\n")[:4]
    assert head.count("|") == rule.count("|") == mul.count("|") == 10
    assert inv == "| inv | 2 |"
    peers = "60.0 (crrl, rustc) / 10.0 (fp2, rustc) | 2.00 / 0.50"
    assert mul == f"| mul | 1,200 | 30.0 / 20.0 |  | {peers} |  |  | 28.8; gcc 39.5 (published: 46) |"
    rest = updated[updated.index("After it.") :]
    assert "### P-256\n\n| operation" in rest
    assert "| mul |  | 10.0 |  |  |  | 5.0 (OpenSSL) | 0.50 |  |" in rest
    assert rest.index("### GF(p²), p = 5·2^248-1") < rest.index("## Curves") < rest.index("### secp256k1")
    assert rest.index("| doubling |  | 9.0 |  | 9.0 (a) | 1.00 |  |  |  |") < rest.index("## Last")
    assert "| mul |  |  | 40.0 | 60.0 (NTL) | 1.50 |  |  |  |" in rest[rest.index("### sect233k1\n") :]
    assert rest.index("## Binary curves") < rest.index("### sect233k1") < rest.index("## Last")
    assert page.update(updated, rows, wanted) == updated
    with pytest.raises(SystemExit, match="no section `## Fields`"):
        page.update("# Nothing", rows, wanted)


def test_the_page_of_the_documentation_has_a_table_of_every_subject(bench):
    _, subjects, _ = bench
    import page

    found = (DOCS / "performance.md").read_text(encoding="utf-8")
    for field in subjects.FIELDS:
        assert f"### {page._title(field.name)}\n\n{page.cells(page.COLUMNS)}\n" in found
    for curve in (*subjects.CURVES, subjects.X_ONLY):
        assert f"### {curve.name}\n" in found[found.index("## Curves\n") :]
    binary = found[found.index("## Binary curves\n") :]
    for curve in subjects.BINARY:
        assert f"### {curve.name}\n\n{page.cells(page.COLUMNS_OF_2)}\n" in binary


@pytest.fixture
def operations(bench):
    import operations

    yield operations
    for name in ("operations", "outputs", "picture"):
        sys.modules.pop(name, None)


@pytest.fixture
def hashing(operations):
    import hashing

    yield hashing
    sys.modules.pop("hashing", None)


@pytest.fixture
def lanes(operations):
    import lanes

    yield lanes
    sys.modules.pop("lanes", None)


PEERS = BENCH / "operations" / "src"
DOCS = BENCH.parent / "docs"
IN_LANES = json.loads((DOCS / "plots/lanes.json").read_text(encoding="utf-8"))
HASHED = json.loads((DOCS / "plots/hashing.json").read_text(encoding="utf-8"))
MEASURED = json.loads((DOCS / "plots/whole-operations.json").read_text(encoding="utf-8"))


def whole_operations():
    """Return the sections of the page about operations on one line, in small letters."""
    page = (DOCS / "performance.md").read_text(encoding="utf-8")
    sections = (f"\n## {title}\n" for title in ("Whole operations", "Hashing to curves and BIP-340"))
    found = [page.partition(title)[2].partition("\n## ")[0] for title in sections]
    assert all(found)
    return " ".join(" ".join(found).lower().split())


def literals():
    """Return the strings in the sources of the benchmark of operations, without bytes and formats."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(PEERS.rglob("*.rs")))
    return re.findall(r'(?<![b\w])"([^"\n]*)"', text)


def test_each_subject_has_the_figure_of_its_best_run(operations, monkeypatch, tmp_path):
    """Was: one run, whose pages of memory made a peer's check of a signature take 47 µs, not 22."""
    monkeypatch.setattr(operations, "BUILD", tmp_path)
    times, copies = iter(((3, 2), (1, 4))), []

    def run(words, _):
        copies.append((Path(words[0]), Path(words[0]).read_text(), words[1:]))
        assert all(path.exists() for path, *_ in copies)
        return "".join(
            f"P + Q|{name}|{time}|0\n" for name, time in zip(("ours", "peer"), next(times), strict=True)
        )

    monkeypatch.setattr(operations, "run", run)
    program = tmp_path / "program"
    program.write_text("text")
    asked = Namespace(runs=2, rounds=7)
    runs = [operations.read(lines) for lines in operations.measured(program, asked, "P + Q")]
    assert operations.best(runs) == operations.best(runs[::-1]) == {"P + Q": {"ours": 1, "peer": 2}}
    assert len({path for path, *_ in copies}) == 2
    assert [rest for _, *rest in copies] == [["text", ["7", "P + Q"]]] * 2
    assert list(tmp_path.iterdir()) == [program]


def test_operations_are_compared_with_the_fastest_emitted_crate(operations):
    lines = [
        "P + Q|efdgen, traits|2.5|2",
        "P + Q|efdgen, own|2|1",
        "P + Q|peer, vectors|3.000|3",
        "P + Q|late|1|.5",
    ]
    figures = operations.read([*lines, "P - Q|efdgen, own|4|3"])
    assert figures["P + Q"] == {"efdgen, traits": 2.5, "efdgen, own": 2, "peer, vectors": 3, "late": 1}
    assert operations.table(figures) == {
        "P + Q": "| P + Q | 2.50 (traits); 2.00 (own) | peer, vectors 3.00 (1.50); late 1.00 (0.50) |",
        "P - Q": "| P - Q | 4.00 (own) |  |",
    }


def test_tables_of_whole_operations_are_those_of_the_figures(operations):
    """Was: figures of two machines in one table, and rows of peers' slowest functions."""
    import picture

    figures = MEASURED["microseconds"]
    page = (DOCS / "performance.md").read_text(encoding="utf-8")
    assert "\n".join([*operations.HEAD, *operations.table(figures).values(), ""]) in page
    readme = (BENCH.parent / "README.md").read_text(encoding="utf-8")
    assert "\n".join(["|---|---:|---|", *picture.summary(figures), ""]) in readme
    verified = figures[picture.SHOWN[0]]
    peers = (f"{verified[peer]:.3g}" for peer in ("AWS-LC, assembler", "p256 0.14"))
    headline = "in {} µs, where AWS-LC's assembler takes {} and p256 0.14 takes {}**"
    assert headline.format(f"{min(verified.values()):.3g}", *peers) in readme


def test_the_picture_shows_each_library_beside_the_fastest_emitted_crate(operations):
    import picture

    times = {"efdgen, own": 3.0, "efdgen, traits": 2.0, "p256 0.13": 1.0, "p256 0.14": 8.0, "ring, x": 1.0}
    figures = dict.fromkeys(picture.SHOWN, times)
    drawn = shown(svg(picture.picture(figures, "a machine")))
    assert {label for _, label in drawn} == {"efdgen", "RustCrypto", "ring"}
    for (_, label), points in drawn.items():
        ratio = {"efdgen": 1, "RustCrypto": 4, "ring": 0.5}[label]
        assert points == [(pytest.approx(ratio, rel=1e-3), name) for name in picture.SHOWN]
    committed = (DOCS / "plots/whole-operations.svg").read_text(encoding="utf-8")
    assert shown(committed) == shown(svg(picture.picture(MEASURED["microseconds"], MEASURED["where"])))


def test_the_table_of_hashing_is_that_of_the_figures(hashing):
    """The table has each operation that noble-curves is timed for, and names its version."""
    figures, page = HASHED["microseconds"], (DOCS / "performance.md").read_text(encoding="utf-8")
    assert {*figures} == {*hashing.ROWS}
    assert "\n".join([*hashing.HEAD, *hashing.chosen(figures).values(), ""]) in page
    text = (hashing.NOBLE / "noble.js").read_text(encoding="utf-8")
    named = re.findall(r'^  "([^"]+)": \(\) =>', text, re.M)
    (subject,) = re.findall(r"\|(noble-curves [^|]+)\|", text)
    assert named == [name for name in hashing.ROWS if subject in figures[name]]
    locked = json.loads((hashing.NOBLE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    version = locked["node_modules/@noble/curves"]["version"]
    assert f"{subject.removeprefix('noble-curves ').partition(',')[0]}." in f"{version}."
    assert f"noble-curves {version}" in whole_operations()


def test_the_table_of_lanes_is_that_of_the_figures(lanes, operations):
    """Each operation and peer of the program is in the table."""

    figures, page = IN_LANES["microseconds"], (DOCS / "performance.md").read_text(encoding="utf-8")
    assert "\n".join([*operations.HEAD, *operations.table(figures).values(), ""]) in page
    text = "\n".join(
        path.read_text(encoding="utf-8") for path in sorted((BENCH / "lanes" / "src").glob("*.rs"))
    )
    named = re.findall(r'^const [A-Z0-9_]+: &str = "([^"]+)";', text, re.M)
    assert {name for name in named if ":" in name} == figures.keys()
    subjects = {subject.partition(", AVX")[0] for times in figures.values() for subject in times}
    assert subjects == {*(name for name in named if ":" not in name), "libsecp256k1", "dalek's crates"}


def test_ratios_of_medians_are_compared_with_those_of_deciles(hashing):
    deciles = {"P": {"efdgen, a": 2.0, "efdgen, b": 1.0, "peer": 4.0}, "Q": {"efdgen, a": 1.0, "peer": 3.0}}
    medians = {"P": {"efdgen, a": 0.5, "efdgen, b": 1.0, "peer": 2.4}, "Q": {"efdgen, a": 1.0, "peer": 2.7}}
    assert hashing.ratios(deciles) == {("P", "peer"): 4, ("Q", "peer"): 3}
    assert hashing.spread(deciles, medians) == pytest.approx(0.2)


@pytest.mark.parametrize("name", ["edwards25519", "hashing", "lanes", "whole-operations"])
def test_figures_of_the_documentation_have_a_line_for_each_record(operations, name):
    from json_lines import json_lines

    text = (DOCS / f"plots/{name}.json").read_text(encoding="utf-8")
    figures = json.loads(text)
    assert f"{json_lines(figures)}\n" == text
    tables = [figures] if isinstance(figures, list) else figures.values()
    records = [record for table in tables if not isinstance(table, str) for record in table]
    assert len(text.splitlines()) < len(records) + 8


EMPTY, OLD = "## Whole operations\n", "| old |\n|---|\n| P - Q | 1 |\n"


@pytest.mark.parametrize("section", [EMPTY, f"{EMPTY}\nBy hand.\n", f"{EMPTY}\nBy hand.\n\n{OLD}\nAfter.\n"])
@pytest.mark.parametrize("rest", ["", f"\n### Part\n\n{OLD}", f"\n## Last\n\n{OLD}"])
def test_measured_operations_replace_the_table_of_their_section_alone(operations, tmp_path, section, rest):
    import outputs

    page, figures = tmp_path / "page.md", tmp_path / "figures.json"
    page.write_text(f"# Speed\n\n{OLD}\n{section}{rest}", encoding="utf-8")
    lines = operations.table({"P + Q": {"efdgen, own": 2.0}})
    table = "\n".join([*operations.HEAD, *lines.values(), ""])
    put = section.replace(OLD, table) if OLD in section else f"{section}\n{table}"
    for _ in range(2):
        options = Namespace(json=figures, markdown=page)
        outputs.write(options, {"a": 1}, lambda text: operations.updated(text, lines))
        assert page.read_text(encoding="utf-8") == f"# Speed\n\n{OLD}\n{put}{rest}"
    assert json.loads(figures.read_text(encoding="utf-8")) == {"a": 1}


@pytest.mark.parametrize(
    ("native", "dalek", "machine", "expected"),
    [
        (False, None, "x86_64", '--cfg curve25519_dalek_backend="avx512"'),
        (False, "simd", "x86_64", '--cfg curve25519_dalek_backend="simd"'),
        (True, None, "x86_64", '-C target-cpu=native --cfg curve25519_dalek_backend="avx512"'),
        (True, None, "aarch64", "-C target-cpu=native"),
        (False, None, "aarch64", ""),
    ],
)
def test_dalek_is_built_with_its_fastest_back_end_where_it_has_one(
    operations, native, dalek, machine, expected
):
    """Was: a portable build, which has no AVX-512 for the processor to choose."""
    assert operations.flags(native, dalek, machine) == expected


def test_whatever_makes_the_work_of_a_subject_differ_is_explained_on_the_page():
    """Was: 13.4 µs beside 47.5 of a crate that renews its blinding each time, which nothing said."""
    subjects = [text for text in literals() if ", " in text and ":" not in text]
    qualifiers = {re.sub(r" [\d.]+$", "", part) for text in subjects for part in text.split(", ")[1:]}
    assert {"blinded once", "blinding renewed", "nonce drawn", "key derived", "assembler"} <= qualifiers
    page = whole_operations()
    assert not [part for part in sorted(qualifiers) if part and "{" not in part and part not in page]


def test_versions_of_peers_are_those_that_are_locked():
    folder, page = BENCH / "operations", whole_operations()
    wanted = tomllib.loads((folder / "Cargo.toml").read_text(encoding="utf-8"))["dependencies"]
    packages = tomllib.loads((folder / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    given = {name: {"version": entry} if isinstance(entry, str) else entry for name, entry in wanted.items()}
    peers = {entry.get("package", name) for name, entry in given.items() if "version" in entry} - {
        "hash2curve",
        "sha2",
    }
    locked = [(p["name"], p["version"]) for p in packages if "source" in p and p["name"] in peers]
    assert len(locked) > len(peers) > 8
    assert not [
        (name, version) for name, version in locked if not re.search(rf"{name} [^,]*{version}\b", page)
    ]
    names = "|".join(peers)
    short = {found[0] for text in literals() if (found := re.match(rf"({names}) [\d.]+\d", text))}
    assert len(short) == 6
    assert not [text for text in short if not any(f"{' '.join(of)}.".startswith(f"{text}.") for of in locked)]
