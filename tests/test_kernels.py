"""Specialising, allocating and executing kernels; what they compute does not depend on aliasing."""

from dataclasses import replace
from itertools import product

import pytest

from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.signature import arguments, fixed_inputs, function_name
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.passes.allocation import allocate
from efdgen.generator.passes.pipeline import optimise
from efdgen.generator.passes.substitution import substitute_numbers
from efdgen.generator.programs.interpreter import run, run_kernel
from efdgen.generator.programs.kernel import Coordinate, Kernel, Store, Temporary
from efdgen.generator.programs.lower import lower

FIELD = PrimeField(2**255 - 19)


def kernel_of(formula, program) -> Kernel:
    inputs, outputs = arguments(formula)
    allocation = allocate(program, inputs, outputs)
    return Kernel(
        function_name(formula),
        formula,
        "",
        (),
        None,
        None,
        "",
        "",
        program,
        inputs,
        outputs,
        allocation.steps,
        allocation.stores,
        allocation.temporaries,
    ), {name: FIELD.constant(value) for name, value in allocation.numbers.items()}


def aliasings(kernel: Kernel):
    """Yield every way in which outputs can be inputs of the same type, no two the same object."""
    choices = [[None, *(i.name for i in kernel.inputs if i.type == o.type)] for o in kernel.outputs]
    for chosen in product(*choices):
        used = [name for name in chosen if name]
        if len(used) == len(set(used)):
            names = [output.name for output in kernel.outputs]
            yield {name: alias for name, alias in zip(names, chosen, strict=True) if alias}


@pytest.mark.slow
def test_kernels_compute_what_the_formula_says_however_outputs_alias_inputs(database: Database, rng):
    aliased = 0
    for formula_id in database.ids:
        formula = database.formula(formula_id)
        fixed = fixed_inputs(formula)
        values = {n: rng.randrange(FIELD.prime) for n in (*formula.input_names, *formula.all_parameters)}
        values |= {name: FIELD.constant(value) for name, value in fixed.items()}
        expected = run(lower(formula), FIELD, values)
        kernel, numbers = kernel_of(formula, optimise(substitute_numbers(lower(formula), fixed)))
        inputs = {a.name: {m: values[name] for m, name in a.members.items()} for a in kernel.inputs}
        for shared in aliasings(kernel):
            outputs = run_kernel(kernel, FIELD, {**values, **numbers}, inputs, shared)
            for output in kernel.outputs:
                found = {name: outputs[output.name][member] for member, name in output.members.items()}
                assert found == {name: expected[name] for name in found}, (formula_id, shared)
            aliased += bool(shared)
    assert aliased > len(database.ids) / 2


def test_storing_before_everything_is_read_is_seen(database: Database, same_rng):
    formula = database.formula("g1p/shortw/jacobian/addition/add-2007-bl")
    kernel, numbers = kernel_of(formula, optimise(lower(formula)))
    hasty = replace(
        kernel, stores=(Store("p3", "X", Coordinate("p1", "Y")), Store("p3", "Y", Coordinate("p1", "X")))
    )
    inputs = {a.name: {m: same_rng.randrange(1, FIELD.prime) for m in a.type.members} for a in kernel.inputs}
    apart = run_kernel(hasty, FIELD, numbers, inputs)["p3"]
    together = run_kernel(hasty, FIELD, numbers, inputs, {"p3": "p1"})["p3"]
    assert {m: apart[m] for m in "XY"} != {m: together[m] for m in "XY"}


@pytest.mark.parametrize(
    ("formula_id", "name"),
    [
        ("g1p/shortw/jacobian/addition/add-2007-bl", "add"),
        ("g1p/shortw/jacobian/addition/madd-2007-bl", "add_mixed"),
        ("g1p/shortw/jacobian/addition/mmadd-2007-bl", "add_normalized"),
        ("g1p/shortw/jacobian/addition/zadd-2007-m", "add_2007_m"),
        ("g1p/shortw/jacobian/doubling/dbl-2007-bl", "double"),
        ("g1p/shortw/jacobian/doubling/mdbl-2007-bl", "double_normalized"),
        ("g1p/shortw/jacobian/scaling/z", "normalize"),
        ("g1p/montgom/xz/ladder/ladd-1987-m-3", "ladder_step"),
        ("g1p/montgom/xz/ladder/mladd-1987-m", "ladder_step_mixed"),
        ("g1p/hessian/standard/addition/xmadd-2007-hcd", "add_2007_hcd"),
        ("g1p/twisted/extended-1/addition/add-niels-halved", "add_niels_halved"),
        ("g1p/twisted/extended-1/subtraction/sub-cached-to-completed", "subtract_cached_to_completed"),
        ("g1p/twisted/extended-1/doubling/dbl-to-projective", "double_to_projective"),
        ("g1p/shortw/jacobian/conversion/to-w12-0", "convert_to_w12_0"),
    ],
)
def test_functions_are_named_after_their_kind_their_inputs_and_their_systems(database, formula_id, name):
    assert function_name(database.formula(formula_id)) == name


def test_temporaries_are_used_again(database: Database):
    formula = database.formula("g1p/shortw/jacobian/addition/add-2007-bl")
    program = optimise(lower(formula))
    allocation = allocate(program, *arguments(formula))
    assert allocation.temporaries < len(allocation.steps) / 2
    assert {step.target for step in allocation.steps} == {Temporary(n) for n in range(allocation.temporaries)}
