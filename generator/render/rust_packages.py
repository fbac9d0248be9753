"""The packages of generated crates, at the versions of their lock files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efdgen import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Package:
    """A package of a lock file; the crate itself has no checksum."""

    name: str
    version: str
    checksum: str = ""
    dependencies: tuple[str, ...] = ()


ALWAYS = ("subtle", "zeroize")
OF_CURVES = ("rand_core", "serde_core")
"""What crates of whole curves need besides."""

_PACKAGES = (
    Package(
        "block-buffer",
        "0.10.4",
        "3078c7629b62d3f0439517fa394996acacc5cbc91c5a20d8c658e77abd503a71",
        ("generic-array",),
    ),
    Package("cfg-if", "1.0.5", "4e7648175b45a9a48536d676f68d918270699102aa8dab5496df06904c914600"),
    Package(
        "cpufeatures",
        "0.2.17",
        "59ed5838eebb26a2bb2e58f6d5b5316989ae9d08bab10e0e6d103e656d1b0280",
        ("libc",),
    ),
    Package(
        "crypto-common",
        "0.1.7",
        "78c8292055d1c1df0cce5d180393dc8cce0abec0a7102adb6c7b1eef6016d60a",
        ("generic-array", "typenum"),
    ),
    Package(
        "digest",
        "0.10.7",
        "9ed9a281f7bc9b7576e61468ba615a66a5c8cfdff42420a70aa82701a3b1e292",
        ("block-buffer", "crypto-common", "subtle"),
    ),
    Package(
        "generic-array",
        "0.14.7",
        "85649ca51fd72272d7821adaf274ad91c288277713d9c18820d8499a7ff69e9a",
        ("typenum", "version_check"),
    ),
    Package(
        "hmac", "0.12.1", "6c49c37c09c17a53d937dfbb742eb3a961d65a994e6bcdcf37e7399d0cc8ab5e", ("digest",)
    ),
    Package(
        "keccak",
        "0.1.6",
        "cb26cec98cce3a3d96cbb7bced3c4b16e3d13f27ec56dbd62cbc8f39cfb9d653",
        ("cpufeatures",),
    ),
    Package("libc", "0.2.191", "65cd87c9a6d60536580b316ad985726104730a5151c99845f2490428ef91240a"),
    Package(
        "proc-macro2",
        "1.0.107",
        "985e7ec9bb745e6ce6535b544d84d6cd6f7ad8bd711c398938ae983b91a766d9",
        ("unicode-ident",),
    ),
    Package(
        "quote",
        "1.0.47",
        "1fbf4db142a473a8d80c26bbf18454ed458bf8d26c8219c331daecfdbd079001",
        ("proc-macro2",),
    ),
    Package("rand_core", "0.10.1", "63b8176103e19a2643978565ca18b50549f6101881c443590420e4dc998a3c69"),
    Package(
        "serde_core",
        "1.0.229",
        "67dca2c9c51e58a4791a4b1ed58308b39c64224d349a935ab5039aa360942a48",
        ("serde_derive",),
    ),
    Package(
        "serde_derive",
        "1.0.229",
        "e7a5d71263a5a7d47b41f6b3f06ba276f10cc18b0931f1799f710578e2309348",
        ("proc-macro2", "quote", "syn"),
    ),
    Package(
        "sha2",
        "0.10.9",
        "a7507d819769d01a365ab707794a4084392c824f54a7a6a7862f8c3d0892b283",
        ("cfg-if", "cpufeatures", "digest"),
    ),
    Package(
        "sha3",
        "0.10.9",
        "77fd7028345d415a4034cf8777cd4f8ab1851274233b45f84e3d955502d93874",
        ("digest", "keccak"),
    ),
    Package("subtle", "2.6.1", "13c2bddecc57b384dee18652358fb23172facb8a2c51ccc10d74c157bdea3292"),
    Package(
        "syn",
        "3.0.10",
        "4ae9ccbea3a7b0b09443036490c8f34a8b1b760fd345e5c0dae0aac718faea79",
        ("proc-macro2", "quote", "unicode-ident"),
    ),
    Package("typenum", "1.20.1", "b6f5e870be6c3b371b77fe0ee0bafb859fa4964b4404c27de1d380043c4dda20"),
    Package("unicode-ident", "1.0.27", "a2c754d6c33795a1c324727428e5a7dedb5b06195f9890bdbcba760d3e246563"),
    Package("version_check", "0.9.5", "0b928f33d975fc6ad9f86c8f283853ad26bdd5b10b7f1542aa2fa15e2289105a"),
    Package("zeroize", "1.8.2", "b97154e67e32c85465826e8bcc1c59429aaaf107c1e4a9e53c8d8ccd5eff88d0"),
)


def locked(crate: str, further: Iterable[str] = ()) -> list[Package]:
    """Return the packages of the lock file of a crate that needs some besides what every crate does."""
    known = {package.name: package for package in _PACKAGES}
    direct = tuple(sorted({*ALWAYS, *further}))
    found = {crate: Package(crate, __version__, dependencies=direct)}
    wanted = list(direct)
    while wanted:
        name = wanted.pop()
        if name not in found:
            found[name] = known[name]
            if name == "digest" and "hmac" not in direct:
                # Only authentication codes are compared in constant time.
                others = tuple(d for d in known[name].dependencies if d != "subtle")
                found[name] = replace(known[name], dependencies=others)
            wanted += found[name].dependencies
    return sorted(found.values(), key=lambda package: package.name)
