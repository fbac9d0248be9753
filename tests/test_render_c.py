"""Kernels in C: every formula on integers, what compilers say of them, and what a reviewer reads in them."""

import re
import subprocess
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

import pytest
from tools import C_WARNINGS, WARNINGS

from efdgen.generator.fields.field import FieldOptions
from efdgen.generator.formulas.cost import count
from efdgen.generator.formulas.database import Database
from efdgen.generator.formulas.signature import arguments, fixed_inputs, function_name
from efdgen.generator.kernels.contract import LICENSE, contract_lines, header_lines
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.origin import Origin
from efdgen.generator.passes.allocation import allocate
from efdgen.generator.passes.pipeline import optimise
from efdgen.generator.passes.substitution import substitute_numbers
from efdgen.generator.programs.interpreter import run
from efdgen.generator.programs.kernel import Bundle, CurveConstant, CurveKernels, Kernel, Step, Temporary
from efdgen.generator.programs.lower import lower
from efdgen.generator.render.c.bundle import Options, render
from efdgen.generator.text.wrap import wrapped
from efdgen.verify.vectors.drivers import Driver

PRIME = 2**256 - 2**32 - 977
FIELD = PrimeField(PRIME)
JACOBIAN = tuple(
    f"g1p/shortw/jacobian-0/{name}"
    for name in ("addition/add-2007-bl", "addition/madd-2007-bl", "doubling/dbl-2009-l", "scaling/z")
)


def kernel_of(formula) -> tuple[Kernel, dict[str, Fraction]]:
    inputs, outputs = arguments(formula)
    program = optimise(substitute_numbers(lower(formula), fixed_inputs(formula)))
    allocation = allocate(program, inputs, outputs, {assignment.target for assignment in formula.assignments})
    kernel = Kernel(
        name=function_name(formula),
        formula=formula,
        summary="The summary.",
        requires=("a = 0",),
        cost=count(lower(formula)),
        cost_emitted=count(program),
        digest="0123456789abcdef" * 4,
        proof="by hand",
        program=program,
        inputs=inputs,
        outputs=outputs,
        steps=allocation.steps,
        stores=allocation.stores,
        temporaries=allocation.temporaries,
    )
    return kernel, allocation.numbers


def group_of(namespace: str, formulas, parameters: dict[str, int]) -> CurveKernels:
    kernels, constants, field = [], dict(parameters), FIELD
    for formula in formulas:
        kernel, numbers = kernel_of(formula)
        kernels.append(kernel)
        constants |= {name: field.constant(value) for name, value in numbers.items()}
    names = [kernel.name for kernel in kernels]
    kernels = [
        kernel if names.count(kernel.name) == 1 else replace(kernel, name=f"{kernel.name}_{number}")
        for number, kernel in enumerate(kernels)
    ]
    types = {a.type.name: a.type for kernel in kernels for a in (*kernel.inputs, *kernel.outputs)}
    system = kernels[0].formula.system
    return CurveKernels(
        namespace, "toy", system.id, f"toy, {system.title}", constants, tuple(types.values()), tuple(kernels)
    )


@pytest.fixture(scope="module")
def jacobian(database: Database) -> Bundle:
    group = group_of("", [database.formula(name) for name in JACOBIAN], {})
    return Bundle(
        "toy",
        FIELD,
        (group,),
        Origin(("efdgen", "compile", "--lang", "c", "--formulas", "g1p/*/add*/*")),
    )


def hexadecimal(*values: int) -> str:
    return " ".join(f"{value:064x}" for value in values)


