"""`efdgen plot`, and the plots of `efdgen bench`: what is drawn, by its data, and what is refused."""

import json
import re
import sys
from pathlib import Path

import pytest
from plots import LENGTHS, document, row, series_of, shown, texts

from efdgen.generator.measuring.drawing import COLOURS, GRID, PAGE, TEXT, tick
from efdgen.generator.measuring.plots import NAMES, Axis
from efdgen.generator.measuring.series import SERIES
from efdgen.generator.requirements import installing

ROOT = Path(__file__).resolve().parents[1]
NEAR = 1e-3
"""A drawing has two digits after the point, of some hundred points for some decades."""


@pytest.fixture
def drawn(efdgen, tmp_path):
    """Return the texts of all plots of a document, by name."""

    def draw(rows):
        (tmp_path / "times.json").write_text(json.dumps(rows))
        outcome = efdgen("plot", tmp_path / "times.json", "--out", tmp_path / "plots")
        assert outcome.code == 0, outcome.err
        assert {*outcome.out.split()} == {str(path) for path in (tmp_path / "plots").iterdir()}
        return {path.stem: path.read_text() for path in (tmp_path / "plots").iterdir()}

    return draw


def assert_near(found, wanted):
    assert {*found} == {*wanted}
    for key, points in wanted.items():
        assert len(found[key]) == len(points)
        for got, expected in zip(found[key], points, strict=True):
            assert got == pytest.approx(expected, rel=NEAR), key


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plot", "series"),
    [("additions", "additions"), ("signing", "signatures"), ("verification", "verifications")],
)
def test_a_series_is_drawn_at_its_sizes_and_times(plot, series, drawn):
    rows = document()
    found = {key: points for key, points in shown(drawn(rows)[plot]).items() if "batch" not in key[1]}
    assert_near(found, series_of(rows, series))


def test_batches_are_beside_single_verifications(drawn):
    rows = document()
    found = shown(drawn(rows)["verification"])
    batches = {(panel, label): points for (panel, label), points in found.items() if "batch" in label}
    wanted = series_of(rows, "batch verification")
    assert_near(batches, {(panel, f"{system}, batch"): points for (panel, system), points in wanted.items()})


def test_messages_a_second_are_drawn_by_their_length(drawn):
    rows = document()
    wanted = {
        key: [(size, 1 / seconds) for size, seconds in points]
        for key, points in series_of(rows, "verification by length").items()
    }
    assert_near(shown(drawn(rows)["verification-by-length"]), wanted)


def test_operations_are_drawn_by_system_and_compiler(drawn):
    rows = document(series=False)
    files = drawn(rows)
    assert [*files] == ["operations"]
    found = {
        (*key, name): seconds
        for key, points in shown(files["operations"]).items()
        for seconds, name in points
    }
    assert found == {
        (each["compiler"], each["system"], each["operation"]): pytest.approx(
            each["nanoseconds"] / 1e9, rel=NEAR
        )
        for each in rows
        if "system" in each and each["operation"] != "double base var"
    }


def test_plots_name_the_machine_versions_and_axes(drawn):
    for name, svg in drawn(document()).items():
        found = texts(svg)
        assert "x86_64 Model 7; gcc 12.2.0, Python 3.11.7, rustc 1.95.0" in found
        assert {"time", "messages verified a second"} & {*found}, name
        assert any(text.startswith("edwards25519: ") for text in found)


@pytest.mark.slow
def test_equal_measurements_give_equal_files(drawn):
    files = drawn(document())
    assert sorted(files) == sorted(NAMES)
    assert drawn(document()) == files
    for svg in files.values():
        assert not re.search(r"20\d\d-\d\d-\d\d|matplotlib v|/(home|work|tmp)/", svg)


