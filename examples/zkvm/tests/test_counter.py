"""The counter of examples/zkvm: the machine against qemu, costs against the guide, calls against integers."""

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from assembly import ECALLS, assemble, halt, mark
from running import Counter

BASE, SCRATCH = "s0", "s1"
REGISTERS = [f"x{number}" for number in range(1, 32) if number not in {8, 9}]
ONE_CYCLE = ("add", "sub", "sll", "slt", "sltu", "mul", "mulh", "mulhsu", "mulhu")
TWO_CYCLES = ("xor", "srl", "sra", "or", "and", "div", "divu", "rem", "remu")
TWO_OPERANDS = (*ONE_CYCLE, *TWO_CYCLES)
IMMEDIATES = ["addi", "slti", "sltiu", "xori", "ori", "andi"]
SHIFTS = ["slli", "srli", "srai"]
BRANCHES = ["beq", "bne", "blt", "bge", "bltu", "bgeu"]
WIDTHS = {"sw": 4, "sh": 2, "sb": 1, "lw": 4, "lh": 2, "lhu": 2, "lb": 1, "lbu": 1}
EDGES = (0, 1, 2, 31, 32, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 2, 2**32 - 1)
SCRATCH_BYTES = 64
DUMPS, INSTRUCTIONS = 60, 40

# Cycles by the Guest Optimization Guide: "most operations" 1; "bitwise operations", right shifts, division 2.
CYCLES = {
    **dict.fromkeys(("lui", "auipc", "jal", "jalr", "fence", *BRANCHES, *WIDTHS), 1),
    **dict.fromkeys((*ONE_CYCLE, "addi", "slti", "sltiu", "slli"), 1),
    **dict.fromkeys((*TWO_CYCLES, "xori", "ori", "andi", "srli", "srai"), 2),
}
PAGE, CALL = 1130, 10

P25519, SECP256K1 = 2**255 - 19, 2**256 - 2**32 - 977
ALL_ONES = 2**256 - 1


@pytest.fixture
def program(riscv_gcc: str, tmp_path: Path) -> Callable[..., Path]:
    return lambda lines, *options: assemble(riscv_gcc, tmp_path, lines, *options)


def failure(counter: Counter, program: Path, *options: str) -> str:
    """Return the line that the counter fails with."""
    done = counter.run(program, *options)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    return done.stderr.strip()


def random_block(rng: random.Random, depth: int = 0) -> list[str]:
    """Return a few instructions that leave the two base registers alone."""
    a, b, c = (rng.choice(REGISTERS) for _ in range(3))
    kinds = {"two": 40, "immediate": 12, "shift": 8, "edge": 12, "memory": 16, "branch": 6, "loop": 2}
    kind = rng.choices([*kinds, "jump"], [*kinds.values(), 4])[0]
    match kind:
        case "two":
            return [f"{rng.choice(TWO_OPERANDS)} {rng.choice(('x0', a, a, a, a))}, {b}, {c}"]
        case "immediate":
            return [f"{rng.choice(IMMEDIATES)} {a}, {b}, {rng.randint(-2048, 2047)}"]
        case "shift":
            return [f"{rng.choice(SHIFTS)} {a}, {b}, {rng.randrange(32)}"]
        case "edge":
            value = rng.choice((rng.choice(EDGES), rng.getrandbits(32)))
            return [f"li {a}, {value}"]
        case "memory":
            name = rng.choice([*WIDTHS])
            return [f"{name} {a}, {WIDTHS[name] * rng.randrange(SCRATCH_BYTES // WIDTHS[name])}({SCRATCH})"]
        case "branch" if depth < 2:
            inside = [line for _ in range(rng.randrange(4)) for line in random_block(rng, depth + 1)]
            label = f".L{rng.getrandbits(64):x}"
            return [f"{rng.choice(BRANCHES)} {a}, {b}, {label}", *inside, f"{label}:"]
        case "loop" if b != a:
            body = ["1:", f"add {b}, {b}, {c}", f"addi {a}, {a}, -1", f"bnez {a}, 1b"]
            return [f"li {a}, {rng.randint(1, 9)}", *body]
        case "jump":
            gap = f".space {4 * rng.choice((1, 200, 3000))}"
            back = ["j 2f", "1: j 3f", gap, f"2: jal {a}, 1b", "3:"]
            forth = [f"auipc {b}, 0", f"jalr {a}, 12({b})", ".word 0"]
            return rng.choice((back, forth, [f"auipc {a}, {rng.getrandbits(20)}"]))
    return ["fence"]