def compiled(command: list[str], folder, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.long
def test_every_formula_computes_what_it_says_however_its_output_aliases_an_input(cc, database, rng, tmp_path):
    field, cases, groups = FIELD, [], []
    ids = [name for name in database.ids if name.startswith("g1p/")]
    for system_id, members in groupby(ids, key=lambda name: name.rsplit("/", 2)[0]):
        formulas = [database.formula(name) for name in members]
        names = {name for formula in formulas for name in formula.all_parameters}
        parameters = {name: rng.randrange(PRIME) for name in sorted(names)}
        namespace = system_id.removeprefix("g1p/").replace("/", "_").replace("-", "_")
        groups.append(group_of(namespace, formulas, parameters))
        for kernel in groups[-1].kernels:
            formula = kernel.formula
            values = {name: rng.randrange(1, PRIME) for name in formula.input_names}
            values |= {name: field.constant(value) for name, value in fixed_inputs(formula).items()}
            wanted = run(lower(formula), field, {**parameters, **values})
            operands = hexadecimal(*(values[name] for a in kernel.inputs for name in a.coordinates))
            answer = hexadecimal(*(wanted[name] for a in kernel.outputs for name in a.coordinates))
            for alias in ("-", *(a.name for a in kernel.inputs)):
                same = alias == "-" or kernel.outputs[0].type in [
                    a.type for a in kernel.inputs if a.name == alias
                ]
                case = (
                    f"{namespace}.{kernel.name} {alias} {operands}",
                    answer if same else "error: types differ",
                )
                cases.append(case)
    files = render(
        Bundle("toy", FIELD, tuple(groups), Origin(("efdgen", "compile"))),
        Options(lowering="calls"),
    )
    compiled([cc, "-std=c99", *C_WARNINGS, "driver.c", "-o", "driver"], tmp_path, files)
    answers = Driver("c", (str(tmp_path / "driver"),)).ask([request for request, _ in cases])
    assert [r for (r, wanted), answer in zip(cases, answers, strict=True) if wanted != answer] == []
    assert len(ids) >= 454


@pytest.mark.parametrize("bits", [64, 32])
@pytest.mark.parametrize("layout", ["header", "split"])
def test_compilers_have_nothing_to_say(cc, jacobian, layout, bits, cxx, tmp_path):
    files = render(jacobian, Options(layout))
    flags = ["-O2", f"-DTOY_WORD_BITS={bits}"]
    sources = [name for name in files if name.endswith(".c")]
    compiled([cc, "-std=c99", *C_WARNINGS, *flags, *sources, "-o", "driver"], tmp_path, files)
    included = {**files, "user.cpp": '#include "toy.h"\n'}
    compiled([cxx, "-std=c++11", *WARNINGS, *flags, "-c", "user.cpp"], tmp_path, included)


def test_a_field_without_kernels_compiles_for_every_number_of_words(cc, tmp_path):
    for prime in (3, 2**64 - 59, 2**127 - 1, 2**521 - 1):
        files = render(Bundle("toy", PrimeField(prime), (), Origin(("efdgen", "compile"))), Options())
        compiled([cc, "-std=c99", *C_WARNINGS, "driver.c", "-o", "driver"], tmp_path, files)


def test_a_source_file_defines_prefixed_functions_and_no_data_that_can_change(cc, jacobian, tmp_path):
    files = render(jacobian, Options("split"))
    compiled([cc, "-std=c99", "-c", "toy.c"], tmp_path, files)
    listed = subprocess.run(["nm", "toy.o"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    symbols = [line.split()[-2:] for line in listed.splitlines()]
    assert {kind for kind, _ in symbols} <= set("TtrRU")
    assert all(name.lstrip("_").startswith("toy_") for _, name in symbols)
    declared = set(re.findall(r"\b(toy_\w+)\([^;{]*\);", files["toy.h"]))
    assert declared == {name.lstrip("_") for kind, name in symbols if kind == "T"}


def test_names_are_distinct_where_constants_differ_by_case_or_are_keywords(cc, database, tmp_path):
    group = group_of(
        "", [database.formula(JACOBIAN[2])], {"lambda": 1, "I": 2, "i": 3, "int": 4, "unread": 5}
    )
    double = group.kernels[0]
    reads = tuple(
        Step("add", Temporary(0), (CurveConstant(name), CurveConstant(name)), name)
        for name in ("lambda", "I", "i", "int")
    )
    group = replace(group, kernels=(replace(double, steps=(*reads, *double.steps)),))
    files = render(Bundle("toy", FIELD, (group,), Origin(("efdgen", "compile"))), Options())
    compiled([cc, "-std=c99", *C_WARNINGS, "driver.c", "-o", "driver"], tmp_path, files)
    assert "unread" not in files["toy.h"]


@pytest.mark.parametrize("layout", ["header", "split"])
def test_text_is_tidy(jacobian, layout):
    for text in render(jacobian, Options(layout)).values():
        assert text.startswith("/* SPDX-License-Identifier: ")
        assert re.search(r"[^\n]\n\Z", text)
        assert not re.search(r"[ \t]$|\t|\n\n\n|\{\n\n", text, re.M)
        assert max(map(len, text.splitlines())) <= 100


def test_formulas_as_a_whole_are_called_for_gcc_and_their_parts_are_not(jacobian):
    text = "".join(render(jacobian, Options(fields=FieldOptions("gcc"))).values())
    functions = re.findall(r"^(TOY_WHOLE|TOY_ALWAYS_INLINE|static inline) void toy_limbs_(\w+)\(", text, re.M)
    whole = {name for linkage, name in functions if linkage == "TOY_WHOLE"}
    assert whole == {name for _, name in functions if name.startswith("whole_")} != set()


@pytest.mark.parametrize("target", [None, "clang"])
def test_what_is_for_gcc_alone_is_printed_where_it_is_the_target(jacobian, target):
    tricks = "#pragma GCC", "TOY_SEAM", "TOY_WHOLE", "tune="
    asked, unasked = (
        "".join(render(jacobian, Options(fields=FieldOptions(t))).values()) for t in ("gcc", target)
    )
    assert all(trick in asked for trick in tricks)
    assert not any(trick in unasked for trick in tricks)


def test_the_text_of_a_step_stands_above_it_where_it_is_too_long(jacobian):
    double = jacobian.groups[0].kernels[2]
    first = replace(double.steps[0], text=" + ".join(["A*B"] * 20))
    group = replace(jacobian.groups[0], kernels=(replace(double, steps=(first, *double.steps[1:])),))
    text = render(replace(jacobian, groups=(group,)), Options(lowering="calls"))["toy.h"]
    assert re.search(
        r"^    /\* A\*B \+ .*\n     \* .* A\*B\n     \*/\n    toy_fe_sqr\(&t0, &p1->X\);$", text, re.M
    )
    assert max(map(len, text.splitlines())) <= 100


def test_headers_say_licence_command_and_formulas(jacobian):
    lines = header_lines(jacobian)
    assert lines[0] == f"SPDX-License-Identifier: {LICENSE}"
    assert re.fullmatch(r"Code generated by efdgen \S+\. DO NOT EDIT\.", lines[2])
    assert lines[3] == f"Command: {jacobian.command}"
    assert [line.split()[0] for line in lines if "sha256:" in line] == list(JACOBIAN)
    claimed = header_lines(replace(jacobian, claims={"multiply": "Proved: k·P for every k."}))
    assert [line for line in claimed if line not in lines][1:] == ["  multiply: k·P for every k."]
    assert next(line for line in claimed if line not in lines).startswith("Proved, for scalars")


def test_a_contract_states_its_facts_in_order(jacobian):
    add = jacobian.groups[0].kernels[0]
    lines = contract_lines(
        replace(add, exceptions="Undefined for p1 = p2; not checked.", requires=("Z1 = 1",))
    )
    assert lines[1] == "Undefined for p1 = p2; not checked."
    assert [line.partition(":")[0] for line in lines[2:]] == ["Formula", "Cost", "Requires"]
    assert "Cost:      11M + 5S + 13add; 11M + 5S + 9add + 4*2 as published" in lines
    assert contract_lines(add)[1] == "Exceptional inputs are not derived."


def test_wrapped_facts_hang_under_their_text():
    assert wrapped("Formula:   an id, and a source", 26) == ["Formula:   an id, and a", "           source"]
    assert wrapped("", 26) == [""]
