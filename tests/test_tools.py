"""The tools of tests: each finds those that it asks for and no others, and missing ones are named at once."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tools

SUITE = """
from pathlib import Path
import pytest

def test_of_nothing():
    Path("ran").touch()

@pytest.mark.slow
def test_that_takes_long():
    Path("ran").touch()

def test_in_c(cc):
    Path("ran").touch()

@pytest.mark.usefixtures("compiler")
def test_with_two_compilers():
    Path("ran").touch()
"""


def found() -> set[str]:
    return {name for name, tool in tools.TOOLS.items() if any(map(shutil.which, tool.commands))}


def inner(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a suite of three tests where there are the tools that the calling test finds."""
    (folder / "test_suite.py").write_text(SUITE)
    command = [sys.executable, "-m", "pytest", "-p", "tools", "-p", "no:cacheprovider", "-q", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(Path(tools.__file__).parent)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_test_that_asks_for_no_tool_finds_none():
    assert found() == set()
    with pytest.raises(FileNotFoundError):
        subprocess.run([tools.CC, "--version"], check=False)


def test_a_test_finds_the_tool_that_it_asks_for_and_no_other(cargo):
    linker = {"cc", "hash_libraries", "mixnet_libraries", "openssl"}  # Rust links by a C compiler
    assert {"cargo"} <= found() <= {"cargo", "wasm", *linker}  # rustc is the command of two tools
    assert subprocess.run([cargo, "--version"], check=False, capture_output=True).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("processes", [(), ("-n", "2")])
def test_a_missing_tool_is_named_before_any_test_runs(processes, tmp_path):
    done = inner(tmp_path, *processes)
    assert done.returncode in (1, 2)
    assert f"There is no cc ({tools.CC}), which tests need: install a C compiler" in done.stdout
    assert "There is no clang (clang or clang-19), which tests need: make packages" in done.stdout
    assert not (tmp_path / "ran").exists()


def test_tests_without_tools_are_quick_unless_they_are_slow(tmp_path):
    done = inner(tmp_path, "-m", "quick", "--collect-only")
    assert done.returncode == 0
    assert [line for line in done.stdout.splitlines() if "::" in line] == ["test_suite.py::test_of_nothing"]
