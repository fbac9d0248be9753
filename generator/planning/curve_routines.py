"""The routines of a curve, specialised by its plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from efdgen.generator.planning.coset_routines import with_cosets
from efdgen.generator.planning.encoding_routines import encoding_names, encoding_parts
from efdgen.generator.planning.equation_routines import equation_routines
from efdgen.generator.planning.exported import embedding_of, exported
from efdgen.generator.planning.forms import narrow_digits
from efdgen.generator.planning.prepared_routines import normal_prefix, prepared_names, with_tables
from efdgen.generator.planning.protocols import signature_scheme
from efdgen.generator.planning.scalar_words import WORD, scalar_words, words_of
from efdgen.generator.planning.special import doubles_identity, shared_numerator
from efdgen.generator.planning.sum_routines import SUMMAND, half_names, makes_summands, sum_names, summand
from efdgen.generator.planning.table_routines import renamings, table_names, table_text
from efdgen.generator.routines.module import module
from efdgen.generator.routines.parser import library

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from efdgen.generator.options import OddMultiples
    from efdgen.generator.planning.plan import CurvePlan, EntryKind
    from efdgen.generator.planning.scalar_words import ScalarWords, SplitNumbers
    from efdgen.generator.programs.kernel import PointType
    from efdgen.generator.routines.module import Module, Value
    from efdgen.generator.routines.parser import Text
    from efdgen.generator.routines.staging import Decision

_COMPLETE = "Complete: the formula has no exceptional inputs."
_BY_SLOPES = "Selected: by the slope of the chord or of the tangent."
_SELECTED = "Selected: sum and double are both computed."


def point_roots(plan: CurvePlan) -> tuple[str, ...]:
    """Return the functions on points."""
    further = ["right_side"] if plan.model == "shortw" else []
    if shared_numerator(plan):
        further.append("double_var")
    return (
        *("select", "equal", "is_identity", "double", "negate", "add", "add_var", "subtract", "subtract_var"),
        *("to_affine", "to_affine_batch", "from_affine", "is_on_curve", "affine_is_on_curve", *further),
    )


# The functions on each kind of entry: the parts of their names before and after its name.
ENTRY_FUNCTIONS = (
    *(("negate", ""), ("read", ""), ("lift", ""), ("add", "")),
    *(("add", "_var"), ("digit", "_var"), ("add_digit", "_var"), ("chain_digit", "_var")),
)


def entry_labels(plan: CurvePlan) -> dict[str, EntryKind]:
    """Return the kinds of entries by their names in routines: for any point, a fixed one, and for sums.

    The second is there if it is another one than the first; the third, which is a point, if no entry of the
    first kind is right for every point.
    """
    found = dict(zip(("entry", "fixed_entry"), plan.entry_kinds, strict=False))
    return found if makes_summands(plan) else {**found, SUMMAND: summand(plan)}


def subgroup_roots() -> tuple[str, ...]:
    """Return the functions on the subgroup of the generator."""
    return "is_in_subgroup", "clear_cofactor", "validate"


def comb_roots(plan: CurvePlan) -> tuple[str, ...]:
    """Return the multiplications by combs."""
    names = ["multiply_generator", *(["double_multiply_generators"] if plan.second else [])]
    return tuple(name + ending for name in names for ending in ("", "_var"))


def curve_module(plan: CurvePlan, language: str = "") -> Module:
    """Return the routines of a curve, staged and checked: all, or those of a language."""
    text, staged, values = curve_parts(plan)
    roots = [function.name for function in exported(plan, language) if function.name in text.routines]
    if "embed_var" in roots and (embedding := embedding_of(plan)):
        values["MESSAGE_BYTES"] = embedding.bytes
    if "multiply_comb" in roots:
        roots.append("make_comb")
    for name, made in (("multiply_table", "make_table"), ("multiply_tables_var", "make_multi_table")):
        roots += [made] if name in roots else []
    return module(text, staged, values, tuple(roots))


def curve_parts(plan: CurvePlan) -> tuple[Text, dict[str, Decision], dict[str, Value]]:
    """Return the routines that a curve may have, the plan's decisions, and the values of constants."""
    words = scalar_words(plan)
    staged: dict[str, Decision] = {
        "buckets.bits": plan.scalar_bits + 1,
        "order.rows": len(words.order),
        "group.rows": len(words.group),
        "group.cofactor": plan.cofactor,
        "group.doublings": plan.cofactor.bit_length() - 1,
        **_point_names(plan),
        **_entry_names(plan),
        **_comb_names(plan),
        **_window_names(plan),
        **sum_names(plan),
        **half_names(plan),
        **_coz_names(plan),
        **table_names(plan),
        **encoding_names(plan),
        **prepared_names(plan),
    }
    if words.split:
        staged |= _split_names(words.split, words.count) | {"split.reason": plan.reasons["split"]}
    return _text(plan), staged, _values(plan, words)


