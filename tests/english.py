"""Lint of the project's English: private expressions and openings against budgets; the form of commit titles.

``tests/english.toml`` lists the expressions, the openings (words that no sentence begins with) and, for each
place, budgets of both in hits per 1,000 lines of prose. A count above its budget fails, and so does a budget
above that of any earlier commit. Code is not counted: only the text of pages outside code, and the docstrings
and comments of sources.

    python tests/english.py             check; exit status 1 with a list of faults
    python tests/english.py --worst 20  also list the files with the most hits
    python tests/english.py --lower     lower the budgets to the present counts
"""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
CONFIG = "tests/english.toml"
PLACES = {
    "docs": ("*.md", "docs/*.md", "efd/**/*.md"),
    "python": ("**/*.py", ":(exclude)out"),
    "templates": ("templates/**/*.j2",),
    "routines": ("generator/**/*.routine", "generator/**/*.lark"),
    "programs": (
        *(f"{each}/**/*.{ends}" for each in ("bench", "examples", "tests") for ends in ("[ch]*", "rs")),
        "templates/**/*.v",
    ),
    "settings": ("**/Makefile", "**/*.toml", ":(exclude)out", ":(exclude)templates"),
    "out": ("out/**/*.[chr]*", "out/**/*.toml", "out/**/*.py"),
}
# The tokens before a docstring.
STARTS = {getattr(tokenize, name) for name in ("ENCODING", "COMMENT", "NEWLINE", "NL", "INDENT", "DEDENT")}
COMMENTS = re.compile(
    r'/\*.*?\*/|\(\*\s.*?\*\)|\{#.*?#\}|"""(.*?)"""|(?://|(?<!\{)#(?![!\[{}]|\w+\s))[^\n]*', re.S
)
CODE = re.compile(r"^```.*?^```$|^(?: {4}|\t)[^\n]*$|`[^`\n]*`|<!--.*?-->", re.M | re.S)


def files(patterns: tuple[str, ...]) -> list[Path]:
    """Return the files that git has or would add, without those of examples' and benchmarks' builds."""
    globs = [pattern if pattern.startswith(":") else f":(glob){pattern}" for pattern in patterns]
    names = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *globs).split("\0")
    return sorted({ROOT / name for name in names if name and (ROOT / name).is_file()})


def prose(place: str, path: Path) -> Iterator[tuple[int, str]]:
    """Yield pieces of prose, each after the number of its first line; spaces begin a comment beside code."""
    text = path.read_text(encoding="utf-8")
    if place == "docs":
        yield 1, CODE.sub(lambda match: "\n" * match[0].count("\n") or "`", text)
    elif path.suffix == ".py":
        before, depth = tokenize.ENCODING, 0
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            depth += (token.string in "([{") - (token.string in ")]}") if token.type == tokenize.OP else 0
            if token.type == tokenize.COMMENT:
                yield token.start[0], ("  " if token.line[: token.start[1]].strip() else "") + token.string
            elif token.type == tokenize.STRING and before in STARTS and not depth:
                yield token.start[0], token.string
            before = token.type
    else:
        for match in COMMENTS.finditer(text):
            yield 1 + text.count("\n", 0, match.start()), match[0]


def private(config: dict[str, Any]) -> re.Pattern[str]:
    return re.compile("|".join(rf"\b(?:{word})(?!\w)" for word in config["words"]))


def hits(place: str, path: Path, config: dict[str, Any]) -> Iterator[tuple[str, int, str]]:
    """Yield private expressions and openings of a file, each after the name of its budget and its line."""
    first = "|".join(config["openings"]["words"])
    sentence = rf"(?:^|(?<=[.:] ))[^\w\n]*\b(?:{first})|\A  # (?i:{first})"
    openings = re.compile(rf"(?:{sentence})\b(?![^.|]*\?)", re.M)
    for budget, pattern in ((place, private(config)), (f"{place}-openings", openings)):
        for line, text in prose(place, path):
            for match in pattern.finditer(text):
                yield budget, line + text.count("\n", 0, match.start()), match[0].strip()


