"""The table of options: what is made of it, and what is declared beside it."""

import inspect
from dataclasses import fields as fields_of
from importlib.resources import as_file, files
from typing import get_args

import pytest

import efdgen as api
from efdgen.commands.compile import compile_command
from efdgen.commands.making import command_line
from efdgen.generator.compile import Request
from efdgen.generator.hosts.compile import HostRequest
from efdgen.generator.interfaces import INTERFACES
from efdgen.generator.options import REQUIRED, TABLE, Api, Options, command_words

COMMAND = {each.name: each for each in compile_command.params}
# Options of the command that do not determine the texts of files.
ELSEWHERE = {"effort", "out", "as_json"}
# Fields whose values are not those of the options: one is required, and one has been read.
RESOLVED = {"language", "host", "formulas", "tuning"}


def test_the_command_has_the_options_of_the_table_in_its_order():
    assert [name for name in COMMAND if name not in ELSEWHERE] == [*TABLE]
    assert [name for name, each in COMMAND.items() if each.required] == ["curve"]
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


def test_requests_have_the_options_with_their_types_and_defaults():
    types = {row.field: Options.__annotations__[row.name] for row in TABLE.values()}
    defaults = {row.field: row.default for row in TABLE.values()}
    declared = [each for kind in (Request, HostRequest) for each in fields_of(kind)]
    assert {each.name for each in declared} == types.keys()
    for each in declared:
        if each.name not in RESOLVED:
            assert (each.type, each.default) == (types[each.name], defaults[each.name]), each.name


def test_a_request_is_repeated_by_its_command():
    """Every option is in the command of a request that has another value of it."""
    for kind in (Request, HostRequest):
        own = [row for row in TABLE.values() if row.field in {each.name for each in fields_of(kind)}]
        values = {row.field: (row.choices or ("x",))[-1] for row in own if row.name != "tuning"}
        words = command_words(kind(**values | {"formulas": ("x", "y")}))
        assert {*words[2::2]} == {row.flag for row in own if row.name != "tuning"}
        assert words.count("--formulas") == 2
        defaults = {row.field: row.default for row in own if row.name not in ("lang", "field_api", "curve")}
        first = "language" if kind is Request else "host"
        assert len(command_words(kind(**defaults | {first: "c", "curve": "x"}))) == 6


def test_a_command_has_no_path():
    own = command_words(Request("c", "/x/curve.toml", destination="/x/to.json"))
    assert own[4:] == ("--curve", "curve.toml", "--to", "to.json")
    assert command_words(HostRequest("/x/host.toml", "/x/curve.toml"))[2:4] == ("--field-api", "host.toml")


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
