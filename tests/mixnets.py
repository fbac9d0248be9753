"""The mixnet of examples/mixnet: where its sources are, and the prime of its group of integers."""

from __future__ import annotations

import re
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "mixnet"
_SOURCE = (EXAMPLE / "groups" / "integers.c").read_text()
_DIGITS = re.search(r'prime_digits\[\] =((?:\s*"[0-9A-F]+")+);', _SOURCE)
assert _DIGITS is not None
PRIME = int("".join(re.findall("[0-9A-F]+", _DIGITS[1])), 16)
