"""Emitted Python modules say what they define: `import *` brings that and no import of theirs."""

import types

import pytest
from whole_curves import protocol_modules

from efdgen.generator.render.python.exports import in_order, with_exports


def test_what_is_imported_or_private_is_not_exported():
    imports = "import os\nfrom typing import Any\n"
    text = f'"""Doc."""\n\n{imports}\nA = _B = 1\nc: Any = os\n\n\ndef f():\n    x = 1\n'
    assert with_exports(text) == text.replace(
        "Any\n\n", 'Any\n\n__all__ = [\n    "A",\n    "c",\n    "f",\n]\n\n', 1
    )


def test_names_are_sorted_as_linters_ask_for():
    assert in_order(["b", "A10", "A2", "Point", "P", "ORDER"]) == ["A2", "A10", "ORDER", "P", "Point", "b"]


@pytest.mark.slow
def test_modules_export_their_own_names():
    modules = protocol_modules("P-256")
    for name, module in modules.items():
        exported = {each: getattr(module, each) for each in module.__all__}
        assert exported, name
        assert not any(isinstance(value, types.ModuleType) for value in exported.values())
        assert not {"NamedTuple", "Callable", "Iterator"} & exported.keys()
    assert {"Point", "GENERATOR", "multiply", "jacobian_3_double"} <= {*modules["curve"].__all__}
