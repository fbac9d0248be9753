//! RustCrypto's crates k256 and p256.

use elliptic_curve::{ff::PrimeField, group::Group, hazmat::FieldArithmetic};

use crate::entry::{Entry, SCALAR};
use crate::{formula, latency, throughput};

macro_rules! curve {
    ($who:literal, $name:literal, $module:ident) => {
        &[
            formula!($who, concat!($name, "/doubling"), points!($module), |r, _q| *r = r.double()),
            formula!($who, concat!($name, "/addition"), points!($module), |r, q| *r += &q),
            formula!($who, concat!($name, "/mixed addition"), mixed!($module), |r, q| *r += &q),
            latency!($who, concat!($name, "/variable base"), scalars!($module), |r, k| *r *= &k),
            latency!($who, concat!($name, "/fixed base"), scalars!($module), |r, k| {
                *r += $module::ProjectivePoint::mul_by_generator(&k)
            }),
        ]
    };
}

macro_rules! points {
    ($module:ident) => {{
        let g = $module::ProjectivePoint::GENERATOR;
        (g.double().double(), g.double())
    }};
}

macro_rules! mixed {
    ($module:ident) => {
        ($module::ProjectivePoint::GENERATOR.double(), $module::AffinePoint::GENERATOR)
    };
}

macro_rules! scalars {
    ($module:ident) => {
        ($module::ProjectivePoint::GENERATOR.double(), $module::Scalar::from_repr(SCALAR.into()).unwrap())
    };
}

type Element = <k256::Secp256k1 as FieldArithmetic>::FieldElement;

fn elements() -> (Element, Element) {
    let two = Element::ONE.double();
    ((two.double() + Element::ONE).normalize(), two.invert().unwrap())
}

pub const ENTRIES: &[&[Entry]] = &[
    curve!("k256, rustc", "secp256k1", k256),
    curve!("p256, rustc", "P-256", p256),
    &[
        latency!("k256, rustc", "secp256k1/mul", elements(), |r, b| *r *= &b),
        throughput!("k256, rustc", "secp256k1/mul", elements(), |r, b| *r *= &b),
        latency!("k256, rustc", "secp256k1/sqr", elements(), |r, _b| *r = r.square()),
        throughput!("k256, rustc", "secp256k1/sqr", elements(), |r, _b| *r = r.square()),
    ],
];