@pytest.mark.slow
def test_what_a_reader_has_set_for_matplotlib_changes_nothing(drawn):
    import matplotlib

    before = drawn(document())
    with matplotlib.rc_context({"axes.titlesize": 30, "axes.linewidth": 5, "svg.fonttype": "path"}):
        assert drawn(document()) == before


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    """Return the ratio of WCAG 2.2, which asks for 4.5 for text and 3 for graphics."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("page", [0, 1], ids=["light", "dark"])
def test_text_and_lines_show_on_each_page(page):
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast(TEXT[page], PAGE[page]) > 7
    assert min(contrast(pair[page], PAGE[page]) for pair in COLOURS) > 4.5
    assert contrast(GRID[page], PAGE[page]) < 2


def test_every_colour_has_one_for_dark_pages(drawn):
    rows = [row(f"system {i}", "Rust", operation="addition", nanoseconds=1.5) for i in range(8)]
    svg = drawn(rows)["operations"]
    rules = svg[svg.index("<style>") : svg.index("</style>")].split("@media (prefers-color-scheme:dark)")
    light, dark = (
        dict(re.findall(r"\.(\w+)\{([^}]*)\}", rule)) for rule in (rules[0], rules[1].replace("{.", ".", 1))
    )
    pairs = {
        (part, colour, re.search(rf"{part}:(#\w+)", dark[name])[1])
        for name, style in light.items()
        for part, colour in re.findall(r"(fill|stroke):(#\w+)", style)
    }
    assert {(colour, other) for _, colour, other in pairs} == {PAGE, TEXT, GRID, *COLOURS}
    assert not re.search(r"#[0-9a-f]{6}", svg[svg.index("</style>") :])


def test_names_are_drawn_as_they_are(drawn):
    odd = r"<$\frac{1}$ & _x> % é"
    svg = drawn([row(odd, "Rust", operation="addition", nanoseconds=1.5) | {"machine": odd, "curve": odd}])
    assert {odd, f"{odd}; rustc 1.95.0", f"{odd}: operations"} <= {*texts(svg["operations"])}


@pytest.mark.parametrize("count", [8, 20])
def test_lines_differ_without_colour(count, drawn):
    """In grey, lines differ by their marker or their dashes."""
    rows = [
        row(f"system {i}", "Rust", series="additions", sizes=[1, 2], nanoseconds=[i + 1.0, i + 2.0])
        for i in range(count)
    ]
    svg = drawn(rows)["additions"]
    styles = dict(re.findall(r"\.(\w+)\{([^}]*)\}", svg.partition("@media")[0]))
    markers = dict(re.findall(r'<path id="(\w+)" d="([^"]*)"', svg))
    lines = re.findall(r'class="(\w+)"/><g [^>]*><use xlink:href="#(\w+)"', svg)
    found = [(re.sub("#[0-9a-f]{6}", "", styles[line]), markers[marker]) for line, marker in lines]
    assert len({*found}) == len(found) == count


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1e-9, "seconds", "1 ns"),
        (1e-7, "seconds", "100 ns"),
        (1e-6 * (1 - 1e-12), "seconds", "1 µs"),
        (0.1, "seconds", "100 ms"),
        (1e-10, "seconds", "0.1 ns"),
        (1000.0, "seconds", "1000 s"),
        (32.0, "bytes", "32 B"),
        (16384.0, "bytes", "16 KiB"),
        (1048576.0, "bytes", "1 MiB"),
        (1024.0, "count", "1,024"),
        (100000.0, "rate", "100,000"),
    ],
)
def test_ticks_have_units(value, unit, text):
    assert tick(value, Axis("", unit)) == text


OPERATION = row("affine", "Rust", operation="addition", nanoseconds=5.0)
SIZED = row("affine", "Rust", series="additions", sizes=[1, 2], nanoseconds=[5.0, 6.0])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("nonsense", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ({}, "not a list of measurements"),
        ([1], "not a list of measurements"),
        ([], "no measurement of a coordinate system"),
        ([{"operation": "doubling", "nanoseconds": 7.0}], "no measurement of a coordinate system"),
        ([OPERATION, {**OPERATION, "nanoseconds": 0}], "measurement 2 is incomplete"),
        ([{**OPERATION, "nanoseconds": float("nan")}], "measurement 1 is incomplete"),
        ([{**OPERATION, "nanoseconds": 10**400}], "measurement 1 is incomplete"),
        ([{**OPERATION, "nanoseconds": True}], "measurement 1 is incomplete"),
        ([{**OPERATION, "machine": None}], "measurement 1 is incomplete"),
        ([{**SIZED, "sizes": [1]}], "measurement 1 is incomplete"),
        ([{**SIZED, "sizes": [1, 0]}], "measurement 1 is incomplete"),
        ([{**SIZED, "sizes": [1, 2.5]}], "measurement 1 is incomplete"),
        ([{**SIZED, "series": 3}], "measurement 1 is incomplete"),
        ([{**SIZED, "system": "a\0b"}], "measurement 1 is incomplete"),
    ],
)
def test_what_is_no_measurement_is_refused(rows, message, efdgen, tmp_path):
    (tmp_path / "x.json").write_text(rows if isinstance(rows, str) else json.dumps(rows))
    outcome = efdgen("plot", tmp_path / "x.json", "--out", tmp_path / "plots")
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert not (tmp_path / "plots").exists()


def test_other_drawings_are_not_replaced(efdgen, tmp_path):
    (tmp_path / "x.json").write_text(json.dumps(document()))
    (tmp_path / "signing.svg").write_text("<svg/>")
    for arguments in (("plot", tmp_path / "x.json", "--out"), ("bench", "--curve", "M-221", "--plot")):
        outcome = efdgen(*arguments, tmp_path)
        assert outcome.code == 2
        assert "signing.svg was not drawn by efdgen; move it away" in outcome.err
        assert {path.name for path in tmp_path.iterdir()} == {"x.json", "signing.svg"}


@pytest.mark.parametrize("arguments", [("plot", "x.json"), ("bench", "--curve", "M-221", "--plot", "plots")])
def test_without_matplotlib_one_line_tells_what_to_install(arguments, efdgen, monkeypatch):
    monkeypatch.setattr("efdgen.generator.measuring.drawing.find_spec", lambda _: None)
    outcome = efdgen(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == f"efdgen: plots need matplotlib: {installing('plot')}\n"


def test_files_are_listed_as_json_and_drawn_from_standard_input(efdgen, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for state in ("added", "unchanged"):
        Path("x.json").write_text(json.dumps(document(series=False)))
        with Path("x.json").open() as file:
            monkeypatch.setattr(sys, "stdin", file)
            outcome = efdgen("plot", "-", "--json")
        assert json.loads(outcome.out) == {"files": [{"path": "operations.svg", "state": state}]}


def test_the_plots_of_the_documentation_are_those_of_its_figures(drawn):
    """And the page shows each of them."""
    page = (ROOT / "docs/performance.md").read_text(encoding="utf-8")
    files = drawn(json.loads((ROOT / "docs/plots/edwards25519.json").read_text(encoding="utf-8")))
    assert {*files} == {*NAMES}
    for name, svg in files.items():
        committed = (ROOT / f"docs/plots/{name}.svg").read_text(encoding="utf-8")
        assert shown(committed) == shown(svg)
        assert texts(committed) == texts(svg)
        assert f"](plots/{name}.svg)" in page


def test_drawings_are_small(drawn):
    """An element of a panel is a line, a style is a class, and a number has two digits after the point."""
    for name, svg in drawn(document()).items():
        panels = svg.count('<g id="axes_')
        assert svg.count("\n") < 20 * panels + 12, name
        assert len(svg) < 5000 * panels + 4000, name
        assert not re.search(r"\d\.\d{3}|style=|<metadata|<g>\s*</g>", svg), name


@pytest.mark.long
@pytest.mark.slow
def test_a_curve_is_timed_and_drawn(efdgen, tmp_path):
    """The smallest curve with signatures takes seconds in Python."""
    asked = ("--curve", "edwards25519", "--coords", "extended-1", "--lang", "python", "--rounds", "1")
    outcome = efdgen("bench", *asked, "--plot", tmp_path, "--json")
    assert outcome.code == 0, outcome.err
    rows = json.loads(outcome.out)
    assert {each["series"]: tuple(each["sizes"]) for each in rows if "series" in each} == SERIES
    files = {path.stem: path.read_text() for path in tmp_path.iterdir()}
    assert {*files} == {*NAMES}
    assert_near(shown(files["additions"]), series_of(rows, "additions"))
    assert LENGTHS[0] == SERIES["verification by length"][0] == 32
