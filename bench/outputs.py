"""Outputs of a benchmark besides its table: figures as JSON, and the tables of a page."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from json_lines import json_lines
from page import EMPTY_PAGE


def add_options(parser: argparse.ArgumentParser, rounds: int) -> None:
    """Add the options that all benchmarks share; ``rounds`` is the default of one of them."""
    parser.add_argument("--native", action="store_true", help="compile ours and peers for this processor")
    parser.add_argument("--rounds", type=int, default=rounds, help="take the median of this number of rounds")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="put the tables into a page")


def check(options: argparse.Namespace) -> None:
    """Exit if a file that is asked for cannot be written, before anything is measured."""
    for path in filter(None, (options.json, options.markdown)):
        if not path.parent.is_dir():
            raise SystemExit(f"cannot write {path}: {path.parent} is no directory")


def write(options: argparse.Namespace, figures: object, update: Callable[[str], str]) -> None:
    """Write the figures, and the page that ``update`` makes of the present one, where they are asked for."""
    if options.json:
        options.json.write_text(json_lines(figures) + "\n", encoding="utf-8")
    if options.markdown:
        page = options.markdown.read_text(encoding="utf-8") if options.markdown.exists() else EMPTY_PAGE
        options.markdown.write_text(update(page), encoding="utf-8")