def _values(plan: CurvePlan, words: ScalarWords) -> dict[str, Value]:
    """Return the values of constants: sizes, orders, and tables of words."""
    values: dict[str, Value] = {
        "SCALAR_BYTES": plan.reduction.bytes,
        "SCALAR_WORDS": words.count,
        "FIELD_BYTES": plan.encoding.field,
        "ENCODED_BYTES": plan.encoding.point,
        "WIRE_BYTES": plan.encoding.wire,
        "DIGITS": words.digits,
        "ORDER": tuple(words_of(number, words.count) for number in words.order),
        "ORDER_BYTES": tuple(plan.order.to_bytes(plan.reduction.bytes, plan.encoding.byteorder)),
        "GROUP_ORDER": tuple(words_of(number, words.count) for number in words.group),
    }
    if plan.cofactor.bit_count() > 1:
        cofactor = plan.cofactor % plan.reduction.modulus
        values["COFACTOR_BYTES"] = tuple(cofactor.to_bytes(plan.reduction.bytes, plan.encoding.byteorder))
    if words.split:
        values |= _split_tables(words.split, words.count)
    if plan.half:
        values["RADIX_SQUARED"] = (words_of(words.radix_squared, words.count),)
    return values


def _text(plan: CurvePlan) -> Text:
    """Return the routines for any curve, and in their places those for the curve of a plan."""
    text = library("elements").beside(library("points")).beside(library("batches"))
    text = text.beside(equation_routines(plan)).beside(library("doublings"))
    for label, kind in entry_labels(plan).items():
        for part in _entry_parts(plan, kind):
            text = text.beside(library(part, *([] if label == "entry" else [("entry", label)])))
    alike = [("fixed_entry", "entry")] if len(plan.entry_kinds) == 1 else []
    summands = [(SUMMAND, "entry")] if makes_summands(plan) else []
    half = ["half"] if plan.half else []
    narrow = ["narrow_digits"] if narrow_digits(plan) else []
    for way in ("single", "double", "many", *half):
        text = text.beside(library("sums", ("single", way), *alike))
    text, renamed = table_text(plan, text).beside(library("multiples", ("single", "shared"))), renamings(plan)
    for part, *kinds in _comb_parts(plan):
        text = text.beside(library(part, *kinds, *alike))
    general = ("scalars", *narrow, "comb", "windows", "forms", *_many_parts(plan), "subgroup")
    equals = ["half" if plan.half else "equals"] if signature_scheme(plan.curve) else []
    for part in (*general, *encoding_parts(plan), *equals, *_variants(plan)):
        text = text.beside(library(part, *alike, *renamed, *summands))
    return with_cosets(plan, with_tables(plan, text, *alike))


def _entry_parts(plan: CurvePlan, kind: EntryKind) -> Iterator[str]:
    """Yield the files of routines on a kind of entry, each in the place of those before."""
    yield "entries"
    if not plan.roles.complete:
        yield "incomplete_entries"
    if kind.plain:
        yield "plain_entries"
    if plan.chains_sums or plan.chain_add:
        yield "chain_entries"


