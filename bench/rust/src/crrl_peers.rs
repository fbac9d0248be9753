//! The crate crrl: fields over full words, complete point formulas.

use crrl::field::{GF25519, GF448, GFb127, GFb254, GFp256, GFsecp256k1};
use crrl::{ed25519, p256, secp256k1, x25519::x25519};

use crate::entry::{Entry, SCALAR};
use crate::{field, formula, latency, throughput};

macro_rules! curve {
    ($name:literal, $module:ident, $scalar:expr) => {
        &[
            formula!("crrl, rustc", concat!($name, "/doubling"), points!($module), |r, _q| r.set_double()),
            formula!("crrl, rustc", concat!($name, "/4 doublings"), points!($module), |r, _q| r.set_xdouble(4)),
            formula!("crrl, rustc", concat!($name, "/addition"), points!($module), |r, q| *r += &q),
            latency!("crrl, rustc", concat!($name, "/variable base"), scalars!($module, $scalar), |r, k| *r *= &k),
            latency!("crrl, rustc", concat!($name, "/fixed base"), scalars!($module, $scalar), |r, k| r.set_mulgen(&k)),
            latency!("crrl, rustc", concat!($name, "/double base var"), scalars!($module, $scalar), |r, k| {
                r.set_mul_add_mulgen_vartime(&k, &k)
            }),
        ]
    };
}

macro_rules! binary {
    ($name:literal, $type:ident, $bytes:literal) => {
        &[
            latency!("crrl, rustc", concat!($name, "/mul"), binary_start!($type, $bytes), |r, b| *r *= &b),
            throughput!("crrl, rustc", concat!($name, "/mul"), binary_start!($type, $bytes), |r, b| *r *= &b),
            latency!("crrl, rustc", concat!($name, "/sqr"), binary_start!($type, $bytes), |r, _b| r.set_square()),
            throughput!("crrl, rustc", concat!($name, "/sqr"), binary_start!($type, $bytes), |r, _b| r.set_square()),
            latency!("crrl, rustc", concat!($name, "/inv"), binary_start!($type, $bytes), |r, b| {
                r.set_invert();
                *r += &b
            }),
        ]
    };
}

macro_rules! binary_start {
    ($type:ident, $bytes:literal) => {{
        let (start, _) = $type::decode_ct(&[0x5A; $bytes]);
        (start, start.square())
    }};
}

macro_rules! points {
    ($module:ident) => {
        ($module::Point::BASE.xdouble(3), $module::Point::BASE.double())
    };
}

macro_rules! scalars {
    ($module:ident, $scalar:expr) => {
        ($module::Point::BASE.double(), $module::Scalar::decode_reduce(&$scalar))
    };
}

/// The scalar as crrl reads it for every curve, the byte that counts least first.
fn reversed() -> [u8; 32] {
    let mut bytes = SCALAR;
    bytes.reverse();
    bytes
}

pub const ENTRIES: &[&[Entry]] = &[
    field!("crrl, rustc", "2^255-19", GF25519),
    field!("crrl, rustc", "2^448-2^224-1", GF448),
    field!("crrl, rustc", "P-256", GFp256),
    field!("crrl, rustc", "secp256k1", GFsecp256k1),
    curve!("edwards25519", ed25519, SCALAR),
    curve!("P-256", p256, reversed()),
    curve!("secp256k1", secp256k1, reversed()),
    binary!("GF(2^127)", GFb127, 16),
    binary!("GF(2^254)", GFb254, 32),
    &[latency!("crrl, rustc", "Curve25519/X25519", ([9; 32], [0x5A; 32]), |u, k| *u = x25519(u, &k))],
];
