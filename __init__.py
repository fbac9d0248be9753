"""efdgen: a compiler for elliptic-curve explicit formulas.

    >>> import efdgen
    >>> str(efdgen.cost("jacobian-0/doubling/dbl-2009-l"))
    '2M + 5S + 6add + 1*2 + 1*3 + 1*8'

`help(efdgen.check)` and so on document each function.
"""

from efdgen.api.curves import compile, curve, curves, plan
from efdgen.api.formulas import check, cost, database, evaluate, exceptions, exceptions_on, formula, overlay
from efdgen.generator.errors import EfdgenError, TextError
from efdgen.generator.version import __version__ as __version__

__all__ = [
    "EfdgenError",
    "TextError",
    "check",
    "compile",
    "cost",
    "curve",
    "curves",
    "database",
    "evaluate",
    "exceptions",
    "exceptions_on",
    "formula",
    "overlay",
    "plan",
]
