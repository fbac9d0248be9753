"""Single edits of generated text, and tables of them with what a proof says that refuses each."""

from collections.abc import Callable
from pathlib import Path


def table(name: str) -> list[list[str]]:
    r"""Return the rows of ``name.tsv`` without its heads; ``\n`` is a new line."""
    _, *lines = Path(__file__).with_name(f"{name}.tsv").read_text().splitlines()
    return [line.replace(r"\n", "\n").split("\t") for line in lines]


def once(right: str, wrong: str) -> Callable[[str], str]:
    """Return an edit of what a text has once."""

    def edit(text: str) -> str:
        assert text.count(right) == 1
        return text.replace(right, wrong)

    return edit
