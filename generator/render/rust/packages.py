"""The packages of generated crates, at the versions of their lock files."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efdgen.generator.version import __version__

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
OF_CURVES = ("ff", "rand_core", "serde_core")
"""Further dependencies of crates of whole curves."""

OF_POINTS = ("group",)
"""Those of curves whose points have sums."""

REQUIREMENTS = {"digest": "0.11", "hmac": "0.13", "sha2": "0.11", "sha3": "0.11", "signature": "3"}
"""Versions that manifests ask for of crates of protocols, all of which have the traits of ``digest`` 0.11."""

_PACKAGES = (
    Package(
        "block-buffer",
        "0.12.1",
        "d2f6c7dbe95a6ed67ad9f18e57daf93a2f034c524b99fd2b76d18fdfeb6660aa",
        ("hybrid-array",),
    ),
    Package("cfg-if", "1.0.5", "4e7648175b45a9a48536d676f68d918270699102aa8dab5496df06904c914600"),
    Package("cmov", "0.5.4", "0c9ea0ac24bc397ab3c98583a3c9ba74fa56b09a4449bbe172b9b1ddb016027a"),
    Package(
        "cpufeatures", "0.3.1", "5ca28b0ae3115b884660db4118d803791fd6756b6e88f39c0f3f7859060d7566", ("libc",)
    ),
    Package(
        "crypto-common",
        "0.2.2",
        "ce6e4c961d6cd6c9a86db418387425e8bdeaf05b3c8bc1411e6dca4c252f1453",
        ("hybrid-array",),
    ),
    Package(
        "ctutils", "0.4.2", "7d5515a3834141de9eafb9717ad39eea8247b5674e6066c404e8c4b365d2a29e", ("cmov",)
    ),
    Package(
        "digest",
        "0.11.3",
        "f1dd6dbb5841937940781866fa1281a1ff7bd3bf827091440879f9994983d5c2",
        ("block-buffer", "crypto-common", "ctutils"),
    ),
    Package(
        "ff",
        "0.14.0",
        "a1f686ab92a9fb0eaf188f6c6c87b89490baa6fdb0db4544ba4dc47f7942489f",
        ("rand_core", "subtle"),
    ),
    Package(
        "group",
        "0.14.0",
        "7fd1a1c7a5206c5b7a3f5a0d7ccd3ff85d0c8f5133d62a02680255b0004af5f4",
        ("ff", "rand_core", "subtle"),
    ),
    Package(
        "hmac", "0.13.0", "6303bc9732ae41b04cb554b844a762b4115a61bfaa81e3e83050991eeb56863f", ("digest",)
    ),
    Package(
        "hybrid-array",
        "0.4.15",
        "27f864f10dfb56725ce5ce5472bc52252c8f93a4ab86327122cebf62c5f59a17",
        ("typenum",),
    ),
    Package(
        "keccak",
        "0.2.2",
        "d8f198d1db720e4940b5a493201d199d9f24f568f8f746bd13706243a2f71598",
        ("cfg-if", "cpufeatures"),
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
        "0.11.0",
        "446ba717509524cb3f22f17ecc096f10f4822d76ab5c0b9822c5f9c284e825f4",
        ("cfg-if", "cpufeatures", "digest"),
    ),
    Package(
        "sha3",
        "0.11.0",
        "be176f1a57ce4e3d31c1a166222d9768de5954f811601fb7ca06fc8203905ce1",
        ("digest", "keccak"),
    ),
    Package(
        "signature",
        "3.0.0",
        "28d567dcbaf0049cb8ac2608a76cd95ff9e4412e1899d389ee400918ca7537f5",
        ("digest",),
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
    Package("zeroize", "1.8.2", "b97154e67e32c85465826e8bcc1c59429aaaf107c1e4a9e53c8d8ccd5eff88d0"),
)


VERSION = re.sub(r"\.dev(?=[0-9])", "-dev.", __version__)
"""The version of emitted crates: that of efdgen, as cargo writes it."""


def locked(crate: str, further: Iterable[str] = ()) -> list[Package]:
    """Return the packages of the lock file of a crate that needs some besides what every crate does."""
    known = {package.name: package for package in _PACKAGES}
    direct = tuple(sorted({*ALWAYS, *further}))
    found = {crate: Package(crate, VERSION, dependencies=direct)}
    wanted = list(direct)
    while wanted:
        name = wanted.pop()
        if name not in found:
            found[name] = known[name]
            if name == "digest" and "hmac" not in direct:
                # Only authentication codes are compared in constant time.
                others = tuple(d for d in known[name].dependencies if d != "ctutils")
                found[name] = replace(known[name], dependencies=others)
            wanted += found[name].dependencies
    return sorted(found.values(), key=lambda package: package.name)
