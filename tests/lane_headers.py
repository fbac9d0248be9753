"""Headers with lanes on a machine, and what their printers announce."""

from lane_machines import Mode, flags, in_c

from efdgen.generator.fields.claims import Claims


class Kept(Claims):
    """What a printer announces."""

    def __init__(self):
        self.texts = []

    def announce(self, printed):
        self.texts.append(printed)


def write(folder, files, machine, mode: Mode):
    """Write headers of a machine, and return the compiler's flags."""
    for name, text in files.items():
        (folder / name).write_text(in_c(text, machine, mode) if "_lanes" in name else text)
    return flags(machine, mode)
