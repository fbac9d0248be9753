"""Colours of tokens in listings, in light and in dark."""

from __future__ import annotations

import re

from pygments.formatters import HtmlFormatter

_LIGHT, _DARK = "xcode", "github-dark"
_RULE = re.compile(r"pre\.code \.(\w+) \{ ([^}]*?)\}")
_LEFT_OUT = {"w", "err", "hll"}


def token_colours() -> str:
    """Return rules for the tokens of listings, by the theme of the reader or of the system."""
    light, dark = _rules(_LIGHT, ""), _rules(_DARK, ":root:not([data-theme=light]) ")
    chosen = _rules(_DARK, ":root[data-theme=dark] ")
    return f"\n{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n{chosen}"


def _rules(style: str, prefix: str) -> str:
    css = HtmlFormatter(style=style).get_style_defs("pre.code")
    found = []
    for name, body in _RULE.findall(css):
        colours = re.sub(r"background-color: [^;]*;?", "", body).strip()
        if name not in _LEFT_OUT and "color" in colours:
            found.append(f"{prefix}pre.code .{name} {{ {colours} }}\n")
    return "".join(found)
