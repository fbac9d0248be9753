"""A guest that adds two points of edwards25519 by hints."""

from __future__ import annotations

import random
from pathlib import Path

import guests
from affine_edwards import G, L, P, add, multiple
from claims import STATUS
from edited import Guest
from prover import little_endian
from running import build_counter

GUEST = """\
#include "machine.h"
#include "zk.h"
ZK_IO struct { zk_fe p[4], hints[2], sum[2]; } io;
int guest(void) {
    static ZK_NEAR zk_fe r[2];
    if (!zk_add_hinted(r[0], r[1], io.p[0], io.p[1], io.p[2], io.p[3], io.hints[0], io.hints[1]))
        zk_halt(ZK_BAD_POINT);
    for (int i = 0; i < 2; i++)
        if (!zk_same(r[i], io.sum[i])) zk_halt(ZK_WRONG_RESULT);
    return 0;
}
"""


def test_a_guest_accepts_true_hints_alone(
    cc: str, riscv_gcc: str, tmp_path: Path, rng: random.Random
) -> None:
    guests.compile_formulas(tmp_path, guests.HERE / "zkvm.toml", ["g1p/twisted/affine/addition-hinted/add-1"])
    (tmp_path / "guest.c").write_text(GUEST)
    guests.compile_guest(tmp_path / "guest.c", tmp_path / "guest.elf")
    build_counter(tmp_path, cc)
    guest = Guest(tmp_path, "guest")
    one, other = (multiple(rng.randrange(L), G) for _ in range(2))
    right = [*one, *other, *add(one, other)]
    assert guest.status(little_endian(*right, *right[4:]), "--strict") == 0
    for place in (4, 5):
        wrong = [*right]
        wrong[place] = (wrong[place] + rng.randrange(1, P)) % P
        assert guest.status(little_endian(*wrong, *wrong[4:])) == STATUS["BAD_POINT"]
