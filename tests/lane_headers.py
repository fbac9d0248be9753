"""Headers with lanes on a machine: a model of the instructions, this machine, or one without them."""

from typing import Literal

from lane_drivers import MODEL

from efdgen.generator.fields.claims import Claims

Machine = Literal["model", "native", "none"]
_TARGET = 'target("avx512f,avx512dq,avx512ifma"), '
# On the model's machine everything is there, and the compiler is not told of its instructions.
# The real header's vectors have no braces of an array.
_FLAGS: dict[Machine, list[str]] = {
    "model": ["-isystem", f"{MODEL}", "-Wno-missing-braces", "-D__builtin_cpu_supports(name)=1"],
    "native": ["-Wno-missing-braces"],
    "none": ["-D__builtin_cpu_supports(name)=0"],
}


class Kept(Claims):
    """What a printer announces."""

    def __init__(self):
        self.texts = []

    def announce(self, printed):
        self.texts.append(printed)


def write(folder, files, machine: Machine):
    """Write headers for a machine, and return the compiler's flags."""
    for name, text in files.items():
        (folder / name).write_text(text.replace(_TARGET, "") if machine == "model" else text)
    return _FLAGS[machine]
