//! The crate sqisign-verify: SQIsign's three primes in unsaturated limbs, and the fields over them.

use sqisign_verify::fp::{Fp, Fp2};
use sqisign_verify::params::{Level1, Level3, Level5};

use crate::entry::Entry;
use crate::{latency, throughput};

macro_rules! field {
    ($name:literal, $type:ty, |$root:ident| $sqrt:expr) => {{
        fn start() -> ($type, $type) {
            let power = (0..9).fold(<$type>::from_small(3), |power, _| power.sqr());
            let next = power.add(&<$type>::one());
            (power, next)
        }
        &[
            latency!("sqisign-verify, rustc", concat!($name, "/mul"), start(), |r, b| *r = r.mul(&b)),
            throughput!("sqisign-verify, rustc", concat!($name, "/mul"), start(), |r, b| *r = r.mul(&b)),
            latency!("sqisign-verify, rustc", concat!($name, "/sqr"), start(), |r, _b| *r = r.sqr()),
            throughput!("sqisign-verify, rustc", concat!($name, "/sqr"), start(), |r, _b| *r = r.sqr()),
            latency!("sqisign-verify, rustc", concat!($name, "/add"), start(), |r, b| *r = r.add(&b)),
            throughput!("sqisign-verify, rustc", concat!($name, "/add"), start(), |r, b| *r = r.add(&b)),
            latency!("sqisign-verify, rustc", concat!($name, "/sub"), start(), |r, b| *r = r.sub(&b)),
            throughput!("sqisign-verify, rustc", concat!($name, "/sub"), start(), |r, b| *r = r.sub(&b)),
            latency!("sqisign-verify, rustc", concat!($name, "/inv"), start(), |r, b| *r = r.inv().add(&b)),
            latency!("sqisign-verify, rustc", concat!($name, "/sqrt"), start(), |r, b| {
                let $root = &mut *r;
                $sqrt;
                *r = r.add(&b)
            }),
            latency!("sqisign-verify, rustc", concat!($name, "/is_square"), start(), |r, b| {
                *r = r.mul(&<$type>::select(&b.neg(), &b, r.is_square()))
            }),
        ]
    }};
}

pub const ENTRIES: &[&[Entry]] = &[
    field!("5*2^248-1", Fp<Level1>, |r| *r = r.sqrt()),
    field!("65*2^376-1", Fp<Level3>, |r| *r = r.sqrt()),
    field!("27*2^500-1", Fp<Level5>, |r| *r = r.sqrt()),
    field!("(5*2^248-1)^2", Fp2<Level1>, |r| r.sqrt_verify()),
    field!("(65*2^376-1)^2", Fp2<Level3>, |r| r.sqrt_verify()),
    field!("(27*2^500-1)^2", Fp2<Level5>, |r| r.sqrt_verify()),
];
