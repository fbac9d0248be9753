"""Multiplications that are followed on symbols: every scalar gives its multiple; edits are refused."""

import time
from dataclasses import replace
from functools import cache

import pytest
from mutants.sources import Routines
from test_routines_multiples import Multiples, plan_of
from whole_curves import tiny_file

from efdgen.generator.errors import EfdgenError
from efdgen.generator.planning.plan import CurvePlan
from efdgen.verify.routines.curve import FOLLOWED, fitted, follower, multiplication_reasons, roots
from efdgen.verify.routines.group import Group
from efdgen.verify.routines.leaves import CONTRACTS

SECONDS = 4
PLANS = {
    "secp256k1": ("secp256k1", "jacobian-0", {}),
    "secp256k1, co-z": ("secp256k1", "jacobian-0", {"odd_multiples": "co-z", "table": "large"}),
    "P-256": ("P-256", "jacobian-3", {}),
    "edwards25519": ("edwards25519", "extended-1", {}),
    "edwards25519, inverted": ("edwards25519", "inverted", {}),
    "P-521": ("P-521", None, {}),
    "Ed448": ("Ed448", None, {}),
    "brainpoolP512r1": ("brainpoolP512r1", None, {}),
}
# Ways through a multiplication: P the identity or not, k even or odd, the signs of halves.
WAYS = {"secp256k1": 8, "secp256k1, co-z": 8, "P-256": 4, "edwards25519, inverted": 4}


@cache
def plan(name: str) -> CurvePlan:
    curve, coordinates, options = PLANS[name]
    return plan_of(curve, coordinates, **options)


@pytest.mark.slow
@pytest.mark.drawn(2)
@pytest.mark.parametrize("name", PLANS)
def test_every_scalar_gives_its_multiple(name):
    own = plan(name)
    started = time.process_time()
    followed = follower(own)
    found = {root: followed.follow(root) for root in roots(own)}
    assert {*roots(own)} < FOLLOWED
    assert time.process_time() - started < SECONDS
    variable, fixed, complete = own.variable, own.generator, own.roles.complete
    assert len(found["multiply"].additions) >= variable.digits.count - 1
    assert len(found["multiply_generator"].additions) >= fixed.comb.additions
    assert found["multiply"].ways == WAYS.get(name, 2 + 2 * (not complete))
    for key, late in (
        ("multiply", variable.complete_additions),
        ("multiply_generator", fixed.complete_additions),
    ):
        count = len(found[key].additions)
        assert set(found[key].exceptional) <= set(range(count - late + 1, count + 1))
        assert bool(found[key].exceptional) != complete


@pytest.mark.long
@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", ["P-256", "secp256k1, co-z", "edwards25519", "edwards25519, inverted"])
@pytest.mark.slow
def test_a_proof_finds_how_many_additions_are_complete(name):
    own = plan(name)
    fixed, windows = own.generator, own.variable
    for additions, doublings, safe in ((0, 0, False), (fixed.comb.additions, fixed.comb.spacing, True)):
        numbers = {"complete_additions": additions, "complete_doublings": doublings}
        wrong = replace(
            own,
            variable=replace(windows, **numbers, safe_table=safe),
            generator=replace(fixed, **numbers),
        )
        found, follower_of_it = fitted(wrong)
        assert (found.variable, found.generator) == (windows, fixed)
        assert multiplication_reasons(found, follower_of_it)[0]["multiply"] == own.reasons["multiply"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["P-256", "secp256k1", "edwards25519"])
def test_two_fixed_points(name):
    own = replace(plan(name), second=plan(name).representation.generator)
    _, claims = multiplication_reasons(own, follower(own))
    for ending in ("", "_var"):
        proof = claims[f"double_multiply_generators{ending}"]
        assert proof.startswith("Proved: a·G + b·H for every a and b;")
    assert claims["multiply_generator_var"].startswith("Proved: k·G for every k;")


def exceptional_additions(multiples: Multiples, root: str, points: range) -> set[int]:
    """Return the numbers of additions that some scalar of a small group gives an exceptional input."""
    met, count = set(), 0

    def add(p: int, q: int) -> list[int]:
        nonlocal count
        count += 1
        if 0 in {value % multiples.count for value in (p, q, p - q, p + q)}:
            met.add(count)
        return [p + q]

    multiples.routines.leaves |= dict.fromkeys(("add", "add_entry", "add_fixed_entry"), add)
    for k in range(min(1 << 8 * multiples.plan.reduction.bytes, 3 * multiples.count)):
        for p in points:
            count = 0
            multiples.call(root, k, *([p] if root != "multiply_generator" else []))
    return met


@pytest.mark.slow
@pytest.mark.parametrize("name", ["prime", "halves", "negative", "three"])
def test_exceptional_additions_of_small_groups_are_found(name, tmp_path):
    own = plan_of(tiny_file(tmp_path, name), None)
    followed, multiples = follower(own), Multiples(own)
    tight = 0
    for root in ("multiply", "multiply_generator"):
        met = exceptional_additions(multiples, root, range(1, 3))
        found = set(followed.follow(root).exceptional)
        assert met <= found, (root, met, found)
        tight += met == found
    assert tight


