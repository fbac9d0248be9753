"""The stack that functions of emitted C headers take, as gcc computes it (``-fcallgraph-info=su``)."""

import re
import subprocess
from functools import cache
from pathlib import Path

from whole_curves import DATABASE

from efdgen.generator.compile import Request
from efdgen.generator.files import render_plan
from efdgen.generator.planning.request import plan_curve
from efdgen.verify.plan_proofs import SafePlans

_NODE = re.compile(r'node: \{ title: "([^"]+)" label: "([^"]*)"')
_EDGE = re.compile(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"')
_FRAME = re.compile(r"\\n(\d+) bytes \((static|dynamic|dynamic,bounded)\)")
_DEFINITION = re.compile(r"^static inline [\w ]+?[ *](whole_[a-z]\w*)\(", re.MULTILINE)


def stack_of(curve: str, gcc: str, folder: Path) -> dict[str, int]:
    """Return the bytes of stack of each function of a curve's headers by default, callees included.

    Functions that a caller passes, and functions of the C library, are not counted.
    """
    request = Request("c", curve, prefix="whole", set="protocols")
    files = render_plan(plan_curve(DATABASE, request, SafePlans()), request)
    names = [name for name in files if re.fullmatch(r"whole(_(?!n[_.]|hash_(?!to_curve))[a-z]\w*)?\.h", name)]
    functions = sorted({found for name in names for found in _DEFINITION.findall(files[name])})
    for name, text in files.items():
        (folder / name).write_text(text)
    includes = "".join(f'#include "{name}"\n' for name in sorted(names))
    taken = "".join(f"    (void (*)(void)){name},\n" for name in functions)
    (folder / "all.c").write_text(f"{includes}void (*const all[])(void) = {{\n{taken}}};\n")
    arguments = (
        "-std=c99",
        "-O2",
        "-m64",
        "-fno-ipa-icf",
        "-fcallgraph-info=su",
        "-c",
        "all.c",
        "-o",
        "all.o",
    )
    subprocess.run([gcc, *arguments], cwd=folder, check=True)
    (graph,) = folder.glob("*.ci")
    depths = _depths(graph.read_text())
    return {name.removeprefix("whole_"): depths[name] for name in functions}


def _depths(graph: str) -> dict[str, int]:
    """Return the stack of each function of a call graph, by names without files."""
    frames, callees = {}, {}
    for title, label in _NODE.findall(graph):
        found = _FRAME.search(label)
        assert found is None or found[2] != "dynamic", title
        frames[title] = int(found[1]) if found else 0
    for source, target in _EDGE.findall(graph):
        callees.setdefault(source, set()).add(target)

    @cache
    def depth(title: str) -> int:
        return frames[title] + max(map(depth, callees.get(title, ())), default=0)

    return {title.rpartition(":")[2]: depth(title) for title in frames}
