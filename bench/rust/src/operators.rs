//! Fields with the operators of crrl, which fp2 has too.

/// Rows of a field: `field!("crrl, rustc", "P-256", Type)`.
#[macro_export]
macro_rules! field {
    ($who:literal, $name:literal, $type:ident) => {{
        fn start() -> ($type, $type) {
            let power = (0..9).fold($type::ONE + $type::ONE + $type::ONE, |power, _| power.square());
            (power, power + $type::ONE)
        }
        &[
            latency!($who, concat!($name, "/mul"), start(), |r, b| *r *= &b),
            throughput!($who, concat!($name, "/mul"), start(), |r, b| *r *= &b),
            latency!($who, concat!($name, "/sqr"), start(), |r, _b| r.set_square()),
            throughput!($who, concat!($name, "/sqr"), start(), |r, _b| r.set_square()),
            latency!($who, concat!($name, "/add"), start(), |r, b| *r += &b),
            throughput!($who, concat!($name, "/add"), start(), |r, b| *r += &b),
            latency!($who, concat!($name, "/sub"), start(), |r, b| *r -= &b),
            throughput!($who, concat!($name, "/sub"), start(), |r, b| *r -= &b),
            latency!($who, concat!($name, "/inv"), start(), |r, b| *r = $type::ONE / *r + b),
            latency!($who, concat!($name, "/sqrt"), start(), |r, b| *r = r.sqrt().0 + b),
            latency!($who, concat!($name, "/is_square"), start(), |r, b| {
                *r *= if r.legendre() < 0 { $type::MINUS_ONE } else { b }
            }),
        ]
    }};
}
