"""The table of options: what is made of it, and what is declared beside it."""

import inspect
from importlib.resources import as_file, files
from typing import get_args

import pytest

import efdgen as api
from efdgen.commands.compile import compile_command
from efdgen.commands.making import command_line
from efdgen.generator.compile import Request
from efdgen.generator.hosts.compile import HostRequest
from efdgen.generator.interfaces import INTERFACES
from efdgen.generator.options import REQUIRED, TABLE, Api

# Options of every command, which the program adds, have no argument.
COMMAND = {each.name: each for each in compile_command.params if each.expose_value}
# Options of the command that do not determine the texts of files.
ELSEWHERE = {"effort", "out", "as_json"}


def test_the_command_has_the_options_of_the_table_in_its_order():
    assert [name for name in COMMAND if name not in ELSEWHERE] == [*TABLE]
    assert [name for name, each in COMMAND.items() if each.required] == []
    for name, row in TABLE.items():
        given = COMMAND[name]
        assert given.opts == [f"--{name.replace('_', '-')}"]
        assert given.help
        assert tuple(getattr(given.type, "choices", ())) == row.choices


def test_arguments_of_the_api_are_the_options():
    arguments = inspect.signature(api.compile).parameters
    assert [*arguments] == [*TABLE]
    for name, row in TABLE.items():
        wanted = inspect.Parameter.empty if row.default is REQUIRED else row.default
        assert (arguments[name].kind, arguments[name].default) == (inspect.Parameter.KEYWORD_ONLY, wanted)


@pytest.mark.parametrize("name", [row.name for row in TABLE.values() if row.choices])
def test_arguments_of_the_api_are_refused_by_the_table(name):
    """Was: an unknown target, representation or method was not refused."""
    given = {"curve": "secp256k1", "lang": "c"} | {name: "none such"}
    with pytest.raises(api.EfdgenError, match=f"^{name} is .*, not 'none such'$"):
        api.compile(**given)


def test_a_request_is_repeated_by_its_command():
    """Every option is in the command of a request that has another value of it, and no other option."""
    for kind, of in ((Request, "own"), (HostRequest, "host")):
        values = {
            name: ("x", "y") if row.multiple else (row.choices or ("x",))[-1]
            for name, row in TABLE.items()
            if of in row.fields and not row.is_path and name != "group"
        }
        words = kind(**values).words
        assert {*words[2::2]} == {TABLE[name].flag for name in values}
        assert words.count("--formulas") == 2
        assert len(kind("x", "x").words) == 6


def test_a_command_has_no_path():
    own = Request("c", "/x/curve.toml", to="/x/to.json").words
    assert own[4:] == ("--curve", "curve.toml", "--to", "to.json")
    assert HostRequest("/x/host.toml", "/x/curve.toml").words[2:4] == ("--field-api", "host.toml")


def test_commands_have_the_order_that_they_had():
    """Or headers of files would change."""
    own = {"set": "curve", "second": "1,2", "odd_multiples": "co-z", "weights": "S=1", "prefix": "p"}
    words = Request("c", "x", layout="split", target="gcc", lowering="calls", **own).words
    first = "efdgen compile --lang c --curve x --prefix p --layout split --weights S=1 --lowering calls"
    assert " ".join(words) == f"{first} --target gcc --set curve --second 1,2 --odd-multiples co-z"


def test_a_project_has_the_options():
    for name, row in TABLE.items():
        value = (row.choices or ("x",))[-1]
        key = name.replace("_", "-")
        assert command_line("entry", "compile", {key: value}) == [row.flag, value]


def test_every_interface_is_a_choice():
    assert get_args(Api) == (*INTERFACES,)


def test_a_tuning_is_named_by_text_or_path():
    """Was: text ended in an AttributeError."""
    with as_file(files("efdgen.generator.tuning").joinpath("c.toml")) as path:
        for name in (path, str(path)):
            with pytest.raises(api.EfdgenError, match=r"^c\.toml was measured in c"):
                api.compile(curve="secp256k1", lang="rust", tuning=name)