def _comb_parts(plan: CurvePlan) -> Iterator[tuple[str, *tuple[tuple[str, str], ...]]]:
    """Yield the files of combs of any points, with kinds of entries."""
    fixed, apart = plan.entry_kinds[-1], len(plan.entry_kinds) == 2
    if apart and not (fixed.plain or fixed.entry.from_affine):
        yield f"{normal_prefix(plan)}_entries", ("entry", "fixed_entry")
    yield ("plain_combs" if fixed.plain else f"{normal_prefix(plan)}_combs",)
    yield ("made_combs",)


def _many_parts(plan: CurvePlan) -> tuple[str, ...]:
    """Return the files of sums of many multiples."""
    tables: dict[OddMultiples, tuple[str, ...]] = {
        "additions": ("many_multiples",),
        "co-z": ("many_chained", "many_co_z"),
        "effective-affine": ("many_chained", "many_one_z"),
    }
    return "many", *tables[plan.multi.table], "many_windows"


def _variants(plan: CurvePlan) -> tuple[str, ...]:
    """Return the files whose routines take the places of general ones, and of those before."""
    roles, variable, special = plan.roles, plan.variable, bool(shared_numerator(plan))
    wanted = {
        "infinite": plan.representation.at_infinity,
        "infinite_batches": plan.representation.at_infinity,
        "binary": plan.model == "binary",
        "incomplete": not (roles.complete or special),
        "slopes": bool(roles.slopes) and not (roles.complete or special),
        "special": special,
        "doubled": roles.chain_double != roles.chain_last,
        "incomplete_sums": not roles.complete,
        "chains": plan.chain_add is not None,
        "even": not variable.negate_even,
        "halves": variable.halves,
        "one_z": variable.table == "effective-affine",
        "apart": variable.apart,
        "prime": plan.cofactor == 1,
        "cofactor_doublings": plan.cofactor > 1 and plan.cofactor.bit_count() == 1,
        "coz": plan.coz is not None,
    }
    return tuple(name for name, asked in wanted.items() if asked)


def _entry_names(plan: CurvePlan) -> dict[str, Decision]:
    types = {kind.name: kind.members for kind in plan.kernels.types}
    found: dict[str, Decision] = {
        "doubled.members": plan.kernel(plan.roles.chain_double).inputs[0].type.members,
        "points.known": "; the formula knows both" if shared_numerator(plan) else "",
    }
    for label, kind in entry_labels(plan).items():
        rules = {rule.member: rule for rule in kind.entry.negation}
        found |= {
            f"{label}.members": kind.members,
            f"{label}.negation": tuple(
                (m, rules[m].source, rules[m].negative, bool(rules[m].plus), rules[m].plus)
                for m in kind.members
                if not kind.plain
            ),
            f"{label}.lifted": tuple((m, m in kind.members) for m in types["point"]),
        }
    return found


def _point_names(plan: CurvePlan) -> dict[str, Decision]:
    roles, represented = plan.roles, plan.representation
    members = {kind.name: kind.members for kind in plan.kernels.types}
    found: dict[str, Decision] = {
        "point.members": members["point"],
        "affine.members": members.get("affine_point", members["point"]),
        "point.ratios": tuple(
            (ratio.numerator, ratio.denominator or "", ratio.power if ratio.denominator else 0)
            for ratio in represented.ratios.values()
        ),
        "point.denominators": represented.denominators,
        "point.denominator": represented.denominators[0] if represented.denominators else "",
        "points.branched": "" if roles.complete else ", branched",
        "points.doubles_identity": doubles_identity(plan),
    }
    if shared := shared_numerator(plan):
        found["point.shared"] = shared
    for name, own in slope_types(plan).items():
        found[f"{name}.members"] = members[own]
    return found


def slope_types(plan: CurvePlan) -> dict[str, str]:
    """Return the types of sums by slopes, by their names in routines."""
    if plan.roles.slopes is None:
        return {}
    _, over_z, slope, _ = plan.kernel(plan.roles.slopes.add).inputs
    return {"over_z": over_z.type.name, "slope": slope.type.name}


