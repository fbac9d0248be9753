"""Links of a site: addresses and fragments of its pages, read by Python's own parser."""

import os
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

ELSEWHERE = ("http:", "https:", "mailto:")


class Page(HTMLParser):
    """A page: its links, ids, elements and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.elements: list[tuple[str, dict]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list) -> None:
        self.elements.append((tag, dict(attributes)))
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            elif name in ("href", "src", "action") and value:
                self.links.append(value)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(self.texts)


def read_pages(site: Path) -> dict[Path, Page]:
    """Return all pages below a directory."""
    return {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}


def broken_links(pages: dict[Path, Page]) -> list[tuple[str, str]]:
    """Return links to files and fragments that do not exist, each with its page."""
    broken = []
    for path, page in pages.items():
        for link in page.links:
            if link.startswith(ELSEWHERE):
                continue
            address, fragment = urldefrag(link)
            file = unquote(address.partition("?")[0])
            target = Path(os.path.normpath(path.parent / file)) if file else path
            if not target.is_file() or (fragment and target in pages and fragment not in pages[target].ids):
                broken.append((str(path), link))
    return broken
