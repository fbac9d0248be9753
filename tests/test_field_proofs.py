"""Numbers of steps are held against exact hulls, roots are proved, and what is proved is printed."""

from dataclasses import replace

import pytest

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.bundle import offered_functions
from efdgen.generator.fields.chains import addition_chain
from efdgen.generator.fields.division_steps import sufficient_steps
from efdgen.generator.fields.field import Field
from efdgen.generator.fields.pieces import Names
from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.fields.root_steps import RootSteps
from efdgen.generator.mathematics.prime import PrimeField
from efdgen.generator.origin import Origin
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.c import bundle as c
from efdgen.generator.render.field.bundle import render_field
from efdgen.verify.fields.certificate import FieldCertificates, require_field_proof
from efdgen.verify.fields.roots import prove_root_steps
from efdgen.verify.fields.steps import enough_steps, suffice
from efdgen.verify.verdicts import Refuted


def hull(points):
    """Andrew's monotone chain."""
    points = sorted(set(points))
    chains = []
    for order in (points, points[::-1]):
        chain = []
        for x, y in order:
            while len(chain) > 1:
                (a, b), (c, d) = chain[-2:]
                if (c - a) * (y - b) > (d - b) * (x - a):
                    break
                chain.pop()
            chain.append((x, y))
        chains.append(chain)
    return chains[0][:-1] + chains[1][:-1] if len(points) > 2 else points


def exact_steps(bits: int, twice_delta: int) -> int:
    """The number of steps that convex hulls give, in integers: after n steps all is multiplied by 2^n."""
    sets, steps = {twice_delta: [(0, 0), (1 << bits, 0), (1 << bits, 1 << bits)]}, 0
    while sets := {d: points for d, points in sets.items() if any(abs(y) >= 1 << steps for _, y in points)}:
        images = {}
        for d, points in sets.items():
            images.setdefault(d + 2, []).extend((2 * x, y) for x, y in points)
            if d > 0:
                images.setdefault(2 - d, []).extend((2 * y, y - x) for x, y in points)
            else:
                images.setdefault(d + 2, []).extend((2 * x, y + x) for x, y in points)
        sets = {d: hull(points) for d, points in images.items()}
        steps += 1
    return steps


@pytest.mark.drawn(4)
@pytest.mark.parametrize("twice_delta", [1, 2])
@pytest.mark.parametrize("bits", [2, 3, 8, 16, 24])
def test_bounds_are_those_of_exact_hulls_or_a_little_more(bits, twice_delta):
    exact = exact_steps(bits, twice_delta)
    assert exact <= enough_steps(bits, twice_delta) <= exact + 1
    assert exact == enough_steps(bits, twice_delta, slopes=(16, 20))


@pytest.mark.long
@pytest.mark.slow
def test_bounds_are_those_published_for_256_bits():
    assert 590 <= enough_steps(256) <= 591
    assert 724 <= enough_steps(256, twice_delta=2) <= 726


def test_the_published_line_is_proved_for_small_sizes_and_one_step_less_is_not():
    for bits in range(2, 32):
        assert suffice(sufficient_steps(bits), bits), bits
    assert not suffice(sufficient_steps(16) - 1, 16)


@pytest.mark.parametrize("prime", [3, 5, 17, 251, 2**31 - 1, 2**255 - 19, 15 * 2**27 + 1, 2**224 - 2**96 + 1])
def test_square_roots_are_proved(prime):
    assert len(prove_root_steps(RootSteps.of(prime))) == 5


class FewTurns(RootSteps):
    @property
    def turns(self):
        return super().turns[1:]


class WrongTurns(RootSteps):
    @property
    def turns(self):
        first, second, *rest = super().turns
        return [second, first, *rest]


P224 = RootSteps.of(2**224 - 2**96 + 1)
SECP256K1 = RootSteps.of(2**256 - 2**32 - 977)


@pytest.mark.drawn(3)
@pytest.mark.parametrize(
    ("steps", "text"),
    [
        (replace(P224, prime=P224.prime + 2), "p is a prime"),
        (replace(P224, adicity=95), "p is a prime"),
        (replace(P224, chain=addition_chain(2**128 - 1)), "the chain makes"),
        (replace(P224, unity=pow(P224.unity, 2, P224.prime)), "the root of unity"),
        (FewTurns(P224.prime, P224.adicity, P224.chain, P224.unity, P224.window), "turns lead to a root"),
        (WrongTurns(P224.prime, P224.adicity, P224.chain, P224.unity, P224.window), "turns lead to a root"),
        (replace(SECP256K1, direct=addition_chain((SECP256K1.prime + 1) // 2)), "the power of a square"),
        (replace(P224, direct=addition_chain((P224.prime + 1) // 4)), "the power of a square"),
    ],
)
def test_roots_that_are_found_wrongly_are_refuted(steps, text):
    with pytest.raises(Refuted, match=text):
        prove_root_steps(steps)


@pytest.mark.long
@pytest.mark.slow
def test_what_is_proved_is_printed_and_what_is_not_stops_the_command(tmp_path, monkeypatch):
    monkeypatch.setenv("EFDGEN_CACHE", str(tmp_path))
    request = FieldRequest("c", "65537", operations=("inv", "sqrt", "is_square"))
    header = render_field(request, FieldCertificates())["fp.h"]
    for name in ("inv", "sqrt", "is_square"):
        comment, _ = header.split(f" fp_fe_{name}(fp_fe" if name != "is_square" else " fp_fe_is_square(const")
        told = " ".join(comment[comment.rindex("/*") :].replace("*", " ").split())
        assert "Proved: " in told, name
        assert ("gives the Jacobi symbol of a" in told) == (name == "is_square")
    (loop,) = offered_functions(Field(PrimeField(65537), words=(64,)), Names("fp"), "c", slow=False)[
        "inv"
    ].claims
    with pytest.raises(EfdgenError, match="no proof for the field's divsteps; fails: "):
        require_field_proof(replace(loop, text=loop.text.replace("(zeta ^ swap) - one", "zeta - one")))


def test_bounds_of_elements_are_those_of_the_representation():
    plain, montgomery = (
        Field(PrimeField(p)).representations[0].description for p in (2**256 - 2**32 - 977, 5 * 2**248 - 1)
    )
    assert plain == "x modulo p, any value up to 2^256 - 1"
    assert montgomery.startswith("x*2^256 modulo p, any value up to 3*p")
    assert (
        c.render(Bundle("toy", PrimeField(13), (), Origin(("efdgen", "compile"))), c.Options())[
            "toy.h"
        ].count("Bounds: ")
        > 10
    )
