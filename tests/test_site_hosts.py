"""Pages of hosts: operations as files have them, examples as commands write them, links, hostile files."""

import re
import tomllib

import pytest
from host_packages import C_HOSTS, LIBSECP256K1, RUST_HOSTS, SQISIGN
from reference_links import Page
from reference_overlay import HOSTILE

from efdgen.api.formulas import overlay
from efdgen.generator.formulas.layers import BUILT_IN
from efdgen.reference.document import collect
from efdgen.reference.hosts import host_names, host_page
from efdgen.reference.pages.site import Parts, site_files

DOUBLING = "g1p/shortw/jacobian-3/doubling/dbl-1986-cc-2"
FILES = {path.stem: path for path in sorted((BUILT_IN / "hosts").glob("*.toml"))}
PINS = {**C_HOSTS, **LIBSECP256K1, **RUST_HOSTS, **SQISIGN}
VERSION = re.compile(r"([a-z][a-z0-9-]+) (\d+\.\d+\.\d+)")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def document() -> dict:
    return collect([DOUBLING], 1)


@pytest.fixture(scope="module")
def made() -> dict[str, dict]:
    return {name: host_page(name) for name in FILES}


@pytest.fixture(scope="module")
def pages(document, made) -> dict[str, Page]:
    files = site_files(document, Parts(hosts=list(made.values())))
    return {path: Page(text.decode()) for path, text in files.items() if path.endswith(".html")}


def test_every_host_has_a_page_and_a_line_of_the_list(pages):
    assert host_names() == sorted(FILES)
    assert {f"{name}.html" for name in FILES} <= set(pages["hosts/index.html"].links)
    assert all(f"hosts/{name}.html" in pages for name in FILES)
    assert "hosts/index.html" in pages["index.html"].links


@pytest.mark.drawn(3)
@pytest.mark.parametrize("name", FILES)
def test_a_page_has_what_the_file_says(pages, name):
    """Every call is in the page, but for what is in braces, and so are conditions, bounds and primes."""
    said, page = tomllib.loads(FILES[name].read_text(encoding="utf-8")), pages[f"hosts/{name}.html"]
    for row in [*said["operations"].values(), *said.get("restore", {}).values()]:
        parts = re.split(r"\{\w+\}", row["code"])
        pattern = ".*?".join(map(re.escape, parts))
        assert [text for text in page.texts if re.fullmatch(pattern, text)], row["code"]
        for need in row.get("needs", ()) if said["largest"] > 1 else ():
            assert need.replace("<=", "≤") in page.text
    primes = [each["prime"] for each in (*said.get("fields", {}).values(), said) if "prime" in each]
    assert all(prime in page.texts for prime in primes)
    assert (f"{said['largest']}, for any value" in page.text) == (said["largest"] > 1)
    for point in said.get("points", ()):
        assert point["type"] in page.texts
        assert all(f"{name} ≤ {bound}" in page.text for name, bound in point.get("bounds", {}).items())


@pytest.mark.parametrize("name", ["libsecp256k1", "k256", "sqisign"])
def test_an_example_is_what_its_command_writes(pages, made, efdgen, tmp_path, monkeypatch, name):
    example, page = made[name]["example"], pages[f"hosts/{name}.html"]
    assert example["command"] in page.texts
    monkeypatch.chdir(tmp_path)
    if example["curve_file"]:
        assert example["curve_file"] in page.texts
        (tmp_path / "curve.toml").write_text(example["curve_file"], encoding="utf-8")
    done = efdgen(*example["command"].split()[1:], "--out", "made")
    assert done.code == 0, done.err
    (file,) = (tmp_path / "made").iterdir()
    assert file.name in page.texts
    assert file.read_text(encoding="utf-8").strip() in page.text


def test_versions_that_hosts_name_are_those_of_tests():
    said = {name: tomllib.loads(path.read_text(encoding="utf-8"))["tested"] for name, path in FILES.items()}
    for name, text in said.items():
        assert VERSION.findall(text), name
        for package, version in VERSION.findall(text):
            assert f"={version}" in PINS[package], name


def test_formulas_and_curves_lead_to_hosts(pages, made):
    examples = [name for name, each in made.items() if each["example"].get("formula") == DOUBLING]
    links = pages[f"{DOUBLING}.html"].links
    assert "ff" in examples
    assert "../../../../hosts/index.html" in links
    found = {link for link in links if "hosts/" in link and link.endswith("#example")}
    assert found == {f"../../../../hosts/{name}.html#example" for name in examples}
    curve = {link for link in pages["curves/secp256k1.html"].links if "hosts/" in link}
    assert {"../hosts/libsecp256k1.html", "../hosts/ff.html", "../hosts/micro-ecc.html"} <= curve
    assert "../hosts/fiat-c.html" not in curve
    assert "../hosts/ff.html" not in pages["curves/sect163k1.html"].links


def test_a_host_of_a_user_is_escaped_and_may_have_no_example(document, tmp_path):
    """A host that can only multiply has the reason in place of an example."""
    macros = FILES["macros"].read_text(encoding="utf-8")
    few = re.sub(r"(?m)^(sqr|add|sub|neg|inv) = .*\n", "", macros)
    titled = few.replace('"a table of macros"', f"'''{HOSTILE}'''")
    assert titled != few != macros
    (tmp_path / "hosts").mkdir()
    (tmp_path / "hosts" / "mine.toml").write_text(titled, encoding="utf-8")
    with overlay(tmp_path):
        assert host_names() == sorted([*FILES, "mine"])
        host = host_page("mine")
    text = site_files(document, Parts(hosts=[host]))["hosts/mine.html"].decode()
    assert HOSTILE in Page(text).text
    assert "<script>alert" not in text
    assert "needs more than mul, equal, copy" in Page(text).text
