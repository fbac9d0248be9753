"""The playground in Chromium, by `make browser`: proofs, refutations, errors, endless texts, and links."""

import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from browsing import ROOT, chromium, served, violations, watched

from efdgen.reference.playground import parts
from efdgen.reference.playground.examples import examples

BUILT = ROOT / "build/playground"
PLACE = "g1p/shortw/jacobian-0/doubling"
SYSTEMS = ("g1p/shortw/jacobian-0", "g1p/shortw/jacobian", "g12o/shortw/lopezdahab")
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        *(f"{kind}-src 'self'" for kind in ("style", "img", "connect", "worker")),
        "base-uri 'none'",
    ]
)
"""A policy for all answers of a server: a worker has the policy of its own answer, not the page's."""

WRONG = examples()[0].text
RIGHT = WRONG.replace("+ 2*D", "- 2*D")
ENDLESS = RIGHT.replace("X3 = E^2", "X3 = ((X1 + Y1 + Z1)^9 + X1)^9 + E^2")
LONG = 180_000
"""Milliseconds for an answer, with the loading of the parts on a busy machine."""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """A site with a playground."""
    out = tmp_path_factory.mktemp("site") / "public"
    asked = ["site", *SYSTEMS, "--playground", str(BUILT), "--out", str(out)]
    done = subprocess.run(
        [sys.executable, "-m", "efdgen", *asked], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="module")
def base(site) -> Iterator[str]:
    """The address of the site, served with a strict policy."""
    with served(site, {"Content-Security-Policy": POLICY}) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator:
    with chromium() as made:
        yield made


@pytest.fixture(scope="module")
def opened(browser, base) -> Iterator:
    with watched(browser, base) as made:
        yield made


@pytest.fixture(scope="module")
def play(opened, base):
    """The page, whose worker all tests share; it shows the README's formula first."""
    page = opened()
    page.set_default_timeout(LONG)
    page.goto(f"{base}play/index.html")
    assert page.input_value("#text") == WRONG
    assert f"{page.input_value('#system')}/{page.input_value('#kind')}" == PLACE
    return page


def checked(page, text: str, seconds: int = 3600) -> tuple[str, str]:
    """Check a text within seconds; return the heading of the findings and their text."""
    page.fill("#seconds", str(seconds))
    page.fill("#text", text)
    page.click("#go")
    page.wait_for_selector("#verdict h2")
    return page.text_content("#verdict h2"), page.text_content("#verdict")


