"""Builds the mixnet, runs it over every group, and prints the processor time of every phase.

python examples/mixnet/mixnet.py [--messages N] [--nodes N] [--plot FILE] [--json] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from building import compile_program, run, write_curve

PHASES = ("prepre", "premix", "prepost", "realpre", "realmix", "realpost")
MEMBERS = "members"
"""Tests of membership in the subgroup: by each node before its key is used, of what comes in and goes out."""

Times = dict[str, float]


@dataclass(frozen=True)
class Group:
    """A group by its name in the program, how a table names it, its part of the messages, and its rounds."""

    name: str
    title: str
    part: int = 1
    rounds: int = 1


CURVE = Group("curve", "**edwards25519, efdgen**", rounds=7)
WITHOUT = (
    Group("curve-inversion-each", "one inversion for each point", rounds=5),
    Group("curve-no-comb", "no comb for the joint key", rounds=5),
    Group("curve-points-by-lift", "random points by trial, times 8", rounds=5),
)
RIVALS = (
    Group("gcrypt-curve", "Ed25519, libgcrypt"),
    Group("gmp", "2048 bits, GMP"),
    Group("gmp-tables", "with tables for g and the joint key"),
    Group("gmp-short", "with exponents of 256 bits"),
    Group("gmp-short-tables", "with both"),
    Group("openssl", "2048 bits, OpenSSL"),
    Group("openssl-short", "with exponents of 256 bits"),
    Group("openssl-short-tables", "with these and tables"),
    Group("gcrypt-integers", "2048 bits, libgcrypt", part=5),
)
PAYLOADS = {"31 of 255": 31 / 255, "11 of 235": 11 / 235}
"""Bytes of payload of a point and of a number of 2048 bits, as the thesis has them last and first."""

# Times that the thesis's group over libgcrypt takes, divided by those of its curve, per message.
THESIS: Times = {"prepre": 5.23, "premix": 6.79, "prepost": 17.26, "realpre": 81.9}


def milliseconds(report: dict[str, Any], phase: str) -> float:
    """Return the least mean of a phase over nodes, in a round, per 1,000 messages.

    Of realpost it is the last node's alone; tests of membership are one for each node and two more.
    """
    rounds: list[list[float]] = [found[phase] for found in report["rounds"]]
    per_thousand: float = 1000 / report["messages"]
    if phase == "realpost":
        return min(nodes[-1] for nodes in rounds) * per_thousand
    count: int = report["nodes"] + (2 if phase == MEMBERS else 0)
    return min(map(sum, rounds)) / count * per_thousand


def measured(program: Path, group: Group, messages: int, nodes: int) -> Times:
    """Run rounds over a group and return the milliseconds of each phase per 1,000 messages."""
    number = max(1, messages // group.part)
    asked = ["--messages", str(number), "--nodes", str(nodes), "--rounds", str(group.rounds)]
    report = json.loads(run([str(program), group.name, *asked, "--limit", str(60 + number // 10)]))
    return {phase: milliseconds(report, phase) for phase in (*PHASES, MEMBERS)}


def figure(value: float) -> str:
    """Write a number with three digits, or all before the point."""
    digits = max(0, 3 - len(str(int(value))) if value >= 1 else 2)
    return f"{value:,.{digits}f}"


def line(title: str, values: Times, phases: tuple[str, ...] = PHASES) -> str:
    """Return a line of a table; a phase without a value is left empty."""
    return f"| {title} | {' | '.join(figure(values[p]) if p in values else '' for p in phases)} |"


def head(title: str, phases: tuple[str, ...] = PHASES) -> list[str]:
    """Return the first lines of a table."""
    return ["", f"| {title} | {' | '.join(phases)} |", f"|---|{'---:|' * len(phases)}"]


def ratios(slow: Times, fast: Times, factor: float = 1) -> Times:
    """Return how many times faster each phase is."""
    return {phase: slow[phase] / fast[phase] * factor for phase in PHASES}


def table_lines(found: dict[str, Times]) -> list[str]:
    """Return the lines of three tables: times, ratios, and what each part of the curve's way is worth."""
    curve, every = found[CURVE.name], (*PHASES, MEMBERS)
    lines = head("ms per 1,000 messages", every)[1:]
    lines += [line(group.title, found[group.name], every) for group in (CURVE, *RIVALS)]
    lines += head("times faster, per message")
    lines.append(line("the thesis: its curve than its group, both over libgcrypt", THESIS))
    lines.append(line("the same two here", ratios(found["gcrypt-integers"], found["gcrypt-curve"])))
    for name, title in (("gcrypt-curve", "than libgcrypt's curve"), ("gmp", "than GMP")):
        lines.append(line(f"**efdgen's curve {title}**", ratios(found[name], curve)))
    lines += head("efdgen's curve faster, per byte of payload")
    for payload, factor in PAYLOADS.items():
        lines.append(line(f"**than GMP, {payload}**", ratios(found["gmp"], curve, factor)))
    factor = PAYLOADS["31 of 255"]
    for group in RIVALS[2:]:
        library = group.name.partition("-")[0]
        names = {"gmp": "GMP", "openssl": "OpenSSL", "gcrypt": "libgcrypt's group"}
        way = f" {group.title}" if group.title.startswith("with") else ""
        lines.append(line(f"than {names[library]}{way}", ratios(found[group.name], curve, factor)))
    lines += head("times slower, with one thing taken away")
    return lines + [line(group.title, ratios(found[group.name], curve)) for group in WITHOUT]


def main() -> None:
    """Print the tables, or what they are made of; draw the plot if it is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--messages", type=int, default=1000, help="messages of a round (default: 1000)")
    parser.add_argument("--nodes", type=int, default=3, help="nodes (default: 3)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw time against messages as SVG")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--out", type=Path, default=Path("build/mixnet"), help="the folder to build in")
    arguments = parser.parse_args()
    write_curve(arguments.out)
    program = compile_program(arguments.out)
    groups = (CURVE, *WITHOUT, *RIVALS)
    found = {g.name: measured(program, g, arguments.messages, arguments.nodes) for g in groups}
    print(json.dumps(found, indent=2) if arguments.json else "\n".join(table_lines(found)))
    if arguments.plot:
        from drawing import draw

        draw(arguments.plot, program, arguments.nodes)


if __name__ == "__main__":
    main()
