"""examples/mixnet: messages come out over every group; nodes that break the protocol are named."""

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import building
import mixnet
import pytest
from building import HERE
from tools import SANITIZERS

FLAGS = ("-std=gnu11", "-O1", *SANITIZERS, *building.WARNINGS, "-Wpedantic", "-Wmissing-prototypes")
P = 2**255 - 19
ORDER_TWO = (P - 1).to_bytes(32, "little")
"""y of the point (0, -1), whose order is 2."""


def run(program: Path, group: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run rounds; no test waits for nodes that wait for each other."""
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}  # nodes end with all their memory
    command = [str(program), group, "--limit", "20", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, env=environment)


@pytest.fixture(scope="module")
def folder(cc: str, mixnet_libraries: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the program and its objects, all with sanitizers."""
    assert mixnet_libraries
    found = tmp_path_factory.mktemp("mixnet")
    building.write_curve(found)
    building.compile_program(found, cc=cc, flags=FLAGS)
    return found


@pytest.fixture
def broken(folder: Path, cc: str, tmp_path: Path) -> Callable[..., Path]:
    """Return a function that builds the program with one edit of one source."""

    def build(source: str, right: str, wrong: str) -> Path:
        text = (HERE / source).read_text()
        assert text.count(right) == 1, right
        changed = tmp_path / source
        changed.write_text(text.replace(right, wrong))
        name = f"broken-{tmp_path.name}"
        return building.compile_program(folder, name, cc=cc, flags=FLAGS, changed={source: changed})

    return build


def groups() -> list[str]:
    return [group.name for group in (mixnet.CURVE, *mixnet.WITHOUT, *mixnet.RIVALS)]


@pytest.mark.parametrize("group", groups())
def test_messages_come_out_where_the_orders_say(folder: Path, group: str) -> None:
    done = run(folder / "mixnet", group, "--messages", "5", "--rounds", "2")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert (report["group"], report["messages"], len(report["rounds"])) == (group, 5, 2)
    assert report["payload"] == (255 if "gmp" in group or "ssl" in group or "integers" in group else 31)
    for found in report["rounds"]:
        assert found.pop("wrong") == 0
        assert set(found) == {*mixnet.PHASES, mixnet.MEMBERS}
        assert all(len(nodes) == 3 and min(nodes) > 0 for nodes in found.values())


@pytest.mark.parametrize(("nodes", "messages"), [(2, 1), (2, 64), (5, 100), (16, 2)])
def test_rounds_of_all_sizes(folder: Path, nodes: int, messages: int) -> None:
    done = run(folder / "mixnet", "curve", "--messages", str(messages), "--nodes", str(nodes))
    assert (done.returncode, done.stderr) == (0, "")
    (found,) = json.loads(done.stdout)["rounds"]
    assert found["wrong"] == 0
    assert len(found["prepre"]) == nodes


def test_the_list_is_what_the_tables_name(folder: Path) -> None:
    done = subprocess.run([folder / "mixnet", "--list"], capture_output=True, text=True, check=True)
    assert sorted(done.stdout.split()) == sorted(groups())


def second(statements: str) -> str:
    """Return statements of node 1 alone."""
    return f"if (s->number == 1) {{ {statements} }}"


SWAP = "size_t kept = s->order[0]; s->order[0] = s->order[1]; s->order[1] = kept;"
SENT = "    frame_result sent = send_frame("
SHORT = "count - (kind == REALMIX && s->number == 1), size);"


def at_sending(kind: str, statements: str, node: int = 1) -> tuple[str, str, str]:
    """Return an edit: what a node does to the bytes of an array before it sends them."""
    condition = f"if (s->number == {node} && kind == {kind})"
    return "node.c", SENT, f"    {condition} {{ uint8_t *bytes = s->wire; {statements} }}\n{SENT}"


def first_element(value: bytes) -> str:
    """Return statements that replace the first element of an array."""
    values = ", ".join(map(str, value))
    return f"static const uint8_t two[] = {{{values}}}; memcpy(bytes, two, sizeof two);"


SMALL = first_element(bytes(32) + ORDER_TWO)


WRONG = {
    "another order": (
        "node.c",
        "    s->group->scale(s->messages, s->read1, s->order, by, 1, s->n);",
        f"{second(SWAP)} s->group->scale(s->messages, s->read1, s->order, by, 1, s->n); {second(SWAP)}",
        2,
    ),
    "a message again": (*at_sending("REALMIX", "memcpy(bytes, bytes + s->group->wire, s->group->wire);"), 1),
    "another message": (
        "node.c",
        "    enter(s, IN_REALMIX);",
        f"    enter(s, IN_REALMIX); {second('s->order[0] = s->order[1];')}",
        # The order that is shown at the end is the wrong one, so that one message comes out garbled alone.
        1,
    ),
    "keys of another": (
        "node.c",
        "    const void *const by[2] = {s->keys, s->before};",
        "    const void *const by[2] = {s->keys, s->number == 1 ? s->after : s->before};",
        20,
    ),
}


@pytest.mark.parametrize("group", ["curve", "gmp-short-tables"])
@pytest.mark.parametrize("name", WRONG)
def test_a_node_that_mixes_wrongly_is_seen_in_the_output(
    name: str, group: str, broken: Callable[..., Path]
) -> None:
    *edit, wrong = WRONG[name]
    done = run(broken(*edit), group, "--messages", "20")
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads(done.stdout)["rounds"][0]["wrong"] == wrong


NAMED = {
    "a message dropped": (
        "node.c",
        "send_frame(s->links->links[to], kind, data, count, size);",
        f"send_frame(s->links->links[to], kind, data, {SHORT}",
        "realmix: node 1 sent another kind or number of elements",
    ),
    "off the curve": (
        *at_sending("REALMIX", "bytes[0] ^= 1;"),
        "realmix: node 1 sent what is not in the group",
    ),
    "off the curve in a ciphertext": (
        *at_sending("PREMIX", "bytes[(s->n + 1) * s->group->wire - 1] ^= 1;"),
        "premix: node 1 sent what is not in the group",
    ),
    "not below p": (
        *at_sending("REALPRE", "memset(bytes, 255, s->group->wire);"),
        "realpre: node 1 sent what is not in the group",
    ),
    "small order before a key": (
        *at_sending("PREMIX", SMALL),
        "prepost: a node sent an element of small order",
    ),
    "small order before another's key": (
        *at_sending("CIPHERTEXTS", SMALL, node=2),
        "prepost: node 2 sent an element of small order",
    ),
    "small order in a message": (
        *at_sending("REALMIX", SMALL),
        "realpost: a node sent an element of small order",
    ),
    "small order from a sender": (
        "round.c",
        "    if (send_frame(r->links.links[0], MESSAGES",
        f"    uint8_t *bytes = r->wire; {SMALL}\n    if (send_frame(r->links.links[0], MESSAGES",
        "realpre: a sender sent an element of small order",
    ),
    "an end": (
        "node.c",
        "    enter(s, IN_PREPOST);",
        f"    enter(s, IN_PREPOST); {second('_exit(0);')}",
        "(prepost|realpre|messages): node 1 ended",
    ),
    "rubbish": (
        *at_sending("REALPRE", "if (write(s->links->links[to], bytes, 640) != 640) exit(9);"),
        "realpre: node 1 sent another kind or number of elements",
    ),
    "an element of 2 GiB": (
        *at_sending("PREMIX", "send_frame(s->links->links[to], kind, bytes, 0, (size_t)1 << 31);"),
        "premix: node 1 sent another kind or number of elements",
    ),
    "silence": (
        "node.c",
        "    enter(s, IN_REALPRE);",
        f"    enter(s, IN_REALPRE); {second('pause();')}",
        "realpre: node 1 is too late",
    ),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_node_that_sends_what_it_should_not_is_named(name: str, broken: Callable[..., Path]) -> None:
    *edit, line = NAMED[name]
    done = run(broken(*edit), "curve", "--messages", "80", *(["--limit", "3"] if name == "silence" else []))
    assert done.returncode == 2
    assert re.fullmatch(f"mixnet: {line}\n", done.stderr), done.stderr


DIGITS = re.search(r'prime_digits\[\] =((?:\s*"[0-9A-F]+")+);', (HERE / "groups/integers.c").read_text())
PRIME = int("".join(re.findall("[0-9A-F]+", DIGITS[1])), 16)
INTEGERS = {
    "0": (bytes(256), "realmix: node 1 sent what is not in the group"),
    "p": (PRIME.to_bytes(256, "little"), "realmix: node 1 sent what is not in the group"),
    "p - 1, which is no square": (
        (PRIME - 1).to_bytes(256, "little"),
        "realpost: a node sent an element of small order",
    ),
}


@pytest.mark.parametrize("group", ["gmp", "openssl", "gcrypt-integers"])
@pytest.mark.parametrize("name", INTEGERS)
def test_integers_that_are_not_in_the_group(name: str, group: str, broken: Callable[..., Path]) -> None:
    value, line = INTEGERS[name]
    done = run(broken(*at_sending("REALMIX", first_element(value))), group, "--messages", "3")
    assert (done.returncode, done.stderr) == (2, f"mixnet: {line}\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "name a group; --list lists them"),
        (["none"], "name a group; --list lists them"),
        (["curve", "--nodes", "1"], "--nodes takes a number from 2 to 16"),
        (["curve", "--messages", "0"], "--messages takes a number from 1 to 100000"),
        (["curve", "--messages"], "--messages takes a number from 1 to 100000"),
        (["curve", "--limit", "1x"], "--limit takes a number from 1 to 100000"),
        (["curve", "--more", "1"], "no option --more"),
    ],
)
def test_what_cannot_be_asked_for(folder: Path, options: list[str], said: str) -> None:
    command = [str(folder / "mixnet"), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"mixnet: {said}\n")


def test_tables_compare_what_they_say() -> None:
    """The expected figures are worked out by hand, from a time for each group."""
    groups = (mixnet.CURVE, *mixnet.WITHOUT, *mixnet.RIVALS)
    times = {group.name: dict.fromkeys((*mixnet.PHASES, mixnet.MEMBERS), 2.0) for group in groups}
    times["gmp"] = dict.fromkeys((*mixnet.PHASES, mixnet.MEMBERS), 51.0)
    times["curve-no-comb"] = dict.fromkeys((*mixnet.PHASES, mixnet.MEMBERS), 5.0)
    rows = [row.split("|") for row in mixnet.table_lines(times) if row]
    cells = {row[1].strip(): row[2].strip() for row in rows}
    assert cells["2048 bits, GMP"] == "51.0"
    assert cells["**efdgen's curve than GMP**"] == "25.5"
    assert cells["**than GMP, 31 of 255**"] == "3.10"
    assert cells["**than GMP, 11 of 235**"] == "1.19"
    assert cells["no comb for the joint key"] == "2.50"
    assert cells["the same two here"] == "1.00"


def test_times_are_per_1000_messages_of_the_best_round() -> None:
    rounds = [{"prepre": [4.0, 6.0, 8.0], "realpost": [1.0, 1.0, 5.0], "members": [1.0, 2.0, 2.0]}]
    rounds.append({"prepre": [4.0, 5.0, 6.0], "realpost": [9.0, 9.0, 6.0], "members": [1.0, 2.0, 3.0]})
    report = {"messages": 500, "nodes": 3, "rounds": rounds}
    assert mixnet.milliseconds(report, "prepre") == 10.0
    assert mixnet.milliseconds(report, "realpost") == 10.0
    assert mixnet.milliseconds(report, "members") == 2.0


def test_the_readme_has_the_rows_that_are_printed() -> None:
    times = dict.fromkeys((*mixnet.PHASES, mixnet.MEMBERS), 1.0)
    groups = (mixnet.CURVE, *mixnet.WITHOUT, *mixnet.RIVALS)
    printed = mixnet.table_lines(dict.fromkeys((group.name for group in groups), times))
    text = (HERE / "README.md").read_text()
    shown = text[text.index("<!-- table -->") : text.index("<!-- end of the table -->")].splitlines()
    assert [row.split("|")[1] for row in shown if "|" in row] == [
        row.split("|")[1] for row in printed if "|" in row
    ]
