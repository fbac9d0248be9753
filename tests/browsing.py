"""Pages in Chromium: a server of files, a browser, pages that may not complain or ask elsewhere, and axe."""

import functools
import http.server
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
AXE = ROOT / "build/browser/node_modules/axe-core/axe.min.js"
LEFT = "net::ERR_ABORTED"
"""The failure of a request whose page was left before its icon came."""

RUN_AXE = """axe.run(document, {resultTypes: ['violations']})
    .then(found => found.violations.map(v => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 200)]))"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server that reports no requests, and adds headers to its answers."""

    def __init__(self, *arguments, headers: Mapping[str, str], **options) -> None:
        self.added = headers
        super().__init__(*arguments, **options)

    def log_message(self, *_):
        pass

    def end_headers(self):
        for name, value in self.added.items():
            self.send_header(name, value)
        super().end_headers()


@contextmanager
def served(folder: Path, headers: Mapping[str, str] | None = None) -> Iterator[str]:
    """Serve a directory; give its address."""
    handler = functools.partial(Quiet, directory=str(folder), headers=headers or {})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()


@contextmanager
def chromium() -> Iterator:
    """Start Debian's Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        made = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"], env={**os.environ, "PATH": os.defpath}
        )
        yield made
        made.close()


@contextmanager
def watched(browser, base: str) -> Iterator[Callable]:
    """Give a function that opens a page; complaints and requests to elsewhere fail the test at the end."""
    said: list[str] = []
    contexts = []

    def opened(**options):
        context = browser.new_context(**{"viewport": {"width": 1360, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on(
            "console",
            lambda message: said.append(message.text) if message.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on(
            "requestfailed", lambda request: request.failure == LEFT or said.append(f"failed: {request.url}")
        )
        page.on(
            "request", lambda request: request.url.startswith((base, "data:")) or said.append(request.url)
        )
        return page

    yield opened
    for context in contexts:
        context.close()
    assert said == []


def violations(page) -> list:
    """Return what axe finds on a page: rules, numbers of elements, and one element of each."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    return page.evaluate(RUN_AXE)
