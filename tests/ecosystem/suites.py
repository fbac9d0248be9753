"""A published crate's own tests, on the emitted crate that takes its place.

A crate of the published one's name hands on what the emitted one offers, with the published test vectors, so
that integration tests run as they are; so do unit tests, the modules ``tests`` of source files, which name
some private items that edits replace.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecosystem.machines import HERE
from ecosystem.sources import run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ecosystem.machines import Machine

SUITES = tomllib.loads(Path(__file__).with_name("suites.toml").read_text())
_RESULT = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed", re.M)


@dataclass(frozen=True)
class Outcome:
    """The end of a suite: passed and failed tests, and the output of cargo."""

    passed: int
    failed: int
    succeeded: bool
    output: str


def crate_of(name: str) -> str:
    """Return the published crate of a suite."""
    crate: str = SUITES[name].get("crate", name)
    return crate


def with_arithmetic(names: Iterable[str]) -> list[str]:
    """Return suites, and those of the crates that their crates call, each once."""
    found: dict[str, None] = {}
    for name in names:
        over = SUITES[name].get("over")
        found |= dict.fromkeys([name, *([over] if over else [])])
    return [*found]


def prepare(
    folder: Path,
    name: str,
    source: Path,
    emitted: Path,
    machine: Machine = HERE,
    beneath: Mapping[str, Path] | None = None,
) -> None:
    """Write the crate that runs a published crate's tests on an emitted one, on a machine.

    ``beneath`` are emitted crates that the emitted one and the tests call, by their names.
    """
    suite = SUITES[name]
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "src").mkdir(parents=True)
    if (source / "tests").is_dir():
        shutil.copytree(source / "tests", folder / "tests")
    for path, edits in suite.get("tests", {}).items():
        place = folder / "tests" / path
        if "reason" in edits:
            place.unlink()
        else:
            place.write_text(edited(place.read_text(), edits))
    lines = ["#![no_std]", "#[cfg(test)]", "extern crate std;", "#[cfg(test)]", "extern crate alloc;"]
    lines += ["pub use emitted::*;"]
    if (source / "src" / "test_vectors").is_dir():
        shutil.copytree(source / "src" / "test_vectors", folder / "src" / "test_vectors")
        shutil.copy(source / "src" / "test_vectors.rs", folder / "src" / "test_vectors.rs")
        lines += ["pub mod test_vectors;"]
    for number, (path, unit) in enumerate(suite.get("units", {}).items()):
        text = _unit((source / "src" / path).read_text(), unit)
        (folder / "src" / f"unit{number}.rs").write_text(text)
        lines += ["#[cfg(test)]", f"mod unit{number};"]
    (folder / "src" / "lib.rs").write_text("\n".join(lines) + "\n")
    for root in (folder / "src" / "lib.rs", *(folder / "tests").glob("*.rs")):
        root.write_text(root.read_text() + machine.root)
    text = manifest(source, "emitted", {"path": str(emitted)}, suite, machine)
    lines = [f'{crate} = {{ path = "{path}" }}' for crate, path in (beneath or {}).items()]
    patch = ["[patch.crates-io]", *lines, ""] if lines else []
    (folder / "Cargo.toml").write_text("\n".join([text, *patch]))


def outcome(folder: Path, target: Path, *words: str, machine: Machine = HERE) -> Outcome:
    """Run the tests of a crate on a machine."""
    done = run(
        folder,
        "cargo",
        "test",
        "--quiet",
        *machine.words,
        *words,
        CARGO_TARGET_DIR=str(target),
        CARGO_PROFILE_DEV_DEBUG="false",
        CARGO_PROFILE_DEV_OPT_LEVEL="1",
        RUSTFLAGS=machine.flags,
        **machine.environment,
    )
    counts = [(int(passed), int(failed)) for passed, failed in _RESULT.findall(done.output)]
    passed, failed = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0)
    return Outcome(passed, failed, done.succeeded and passed > 0, done.output)


def _unit(text: str, unit: Mapping[str, Any]) -> str:
    """Return the module ``tests`` of a source file, with the imports and the edits that it needs."""
    found = re.search(r"^(?:pub\(crate\) )?mod tests? \{.*", text, re.M | re.S)
    if found is None:
        raise ValueError("there is no module of tests")
    return f"{unit.get('uses', '')}\n{edited(found[0], unit)}"


def edited(tests: str, edits: Mapping[str, Any]) -> str:
    """Return tests with some texts and some patterns replaced, and without some tests."""
    for old, new in edits.get("edits", ()):
        if old not in tests:
            raise ValueError(f"the tests do not say {old}")
        tests = tests.replace(old, new)
    for old, new in edits.get("patterns", ()):
        tests, count = re.subn(old, new, tests)
        if not count:
            raise ValueError(f"the tests have no text like {old}")
    for name in edits.get("without", ()):
        tests, count = re.subn(
            rf"^ *#\[test\]\n(?: *#\[[^\n]*\n)*? *fn {name}\(\) \{{.*?^    \}}\n",
            "",
            tests,
            flags=re.M | re.S,
        )
        if count != 1:
            raise ValueError(f"there is no test {name}")
    return tests


def manifest(
    source: Path, key: str, place: Mapping[str, object], suite: Mapping[str, Any], machine: Machine = HERE
) -> str:
    """Return a manifest with a published crate's dependencies, its features, and a crate of its name.

    The crate is called ``key`` there. The machine adds features of it, and changes dependencies.
    """
    published = tomllib.loads((source / "Cargo.toml").read_text())
    package = published["package"]
    every = [*published["features"], *suite.get("optional", ())]
    features = [f for f in every if f not in suite["without"] and f != "default"]
    handed_on = [f for f in features if f != "test-vectors"]
    needs = published.get("dependencies", {}) | published.get("dev-dependencies", {})
    lines = ["[package]", f"name = {_toml(package['name'])}", 'version = "0.0.0"']
    lines += [f"edition = {_toml(package['edition'])}", "", "[features]"]
    lines += [f"default = {_toml(features)}", *(f"{feature} = []" for feature in features)]
    crate = {"package": package["name"], **place, "features": [*handed_on, *machine.features]}
    lines += ["", "[dependencies]"]
    for name, value in ({key: crate} | machine.needs | needs).items():
        if name in machine.without:
            continue
        own = dict(value) if isinstance(value, dict) else {"version": value}
        own |= machine.changed.get(name, {})
        own.pop("optional", None)
        lines += [f"{name} = {{ {', '.join(f'{k} = {_toml(v)}' for k, v in own.items())} }}"]
    return "\n".join([*lines, "", "[workspace]", ""])


def _toml(value: object) -> str:
    """Return a value of TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    assert isinstance(value, list)
    return f"[{', '.join(_toml(each) for each in value)}]"
