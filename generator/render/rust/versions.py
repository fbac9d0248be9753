"""The oldest version of Rust that builds each kind of emitted crate, with default features."""

from __future__ import annotations

SAFE_CARRIES = 93
"""The minor version since which intrinsics of x86-64 for carries are safe; older compilers do without."""

OF_KERNELS = "1.66"
"""For crates of kernels: the version that has ``core::hint::black_box``."""

OF_CURVES = "1.85"
"""For crates of whole curves: what ``digest`` 0.11, ``hmac`` 0.13 and ``rand_core`` 0.10 need."""

LANES = 89
"""The minor version with intrinsics of AVX-512 and AVX-IFMA, safe in functions for them."""

OF_LANES = f"1.{LANES}"
"""For crates with lanes; those with the interface of a project have no lanes by older compilers."""

# Requirements of each generation's libraries, and OF_KERNELS at least; dalek's signatures need `core::error`.
OF_INTERFACES = {
    ("rustcrypto", "0.13"): OF_KERNELS,
    ("rustcrypto", "0.14"): "1.87",
    ("dalek", "2"): "1.81",
    ("dalek", "3"): "1.85",
}
"""For crates with the interface of a project, by its generation."""
