"""The site in Chromium, by `make browser`: axe, phones, search, sliders, and nothing from elsewhere."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from browsing import ROOT, RUN_AXE, chromium, served, violations, watched

PAGES = (
    "index.html",
    "g1p/shortw.html",
    "g1p/shortw/jacobian.html",
    "g1p/shortw/jacobian/addition/add-2007-bl.html",
    "g1p/shortw/xz/ladder/ladd-2002-it.html",
    "kinds/index.html",
    "kinds/addition.html",
    "curves/secp256k1.html",
    "curves/edwards25519.html",
    "hosts/index.html",
    "hosts/libsecp256k1.html",
    "hosts/fiat-rust.html",
    "sources/2007-bernstein-lange.html",
    "search.html?q=complete+addition",
    "search.html?q=magnitudes",
    "data.html",
    "docs/for-researchers.html",
)
pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A site of four systems, with the documentation and times of a curve."""
    out = tmp_path_factory.mktemp("site") / "public"
    systems = [f"g1p/shortw/{name}" for name in ("jacobian", "jacobian-0", "jacobian-3", "xz")]
    times = ROOT / "docs/plots/edwards25519.json"
    asked = ["site", *systems, "--documentation", ROOT, "--measured", times, "--out", out]
    done = subprocess.run(
        [sys.executable, "-m", "efdgen", *map(str, asked)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="module")
def base(folder) -> Iterator[str]:
    with served(folder) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator:
    with chromium() as made:
        yield made


@pytest.fixture
def opened(browser, base) -> Iterator:
    with watched(browser, base) as made:
        yield made


@pytest.mark.drawn(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible(opened, base, scheme):
    page, found = opened(color_scheme=scheme), []
    for path in PAGES:
        page.goto(base + path)
        page.wait_for_load_state("load")
        found += [(path, each) for each in violations(page)]
    assert found == []


def test_axe_finds_a_fault(opened, base):
    page = opened()
    page.goto(base + PAGES[0])
    assert violations(page) == []
    page.evaluate(
        "document.querySelector('label[for=q2]').remove(), document.getElementById('q2').placeholder = ''"
    )
    assert [each[0] for each in page.evaluate(RUN_AXE)] == ["label"]


def test_no_page_is_wider_than_a_phone(opened, base):
    page = opened(viewport={"width": 390, "height": 844})
    wide = []
    for path in PAGES:
        page.goto(base + path)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth + 1"):
            wide.append(path)
    assert wide == []


def test_search_finds(opened, base):
    page = opened()
    page.goto(base + "search.html")
    rows = page.locator("#results tbody tr")
    page.fill("#q2", "doubling a=-3 at most 8M jacobian-3")
    texts = rows.all_inner_texts()
    assert any("dbl-2001-b" in text for text in texts)
    assert all("doubling" in text and "doubling2" not in text for text in texts)
    page.fill("#q2", "nosuchthing")
    assert page.inner_text("#count") == "0 formulas"
    page.goto(base + "index.html")
    page.keyboard.press("/")
    page.keyboard.type("madd-2007-bl jacobian-0")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=*")
    page.click("#results tbody th a")
    assert page.inner_text("h1") == "madd-2007-bl"
    assert page.url.endswith("g1p/shortw/jacobian-0/addition/madd-2007-bl.html")


PHRASE = "the last argument of secp256k1_fe_negate is the magnitude of its operand"
"""Words of docs/dropping-in.md, of its section about libsecp256k1."""

QUESTION = "what is the last argument of the negate functions, and which operand magnitudes does it have"


@pytest.mark.parametrize(
    "query",
    [PHRASE, f'"{PHRASE}"', "last argument magnitudes operand", f"{PHRASE} qwertz", QUESTION],
    ids=["phrase", "in quotes", "words apart", "most of the words", "question"],
)
def test_words_of_a_text_are_found_and_lead_to_their_section(opened, base, query):
    text = (ROOT / "docs/dropping-in.md").read_text(encoding="utf-8")
    section = text.partition("## libsecp256k1, from nothing\n")[2].partition("\n## ")[0]
    assert PHRASE in " ".join(section.replace("`", "").split())
    page = opened()
    page.goto(f"{base}search.html?q={quote(query)}")
    first = page.locator("#sections li").first
    first.wait_for()
    marked = {each.lower() for each in first.locator("p mark").all_inner_texts()}
    assert {"last", "argument", "operand"} <= marked
    assert first.locator("a").inner_text() == "libsecp256k1, from nothing"
    first.locator("a").click()
    page.wait_for_url(f"{base}docs/dropping-in.html#libsecp256k1-from-nothing")
    heading = page.locator("#libsecp256k1-from-nothing")
    assert heading.inner_text() == "libsecp256k1, from nothing"
    assert (
        page.evaluate("document.getElementById('libsecp256k1-from-nothing').getBoundingClientRect().top")
        < 300
    )


def test_texts_are_found_in_files_without_a_server_and_are_escaped(browser, folder):
    """Text with the signs of a tag is shown as it is; hosts and curves are found too."""
    page, asked = browser.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{folder.as_uri()}/search.html?q={quote('argument ff field points Point<F>')}")
    page.locator("#sections li").first.wait_for()
    assert "<F>" in "".join(page.locator("#sections li p").all_inner_texts())
    tags = page.locator("#sections li *").evaluate_all("all => all.map(each => each.tagName)")
    assert {*tags} == {"A", "MARK", "P", "SPAN"}
    for query, link in (("fiat_25519_carry", "hosts/fiat-c.html"), ("K-256", "curves/secp256k1.html")):
        page.fill("#q2", query)
        page.locator(f"#sections a[href='{link}']").wait_for()
    page.fill("#q2", "zzzz")
    page.wait_for_function("document.getElementById('found').textContent === '0 sections of pages'")
    assert not page.locator("#sections").is_visible()
    assert all(url.startswith(folder.as_uri()) for url in asked)
    page.close()


def test_a_word_loads_few_files(opened, base):
    page, asked = opened(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{base}search.html?q=magnitudes")
    page.locator("#sections li").first.wait_for()
    files = sorted(url.rpartition("/")[2].partition("-")[0] for url in asked if "static/search/" in url)
    assert files[0] == "sections.js"
    assert files.count("words") in (1, 2)
    assert len(files) < 8


def test_sliders_and_headings_sort(opened, base):
    page = opened()
    page.goto(base + "g1p/shortw/jacobian.html")
    table = page.locator("#doubling ~ .scroll table").first
    before = table.locator("tbody th").all_inner_texts()
    page.evaluate(
        """() => { const s = document.querySelector('#formulas ~ form input[data-unit=S]');
           s.value = 0.1; s.dispatchEvent(new Event('input', {bubbles: true})); }"""
    )
    after = table.locator("tbody th").all_inner_texts()
    yours = [float(text) for text in table.locator("tbody td.yours").all_inner_texts()]
    assert sorted(before) == sorted(after)
    assert yours == sorted(yours)
    assert yours[0] == 1.5  # mdbl-2007-bl is 1M + 5S
    table.locator("thead button").first.click()
    names = table.locator("tbody th").all_inner_texts()
    assert names == sorted(names)


def test_anchors_of_the_old_site_lead_to_formulas(opened, base):
    page = opened()
    page.goto(base + "g1p/auto-shortw-jacobian.html#doubling-dbl-2007-bl")
    page.wait_for_url("**/g1p/shortw/jacobian/doubling/dbl-2007-bl.html")
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_pages_are_readable_without_scripts(opened, base):
    page = opened(java_script_enabled=False)
    page.goto(base + PAGES[3])
    assert "Z1Z1" in page.inner_text(".math-lines")
    assert not page.locator(".weights").first.is_visible()