def require_no_worker(page) -> None:
    """Require that the worker ends; the browser takes a while to end one that is busy."""
    for _ in range(LONG // 1000):
        if not page.workers:
            return
        page.wait_for_timeout(1000)
    assert page.workers == []


def caret(page) -> list:
    return page.evaluate("[document.activeElement.id, document.getElementById('text').selectionStart]")


def test_the_readme_is_refuted_and_mended(play):
    heading, found = checked(play, WRONG)
    assert heading == "refuted"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (refutation,) = re.findall(r"^```\n(refutation\n.*?)```", readme, re.M | re.S)
    assert refutation in found
    play.click("#verdict button")
    play.wait_for_selector("#verdict h2:has-text('law')")
    assert play.text_content("#verdict h2").startswith("law proved for every p but 2, 3; exceptional")
    assert play.input_value("#text") == RIGHT
    assert "peers, of which it is number" in play.text_content("#verdict")
    assert "needs Sage: pip install" in play.text_content("#verdict")


def test_errors_are_where_the_caret_is(play):
    text = "compute A = X1^2\n/* 𝔸𝔸 */ X3 = Y1 +* 3\n"
    heading, found = checked(play, text)
    assert heading == "error"
    assert "efdgen: <stdin>:2:19: an expression is missing before '*'" in found
    assert play.text_content("#fault") == "Line 2, column 19: an expression is missing before '*'"
    assert play.get_attribute("#text", "aria-invalid") == "true"
    assert caret(play) == ["text", len(text[: text.index("* 3")].encode("utf-16-le")) // 2]
    checked(play, RIGHT)
    assert play.text_content("#fault") == ""
    assert play.get_attribute("#text", "aria-invalid") is None


def test_an_endless_text_is_stopped_and_the_page_stays_alive(play):
    heading, found = checked(play, ENDLESS, seconds=1)
    assert (heading, "after 1 seconds" in found) == ("Stopped", True)
    require_no_worker(play)
    play.fill("#seconds", "3600")
    play.fill("#text", ENDLESS)
    play.click("#go")
    play.wait_for_selector("#state:has-text('Proving')")
    assert play.is_disabled("#go")
    play.click("#stop")
    assert play.text_content("#verdict h2") == "Stopped"
    assert not play.is_visible("#stop")
    require_no_worker(play)
    assert checked(play, RIGHT)[0].startswith("law proved")


def test_examples_are_of_their_places(play):
    for number, example in enumerate(examples()[:4]):
        play.select_option("#example", str(number))
        assert play.input_value("#text") == example.text
        assert f"{play.input_value('#system')}/{play.input_value('#kind')}" == example.place
        law = play.locator("#meaning dd").first.locator("span:visible")
        assert law.count() == 1
        assert law.get_attribute("data-of") == example.place.rpartition("/")[2]
    play.select_option("#model", "g12o/shortw")
    assert play.input_value("#system") == "g12o/shortw/lopezdahab"
    play.select_option("#kind", "doubling")
    assert checked(play, examples()[3].text)[0].startswith("law proved for characteristic 2")


@pytest.mark.drawn(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(play, scheme):
    play.emulate_media(color_scheme=scheme)
    play.evaluate("delete document.documentElement.dataset.theme")
    for text in (WRONG, RIGHT, "compute X3 = ("):
        checked(play, text)
        assert violations(play) == []


def test_a_link_has_the_formula_and_its_text_is_text(play, opened, base):
    play.select_option("#example", "2")
    play.fill("#text", f"{WRONG}# é & + = #%")
    play.click("#link")
    other = opened()
    other.goto(play.url)
    assert other.input_value("#text") == f"{WRONG}# é & + = #%"
    assert other.input_value("#kind") == "zaddu"
    hostile = "<img src=x onerror=alert(1)>\n<script>alert(2)</script>"
    other.goto(f"{base}play/index.html#{urlencode({'place': PLACE, 'text': hostile})}")
    assert other.input_value("#text") == hostile
    for place in ("g1p/shortw/nowhere/doubling", "__proto__/x", "<b>"):
        other.goto("about:blank")
        other.goto(f"{base}play/index.html#{urlencode({'place': place, 'text': hostile})}")
        assert other.input_value("#text") == WRONG
    assert "&lt;img" not in checked(play, hostile)[1]
    assert "<img src=x" in play.text_content("#verdict")
    assert play.locator("main img, main script").count() == 0


def test_a_page_of_a_formula_leads_to_it(opened, base):
    page = opened()
    page.goto(f"{base}{PLACE}/dbl-2009-l.html")
    page.click("text=Change it in the playground")
    page.wait_for_selector("#numbers:has-text('2')")
    assert "compute E = 3*A" in page.input_value("#text")
    assert page.input_value("#system") == PLACE.rpartition("/")[0]
    page.goto(f"{base}play/index.html?formula=../../etc/passwd")
    assert page.input_value("#text") == WRONG


def test_a_phone_shows_it_whole(opened, base):
    page = opened(viewport={"width": 390, "height": 844})
    page.goto(f"{base}play/index.html")
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth + 1")


def test_without_scripts_the_page_names_the_command(opened, base):
    page = opened(java_script_enabled=False)
    page.goto(f"{base}play/index.html")
    assert "efdgen check FILE --as PLACE" in page.text_content("noscript")
    assert not page.is_visible("#go")


def test_from_a_file_it_names_the_command_that_serves(browser, site):
    page = browser.new_page()
    page.goto(f"file://{site}/play/index.html")
    assert "python3 -m http.server" in page.text_content("#served")
    assert page.is_visible("#served")
    assert page.is_disabled("#go")
    page.close()


def test_works_are_those_of_the_wheel():
    """The wheel has the licences of FLINT, GMP and MPFR, by their versions."""
    named = {f"{each['name'].lower()}-{each['version']}" for each in parts.pins()["works"]}
    with zipfile.ZipFile(BUILT / parts.wheel()) as wheel:
        licences = {re.search(r"\.libs/([^/]+)/COPYING", name) for name in wheel.namelist()} - {None}
    assert len(licences) > 3
    assert {found[1] for found in licences} <= named
