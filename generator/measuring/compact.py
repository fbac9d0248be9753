"""Figures of matplotlib as small SVG: styles are classes, and numbers have two digits after the point."""

from __future__ import annotations

import re
from io import StringIO
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.figure import Figure

    Element = ElementTree.Element

_SPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
_HREF = "{http://www.w3.org/1999/xlink}href"
_NUMBER = re.compile(r"-?\d+\.\d+")
_COLOUR = re.compile(r"(fill|stroke):(#[0-9a-f]{6})")
_KEPT = re.compile(r"(axes|matplotlib\.axis|legend|[xy]tick)_\d+")
"""Names of groups that are kept: a reader of the file can use them."""


def figure_svg(figure: Figure, title: str, dark: Mapping[str, str] | None = None) -> str:
    """Return a figure as SVG with an element of each panel on a line, the same text for the same figure.

    Colours are replaced on dark pages, in viewers that distinguish them. Text is text if matplotlib's setting
    ``svg.fonttype`` is ``none``.
    """
    text = StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
    return _Drawing(ElementTree.fromstring(text.getvalue())).text(dark or {})


class _Drawing:
    """A drawing, its names and styles in the order in which they appear, and the shapes that it repeats."""

    def __init__(self, root: Element) -> None:
        self._root = root
        self._names: dict[str, str] = {}
        self._classes: dict[str, str] = {}
        self._shapes: list[str] = []

    def text(self, dark: Mapping[str, str]) -> str:
        """Return the whole text."""
        title, *parts = [each for each in map(self._element, self._root) if each]
        size = "".join(f' {key}="{self._root.get(key)}"' for key in ("width", "height", "viewBox"))
        shapes = f"<defs>{''.join(self._shapes)}</defs>"
        return "\n".join((f"<svg {_SPACES}{size}>", title, self._style(dark), shapes, *parts, "</svg>\n"))

    def _style(self, dark: Mapping[str, str]) -> str:
        light = "".join(f".{name}{{{style}}}" for style, name in self._classes.items())
        replaced = {
            name: ";".join(f"{part}:{dark[old]}" for part, old in _COLOUR.findall(style) if old in dark)
            for style, name in self._classes.items()
        }
        rules = "".join(f".{name}{{{style}}}" for name, style in replaced.items() if style)
        media = f"\n@media (prefers-color-scheme:dark){{{rules}}}" if rules else ""
        return f"<style>*{{stroke-linejoin:round;stroke-linecap:butt}}{light}{media}</style>"

    def _element(self, element: Element) -> str:
        """Return an element; nothing if it shows nothing, and a group of one element as that element."""
        tag = element.tag.partition("}")[2]
        if tag in {"metadata", "style"} or (tag == "path" and element.get("style") == "fill: none"):
            return ""
        if tag == "g":
            _share_style(element)
        inside = [each for each in map(self._element, element) if each]
        if tag == "defs":
            self._shapes += inside
            return ""
        attributes, name = self._attributes(element), element.get("id", "")
        if tag == "g" and (name.startswith("figure") or not inside or (len(inside) == 1 and not attributes)):
            return "\n".join(inside)
        between = "\n" if name.startswith("axes") else ""
        content = between.join((escape(element.text or "").strip(), *inside, ""))
        return f"<{tag}{attributes}>{content}</{tag}>" if content else f"<{tag}{attributes}/>"

    def _attributes(self, element: Element) -> str:
        found = {}
        for key, value in element.items():
            match key:
                case "style":
                    style = re.sub(r"\s*([:;])\s*", r"\1", _short(value))
                    found["class"] = self._classes.setdefault(style, f"s{len(self._classes)}")
                case "id" if not element.tag.endswith("}g"):
                    found[key] = self._name(value)
                case "id" if not _KEPT.fullmatch(value):
                    pass
                case "transform" if value.startswith("rotate(-0 "):
                    pass
                case "d":
                    found[key] = re.sub(r"\s*([A-Za-z])\s*", r"\1", _short(value))
                case _ if key == _HREF:
                    found["xlink:href"] = f"#{self._name(value[1:])}"
                case "clip-path":
                    found[key] = f"url(#{self._name(value[5:-1])})"
                case _:
                    found[key] = _short(value)
        return "".join(f" {key}={quoteattr(value)}" for key, value in found.items())

    def _name(self, long: str) -> str:
        return self._names.setdefault(long, f"d{len(self._names)}")


def _share_style(group: Element) -> None:
    """Give a group the style of its elements, if they are uses of shapes in one style."""
    styles = {each.get("style") for each in group if each.tag.endswith("}use")}
    if len(group) > 1 and len(styles) == 1 and all(each.tag.endswith("}use") for each in group):
        group.set("style", styles.pop() or "")
        for each in group:
            del each.attrib["style"]


def _short(text: str) -> str:
    """Return a text whose numbers have at most two digits after the point."""
    return _NUMBER.sub(_rounded, " ".join(text.split()))


def _rounded(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), 2) + 0.0:.2f}".rstrip("0").rstrip(".")  # 0.0 + -0.0 is 0.0