C, H, N, S = "comb", "halves", "incomplete_sums", "scalars"
WRONG = [
    ("P-256", N, "if i >= window.complete:", "if i + 1 >= window.complete:", "addition 63 may meet"),
    ("P-256", S, "t[i] >> 1 | t[i + 1] << 31", "t[i] >> 1 | t[i + 1] << 30", "two unknown bits meet"),
    ("P-256", S, "u32(1) << (bits - 1) % 32", "u32(1) << (bits - 2) % 32", "scalar_signs gives other bits"),
    ("P-256", S, "scalar_assign(t, less, 1 ^ borrow)", "scalar_assign(t, less, borrow)", "may not be below"),
    ("P-256", S, "let even = 1 ^ t[0] & 1", "let even = t[0] & 1", "may be even"),
    ("P-256", S, "t[i] ^= (t[i] ^ a[i]) & all", "t[i] ^= t[i] & all", "scalar_assign"),
    ("P-256", S, "t[i] ^= (t[i] ^ a[i]) & all", "t[i] |= (t[i] ^ a[i]) & all", "scalar_assign does not move"),
    ("P-256", S, "borrow = u32(difference >> 63)", "borrow = u32(difference >> 62)", "a shift by 62"),
    (
        "P-256",
        S,
        "(u32(1) << count) - 1\n\nroutine scalar_sub",
        "(u32(1) << count)\n\nroutine scalar_sub",
        "scalar_bits gives",
    ),
    ("P-256", C, "* comb.spacing + s, 1)", "* comb.spacing + s + 1, 1)", "counts|two unknown|is not k"),
    ("P-256", C, "return window ^ flips", "return window", "is not k\\*G"),
    ("P-256", N, "block >= comb.late_block:", "block > comb.late_block:", "addition .* may meet"),
    ("P-256", C, "t, even * comb.mask", "t, even * (comb.mask - 1)", "is not the|counts|is not k"),
    (
        "P-256",
        "infinite",
        "select(GENERATOR, p, p_is_identity)",
        "select(p, GENERATOR, p_is_identity)",
        "is not k\\*P",
    ),
    ("edwards25519", "even", "let other = subtract(sum, p)", "let other = add(sum, p)", "is not k\\*P"),
    ("edwards25519", "chains", "(sum, twice, window.width)", "(sum, twice, window.width - 1)", "counts"),
    ("edwards25519", "even", "t[0] |= 1", "t[0] &= 1", "may be even"),
    ("edwards25519", S, "u32(k[i]) << 8 * (i % 4)", "u32(k[i]) << 8 * (3 - i % 4)", "scalar_read"),
    (
        "edwards25519, inverted",
        "apart",
        "return select(few, sum, apart)",
        "return select(sum, few, apart)",
        "is not k\\*P",
    ),
    (
        "secp256k1",
        S,
        "(halves[0][0] & 1) << 1 | halves[1][0] & 1",
        "(halves[1][0] & 1) << 1 | halves[0][0] & 1",
        "may be even",
    ),
    (
        "secp256k1",
        H,
        "scalar_absolute(halves[h]) * window.mask",
        "scalar_absolute(halves[h]) * (window.mask - 1)",
        "bit 127 of a scalar counts",
    ),
    ("secp256k1", H, "elif i < window.complete:", "elif i + 1 < window.complete:", "addition 50 may"),
    (
        "secp256k1",
        "one_z",
        "var sum = add_halves(halves, tables)\n    from_isomorphic(sum, z)",
        "let sum = add_halves(halves, tables)",
        "another curve",
    ),
    ("secp256k1", S, "SPLIT_BASIS[2 * i + 1]", "SPLIT_BASIS[2 * i]", "scalar_halves does not give"),
    (
        "secp256k1",
        S,
        "r[i] = product[i + split.words]",
        "r[i] = product[i + split.words - 1]",
        "scalar_quotient",
    ),
    (
        "secp256k1",
        S,
        "for j in 0..SCALAR_WORDS - i:",
        "for j in 0..SCALAR_WORDS - i - 1:",
        "scalar_add_product",
    ),
    ("secp256k1", S, "negated, negative)", "negated, 1 ^ negative)", "scalar_absolute"),
    (
        "secp256k1",
        "infinite",
        "select(IDENTITY, sum, p_is_identity)",
        "select(sum, IDENTITY, p_is_identity)",
        "is not k\\*P",
    ),
]


@pytest.mark.slow
@pytest.mark.drawn(3)
@pytest.mark.parametrize(("name", "file", "old", "new", "why"), WRONG)
def test_single_edits_of_routines_are_refused(name, file, old, new, why):
    own, source = plan(name), Routines(file)
    assert source.text.count(old) == 1, (old, source.text.count(old))
    edited = source.text.replace(old, new)
    with source.replaced(edited), pytest.raises(EfdgenError, match=why):
        multiplication_reasons(own, follower(own))


