"""Programs on the emitted crate of points: a comparison with the published one, and vectors of RFC 9496.

For a longer comparison: ``python tests/dalek_points.py CRATE API ROUNDS [SEED]``, with the folder of an
emitted crate. The seed is printed.
"""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path

from ecosystem.sources import write_program
from whole_rust import run_cargo

TESTS = Path(__file__).parent
VERSIONS = {"dalek": "5.0.0", "dalek-2": "4.1.3"}
LIBRARIES = {
    "dalek": {"ff": "0.14", "group": "0.14", "sha2": "0.11"},
    "dalek-2": {"ff": "0.13", "group": "0.13", "sha2": "0.10"},
}
FEATURES = {api: ["digest", "group", "legacy_compatibility", "rand_core"] for api in VERSIONS}
FEATURES["dalek"] += ["lizard"]
PROFILE = ("", "[profile.dev]", "opt-level = 1", "debug = false")


def _need(key: str, place: str, *wanted: str) -> str:
    features = ", ".join(f'"{feature}"' for feature in wanted)
    return f'{key} = {{ package = "curve25519-dalek", {place}, features = [{features}] }}'


def compared(folder: Path, crate: Path, api: str, seed: int, rounds: int, *further: str) -> str:
    """Run the comparison in a folder, with further features of the emitted crate; return what it prints."""
    libraries = [f'{name} = "{version}"' for name, version in LIBRARIES[api].items()]
    wanted = FEATURES[api]
    needs = [_need("own", f'path = "{crate}"', *wanted, *further)]
    needs += [_need("real", f'version = "={VERSIONS[api]}"', *wanted)]
    old = "default = ['old']" if api == "dalek-2" else ""
    program = (TESTS / "dalek_points_program.rs").read_text()
    write_program(folder, [*needs, *libraries], "[features]", "old = []", old, *PROFILE, main=program)
    shutil.copy(TESTS / "dalek_points_answers.rs", folder / "src" / "answers.rs")
    return run_cargo(folder, "run", "--quiet", "--", str(seed), str(rounds))


def answered(folder: Path, crate: Path, requests: list[str]) -> list[str]:
    """Return the answers of the crate to requests about elements of ristretto255, one a line."""
    program = (TESTS / "dalek_ristretto_program.rs").read_text()
    write_program(folder, [f'curve25519-dalek = {{ path = "{crate}" }}'], *PROFILE, main=program)
    return run_cargo(folder, "run", "--quiet", "--", *requests).splitlines()


def left_on_the_heap(folder: Path, crate: Path, *features: str) -> str:
    """Return what a sum in constant time leaves on the heap, by features of the crate."""
    program = (TESTS / "dalek_heap_program.rs").read_text()
    need = _need("curve25519-dalek", f'path = "{crate}", default-features = false', *features)
    write_program(folder, [need], *PROFILE, main=program)
    return run_cargo(folder, "run", "--quiet")


def main() -> None:
    """Compare an emitted crate with the published one."""
    crate, api, rounds, *seeds = sys.argv[1:]
    seed = int(seeds[0]) if seeds else random.randrange(2**32)
    print(f"seed {seed}: ", end="", flush=True)
    print(compared(Path("build/dalek-points"), Path(crate).resolve(), api, seed, int(rounds)))


if __name__ == "__main__":
    main()
