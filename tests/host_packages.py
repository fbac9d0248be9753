"""Host projects from a package registry: their crates, and libsecp256k1 with its own names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from efdgen.verify.hosts.packages import crate_sources

if TYPE_CHECKING:
    from pathlib import Path

LIBSECP256K1 = {"secp256k1-sys": "=0.14.1"}
SQISIGN = {"sqisign-verify": "=0.3.0"}
C_HOSTS = {"boring-sys": "=5.4.0", "micro-ecc-sys": "=0.3.2"}
RUST_HOSTS = {
    "ark-ff": '{ version = "=0.6.0", default-features = false }',
    "ff": '{ version = "=0.13.1", default-features = false }',
    "fiat-crypto": '{ version = "=0.3.0", default-features = false }',
    "k256": '{ version = "=0.13.4", default-features = false, features = ["expose-field"] }',
    "subtle": '{ version = "=2.6.1", default-features = false }',
    "p256": '{ version = "=0.13.2", default-features = false, features = ["expose-field"] }',
}
_SYMBOLS = re.compile(rb"rustsecp256k1_v[0-9]+_[0-9]+(?:_[0-9]+)?_")


def libsecp256k1_sources(directory: Path) -> Path:
    """Return libsecp256k1's own sources, with its tests, as the crate ``secp256k1-sys`` carries them.

    The crate renames every symbol, so that several versions can be linked; here they have their names again.
    """
    target = directory / "libsecp256k1"
    if not target.is_dir():
        source = crate_sources(LIBSECP256K1, directory / "crates") / "secp256k1-sys" / "depend" / "secp256k1"
        staged = directory / "libsecp256k1.new"
        for path in sorted(path for path in source.rglob("*") if path.is_file()):
            copy = staged / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(_SYMBOLS.sub(b"secp256k1_", path.read_bytes()))
        staged.rename(target)
    return target