@pytest.mark.slow
def test_a_refusal_names_the_case_the_addition_and_the_points():
    own, source = plan("P-256"), Routines("incomplete_sums")
    edited = source.text.replace("if i >= window.complete:", "if i + 1 >= window.complete:")
    why = (
        r"multiply is not proved, for not P the identity, not scalar_make_odd giving 1: "
        r"addition 63 may meet an exceptional input: P times 16 to \d+, entry 15"
    )
    with source.replaced(edited), pytest.raises(EfdgenError, match=why):
        multiplication_reasons(own, follower(own))


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("if window < comb.half:", "if window <= comb.half:", "item -1 of 8"),
        ("entries[window - comb.half])", "entries[window - comb.half + 1])", "item|another entry"),
        ("comb.half - 1 - window", "window", "another entry in block 0"),
        (
            "int(comb_window(t, flips, block, s))",
            "int(comb_window(t, flips, block, s + 1))",
            "not proved|window",
        ),
        (
            "int(comb_window(t, flips, block, s))",
            "int(comb_window(t, flips, 0, s))",
            "a window of another block",
        ),
        ("            add_fixed_entry_var(sum, negated)", "            sum = double(sum)", "another entry"),
    ],
)
def test_combs_that_read_other_entries_are_refused(old, new, why):
    own, source = plan("P-256"), Routines("comb")
    edited = source.text.replace(old, new)
    assert edited != source.text
    with source.replaced(edited), pytest.raises(EfdgenError, match=why):
        follower(own)


# Another meaning of each leaf, and the plan that uses it.
MEANINGS = {
    "is_identity": ("P-256", lambda own: lambda p: [1 - own(p)[0]]),
    "has_small_order": ("edwards25519, inverted", lambda own: lambda p: [1 - own(p)[0]]),
    "multiply_small": ("edwards25519, inverted", lambda own: lambda p, k: [own(p, k)[0].times(3)]),
    "select": ("P-256", lambda own: lambda p, q, flag: own(q, p, flag)),
    "add": ("P-256", lambda own: lambda p, q: own(p, q.times(-1))),
    "subtract": ("edwards25519", lambda own: lambda p, q: own(q, p)),
    "negate": ("P-256", lambda _: lambda p: [p]),
    "double_times": ("P-256", lambda own: lambda p, times: own(p, times + 1)),
    "window_entries": ("edwards25519", lambda own: lambda p: [[entry.plus(p) for entry in own(p)[0]]]),
    "window_entries_of_one_z": ("secp256k1", lambda own: lambda z, p: ["y", own(z, p)[1]]),
    "window_images": ("secp256k1", lambda _: lambda table: [list(table)]),
    "read_entry": ("P-256", lambda own: lambda table, w, bits: [own(table, w, bits)[0].times(-1)]),
    "lift_entry": ("P-256", lambda _: lambda q: [q.times(-1)]),
    "add_entry": ("P-256", lambda own: lambda p, q: own(q, p.times(-1))),
    "from_isomorphic": ("secp256k1", lambda _: lambda p, z: [p]),
    "chain_add_entry": ("edwards25519", lambda own: lambda r, p, q: own(r, q, q)),
    "double_chain": ("edwards25519", lambda own: lambda r, p, times: own(r, p, times - 1)),
    "add_fixed_entry": ("edwards25519", lambda own: lambda p, q: own(p, q.times(-1))),
    "read_fixed_entry": ("edwards25519", lambda own: lambda table, w, bits: own(table[::-1], w, bits)),
    "negate_fixed_entry": ("edwards25519", lambda _: lambda q: [q]),
    "add_fixed_entry_var": ("edwards25519", lambda _: lambda p, q: [p]),
}


@pytest.mark.slow
@pytest.mark.drawn(3)
@pytest.mark.parametrize("leaf", MEANINGS)
def test_other_contracts_of_leaves_are_refused(leaf, monkeypatch):
    name, changed = MEANINGS[leaf]
    true = Group.table.fget

    def table(self):
        found = true(self)
        return found | {leaf: changed(found[leaf]) for leaf in found.keys() & {leaf}}

    monkeypatch.setattr(Group, "table", property(table))
    with pytest.raises(EfdgenError, match=r"not proved|adds another entry"):
        multiplication_reasons(plan(name), follower(plan(name)))


@pytest.mark.slow
@pytest.mark.long
def test_a_complete_addition_is_needed(monkeypatch):
    monkeypatch.setitem(CONTRACTS, "add", replace(CONTRACTS["add"], avoids="exceptions"))
    with pytest.raises(EfdgenError, match="addition 63 may meet an exceptional input"):
        multiplication_reasons(plan("P-256"), follower(plan("P-256")))