def random_program(rng: random.Random) -> list[str]:
    """Return a program that prints its memory, where it has stored all registers now and then."""
    lines = ["_start:", f"la {BASE}, dumps", f"la {SCRATCH}, scratch"]
    for register in REGISTERS:
        lines.append(f"li {register}, {rng.choice((rng.choice(EDGES), rng.getrandbits(32)))}")
    for _ in range(DUMPS):
        lines += [line for _ in range(INSTRUCTIONS) for line in random_block(rng)]
        lines += [f"sw x{number}, {4 * number}({BASE})" for number in range(32)]
        lines += [f"addi {BASE}, {BASE}, 128"]
    lines += ["li a0, 1", "la a1, scratch", f"li a2, {SCRATCH_BYTES + 128 * DUMPS}", "li a7, 64", "ecall"]
    lines += ["mv a0, x1", "li a7, 93", "ecall"]
    return [*lines, ".data", ".balign 16", f"scratch: .space {SCRATCH_BYTES}", f"dumps: .space {128 * DUMPS}"]


@pytest.mark.parametrize("number", range(4))
def test_random_programs_equal_qemu(
    counter: Counter, program: Callable[..., Path], qemu_riscv32: str, rng: random.Random, number: int
) -> None:
    elf = program(random_program(rng))
    expected, found = (
        subprocess.run([*command, str(elf)], capture_output=True, check=False, timeout=60)
        for command in ([qemu_riscv32], [str(counter.path), "--linux"])
    )
    assert len(expected.stdout) == SCRATCH_BYTES + 128 * DUMPS, (number, expected)
    assert (found.returncode, found.stdout) == (expected.returncode, expected.stdout), found.stderr


def one_of(name: str) -> str:
    """Return a harmless instruction with a name of the table."""
    if name in TWO_OPERANDS:
        return f"{name} a1, a2, a3"
    if name in IMMEDIATES or name in SHIFTS:
        return f"{name} a1, a2, 3"
    if name in WIDTHS:
        return f"{name} a1, 0(sp)"
    if name in BRANCHES:
        return f"{name} a1, a2, .+4"
    return {"lui": "lui a1, 5", "auipc": "auipc a1, 5", "jal": "jal a1, .+4", "fence": "fence"}[name]


def ten_of(name: str) -> list[str]:
    """Return ten instructions with a name; for jalr, twelve cycles of others besides."""
    if name == "jalr":
        return ["la a4, 1f", *("jalr a1, 0(a4)", "1: addi a4, a4, 8") * 10]
    return [one_of(name)] * 10


def test_costs_by_class_of_instruction(counter: Counter, program: Callable[..., Path]) -> None:
    lines = ["_start:", *mark(0)]
    for number, name in enumerate(CYCLES, 1):
        lines += [*ten_of(name), *mark(number)]
    rows = counter(program([*lines, *halt()]))["marks"]
    found = {name: rows[number]["cycles"] - 2 for number, name in enumerate(CYCLES, 1)}
    found["jalr"] -= 12  # la is two instructions, addi one
    assert found == {name: 10 * cycles for name, cycles in CYCLES.items()}
    assert {row["mark"] for row in rows} == {*range(len(CYCLES) + 1)}


@pytest.mark.parametrize(
    ("taken", "not_taken"), [("beq a1, a1", "bne a1, a1"), ("bgeu a1, x0", "bltu a1, x0")]
)
def test_branches_cost_the_same_either_way(
    counter: Counter, program: Callable[..., Path], taken: str, not_taken: str
) -> None:
    lines = [*mark(0), f"{taken}, 1f", ".word 0", "1:", *mark(1), f"{not_taken}, 1f", "1:", *mark(2), *halt()]
    first, second, third = counter(program(["_start:", *lines]))["marks"]
    assert second["instructions"] == third["instructions"] == second["cycles"] == third["cycles"] == 3
    assert first["page_ins"] == 1


