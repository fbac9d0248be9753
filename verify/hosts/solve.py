"""Choice of calls and of places to restore bounds, at the least cost, by Z3.

For every form of a program, whether it is computed, by which call, and whether its bound is restored or
guarded after it; a value whose bound is restored is restored as soon as it is there, which is never worse.
Every precondition of the host, every bound that is wanted, and that an output may be the next input are
constraints, and in a host with untrusted operations that what is relied on is certain. The cost is minimised
first, then unused results, then copies that order may not avoid, then the bounds of the outputs, then how
many values have no name in the formula. A call that gives several forms costs once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import z3

from efdgen.generator.errors import EfdgenError
from efdgen.generator.hosts.select import Choice, line_text
from efdgen.verify.solver import satisfiable

if TYPE_CHECKING:
    from collections.abc import Callable

    from efdgen.generator.hosts.form import Alternative, Form
    from efdgen.generator.hosts.forms import Forms
    from efdgen.generator.hosts.host import Host, HostOperation
    from efdgen.generator.hosts.select import Limits

_RESOURCES = 400_000_000
"""Resource units of Z3 for one choice."""

Term = Any


def solve(forms: Forms, limits: Limits, host: Host) -> Choice:
    """Return a choice of least cost; raise :class:`EfdgenError` that names a line if there is none."""
    choice = _Model(forms, limits, host, strict=True).choice()
    # A host without negation may have to compute a value and its negative, each by itself.
    once = "neg" in host.operations
    if choice is None and not once:
        choice = _Model(forms, limits, host, strict=True, once=once).choice()
    if choice is None:
        relaxed = _Model(forms, limits, host, strict=False, once=once)
        nearest = relaxed.choice()
        assert nearest is not None
        raise EfdgenError(relaxed.broken(nearest))
    return choice


class _Model:
    """The unknowns: for a form, whether it is used, its way, its restoring, its bound before and after.

    In a host with untrusted operations there is also whether the bound is certain, before and after.

    A model that is not strict may break conditions, as few as possible, to say which cannot be met. With
    ``once``, of a value and its negative one is computed from others.
    """

    def __init__(self, forms: Forms, limits: Limits, host: Host, *, strict: bool, once: bool = True) -> None:
        self.forms, self.limits, self.host, self.strict, self.once = forms, limits, host, strict, once
        # A context of its own: what was solved before has no influence on which of equal choices is found.
        self.context = z3.Context()
        self.optimiser = z3.Optimize(ctx=self.context)
        numbers = forms.forms
        self.used = {n: z3.Bool(f"used_{n}", self.context) for n in numbers}
        self.made = {n: z3.Int(f"made_{n}", self.context) for n in numbers}
        self.bound = {n: z3.Int(f"bound_{n}", self.context) for n in numbers}
        self.ways = {
            n: [z3.Bool(f"way_{n}_{i}", self.context) for i in range(len(form.alternatives))]
            for n, form in numbers.items()
        }
        self.restoring = [operation for operation in host.restores if operation.results]
        self.guarding = [operation for operation in host.restores if not operation.results and host.claims]
        self.restores, self.guards = (
            {n: [z3.Bool(f"restore_{n}_{each.name}", self.context) for each in operations] for n in numbers}
            for operations in (self.restoring, self.guarding)
        )
        self.surely_made = {n: z3.Bool(f"surely_made_{n}", self.context) for n in numbers}
        self.sure = {n: z3.Bool(f"sure_{n}", self.context) for n in numbers}
        self.calls: dict[object, list[z3.BoolRef]] = {}
        self.costs: list[Any] = []
        self.unused: list[Any] = []
        self.copies: list[Any] = []
        self.breaches: list[tuple[Any, Callable[[Choice, z3.ModelRef], str]]] = []

    def choice(self) -> Choice | None:
        """Solve, and read off what was chosen; None if there is no choice."""
        for number, form in self.forms.forms.items():
            self._form(number, form)
        for pair in sorted(set(self.forms.pairs.values())):
            self._computed_once(pair)
        self._shared_calls()
        self._limits()
        if not self.strict:
            self.optimiser.minimize(self._sum([z3.If(breach, 1, 0) for breach, _ in self.breaches]))
        self.optimiser.minimize(self._sum(self.costs))
        if self.unused:
            self.optimiser.minimize(self._sum(self.unused))
        self.optimiser.minimize(self._sum(self.copies))
        self.optimiser.minimize(self._sum([self.bound[form] for _, form in self.forms.outputs]))
        self.optimiser.minimize(self._sum([z3.If(used, 1, 0) for used in self._unnamed()]))
        question = f"which calls cost least in the field of {self.host.name}"
        if not satisfiable(self.optimiser, question, resources=_RESOURCES):
            return None
        return self._read(self.optimiser.model())

    def broken(self, choice: Choice) -> str:
        """Say which line cannot be had, and why."""
        model = self.optimiser.model()
        reasons = [say(choice, model) for breach, say in self.breaches if z3.is_true(model[breach])]
        return f"no placement of {self._restoring_names()} keeps every bound; {reasons[0]}"

    def _restoring_names(self) -> str:
        return " or ".join(operation.name for operation in self.host.restores) or "calls"

    def _require(self, when: Term, condition: Term, say: Callable[[Choice, z3.ModelRef], str]) -> None:
        """Add a condition, which a model that is not strict may break."""
        if self.strict:
            self.optimiser.add(z3.Implies(when, condition))
            return
        breach = z3.Bool(f"breach_{len(self.breaches)}", self.context)
        self.breaches.append((breach, say))
        self.optimiser.add(z3.Implies(z3.And(when, z3.Not(breach)), condition))

    def _sum(self, terms: list[Any]) -> Term:
        return z3.Sum([z3.IntVal(0, self.context), *terms])

    def _any(self, conditions: list[Any]) -> Term:
        return z3.Or([z3.BoolVal(False, self.context), *conditions])

    def _all(self, conditions: list[Any]) -> Term:
        return z3.And([z3.BoolVal(True, self.context), *conditions])

    def _unnamed(self) -> list[Any]:
        """Return whether each form is used that is the negative of what has a name, or a step towards it."""
        return [self.used[n] for n, form in self.forms.forms.items() if form.key not in self.forms.labels]

    def _computed_once(self, pair: int) -> None:
        """Say what a form and its negative cost: where one is unavoidable, above the cheapest way."""
        ways = [
            (way, 0 if self._is_shared(alternative) else self._cost(alternative))
            for number, form in self.forms.forms.items()
            if self.forms.pairs[number] == pair
            for way, alternative in zip(self.ways[number], form.alternatives, strict=True)
            if alternative.operation != "neg"
        ]
        least = 0
        if ways and pair in self.forms.unavoidable:
            least = min(cost for _, cost in ways)
            exactly = z3.PbEq if self.once else z3.PbGe
            self.optimiser.add(exactly([(way, 1) for way, _ in ways], 1))
        self.costs += [z3.If(way, cost - least, 0) for way, cost in ways if cost > least]

    def _is_shared(self, alternative: Alternative) -> bool:
        """Return whether a call gives other forms as well, and so is paid for by itself."""
        return len(self.host.operations[alternative.operation].results) > 1

    def _shared_calls(self) -> None:
        """Count calls with several results once, whichever of the results are used; all keep their bounds."""
        found: dict[object, list[tuple[int, z3.BoolRef, Alternative]]] = {}
        for number, form in self.forms.forms.items():
            for way, alternative in zip(self.ways[number], form.alternatives, strict=True):
                if self._is_shared(alternative):
                    found.setdefault(alternative.call, []).append((number, way, alternative))
        for given in found.values():
            (number, _, alternative), made = given[0], self._any([way for _, way, _ in given])
            self.costs.append(z3.If(made, self._cost(alternative), 0))
            self._copied(number, made, alternative)
            operation = self.host.operations[alternative.operation]
            self.unused.append(z3.If(made, len(operation.results), 0))
            self.unused += [z3.If(way, -1, 0) for _, way, _ in given]
            for bound in operation.gives:
                rule = f"{operation.name} needs {bound} <= {self.host.largest}"
                keeps = bound.at(self._names(operation, alternative)) <= self.host.largest
                self._require(made, keeps, self._unmet(number, rule, alternative.operands))

    def _cost(self, alternative: Alternative) -> int:
        """Return the cost of a call, and of the copy that it needs where it overwrites what is only read."""
        operation = self.host.operations[alternative.operation]
        certain = all(self.forms.forms[operand].origin for operand in alternative.operands)
        return operation.cost + (self.host.operations["copy"].cost if operation.in_place and certain else 0)

    def _form(self, number: int, form: Form) -> None:
        used, add = self.used[number], self.optimiser.add
        add(self.made[number] >= 0, self.bound[number] >= 0)
        if form.is_test:
            add(self.made[number] == 0)
        for bound in (self.made[number], self.bound[number]):
            self._require(used, bound <= self.host.largest, self._too_large(number))
        if form.origin is None:
            add(z3.Implies(used, z3.PbEq([(way, 1) for way in self.ways[number]], 1)))
        for way, alternative in zip(self.ways[number], form.alternatives, strict=True):
            self._way(number, way, alternative)
        self._restoring(number, form)

    def _way(self, number: int, way: z3.BoolRef, alternative: Alternative) -> None:
        operation, add = self.host.operations[alternative.operation], self.optimiser.add
        names = self._names(operation, alternative)
        add(z3.Implies(way, self.used[number]))
        add(z3.Implies(way, self._all([self.used[operand] for operand in alternative.operands])))
        for condition in operation.needs:
            say = self._unmet(number, f"{operation.name} needs {condition}", alternative.operands)
            self._require(way, condition.at(names), say)
        if operation.results:
            add(z3.Implies(way, self.made[number] == operation.gives[alternative.result].at(names)))
        if self.host.claims:
            self._way_is_sure(number, way, alternative)
        if not self._is_shared(alternative):
            self._copied(number, way, alternative)
        if alternative.operation == "neg":
            (base,) = alternative.operands
            self.costs.append(z3.If(way, self._cost(alternative), 0))
            for other, back in zip(self.ways[base], self.forms.forms[base].alternatives, strict=True):
                if back.operation == "neg":
                    add(z3.Not(z3.And(way, other)))

    def _names(self, operation: HostOperation, alternative: Alternative) -> dict[str, Any]:
        """Return what the names in the rules of a call are: the bounds of its operands, and k."""
        read = [self.bound[operand] for operand in alternative.operands]
        return {"k": alternative.factor, **dict(zip(operation.operands, read, strict=True))}

    def _copied(self, number: int, way: z3.BoolRef, alternative: Alternative) -> None:
        """Count the copy of an operand that may be read again, where a call would write over it."""
        in_place = self.host.operations[alternative.operation].in_place
        kept = self._kept(number, alternative) if in_place else [z3.BoolVal(False, self.context)]
        self.copies.append(z3.If(z3.And(way, *kept), 1, 0))

    def _way_is_sure(self, number: int, way: z3.BoolRef, alternative: Alternative) -> None:
        """Require that what a call relies on is certain, and say whether what it gives is."""
        operation = self.host.operations[alternative.operation]
        named = dict(zip(operation.operands, alternative.operands, strict=True))
        for name in operation.relies_on:
            self._require(way, self.sure[named[name]], self._claimed(number, operation, name))
        if not operation.results:
            return
        rests = operation.rests_on(alternative.result)
        sure = self._any([]) if rests is None else self._all([self.sure[named[name]] for name in rests])
        self.optimiser.add(z3.Implies(way, self.surely_made[number] == sure))

    def _kept(self, number: int, alternative: Alternative) -> list[Any]:
        """Return for each operand whether it may be read again, and so cannot be written over at once."""
        outputs = {output for _, output in self.forms.outputs}
        return [
            z3.BoolVal(True, self.context)
            if operand in outputs or self.forms.forms[operand].origin
            else self._any(
                [
                    way
                    for reader, way, other in self._readers(operand)
                    if reader != number and other.call != alternative.call
                ]
            )
            for operand in set(alternative.operands)
        ]

    def _readers(self, operand: int) -> list[tuple[int, z3.BoolRef, Alternative]]:
        return [
            (number, way, alternative)
            for number, form in self.forms.forms.items()
            for way, alternative in zip(self.ways[number], form.alternatives, strict=True)
            if operand in alternative.operands
        ]

    def _restoring(self, number: int, form: Form) -> None:
        chosen, add = self.restores[number], self.optimiser.add
        if chosen:
            add(z3.AtMost(*chosen, 0 if form.is_test else 1))
        add(z3.Implies(z3.Not(self._any(chosen)), self.bound[number] == self.made[number]))
        for restore, operation in zip(chosen, self.restoring, strict=True):
            names = {"a": self.made[number], "k": 0}
            add(z3.Implies(restore, self.used[number]))
            add(z3.Implies(restore, self._all([condition.at(names) for condition in operation.needs])))
            add(z3.Implies(restore, self.bound[number] == operation.gives[0].at(names)))
            copying = self.host.operations["copy"].cost if operation.in_place and form.origin else 0
            self.costs.append(z3.If(restore, operation.cost + copying, 0))
        if self.host.claims:
            self._guarding(number, form)

    def _guarding(self, number: int, form: Form) -> None:
        """Say whether a bound is certain; a guard precedes a trusted operation that restores the bound."""
        chosen, add = self.guards[number], self.optimiser.add
        if chosen:
            add(z3.AtMost(*chosen, 0 if form.is_test else 1))
        if form.origin is not None:
            add(self.surely_made[number] == form.origin.constant)
        guarded = self._any(chosen)
        before, late = z3.Or(self.surely_made[number], guarded), self._any([])
        add(z3.Implies(z3.Not(self._any(self.restores[number])), self.sure[number] == before))
        for restore, operation in zip(self.restores[number], self.restoring, strict=True):
            if operation.untrusted:
                late = z3.Or(late, restore)
                add(z3.Implies(restore, self.sure[number] == guarded))
                continue
            if operation.relies_on:
                add(z3.Implies(restore, before))
            sure = before if operation.rests_on(0) else self._all([])
            add(z3.Implies(restore, self.sure[number] == sure))
        names = {"a": z3.If(late, self.bound[number], self.made[number]), "k": 0}
        for guard, operation in zip(chosen, self.guarding, strict=True):
            add(z3.Implies(guard, self.used[number]))
            add(z3.Implies(guard, self._all([condition.at(names) for condition in operation.needs])))
            self.costs.append(z3.If(guard, operation.cost, 0))

    def _limits(self) -> None:
        add, inputs = self.optimiser.add, {}
        for number, form in self.forms.forms.items():
            if form.origin is not None:
                wanted = 1 if form.origin.constant else self.limits.inputs.get(form.origin.name)
                inputs[form.origin.name] = self.made[number]
                add(self.made[number] == wanted if wanted is not None else self.made[number] >= 1)
        add(*(self.used[number] for number in self.forms.wanted))
        for name, output in self.forms.outputs:
            if name in self.limits.outputs:
                wanted = self.limits.outputs[name]
                say = self._above(name, output, f"more than {wanted}")
                self._require(self.used[output], self.bound[output] <= wanted, say)
            for source in self.limits.returns.get(name, ()):
                if source in inputs:
                    say = self._above(name, output, f"more than {source}, which it can be next")
                    self._require(self.used[output], self.bound[output] <= inputs[source], say)

    def _unmet(
        self, number: int, rule: str, operands: tuple[int, ...]
    ) -> Callable[[Choice, z3.ModelRef], str]:
        def say(choice: Choice, model: z3.ModelRef) -> str:
            found = ", ".join(str(model[self.bound[operand]]) for operand in operands)
            return f"in {line_text(self.forms, choice, number)}, {rule}, and the bounds are {found}"

        return say

    def _claimed(
        self, number: int, operation: HostOperation, name: str
    ) -> Callable[[Choice, z3.ModelRef], str]:
        def say(choice: Choice, _: z3.ModelRef) -> str:
            rule = f"{operation.name} relies on the bound of {name}, which is only claimed"
            wanted = f"add {name} to its guards, or an operation with guards to [restore]"
            return f"in {line_text(self.forms, choice, number)}, {rule}: {wanted}"

        return say

    def _too_large(self, number: int) -> Callable[[Choice, z3.ModelRef], str]:
        def say(choice: Choice, model: z3.ModelRef) -> str:
            found = f"a bound of {model[self.made[number]]}, above {self.host.largest}"
            return f"{line_text(self.forms, choice, number)} has {found}"

        return say

    def _above(self, name: str, output: int, rest: str) -> Callable[[Choice, z3.ModelRef], str]:
        def say(choice: Choice, model: z3.ModelRef) -> str:
            text = line_text(self.forms, choice, output)
            return f"{name}, from {text}, has a bound of {model[self.bound[output]]}, {rest}"

        return say

    def _read(self, model: z3.ModelRef) -> Choice:
        ways: dict[int, Alternative | None] = {}
        restores: dict[int, tuple[str, ...]] = {}
        inputs: dict[str, int] = {}
        needed = [*self.forms.wanted]
        while needed:
            number = needed.pop()
            if number in ways:
                continue
            form = self.forms.forms[number]
            taken = [
                a for w, a in zip(self.ways[number], form.alternatives, strict=True) if z3.is_true(model[w])
            ]
            ways[number] = taken[0] if taken else None
            needed += taken[0].operands if taken else ()
            if names := self._restored(number, model):
                restores[number] = names
            if form.origin is not None and not form.origin.constant:
                inputs[form.origin.name] = model[self.made[number]].as_long()
        return Choice(ways, restores, inputs)

    def _restored(self, number: int, model: z3.ModelRef) -> tuple[str, ...]:
        """Return the operations on the bound of a form, in order."""
        first, second = (
            [each for is_chosen, each in zip(chosen, operations, strict=True) if z3.is_true(model[is_chosen])]
            for chosen, operations in (
                (self.guards[number], self.guarding),
                (self.restores[number], self.restoring),
            )
        )
        if any(operation.untrusted for operation in second):
            first, second = second, first
        return tuple(operation.name for operation in (*first, *second))