def _window_names(plan: CurvePlan) -> dict[str, Decision]:
    variable, digits = plan.variable, plan.variable.digits
    everywhere = variable.halves and not variable.safe_top
    return {
        "window.digits": f"{digits.count} signed odd digits of {digits.width} bits"
        + " of each half of k" * variable.halves,
        "window.count": digits.count,
        "window.width": digits.width,
        "window.bits": digits.bits,
        "window.entries": digits.entries,
        "window.mask": (1 << digits.width) - 1,
        "window.complete": digits.count if everywhere else variable.complete_steps,
        "window.complete_doublings": variable.complete_doublings,
        "window.small_bits": plan.cofactor.bit_length() - 1,
        "window.reason": _proof(plan, "multiply"),
    }


def _comb_names(plan: CurvePlan) -> dict[str, Decision]:
    comb = plan.generator.comb
    passes, late_block = divmod(comb.blocks * comb.spacing - plan.generator.complete_additions, comb.blocks)
    return {
        "comb.blocks": comb.blocks,
        "comb.teeth": comb.teeth,
        "comb.spacing": comb.spacing,
        "comb.bits": comb.bits,
        "comb.half": 1 << (comb.teeth - 1),
        "comb.mask": (1 << comb.teeth) - 1,
        "comb.late_pass": comb.spacing - 1 - passes,
        "comb.late_block": late_block,
        "comb.complete_doublings": plan.generator.complete_doublings,
        "comb.members": ("entries",),
        "comb.converted": bool(plan.entry_kinds[-1].entry.from_affine),
        "comb.reason": _proof(plan, "multiply_generator"),
        "comb.var_reason": _proof(plan, "multiply_generator_var"),
        "comb.second_reason": _second_reason(plan),
        "comb.second_var_reason": _proof(plan, "double_multiply_generators_var") if plan.second else "",
    }


def _proof(plan: CurvePlan, name: str) -> str:
    """Return the claim about a multiplication, and why no addition meets an exception."""
    return f"{plan.claims[name]} {plan.reasons[name]}"


def _second_reason(plan: CurvePlan) -> str:
    """Return the claim about sums of multiples of both generators, and why."""
    if plan.second is None:
        return ""
    selected = _BY_SLOPES if plan.roles.slopes else _SELECTED
    return f"{plan.claims['double_multiply_generators']} {_COMPLETE if plan.roles.complete else selected}"


def coz_types(plan: CurvePlan) -> dict[str, PointType]:
    """Return the types of ladders on one Z, by their names in routines."""
    if plan.coz is None:
        return {}
    _, following, square = plan.kernel(plan.coz.step).inputs
    first = plan.kernel(plan.coz.start).inputs[0]
    return {"coz_first": first.type, "coz_next": following.type, "coz_square": square.type}


def _coz_names(plan: CurvePlan) -> dict[str, Decision]:
    if plan.coz is None:
        return {}
    members: dict[str, Decision] = {f"{name}.members": kind.members for name, kind in coz_types(plan).items()}
    return members | {"coz.bits": plan.coz.bits, "coz.length": plan.coz.bits + 1}


def _split_names(split: SplitNumbers, count: int) -> dict[str, int]:
    skipped = split.shift // WORD
    kept = min(count, 2 * count - skipped)
    return {"split.shift": split.shift, "split.words": skipped, "split.kept": kept}


def _split_tables(split: SplitNumbers, count: int) -> dict[str, Value]:
    def table(numbers: Iterable[int], times: int = 1) -> Value:
        return tuple(words_of(number, times * count) for number in numbers)

    return {
        "SPLIT_MULTIPLIERS": table(split.multipliers),
        "SPLIT_HALVES": table(split.roundings, 2),
        "SPLIT_BASIS": table(number for row in split.basis for number in row),
        "SPLIT_SHIFTS": table(number for row in split.shifts for number in row),
    }
