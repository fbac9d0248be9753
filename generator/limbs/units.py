"""Costs of operations on a model of an x86-64 core: the ports that they wait for, and their latencies.

::

    product                    port 1           4 cycles to the low word, 5 to the high one
    carry-less product         port 1           5 cycles, and a sum of two such 1 more
    chained sum, shift         port 0 or 6      1 cycle
    anything else              any port         1 cycle
    shift of two words         port 1           3 cycles
"""

from __future__ import annotations

from typing import NamedTuple

PORTS = 5


class Unit(NamedTuple):
    """Operations that share a port, their number of ports, and the latency of each result."""

    group: str
    ports: int
    latencies: tuple[int, ...]


PRODUCT = Unit("product", 1, (4, 5))
CARRYLESS = Unit("product", 1, (6, 8))
SHORT_PRODUCT = Unit("product", 1, (3,))
TWO_WORDS = Unit("product", 1, (3,))
CHAINED = Unit("chain", 2, (1, 1))
MASKED = Unit("chain", 2, (2,))
PLAIN = Unit("any", PORTS, (1, 1))
