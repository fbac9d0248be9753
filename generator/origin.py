"""The origin of generated files: the command that generates them, and the files of the user that it reads."""

from __future__ import annotations

import hashlib
import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from efdgen.generator.formulas.foundations import foundations
from efdgen.generator.formulas.layers import BUILT_IN
from efdgen.generator.reading import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from efdgen.generator.formulas.formula import Formula
    from efdgen.generator.formulas.layers import Layers

OWN = "Not built in"
_SHOWN = 16  # hexadecimal digits of a file's sha256


@dataclass(frozen=True)
class Origin:
    """A command line without paths of a machine, and what it reads beside built-in descriptions.

    ``own`` has the sha256 of files of the user, in hexadecimal, by their names in the database; ``tuning``
    are the lines about a tuning. Its text is the lines of a header, the command first.
    """

    words: tuple[str, ...]
    tuning: tuple[str, ...] = ()
    own: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        lines = [shlex.join(self.words), *self.tuning]
        if self.own:
            lines += [f"{OWN}, with the first 64 bits of the sha256 of each file:"]
            lines += [f"  {name} sha256:{digest[:_SHOWN]}" for name, digest in self.own.items()]
        return "\n".join(lines)

    def reading(self, shelf: Layers, formulas: Iterable[Formula], files: Iterable[Path]) -> Origin:
        """Return the origin of code that is made of some formulas, and of files such as a curve's."""
        names = {name for formula in formulas for name in (formula.id, *foundations(formula))}
        paths = {name: shelf.path(name) for name in sorted(names) if not shelf.is_built_in(name)}
        paths |= {_name_in(shelf, path): path for path in files if not path.is_relative_to(BUILT_IN)}
        roots = [root for root in shelf.roots if any(path.is_relative_to(root) for path in paths.values())]
        words = (word for root in roots for word in ("--database", root.absolute().name))
        own = {name: hashlib.sha256(read_bytes(path)).hexdigest() for name, path in paths.items()}
        return replace(self, words=(*self.words, *words), own=own)


def _name_in(shelf: Layers, path: Path) -> str:
    """Return the name of a file in the layers, or its last part if it is in none."""
    roots = [root for root in shelf.roots if path.is_relative_to(root)]
    return path.relative_to(roots[0]).as_posix() if roots else path.name
