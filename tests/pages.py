"""The pages of the documentation as a reader follows them: files to write, commands to run, what these print.

In a page's source

- a block that is indented and begins with a program's name holds commands, one a line, which a backslash at
  its end continues; after ``$ `` come a command and what it prints;
- a fenced block without a language is what the command before it prints, in one piece or with lines ``…``
  between; one that begins with ``$ `` holds the command as well;
- ``<!-- file: NAME -->`` above a fenced block says that the reader writes it to a file;
- ``<!-- exit status: N -->`` above commands is how each ends but the earlier ones, which end with 0;
- ``<!-- run by: WHAT -->`` above commands names what runs them in place of the page's test: a target of the
  Makefile that CI comes to, or a file of tests that reads the page;
- ``<!-- not run: REASON -->`` above commands says why nothing does. They are parsed all the same.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field

PROGRAMS = (
    *(
        "apt-get",
        "cargo",
        "cc",
        "cd",
        "cp",
        "diff",
        "echo",
        "efdgen",
        "eval",
        "git",
        "make",
        "mkdir",
        "mv",
        "pip",
    ),
    *("pre-commit", "printf", "python", "python3", "sed", "touch"),
)
_DIRECTIVE = re.compile(r"<!-- ([a-z ]+): (.*?) -->")
_BLOCK = re.compile(
    r"^(?P<mark><!--[^\n]*-->\n+)?"
    r"(?:```(?P<language>\w*)\n(?P<fenced>.*?)^```$|(?P<indented>(?:^    [^\n]*\n|^\n(?=\n*    ))+))",
    re.M | re.S,
)


@dataclass
class Command:
    """A command with what it has to print, and how it ends."""

    text: str
    status: int = 0
    printed: list[str] = field(default_factory=list)
    run_by: str = ""
    not_run: str = ""


@dataclass
class File:
    """A file that the reader writes."""

    name: str
    text: str


def blocks(page: str) -> list[Command | File]:
    """Return what a reader does, in order; raise ValueError for what says nothing of the above."""
    found: list[Command | File] = []
    for block in _BLOCK.finditer(page):
        key, value = _directive(block["mark"] or "")
        if block["indented"] is not None:
            found += _commands(textwrap.dedent(block["indented"]), key, value)
        elif block["fenced"].startswith("$ "):
            found += _commands(block["fenced"], key, value)
        elif key == "file":
            found.append(File(value, block["fenced"]))
        elif not block["language"] and (last := _last(found)):
            last.printed += re.split(r"^…\n", block["fenced"], flags=re.M)
        elif key:
            raise ValueError(f"{key}: {value} stands above no command")
    return found


def _directive(mark: str) -> tuple[str, str]:
    match = _DIRECTIVE.match(mark)
    return (match[1], match[2]) if match else ("", "")


def _last(found: list[Command | File]) -> Command | None:
    return next((each for each in reversed(found) if isinstance(each, Command)), None)


def _commands(text: str, key: str, value: str) -> list[Command]:
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    if lines[0].removeprefix("$ ").split()[0] not in PROGRAMS:
        if key:
            raise ValueError(f"{key}: {value} stands above no command")
        return []
    found: list[Command] = []
    shown = lines[0].startswith("$ ")
    whole = re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines()
    for line in whole:
        if shown and not line.startswith("$ "):
            found[-1].printed = [" ".join([*found[-1].printed, line])]
        elif line.removeprefix("$ ").split()[0] in PROGRAMS:
            found.append(Command(re.split(r"\s{3,}", line.removeprefix("$ "))[0]))
        else:
            raise ValueError(f"no command: {line}")
    for command in found:
        command.run_by, command.not_run = (value * (key == name) for name in ("run by", "not run"))
    if key == "exit status":
        found[-1].status = int(value)
    return found
