"""The systems and formulas in ``tests/systems``, in a directory of their own as a user has them."""

import shutil
from pathlib import Path

from efdgen.generator.formulas.database import BUILT_IN, Database
from efdgen.generator.formulas.layers import Layers

TEXTS = Path(__file__).with_name("systems")

FORMULAS = sorted(str(path.relative_to(TEXTS)) for path in TEXTS.glob("g*/*/*/*/*"))


def own(directory: Path) -> Database:
    """Copy the texts to a directory, and return the database with it over the built-in formulas."""
    shutil.copytree(TEXTS, directory, dirs_exist_ok=True)
    return Database(Layers((directory, BUILT_IN)))
