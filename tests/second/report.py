"""The result of the second reader on one file: what was read and compared, and what differs."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Report:
    """The result on a header, or on the modules of a crate.

    ``texts`` are the targets whose text differs from that of those before them, and ``combinations`` counts
    all of target and macros. ``proved`` are functions whose proof was found in some text, ``undecided`` those
    without one in some, and ``left_out`` those that were not even compared.
    """

    name: str
    texts: list[str] = field(default_factory=list)
    combinations: int = 0
    compared: set[str] = field(default_factory=set)
    proved: set[str] = field(default_factory=set)
    undecided: set[str] = field(default_factory=set)
    left_out: set[str] = field(default_factory=set)
    differences: list[str] = field(default_factory=list)
    seconds: float = 0

    def __str__(self) -> str:
        found = f"{len(self.differences)} differences" if self.differences else "no difference"
        text = (
            f"{self.name}: {self.combinations} combinations, {len(self.texts)} texts, "
            f"{len(self.compared)} functions compared"
        )
        if self.proved:
            text += f", {len(self.proved - self.undecided)} of them proved"
        text += f", {self.seconds:.1f} s: {found}"
        return f"{text}; not compared: {', '.join(sorted(self.left_out))}" if self.left_out else text
