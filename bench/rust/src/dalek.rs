//! The crates curve25519-dalek and x25519-dalek, with the backend that they choose for the build.

use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, ED25519_BASEPOINT_TABLE};
use curve25519_dalek::{EdwardsPoint, MontgomeryPoint, Scalar};

use crate::entry::{Entry, SCALAR};
use crate::{formula, latency};

fn start() -> (EdwardsPoint, EdwardsPoint) {
    let double = ED25519_BASEPOINT_POINT + ED25519_BASEPOINT_POINT;
    (double + ED25519_BASEPOINT_POINT, double)
}

fn scalars() -> (EdwardsPoint, Scalar) {
    (start().0, Scalar::from_bytes_mod_order(SCALAR))
}

pub const ENTRIES: &[&[Entry]] = &[&[
    formula!("curve25519-dalek, rustc", "edwards25519/addition", start(), |r, q| *r += &q),
    latency!("curve25519-dalek, rustc", "edwards25519/variable base", scalars(), |r, k| *r *= &k),
    latency!("curve25519-dalek, rustc", "edwards25519/fixed base", scalars(), |r, k| {
        *r += ED25519_BASEPOINT_TABLE * &k
    }),
    latency!("curve25519-dalek, rustc", "edwards25519/double base var", scalars(), |r, k| {
        *r = EdwardsPoint::vartime_double_scalar_mul_basepoint(&k, r, &k)
    }),
    latency!("curve25519-dalek, rustc", "Curve25519/X25519", (MontgomeryPoint([9; 32]), [0x5A; 32]), |u, k| {
        *u = u.mul_clamped(k)
    }),
]];