PAGED = """
_start:
    la a1, data
    {mark0}
    lw a2, 0(a1)
    lb a2, 1023(a1)
    {mark1}
    lw a2, 1024(a1)
    sw a2, 1024(a1)
    sw a2, 1028(a1)
    {mark2}
    sw a2, 2044(a1)
    sb a2, 0(a1)
    addi a1, a1, 1024
    sb a2, 1024(a1)
    lw a2, 1024(a1)
    {mark3}
    sw a2, -4(sp)
    {mark4}
    j other
    .balign 1024
other:
    {mark5}
    {halt}
    .data
    .balign 1024
data: .space 4096
"""


def test_pages_in_and_out(counter: Counter, program: Callable[..., Path]) -> None:
    marks = {f"mark{number}": "; ".join(mark(number)) for number in range(6)}
    found = counter(program([PAGED.format(**marks, halt="; ".join(halt()))], "-Wl,-Ttext=0x10000"))
    pages = [(row["page_ins"], row["page_outs"]) for row in found["marks"]]
    # Code; a page read; one read and written; the first written, the third at once; the stack; code again.
    assert pages == [(1, 0), (1, 0), (1, 1), (1, 2), (1, 1), (1, 0)]
    assert (found["page_ins"], found["page_outs"]) == (6, 4)
    assert found["total"] == found["cycles"] + 10 * PAGE
    for row in found["marks"]:
        assert row["total"] == row["cycles"] + PAGE * (row["page_ins"] + row["page_outs"])


def products(cases: int) -> list[str]:
    """Return a program that multiplies triples of numbers at ``triples`` and writes ``results``."""
    return [
        *("_start:", "la a2, triples", "la a0, results", f"li s0, {cases}"),
        f"li t0, {ECALLS['modular_product']}",
        *("1:", "addi a3, a2, 32", "addi a4, a2, 64", "ecall", "addi a0, a0, 32", "addi a2, a2, 96"),
        *("addi s0, s0, -1", "bnez s0, 1b", *halt(7), ".bss", ".balign 4"),
        *(".globl triples, results", ".type triples, @object", f".size triples, {96 * cases}"),
        *(f"triples: .space {96 * cases}", ".type results, @object", f".size results, {32 * cases}"),
        f"results: .space {32 * cases}",
    ]


def multiply(
    counter: Counter, elf: Path, triples: list[tuple[int, int, int]], *options: str
) -> tuple[list[int], int]:
    """Return the results of calls, and how many of their quotients have more than 256 bits."""
    data = elf.with_suffix(".in")
    data.write_bytes(b"".join(number.to_bytes(32, "little") for triple in triples for number in triple))
    found = counter(elf, "--input", f"triples=@{data}", "--output", f"results:{32 * len(triples)}", *options)
    assert found["status"] == 7
    assert found["calls"] == len(triples)
    per_case = 6  # instructions besides the call
    assert found["instructions"] == found["cycles"] + len(triples)
    pages = found["page_ins"] + found["page_outs"]
    assert found["total"] == found["cycles"] + CALL * len(triples) + PAGE * pages
    assert found["cycles"] - per_case * len(triples) < 20
    raw = bytes.fromhex(found["outputs"]["results"])
    results = [int.from_bytes(raw[i : i + 32], "little") for i in range(0, len(raw), 32)]
    return results, found["wide_quotients"]


def edge_triples(rng: random.Random) -> list[tuple[int, int, int]]:
    moduli = [1, 2, 3, 2**32 - 1, 2**32, 2**128 + 1, 2**255, P25519, SECP256K1, ALL_ONES]
    moduli += [rng.getrandbits(256), *(rng.getrandbits(rng.randint(1, 256)) | 1 for _ in range(20))]
    found = []
    for n in moduli:
        factors = [0, 1, n - 1, n, n + 1, 2 * n + 5, ALL_ONES, *(rng.getrandbits(256) for _ in range(3))]
        factors = [factor & ALL_ONES for factor in factors]
        found += [(x, y, n) for x in factors for y in rng.sample(factors, 3)]
    return found


