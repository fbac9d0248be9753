"""Functions that were proved as text before the files were assembled: they must appear unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from efdgen.generator.fields.emitted import EmittedFunction, EmittedWords
from efdgen.generator.fields.loops import EmittedLoop
from efdgen.verify.readback.texts import TARGETS
from efdgen.verify.words.c import read_c
from efdgen.verify.words.rust import read_rust
from efdgen.verify.words.tree import Constant, Function

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from efdgen.generator.fields.pieces import Language
    from efdgen.verify.readback.texts import Text
    from efdgen.verify.words.tree import Routines

# Claims that are proved of a text before it is put into a file.
Emitted: TypeAlias = EmittedFunction | EmittedLoop | EmittedWords

# Texts that are proved name these numbers; in a file they are defined for all of it.
_GIVEN = frozenset({"WORD_BITS", "LIMBS", "WORDS", "FE_BITS", "FE_BYTES"})


class ProvedTexts:
    """The texts of claims in a language, for words of a size: on words, and on elements."""

    def __init__(self, language: Language, word: int, claims: Iterable[Emitted]) -> None:
        self._language, self._word = language, word
        self._read: dict[object, dict[str, list[Function | Constant]]] = {}
        known = list(claims)
        self._on_words = tuple(claim for claim in known if isinstance(claim, EmittedWords))
        self._on_elements = tuple(claim for claim in known if not isinstance(claim, EmittedWords))
        # All compilers see the same names.
        defined, facts = ("__SIZEOF_INT128__",), next(iter(TARGETS[word].values()))
        self.helpers = set(self._items(self._on_words, defined, facts))
        self.names = self.helpers.union(self._items(self._on_elements, defined, facts))

    def differences(self, text: Text) -> dict[str, str]:
        """Return how functions and constants differ from those that were proved, by their names."""
        found = self._compared(self._on_elements, text, (text.methods, (text.elements,)))
        return found | self._compared(self._on_words, text, ((text.limbs,),))

    def _compared(
        self, claims: tuple[Emitted, ...], text: Text, places: tuple[tuple[Routines, ...], ...]
    ) -> dict[str, str]:
        """Compare claims with what is in the first of some places that has anything of a name."""
        found: dict[str, str] = {}
        for name, proved in self._items(claims, text.defined, text.facts).items():
            named = ([item for one in place for item in _named(one, name)] for place in places)
            present = next(filter(None, named), [])
            optional = isinstance(proved[0], Constant) or name in self.helpers
            more = [item for item in present if isinstance(item, Function) and item not in proved]
            if not present and not optional:
                found[name] = "it is not in the text"
            elif more or (present and any(item not in present for item in proved)):
                found[name] = "it is not as it was proved"
        return found

    def _items(
        self, claims: tuple[Emitted, ...], defined: Collection[str], facts: Mapping[str, str]
    ) -> dict[str, list[Function | Constant]]:
        """Return the functions and constants of claims by their names, as a compiler sees them."""
        key = claims, frozenset(defined), tuple(facts.items())
        if key in self._read:
            return self._read[key]
        found: dict[str, list[Function | Constant]] = {}
        self._read[key] = found
        for claim in claims:
            if self._language == "c":
                routines = read_c(claim.text, self._word, defined)
            else:
                routines = read_rust(claim.text, facts)
            items: list[Function | Constant] = [*routines.functions.values(), *routines.constants.values()]
            for item in items:
                if item.name not in _GIVEN:
                    found.setdefault(item.name, []).append(item)
        return found


def _named(routines: Routines, name: str) -> Iterator[Function | Constant]:
    for found in (routines.functions.get(name), routines.constants.get(name)):
        if found is not None:
            yield found
