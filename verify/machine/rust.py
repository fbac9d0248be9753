"""Compilation of emitted crates into object files, for targets that rustup installs."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from efdgen.generator import processes
from efdgen.generator.errors import EfdgenError
from efdgen.verify.machine.check import Expected
from efdgen.verify.machine.objects import read_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from efdgen.verify.machine.objects import Binary

_FUNCTION = re.compile(
    r"^( *)(?:pub(?:\(\w+\))? )?(?:unsafe )?fn (\w+)\(([^{;]*?)\)(?: -> [^{;]*)? \{\n(.*?)^\1\}$", re.M | re.S
)
_OWNER = re.compile(r"^impl(?:<[^>]*>)? (?:[\w:<>]+ for )?&?(\w+)[^{]*\{\n(.*?)^\}", re.M | re.S)
_DECIDES = re.compile(r"\b(?:for|while|loop|if|match|array::from_fn|iter)\b|&&|\|\w*\||\?;")
_CRATE = re.compile(r'^name = "([\w-]+)"', re.M)
_LIMBS = re.compile(r"limbs(\d*)$")
_HASH = re.compile(r"h[0-9a-f]{16}")
_FLAGS = ("--emit=obj", "-C", "codegen-units=1", "-C", "link-dead-code", "-C", "panic=abort")


@dataclass(frozen=True)
class Crate:
    """A crate in a folder, and the object file of it for a target and a level of optimisation."""

    folder: Path
    name: str

    @staticmethod
    def of(files: Mapping[str, str], folder: Path) -> Crate:
        """Write a crate's files; raise :class:`EfdgenError` if they are not of a crate."""
        named = _CRATE.search(files.get("Cargo.toml", ""))
        if named is None:
            raise EfdgenError("no crate to compile; name a directory with a Cargo.toml")
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return Crate(folder, named[1].replace("-", "_"))

    def compile(self, target: str, level: str) -> tuple[Binary, Expected]:
        """Compile for a target; raise :class:`EfdgenError` with the compiler's first complaint."""
        output = self.folder / "target" / level
        command = ["cargo", "rustc", "--quiet", "--release", "--lib", "--target", target]
        environment = os.environ | {
            "CARGO_PROFILE_RELEASE_OPT_LEVEL": level,
            "CARGO_PROFILE_RELEASE_DEBUG": "0",
            "CARGO_TARGET_DIR": f"{output}",
        }
        done = processes.run([*command, "--", *_FLAGS], self.folder, environment)
        if done.returncode != 0:
            missing = "target may not be installed" in done.stderr
            line = next((each for each in done.stderr.splitlines() if "error" in each), done.stderr[:200])
            advice = f"rustup target add {target}" if missing else line.strip()[:200]
            raise EfdgenError(f"rustc does not compile for {target}: {advice}")
        (found,) = (output / target / "release" / "deps").glob(f"{self.name}-*.o")
        binary = read_object(found)
        return binary, self.expected(binary)

    def expected(self, binary: Binary) -> Expected:
        """Return the facts on functions from their text."""
        names = {symbol: path_of(symbol, self.name) for symbol in binary.functions}
        texts = dict(self._functions())
        known = {symbol: name for symbol, name in names.items() if name in texts}
        plain = self._straight(texts)
        roots = frozenset(
            symbol for symbol, name in known.items() if name in plain and _all_references(texts[name][0])
        )
        present = frozenset(known.values())
        variable = frozenset(name for name in texts if re.search(r"_var(_|$)", name))
        looped = dict.fromkeys(present - plain, "loops of Rust are not followed")
        others = frozenset(name for name in names.values() if name not in texts)
        return Expected(plain & present, present - plain, roots, variable | others, looped, names)

    def _straight(self, texts: Mapping[str, tuple[str, str]]) -> frozenset[str]:
        """Return the functions without loops: all on limbs, and those whose text has none."""
        limbs = {name for name in texts if _LIMBS.match(name.split("::")[0])}
        found = limbs | {name for name in texts if not _DECIDES.search(texts[name][1])}
        calls = {name: {*re.findall(r"\b(\w+)\(", texts[name][1])} for name in found - limbs}
        while bad := {
            name
            for name in found - limbs
            if calls[name] & {other.split("::")[-1] for other in texts.keys() - found}
        }:
            found -= bad
        return frozenset(found)

    def _functions(self) -> Iterator[tuple[str, tuple[str, str]]]:
        """Yield the path of each function, its parameters and its text."""
        for path in sorted((self.folder / "src").rglob("*.rs")):
            module = "" if path.name == "lib.rs" else f"{path.stem}::"
            text = path.read_text(encoding="utf-8")
            for owner in _OWNER.finditer(text):
                for found in _FUNCTION.finditer(owner[2]):
                    yield f"{module}{owner[1]}::{found[2]}", (found[3], found[4])
            for found in _FUNCTION.finditer(text):
                if not found[1]:
                    yield f"{module}{found[2]}", (found[3], found[4])


def _all_references(parameters: str) -> bool:
    """Return whether a function takes references to arrays and structures alone."""
    parts = [part.strip() for part in re.split(r",(?![^\[(]*[\])])", parameters) if part.strip()]
    return all(re.match(r"&(mut )?self$|&self$|\w+: (&mut |&)(?!\[u8\])", part) for part in parts)


def path_of(symbol: str, crate: str) -> str:
    """Return a function's path in its crate, from its mangled name; the symbol for one of another crate."""
    if not symbol.startswith(("_ZN", "__ZN")):
        return symbol
    parts, rest = [], symbol.partition("_ZN")[2]
    while found := re.match(r"\d+", rest):
        size = int(found[0])
        parts.append(rest[found.end() : found.end() + size])
        rest = rest[found.end() + size :]
    parts = [part for part in parts if not _HASH.fullmatch(part)]
    if parts[0].startswith("_$LT$"):
        owner = re.match(rf"_\$LT\$(?:\$RF\$)?{crate}\.\.([\w.]+)", parts[0])
        if owner is None:
            return symbol
        return "::".join([*owner[1].partition("$")[0].split(".."), *parts[1:]])
    return "::".join(parts[1:]) if parts[0] == crate and len(parts) > 1 else symbol