def test_modular_products_equal_integers(
    counter: Counter, program: Callable[..., Path], rng: random.Random
) -> None:
    triples = edge_triples(rng)
    found, wide = multiply(counter, program(products(len(triples))), triples)
    assert found == [x * y % n for x, y, n in triples]
    assert wide == sum(x * y // n >= 2**256 for x, y, n in triples) > 0


def test_modulus_0_leaves_the_product(counter: Counter, program: Callable[..., Path]) -> None:
    fits, does_not = (2**128 - 1, 2**128 - 1, 0), (2**128, 2**128, 0)
    assert multiply(counter, program(products(1)), [fits], "--strict") == ([(2**128 - 1) ** 2], 0)
    assert multiply(counter, program(products(1)), [does_not]) == ([0], 1)


def test_strict_refuses_a_wide_quotient(counter: Counter, program: Callable[..., Path]) -> None:
    elf = program(products(1))
    least_wide = (2**255, 2**255, 2**254)
    assert multiply(counter, elf, [least_wide])[1] == 1
    error = failure(counter, elf, "--strict", "--input", f"triples=@{elf.with_suffix('.in')}")
    assert "quotient of more than 256 bits" in error
    assert multiply(counter, elf, [(2**255, 2**255 - 1, 2**254)], "--strict")[1] == 0


def largest(value: int, n: int) -> int:
    return value + (ALL_ONES - value) // n * n


def test_largest_answers(counter: Counter, program: Callable[..., Path], rng: random.Random) -> None:
    triples = edge_triples(rng)
    found, _ = multiply(counter, program(products(len(triples))), triples, "--answers", "largest")
    assert found == [largest(x * y % n, n) for x, y, n in triples]


def test_random_answers_are_congruent(
    counter: Counter, program: Callable[..., Path], rng: random.Random
) -> None:
    triples = edge_triples(rng)
    triples += [(rng.getrandbits(255), rng.getrandbits(255), P25519) for _ in range(200)]
    elf, seed = program(products(len(triples))), str(rng.getrandbits(64))
    found, _ = multiply(counter, elf, triples, "--answers", "random", "--seed", seed)
    assert all((r - x * y) % n == 0 for r, (x, y, n) in zip(found, triples, strict=True))
    reduced = sum(r < P25519 for r in found[-200:])
    assert 50 < reduced < 150
    assert len({*found[30:60]}) > 25  # modulo 2, whole words are drawn
    again = multiply(counter, elf, triples, "--answers", "random", "--seed", seed)[0]
    other = multiply(counter, elf, triples, "--answers", "random", "--seed", str(int(seed) ^ 1))[0]
    assert found == again != other


@pytest.mark.parametrize(("calls", "changed"), [("3", {2}), ("2-4", {1, 2, 3}), ("6-99", {5})])
def test_some_calls_alone_are_dishonest(
    counter: Counter, program: Callable[..., Path], calls: str, changed: set[int]
) -> None:
    triples = [(x + 100, 5, P25519) for x in range(6)]
    found, _ = multiply(counter, program(products(6)), triples, "--answers", "largest", "--calls", calls)
    assert found == [5 * x + 500 + P25519 * (x in changed) for x in range(6)]


def test_functions_and_their_cycles(counter: Counter, program: Callable[..., Path]) -> None:
    lines = ["_start:", "li s0, 10", "1: jal f", "addi s0, s0, -1", "bnez s0, 1b", *halt()]
    lines += [".type f, @function", "f: xor a0, a0, a0", "xor a0, a0, a0", "ret", ".size f, .-f"]
    found = counter(program(lines))
    rows = [[each[key] for key in ("name", "instructions", "cycles", "bytes")] for each in found["functions"]]
    assert rows == [["f", 30, 50, 12], ["(other)", 34, 34, 0]]
    assert sum(each["total"] for each in found["functions"]) == found["cycles"] == 84


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("lw a0, 2(sp)", "misaligned address"),
        ("lh a0, 1(sp)", "misaligned address"),
        ("sw a0, 1(sp)", "misaligned address"),
        ("sh a0, 3(sp)", "misaligned address"),
        ("la a0, _start; jr 2(a0)", "misaligned address"),
        ("lw a0, 0(x0)", "address out of range: 0x00000000"),
        ("sb a0, 1023(x0)", "address out of range: 0x000003ff"),
        ("lw a0, -4(x0)", "address out of range: 0xfffffffc"),
        ("li a1, 0x0c000000; sw a0, 0(a1)", "address out of range: 0x0c000000"),
        ("jr x0", "address out of range: 0x00000000"),
        (".word 0", "unknown instruction 0x00000000"),
        (".word 0xffffffff", "unknown instruction"),
        (".word 0x00010001", "unknown instruction 0x00010001"),  # compressed
        ("ebreak", "unknown instruction 0x00100073"),
        (".word 0xc0002573", "unknown instruction"),  # rdcycle
        (".word 0x40051513", "unknown instruction"),  # slli with another meaning
        (".word 0x40052533", "unknown instruction"),  # slt, likewise
        (".word 0x00052463", "unknown instruction"),  # a branch
        (".word 0x00053503", "unknown instruction"),  # a load of 8 bytes
        (".word 0x00056503", "unknown instruction"),
        (".word 0x00a53023", "unknown instruction"),  # a store of 8 bytes
        (".word 0x00051067", "unknown instruction"),  # jalr
        ("li t0, 1; ecall", "unknown call: t0 = 0x00000001"),
        ("1: j 1b", "no halt after 1000 instructions"),
    ],
)
def test_faults_of_programs(counter: Counter, program: Callable[..., Path], line: str, error: str) -> None:
    found = failure(counter, program(["_start:", line, *halt()]), "--limit", "1000")
    assert found.startswith("counter: ")
    assert error in found
    assert "at pc 0x" in found


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--input", "nothing=00"), "has no symbol nothing"),
        (("--input", "results=" + 33 * "00"), "33 bytes do not fit into the 32"),
        (("--input", "results+1=" + 32 * "00"), "results+1: 32 bytes do not fit"),
        (("--input", "results+x=00"), "the offset after + has to be a number"),
        (("--input", "results=0"), "pairs of hexadecimal digits"),
        (("--input", "results=0g"), "pairs of hexadecimal digits"),
        (("--input", "results"), "results is not --input SYMBOL=HEX"),
        (("--input", "results=@/nowhere"), "cannot read /nowhere"),
        (("--output", "results"), "results is not --output SYMBOL:BYTES"),
        (("--output", "results:x"), "x is not a number"),
        (("--output", "results:33"), "33 bytes do not fit"),
        (("--limit", "-1"), "-1 is not a number"),
        (("--seed", ""), "is not a number"),
        (("--answers", "wrong"), "wrong is neither least nor largest nor random"),
        (("--calls", "1-x"), "x is not a number"),
        (("--nothing",), "--nothing"),
        (("another.elf",), "give one program; --help lists the options"),
    ],
)
def test_faults_of_options(
    counter: Counter, program: Callable[..., Path], options: tuple[str, ...], error: str
) -> None:
    assert error in failure(counter, program(products(1)), *options)