def counts(config: dict[str, Any]) -> tuple[dict[str, float], dict[Path, list[tuple[int, str]]]]:
    """Return hits per 1,000 lines of prose by budget, rounded up to a tenth, and the hits by file."""
    rates: dict[str, float] = {}
    found: dict[Path, list[tuple[int, str]]] = {}
    for place, patterns in PLACES.items():
        paths = files(patterns)
        texts = [text for path in paths for _, text in prose(place, path)]
        lines = sum(bool(re.search(r"\w", line)) for text in texts for line in text.splitlines())
        all_hits = [(path, *hit) for path in paths for hit in hits(place, path, config)]
        for budget in (place, f"{place}-openings"):
            rates[budget] = -(-sum(hit[1] == budget for hit in all_hits) * 10_000 // lines) / 10
        for path, _, line, text in all_hits:
            found.setdefault(path, []).append((line, text))
    return rates, found


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def faults(config: dict[str, Any], rates: dict[str, float]) -> Iterator[str]:
    """Yield exceeded budgets, raised budgets, and commit titles that break the rules."""
    for place, budget in config["budgets"].items():
        if rates[place] > budget:
            yield f"{place}: {rates[place]} hits per 1,000 lines exceed the budget of {budget}"
        for commit in git("log", "--format=%h", "--", CONFIG).split():
            earlier = tomllib.loads(git("show", f"{commit}:{CONFIG}"))["budgets"].get(place, budget)
            if budget > earlier:
                yield f"{place}: the budget was raised to {budget}; commit {commit} has {earlier}"
    for title in git("log", "--no-merges", "--format=%s", f"{config['titles']['since']}..HEAD").splitlines():
        yield from (f"commit title {title!r} {fault}" for fault in title_faults(title, config))


def title_faults(title: str, config: dict[str, Any]) -> Iterator[str]:
    """Yield the faults of a commit title: "Record equivalent mutants" has none."""
    first, longest = title.partition(" ")[0], config["titles"]["longest"]
    if len(title) > longest:
        yield f"has {len(title)} characters; at most {longest} are allowed"
    if not re.fullmatch(r"[A-Z][a-z-]+", first) or first in config["titles"]["openings"]:
        yield f"does not start with a plain imperative verb, but with {first!r}"
    elif re.search(r"(?:[^e]ed|[^r]ing|[^s]s)$", first):
        yield f"starts with {first!r}, which is not imperative"
    if title.endswith("."):
        yield "ends with a full stop"
    yield from (f"contains {word[0]!r}" for word in private(config).finditer(title))


def main() -> int:
    parser = argparse.ArgumentParser(description="Count private expressions; check commit titles.")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list the N files with most hits")
    parser.add_argument("--lower", action="store_true", help="write the present counts if they are lower")
    asked = parser.parse_args()
    text = (ROOT / CONFIG).read_text(encoding="utf-8")
    config = tomllib.loads(text)
    rates, found = counts(config)
    for path in sorted(found, key=lambda each: -len(found[each]))[: asked.worst]:
        print(f"{path.relative_to(ROOT)}: {len(found[path])}")
        print("".join(f"  {line}: {word}\n" for line, word in found[path]), end="")
    if asked.lower:
        for place, rate in rates.items():
            lower = min(rate, config["budgets"][place])
            text = re.sub(rf"^{place} = .*$", f"{place} = {lower}", text, flags=re.M)
        (ROOT / CONFIG).write_text(text, encoding="utf-8")
        config = tomllib.loads(text)
    wrong = list(faults(config, rates))
    print("hits per 1,000 lines of prose:", ", ".join(f"{place} {rate}" for place, rate in rates.items()))
    print("".join(f"{each}\n" for each in wrong), end="")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
