"""Leaves of multiplications: each has a contract, and the printed one has the declared signature."""

import pytest
from test_routines_multiples import plan_of

from efdgen.generator.fields.printed import RoutineText
from efdgen.generator.languages.bindings import Bindings
from efdgen.generator.planning.curve_routines import curve_module
from efdgen.generator.render.c import routines as c_routines
from efdgen.generator.routines.module import module
from efdgen.generator.routines.parser import LIBRARY, library, parse
from efdgen.verify.lemmas.table import LEMMAS
from efdgen.verify.readback.routines import leaf_differences, read_names
from efdgen.verify.routines.group import Group
from efdgen.verify.routines.leaves import CONTRACTS, LEAVES
from efdgen.verify.symbols.bits import Bitwise
from efdgen.verify.symbols.facts import Facts

LEAF = """
constant N: int
structure point
structure entry
structure element

leaf add(p: point, q: point) -> point as r
leaf double_times(inout p: point, times: int)
leaf read_entry(table: entry[], window: u32, bits: int) -> entry as r
leaf add_entry_kernel(p: point, q: entry) -> point as r
leaf is_identity(p: point) -> choice

export routine f(k: u32, p: point) -> point as r:
    var sum: point = p
    var table: entry[4]
    let found = read_entry(table, k, 3)
    let few = is_identity(p)
    sum = add_entry_kernel(sum, found)
    double_times(sum, 2)
    return add(sum, p)
"""
C = """
typedef fp_kernel_point fp_point;
static inline void fp_add(fp_point *r, const fp_point *p, const fp_point *q) {
static inline void fp_double_times(fp_point *r, int times) {
static inline void fp_read_entry(
    fp_entry *r, const fp_entry *table, uint32_t window, int bits) {
static inline void fp_kernel_add(fp_kernel_point *p3, const fp_kernel_point *p1, const fp_entry *p2) {
static inline int fp_is_identity(const fp_point *p) {
"""
RUST = """
use crate::kernel_add as add_kernel;
fn double_times(point: &mut Point, times: usize) {
fn read(table: &[Entry], window: u32, bits: usize) -> Entry {
"""
METHODS = """
impl Point {
    pub fn add(&self, other: &Self) -> Self {
    pub(crate) fn is_identity(&self) -> Choice {
}
pub fn kernel_add(p3: &mut Point, p1: &Point, p2: &Entry) {
"""


def checked():
    return module(parse(LEAF), {}, {"N": 4}, ["f"])


def in_c(text: str) -> dict[str, str]:
    types = {"point": "fp_point", "entry": "fp_entry", "element": "fp_fe"}
    bindings = Bindings({"add_entry_kernel": "fp_kernel_add"}, types)
    printed = RoutineText("c", "fp", "fp.h", checked(), ("f",), bindings)
    return dict(leaf_differences(printed, {"fp.h": text}))


def in_rust(text: str, methods: str = METHODS) -> dict[str, str]:
    types = {"point": "Point", "entry": "Entry", "element": "FieldElement"}
    functions = {"add_entry_kernel": "add_kernel", "read_entry": "read"}
    methods_, in_place = frozenset(["add", "is_identity"]), frozenset(["add_entry_kernel"])
    bindings = Bindings(functions, types, methods=methods_, in_place=in_place)
    printed = RoutineText("rust", "fp", "src/m.rs", checked(), ("f",), bindings)
    return dict(leaf_differences(printed, {"src/m.rs": text, "src/point.rs": methods}))


@pytest.mark.parametrize(
    ("old", "new", "leaf"),
    [
        ("const fp_point *q", "fp_point *q", "add"),
        ("fp_point *r, int times", "const fp_point *r, int times", "double_times"),
        ("fp_point *r, int times", "int times, fp_point *r", "double_times"),
        ("uint32_t window, int bits", "int bits, uint32_t window", "read_entry"),
        ("const fp_entry *table", "const fp_point *table", "read_entry"),
        ("const fp_kernel_point *p1, ", "", "add_entry_kernel"),
        ("static inline int fp_is", "static inline void fp_is", "is_identity"),
    ],
)
def test_other_signatures_in_c_are_refused(old, new, leaf):
    assert not in_c(C)
    edited = C.replace(old, new, 1)
    assert edited != C
    assert set(in_c(edited)) == {leaf}


