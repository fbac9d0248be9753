"""Data flows as small SVG, drawn by Graphviz in few processes, in the colours of the page."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

from efdgen.generator import processes
from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.passes.pipeline import emitted
from efdgen.generator.progress import tick
from efdgen.generator.reports.graph import Flow

if TYPE_CHECKING:
    from collections.abc import Sequence

_GRAPHS = 64
"""Graphs that one process draws."""

_NUMBERS = re.compile(r"(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)")
_SETTINGS = """graph [nodesep=0.12,ranksep=0.28];
node [shape=box,fontname="monospace",fontsize=11,height=0.26,width=0.3,margin="0.07,0.03"];
edge [arrowsize=0.45];"""


def can_draw() -> bool:
    """Return whether Graphviz is installed; pages are without pictures otherwise."""
    return shutil.which("dot") is not None


def pictures(ids: Sequence[str]) -> dict[str, str]:
    """Return the data flow of the emitted program of each formula, as SVG."""
    database, found = Database(), dict[str, str]()
    for start in range(0, len(ids), _GRAPHS):
        some = ids[start : start + _GRAPHS]
        graphs = [_dot(Flow(name, emitted(database.formula(name)))) for name in some]
        done = processes.run(["dot", "-Tsvg"], text="".join(graphs))
        drawn = re.findall(r"<svg.*?</svg>", done.stdout, re.DOTALL)
        if done.returncode or len(drawn) != len(some):
            raise EfdgenError(f"Graphviz failed: {(done.stderr.splitlines() or ['it gave no reason'])[0]}")
        found |= {name: _slim(svg, name) for name, svg in zip(some, drawn, strict=True)}
        tick()
    return found


def _dot(flow: Flow) -> str:
    """Return a graph for Graphviz: inputs, products, other values and outputs have classes of their own."""
    lines = ["digraph g {", _SETTINGS]
    edges = [(source, target) for source, target in flow.edges()]
    used = {source for source, _ in edges} | {value for _, value in flow.program.outputs}
    for number, text, product in flow.values():
        if number in used:
            kind = "mul" if product else "sum" if " = " in text else "in"
            lines.append(f'v{number} [label="{text}",class="{kind}"];')
    lines += [f"v{source}->v{target};" for source, target in edges]
    for name, number in flow.program.outputs:
        lines += [f'"o{name}" [label="{name}",class="out",shape=ellipse];', f'v{number}->"o{name}";']
    return "\n".join([*lines, "}\n"])


def _slim(svg: str, name: str) -> str:
    """Return a picture without titles, ids, colours, ground and decimals, for a style sheet to colour."""
    box = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"', svg)
    shift = re.search(r"translate\(([-\d. ]+)\)", svg)
    if box is None or shift is None:
        raise EfdgenError("Graphviz wrote a picture that efdgen cannot read")
    width, height = (round(float(each)) for each in box.groups())
    body = re.sub(r"<!--.*?-->|<title>.*?</title>\n?", "", svg, flags=re.DOTALL)
    body = body[body.index("<g") : body.rindex("</g>")].partition(">")[2]
    body = re.sub(r'<polygon fill="white"[^>]*/>', "", body, count=1)
    body = re.sub(r' (?:id|fill|stroke|font-family|font-size|text-anchor)="[^"]*"', "", body)
    body = _NUMBERS.sub(lambda match: f"{round(float(match[1]), 1):g},{round(float(match[2]), 1):g}", body)
    body = body.replace('class="edge"', "").replace("node ", "").replace("\n", "").replace("<g >", "<g>")
    body = re.sub(r"<g>(<path[^>]*/>)(<polygon[^>]*/>)</g>", r"\1\2", body)
    head = f'<svg class="flow" role="img" aria-label="Data flow of {name}" viewBox="0 0 {width} {height}"'
    return f'{head} width="{width}" height="{height}"><g transform="translate({shift[1]})">{body}</g></svg>'
