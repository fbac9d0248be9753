"""Making of the proofs that a wheel ships: ``python -m efdgen.verify.shipping FILE``.

These are the verdicts on all formulas, models and maps of the database, and the exceptional inputs of
formulas, also in other systems, as plans of whole curves have them. All are proved again, in a cache of their
own, whose content is the file. Sage has to be installed.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError
from efdgen.generator.formulas.database import Database
from efdgen.generator.planning.kernels import rehomed
from efdgen.generator.planning.make import MODELS
from efdgen.verify import store
from efdgen.verify.account import account
from efdgen.verify.exceptions.derived import derive
from efdgen.verify.laws.prover import examine_formulas, examine_models

if TYPE_CHECKING:
    from collections.abc import Iterator


def ship(file: Path) -> None:
    """Write all verdicts to a file; raise :class:`EfdgenError` if something is not proved."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["EFDGEN_CACHE"] = cache
        database = Database()
        findings = [*examine_models(database, database.ids), *examine_formulas(database, database.ids)]
        wrong = [found.id for found in findings if found.verdict != "proved"]
        wrong += [name for name in database.ids if account(database.formula(name)).verdict != "proved"]
        if wrong:
            raise EfdgenError(f"{wrong[0]} is not proved")
        for formula in chain.from_iterable(rehomed(database, model) for model in MODELS):
            with suppress(EfdgenError, ValueError):  # not every formula fits every system
                derive(formula)
        head = json.dumps(store.versions())
        file.write_text("\n".join([head, *sorted(_lines(Path(cache)))]), encoding="ascii")


def _lines(cache: Path) -> Iterator[str]:
    """Yield the line of each proof in a cache, and of what modules import, which takes a second to find."""
    for kept in cache.iterdir():
        content, value = kept.stem.partition("-")[0], json.dumps(store.load(kept.stem))
        yield f"{content} {store.seal_of(content, value.encode())} {value}"


if __name__ == "__main__":
    ship(Path(sys.argv[1]))