@pytest.mark.parametrize(
    ("old", "new", "leaf"),
    [
        ("point: &mut Point, times", "point: &Point, times", "double_times"),
        ("window: u32, bits: usize", "bits: usize, window: u32", "read_entry"),
        ("table: &[Entry], ", "table: &Entry, ", "read_entry"),
        ("-> Entry {", "-> Point {", "read_entry"),
        ("other: &Self) -> Self", "other: &Entry) -> Self", "add"),
        ("is_identity(&self) -> Choice", "is_identity(&self) -> bool", "is_identity"),
        ("p3: &mut Point, p1: &Point", "p1: &Point, p3: &mut Point", "add_entry_kernel"),
    ],
)
def test_other_signatures_in_rust_are_refused(old, new, leaf):
    assert not in_rust(RUST)
    edited = RUST.replace(old, new, 1), METHODS.replace(old, new, 1)
    assert edited != (RUST, METHODS)
    assert set(in_rust(*edited)) == {leaf}


def test_a_leaf_without_a_contract_is_refused():
    text = parse(LEAF.replace("is_identity", "turned"))
    printed = RoutineText("c", "fp", "fp.h", module(text, {}, {"N": 4}, ["f"]), ("f",), Bindings())
    assert dict(leaf_differences(printed, {"fp.h": ""}))["turned"] == "it has no contract"


def test_every_leaf_of_the_library_has_a_contract():
    fixed = [library(name, ("entry", "fixed_entry")) for name in ("entries", "chain_entries")]
    fixed.append(library("normal_combs", ("fixed_entry", "entry")))
    fixed.append(library("entries", ("entry", "summand")))
    fixed.append(library("scaled_entries", ("entry", "fixed_entry")))
    fixed += [library("cosets", ("coset", prefix)) for prefix in ("ristretto", "decaf")]
    routines = {name: routine for text in fixed for name, routine in text.routines.items()}
    for path in LIBRARY.iterdir():
        routines = routines | library(path.name.removesuffix(".routine")).routines
    leaves = {name for name, routine in routines.items() if routine.leaf}
    facts = Facts()
    followed = set(Group(facts, Bitwise(facts), {}, {}).table)
    generated = {"affine_is_on_curve", "right_side", "satisfies_equation"}
    assert leaves | followed <= set(CONTRACTS) <= set(routines) | generated
    assert leaves - set(LEMMAS) == set(LEAVES)


@pytest.mark.slow
@pytest.mark.parametrize(("curve", "coordinates"), [("P-256", "jacobian-3"), ("edwards25519", "extended-1")])
def test_leaves_that_are_formulas_and_no_others_avoid_exceptions(curve, coordinates):
    plan = plan_of(curve, coordinates)
    own = f"{plan.prefix}_{plan.kernels.namespace}_"
    bindings = c_routines._bindings(plan)
    leaves = [name for name, routine in curve_module(plan).routines.items() if routine.leaf]
    formulas = {name for name in leaves if bindings.functions.get(name, "").startswith(own)}
    assert {"add_kernel", "add_entry_kernel"} <= formulas
    assert formulas >= {name for name in leaves if CONTRACTS[name].avoids}


@pytest.mark.slow
def test_only_multiplications_that_are_followed_may_be_called_proved():
    plan = plan_of("P-256", "jacobian-3")
    module_, bindings = curve_module(plan), c_routines._bindings(plan)
    names = tuple(name for name, routine in module_.routines.items() if not routine.leaf)
    assert "scalar_reduce" in names
    printed = RoutineText("c", plan.prefix, f"{plan.prefix}.h", module_, names, bindings)
    names = {"multiply", "multiply_generator"}
    others = {"double_multiply_var", "coz_multiply", "make_comb", "multiply_comb"}
    names.add("multi_multiply")
    assert read_names(printed) == {*names, *(f"{name}_var" for name in names), *others}