def test_inputs_and_outputs_with_offsets(counter: Counter, program: Callable[..., Path]) -> None:
    inputs = ("--input", "results=0102030405", "--input", "triples+64=07", "--input", "results+3=aAfF")
    lines = ["_start:", *halt(), *products(1)[-7:]]
    found = counter(program([".text", *lines]), *inputs, "--output", "results:6", "--output", "results+2:3")
    assert found["outputs"] == {"results": "010203aaff00", "results+2": "03aaff"}


def test_nonsense_for_a_program(
    counter: Counter, program: Callable[..., Path], tmp_path: Path, rng: random.Random
) -> None:
    elf = program(products(1)).read_bytes()
    broken = tmp_path / "broken.elf"
    for length in (0, 3, 51, 60, 200, len(elf) - 1):
        broken.write_bytes(elf[:length])
        assert "ELF" in failure(counter, broken)
    for _ in range(30):
        raw = bytearray(elf)
        for _ in range(rng.randint(1, 4)):
            raw[rng.randrange(rng.choice((52, 200, len(raw))))] = rng.getrandbits(8)
        broken.write_bytes(raw)
        done = counter.run(broken, "--limit", "10000")
        assert done.returncode in {0, 2}, (done, raw.hex())
        assert "Sanitizer" not in done.stderr
    assert "cannot read" in failure(counter, tmp_path / "missing.elf")
    assert "not an ELF file of 32 bits" in failure(counter, counter.path)


def test_the_status_of_a_program_is_no_error(counter: Counter, program: Callable[..., Path]) -> None:
    assert counter(program(["_start:", *halt(99)]))["status"] == 99


def test_help_lists_the_options(counter: Counter) -> None:
    done = counter.run(Path("--help"))
    assert done.returncode == 0
    for option in ("input", "output", "limit", "answers", "calls", "seed", "strict", "linux"):
        assert f"--{option}" in done.stdout
