"""The index of texts: passages of documentation, words with their places, sizes and order of its files."""

import json
import re
from pathlib import Path

import pytest

from efdgen.reference.pages import documentation
from efdgen.reference.pages.fulltext import FOLDER, index_files
from efdgen.reference.pages.page import Pages
from efdgen.reference.pages.passages import Passage, passage
from efdgen.reference.pages.shelf import Shelf

ROOT = Path(__file__).resolve().parents[1]
LARGEST = 150_000
EMPTY = {
    name: [] for name in ("models", "systems", "kinds", "formulas", "unreadable", "sources", "maps", "curves")
}
TEXT = """<!-- a remark -->
Before the *first* heading.

# Title with `code`

Some [words](other.md), over
two lines. <!-- hidden --> <b>bold</b>

| a | b |
|---|---|
| 1 | `2` |

## Title with code

    indented --option

```c
int x = a < b;
```
"""


def passages_of(files: dict[str, bytes]) -> list[Passage]:
    pages = Pages(Shelf({**EMPTY, "efdgen": "1"}), "", {})
    documentation.add_documentation(pages, files)
    return pages.passages


@pytest.fixture(scope="module")
def passages() -> list[Passage]:
    return passages_of(documentation.read_documentation(ROOT))


def read(files: dict[str, bytes]) -> dict[str, list]:
    """Return the arguments of the one call of each script, by the script's name."""
    found = {}
    for path, content in files.items():
        match = re.fullmatch(r"window\.efdSearch\.(\w+)\((.*)\);\n", content.decode(), re.S)
        assert match
        assert path.startswith(f"{FOLDER}/{match[1]}")
        found[path.removeprefix(f"{FOLDER}/")] = json.loads(f"[{match[2]}]")
    return found


def test_sections_of_a_text_are_passages():
    assert passages_of({"docs/x.md": TEXT.encode()}) == [
        Passage("docs/x.html", "Title with code", "", "Title with code", "Before the first heading."),
        Passage(
            *("docs/x.html", "Title with code", "title-with-code", "Title with code"),
            "Some words, over two lines. <b>bold</b> a b 1 2",
        ),
        Passage(
            *("docs/x.html", "Title with code", "title-with-code-1", "Title with code"),
            "indented --option int x = a < b;",
        ),
    ]


def test_every_word_has_the_passages_that_contain_it(passages, rng):
    """Each is looked for in the texts themselves."""
    scripts = read(index_files(passages))
    places = {
        word: at for name, found in scripts.items() if name.startswith("words") for word, at in found[1]
    }
    assert len(places) > 3000
    for word in [*rng.sample(sorted(places), 60), "secp256k1_fe_negate", "formulas", "a"]:
        pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.I)
        there = [
            number
            for number, each in enumerate(passages)
            if pattern.search(each.text) or pattern.search(each.title) or pattern.search(each.page)
        ]
        assert places[word][::2] == there, word
    number = next(n for n, each in enumerate(passages) if each.title == "libsecp256k1, from nothing")
    at = places["secp256k1_fe_negate"]
    count = len(re.findall(r"\bsecp256k1_fe_negate\b", passages[number].text))
    assert dict(zip(at[::2], at[1::2], strict=True))[number] == count
    at = places["nothing"]  # a word of the title counts more than in the text
    assert dict(zip(at[::2], at[1::2], strict=True))[number] > passages[number].text.count("nothing") + 3


def test_files_are_in_order_and_of_a_moderate_size(passages):
    files = index_files(passages)
    scripts, head = read(files), read(files)["sections.js"][0]
    assert max(map(len, files.values())) < LARGEST
    assert len(files) == 1 + len(head["words"]) + len(head["texts"])
    words = [[word for word, _ in scripts[f"words-{n}.js"][1]] for n in range(len(head["words"]))]
    texts = [scripts[f"texts-{n}.js"][1] for n in range(len(head["texts"]))]
    assert [part[0] for part in words] == head["words"]
    assert [word for part in words for word in part] == sorted(word for part in words for word in part)
    assert [text for part in texts for text in part] == [each.text for each in passages]
    assert head["texts"] == [sum(map(len, texts[:n])) for n in range(len(texts))]
    for (page, fragment, title, length), each in zip(head["sections"], passages, strict=True):
        assert [*head["pages"][page], fragment, title] == [each.path, each.page, each.fragment, each.title]
        assert length >= len(re.findall(r"\w+", each.text))


def test_equal_passages_give_equal_files_and_none_give_an_index(passages):
    assert index_files(list(passages)) == index_files(passages)
    assert list(index_files([])) == [f"{FOLDER}/sections.js"]


def test_words_beyond_the_first_plane_are_in_the_order_of_scripts():
    """JavaScript compares units of 16 bits: U+1D538 comes before U+FB01 there, and after it in Python."""
    files = index_files([passage("x.html", "x", ["\U0001d538 \ufb01"])])
    words = [word for word, _ in read(files)["words-0.js"][1]]
    assert words == ["x", "\U0001d538", "\ufb01"]
