"""Pieces of `make bench-small`: estimates of cycles, checks of operations, tables, and the data of peers."""

import re
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[1] / "bench"
MODULES = (
    "agreement",
    "comparison",
    "counts",
    "cycles",
    "emitted",
    "images",
    "listings",
    "machines",
    "peers",
)


@pytest.fixture
def small(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    monkeypatch.syspath_prepend(BENCH / "small")
    yield
    for name in (*MODULES, "measure", "page", "subjects", "tables", "targets"):
        sys.modules.pop(name, None)


LISTING = """
image.elf:     file format elf32-littlearm

00010000 <sign>:
   10000:\tstmdb\tsp!, {r4, r5, r6, lr}
   10004:\tldr\tr0, [pc, #8]\t@ (10010 <sign+0x10>)
   10006:\tadds\tr0, r0, r1
   10008:\tldr.w\tr2, [r0]
   1000c:\tstr\tr2, [r1, #4]
   1000e:\tvldmia\tr0!, {s0-s3}
   10012:\tldrd\tr2, r3, [r1]
   10016:\tnop

00010018 <verify>:
   10018:\tbx\tlr
   1001a:\tldr\tr0, [sp, #4]
   1001c:\tldr.w\tr7, [sp], #4
   10020:\tadd\tr0, sp, #4
   10022:\tadd\tsp, #8
   10024:\tpop\t{r4, pc}
"""


def test_cycles_of_an_instruction_depend_on_its_kind_and_on_the_one_before(small):
    from cycles import costs

    expected = {0: 5, 4: 1, 6: 1, 8: 2, 0xC: 1, 0xE: 5, 0x12: 3, 0x16: 1, 0x18: 1}
    expected |= {0x1A: 2, 0x1C: 1, 0x20: 1, 0x22: 1, 0x24: 3}
    assert costs(LISTING) == {0x10000 + offset: cycles for offset, cycles in expected.items()}


def test_instructions_that_move_the_stack_pointer_are_found(small):
    from listings import moves_stack

    assert moves_stack(LISTING) == {0x10000, 0x1001C, 0x10022, 0x10024}


class Toy:
    """Operations modulo 251 in place of an image's, with one that may be wrong."""

    def __init__(self, wrong=""):
        self.wrong = wrong
        self.memory = {"secret": b"\x07", "key": b"\0", "common": b"\0", "signature": b"\0\0"}

    def read(self, name):
        return self.memory[name]

    def write(self, name, value):
        self.memory[name] = value

    def call(self, name):
        secret, key = self.memory["secret"][0], self.memory["key"][0]
        if name == "keygen":
            self.memory["key"] = bytes([pow(6, secret, 251)])
        elif name == "sign":
            self.memory["signature"] = bytes([secret ^ 0x5A, secret])
        elif name == "verify":
            signed, signer = self.memory["signature"]
            return int(self.wrong == "verify" or signed == signer ^ 0x5A)
        elif name == "exchange":
            self.memory["common"] = bytes([pow(key, secret + (self.wrong == "secret" and key), 251)])
        return int(name != self.wrong)


def test_operations_that_disagree_are_refused(small):
    from agreement import DisagreementError, results

    operations = ("keygen", "sign", "verify", "exchange")
    shared = pow(6, 7 * (7 ^ 0x11), 251)
    assert results(Toy(), operations) == {"shared": bytes([shared]).hex()}
    assert results(Toy(), operations[:3]) == {"signature": "5d07"}
    for wrong in (*operations, "secret"):
        with pytest.raises(DisagreementError, match=wrong):
            results(Toy(wrong), operations)


def test_results_of_implementations_are_compared_by_curve(small):
    from agreement import DisagreementError, compare

    same = [("P-256", "ours", {"shared": "01"}), ("X25519", "ours", {"shared": "02"})]
    compare([*same, ("P-256", "peer", {"shared": "01"})])
    with pytest.raises(DisagreementError, match="P-256: peer and ours have different results of shared"):
        compare([*same, ("P-256", "peer", {"shared": "02"})])


def row(who, optimize, count):
    from comparison import Row

    counts = dict.fromkeys(("sign", "verify", "exchange"), count)
    return Row(who, "cortex-m4", "P-256", optimize, "-Os", 15_000, 400, counts, {})


def test_the_table_has_a_column_for_each_peer_and_tells_how_far_a_goal_is_missed(small):
    import peers
    from comparison import EMPTY_PAGE, tables, updated
    from counts import Count

    ours, theirs = Count(1_760_000, 900, 1_900_400), Count(5_000_499, 800, 6_000_000)
    rows = [row("efdgen", "speed", ours), row("micro-ecc", "speed", theirs), row("p256-m", "size", theirs)]
    published = [
        peers.Published("asm", "cortex-m4", "a board", {"P-256: verify": 976_000, "P-256: flash": 8_900})
    ]
    goals = {"P-256: verify": 1_600_000, "P-256: flash": 16_000, "P-256, small: flash": 9_000}
    data = peers.Data({}, [], published, {"cortex-m4": goals})
    head, lines = tables(rows, data)["cortex-m4"]
    assert head[0] == "|  | efdgen | goal | micro-ecc | p256-m | published |"
    assert lines["P-256: verify"] == (
        "| P-256: verify | 1,760 (1,900) | 1,600, +10% | 5,000 (6,000) |  | 976 (asm) |"
    )
    assert lines["P-256: flash"] == "| P-256: flash | 15,400 | 16,000, met | 15,400 |  | 8,900 (asm) |"
    assert lines["P-256, small: flash"] == "| P-256, small: flash |  | 9,000 |  | 15,400 |  |"
    page = updated(EMPTY_PAGE, rows, data)
    assert "\n".join(["## Peers", "", "### Cortex-M4", "", *head, *lines.values()]) in page
    assert updated(page, rows, data) == page


def test_goals_and_published_figures_are_in_lines_of_the_table(small):
    import peers
    from comparison import lines
    from machines import MACHINES

    data, titles = peers.read(), {line.title for line in lines()}
    assert {*data.goals} <= {*MACHINES}
    assert {line for goals in data.goals.values() for line in goals} <= titles
    for each in data.published:
        assert each.machine in MACHINES
        assert {*each.lines} <= titles


def test_peers_are_of_pinned_crates_and_have_drivers_for_their_curves(small):
    import peers
    from emitted import CURVES, TABLES

    data = peers.read()
    assert all(re.fullmatch(r"=\d+\.\d+\.\d+", version) for version in data.crates.values())
    assert {peer.folder.partition("/")[0] for peer in data.peers} == {*data.crates}
    for peer in data.peers:
        assert peer.optimize in TABLES
        assert {*peer.drivers} <= {*CURVES}
        assert all((peers.DRIVERS / driver).is_file() for driver in peer.drivers.values())
    used = {driver for peer in data.peers for driver in peer.drivers.values()}
    assert used == {path.name for path in peers.DRIVERS.glob("*.c")}


def test_a_missing_cross_compiler_is_one_line(small, monkeypatch):
    import machines

    found = {"riscv64-unknown-elf-gcc": "/usr/bin/riscv64-unknown-elf-gcc"}
    monkeypatch.setattr(machines.shutil, "which", found.get)
    assert list(machines.missing(machines.MACHINES)) == [
        "arm-none-eabi-gcc is missing: cortex-m4, cortex-m0plus not counted; run make packages, as root"
    ]
    assert machines.available(machines.MACHINES) == ["rv32imc"]
