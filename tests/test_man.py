"""Manual pages: every command has one, made from its help, and groff reads it without a warning."""

import os
import re
import shutil
import subprocess

import pytest
from test_cli_json import ALL

from efdgen.cli import cli

PAGES = ["", "cost", *ALL]


def shown(page: str) -> str:
    """Return a page as a terminal shows it; where there is no groff, with its macros taken away."""
    if groff := shutil.which("groff", path=os.defpath):
        command, environment = [groff, "-man", "-ww", "-Tutf8", "-P-c", "-rLL=200n"], {"PATH": os.defpath}
        plain = page.encode("ascii", "xmlcharrefreplace").decode()
        done = subprocess.run(
            command, input=plain, env=environment, capture_output=True, text=True, check=True
        )
        assert done.stderr == ""
        return re.sub(r".\x08", "", done.stdout)
    plain = re.sub(r"^\.(\w+) ?", "", page, flags=re.MULTILINE)
    return plain.replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\").replace("\\&", "")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_all_that_the_help_has(name, efdgen):
    words = name.split()
    page, helped = efdgen("man", *words), efdgen(*words, "--help")
    assert (page.code, page.err) == (0, "")
    found = " ".join(shown(page.out).replace("‐\n", "").split())
    assert f"efdgen {name}".strip() in found
    for option in re.findall(r"--[a-z][a-z-]+", helped.out):
        assert option in found
    *_, examples = helped.out.partition("Examples:\n")
    for example in re.findall(r"^    (efdgen .*)$", examples.partition("\nOptions")[0], re.MULTILINE):
        assert " ".join(example.split()) in found


def test_the_page_of_efdgen_has_the_commands_and_the_exit_statuses(efdgen):
    text = shown(efdgen("man").out)
    for name in cli.list_commands(None):
        assert f"efdgen {name}" in text
    assert re.search(r"^ +130 +interrupted$", text, re.MULTILINE)


def test_there_is_no_page_of_what_there_is_not(efdgen):
    assert efdgen("man", "nope").err == "efdgen: efdgen has no command 'nope'; see efdgen man --help\n"
    assert efdgen("man", "list", "nope").code == 2
