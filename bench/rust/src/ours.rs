//! Generated crates, through their public interface.

use subtle::ConditionallySelectable;

use crate::entry::{Entry, SCALAR};
use crate::{formula, latency, throughput};

macro_rules! field {
    ($name:literal, $module:ident) => {
        field!($name, $module, FieldElement, [
            latency!("efdgen, rustc", concat!($name, "/is_square var"), start!($module, FieldElement), |r, b| {
                *r = r.mul(&ConditionallySelectable::conditional_select(&b.neg(), &b, r.is_square_var()))
            })
        ])
    };
    ($name:literal, $module:ident, $type:ident, [$($more:expr)*]) => {
        &[
            latency!("efdgen, rustc", concat!($name, "/mul"), start!($module, $type), |r, b| *r = r.mul(&b)),
            throughput!("efdgen, rustc", concat!($name, "/mul"), start!($module, $type), |r, b| *r = r.mul(&b)),
            latency!("efdgen, rustc", concat!($name, "/sqr"), start!($module, $type), |r, _b| *r = r.square()),
            throughput!("efdgen, rustc", concat!($name, "/sqr"), start!($module, $type), |r, _b| *r = r.square()),
            latency!("efdgen, rustc", concat!($name, "/add"), start!($module, $type), |r, b| *r = r.add(&b)),
            throughput!("efdgen, rustc", concat!($name, "/add"), start!($module, $type), |r, b| *r = r.add(&b)),
            latency!("efdgen, rustc", concat!($name, "/sub"), start!($module, $type), |r, b| *r = r.sub(&b)),
            throughput!("efdgen, rustc", concat!($name, "/sub"), start!($module, $type), |r, b| *r = r.sub(&b)),
            latency!("efdgen, rustc", concat!($name, "/inv"), start!($module, $type), |r, b| {
                *r = r.invert().add(&b)
            }),
            latency!("efdgen, rustc", concat!($name, "/inv var"), start!($module, $type), |r, b| {
                *r = r.invert_var().add(&b)
            }),
            latency!("efdgen, rustc", concat!($name, "/sqrt"), start!($module, $type), |r, b| {
                *r = r.sqrt().unwrap_or(b).add(&b)
            }),
            latency!("efdgen, rustc", concat!($name, "/is_square"), start!($module, $type), |r, b| {
                *r = r.mul(&ConditionallySelectable::conditional_select(&b.neg(), &b, r.is_square()))
            }),
            $($more),*
        ]
    };
}

macro_rules! start {
    ($module:ident, $type:ident) => {{
        let one = $module::$type::ONE;
        let power = (0..9).fold(one.add(&one).add(&one), |power, _| power.square());
        (power, power.add(&one))
    }};
}

/// Points whose coordinates are not special; no formula asks whether they are on the curve.
macro_rules! curve {
    ($name:literal, $module:ident, $add:ident, $mixed:ident, [$($member:ident),*], [$($affine:ident),*]) => {{
        fn points() -> ($module::Point, ($module::Point, $module::NormalizedPoint)) {
            let (mut at, step) = start!($module, FieldElement);
            let mut next = || {
                at = at.mul(&step);
                at
            };
            let first = $module::Point { $($member: next()),* };
            (first, ($module::Point { $($member: next()),* }, $module::NormalizedPoint { $($affine: next()),* }))
        }
        &[
            formula!("efdgen, rustc", concat!($name, "/doubling"), points(), |r, _q| *r = $module::double(r)),
            formula!("efdgen, rustc", concat!($name, "/mixed addition"), points(), |r, q| *r = $module::$mixed(r, &q.1)),
            formula!("efdgen, rustc", concat!($name, "/addition"), points(), |r, q| *r = $module::$add(r, &q.0)),
        ]
    }};
}

/// A whole curve; `$encode` makes bytes of a point.
macro_rules! whole {
    ($name:literal, $module:ident, |$point:ident| $encode:expr) => {{
        type State = ($module::Point, [u8; $module::SCALAR_BYTES]);
        fn start() -> (State, [u8; $module::ENCODED_BYTES]) {
            let k = SCALAR;
            let $point = $module::multiply_generator(&k);
            (($point, k), $encode)
        }
        &[
            latency!("efdgen, rustc", concat!($name, "/variable base"), start(), |r, _b| {
                r.0 = $module::multiply(&r.1, &r.0)
            }),
            latency!("efdgen, rustc", concat!($name, "/variable base var"), start(), |r, _b| {
                r.0 = $module::multiply_var(&r.1, &r.0)
            }),
            latency!("efdgen, rustc", concat!($name, "/fixed base"), start(), |r, _b| {
                r.0 = $module::multiply_generator(&r.1);
                r.1[1] ^= r.0.x.is_zero().unwrap_u8()
            }),
            latency!("efdgen, rustc", concat!($name, "/double base var"), start(), |r, _b| {
                r.0 = $module::double_multiply_var(&r.1, &r.1, &r.0)
            }),
            latency!("efdgen, rustc", concat!($name, "/encoding"), start(), |r, _b| {
                let $point = r.0;
                r.1[1] = $encode[1];
                r.0.x = r.0.x.add(&r.0.y)
            }),
            latency!("efdgen, rustc", concat!($name, "/decoding"), start(), |r, b| {
                r.0 = $module::decode(core::hint::black_box(&b)).unwrap()
            }),
        ]
    }};
}

/// Multiplies as RFC 7748 does, from bytes to bytes.
fn exchange(x: &mut [u8; 32], k: &[u8; 32]) {
    let decoded = w_curve25519::FieldElement::from_bytes_le(x).unwrap();
    *x = w_curve25519::x_multiply(k, &decoded).to_bytes_le();
}

pub const ENTRIES: &[&[Entry]] = &[
    field!("2^255-19", fp_25519),
    field!("2^448-2^224-1", fp_448),
    field!("27*2^500-1", fp_27_500),
    field!("5*2^248-1", fp_5_248),
    field!("65*2^376-1", fp_65_376),
    field!("P-256", fp_p256),
    field!("P-384", fp_p384),
    field!("P-521", fp_p521),
    field!("secp256k1", fp_secp256k1),
    field!("(5*2^248-1)^2", fp2_5_248, FieldElement2, []),
    field!("(65*2^376-1)^2", fp2_65_376, FieldElement2, []),
    field!("(27*2^500-1)^2", fp2_27_500, FieldElement2, []),
    curve!("edwards25519", ours_edwards25519, add, add_mixed, [x, y, z, t], [x, y, t]),
    curve!("P-256", ours_p256, add_incomplete, add_mixed_incomplete, [x, y, z], [x, y]),
    curve!("secp256k1", ours_secp256k1, add_incomplete, add_mixed_incomplete, [x, y, z], [x, y]),
    whole!("edwards25519", w_edwards25519, |p| p.encode()),
    whole!("P-256", w_p256, |p| p.encode().unwrap()),
    whole!("secp256k1", w_secp256k1, |p| p.encode().unwrap()),
    &[latency!("efdgen, rustc", "Curve25519/X25519", ([9; 32], [0x5A; 32]), |x, k| exchange(x, &k))],
];
