//! Entries that the harness calls, with the layout of `c/entry.h`.

use core::ffi::c_char;

/// `run(n)` does the operation of a row n times: each on the result of the one before it where `mode` is
/// "latency", in four chains that do not touch where it is "throughput".
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Entry {
    pub who: *const c_char,
    pub row: *const c_char,
    pub mode: *const c_char,
    pub run: Option<extern "C" fn(u64)>,
}

// SAFETY: the texts are constants.
unsafe impl Sync for Entry {}

impl Entry {
    /// The end of the entries.
    pub const END: Self =
        Self { who: core::ptr::null(), row: core::ptr::null(), mode: core::ptr::null(), run: None };
}

/// The scalar of multiplications, the byte that counts most first, as `c/entry.h` has it.
pub const SCALAR: [u8; 32] = [
    0x0F, 0x24, 0x3F, 0x6A, 0x88, 0x85, 0xA3, 0x08, 0xD3, 0x13, 0x19, 0x8A, 0x2E, 0x03, 0x70, 0x73,
    0x44, 0xA4, 0x09, 0x38, 0x22, 0x29, 0x9F, 0x31, 0xD0, 0x08, 0x2E, 0xFA, 0x98, 0xEC, 0x4E, 0x0F,
];

/// An entry: `latency!(WHO, "row", (start, other), |r, other| step)`.
#[macro_export]
macro_rules! latency {
    ($who:expr, $row:expr, $start:expr, |$value:ident, $other:ident| $step:expr) => {{
        extern "C" fn run(n: u64) {
            let (mut start, $other) = core::hint::black_box($start);
            let $value = &mut start;
            for _ in 0..n {
                $step;
            }
            core::hint::black_box((&start, &$other));
        }
        $crate::entry::Entry {
            who: concat!($who, "\0").as_ptr().cast(),
            row: concat!($row, "\0").as_ptr().cast(),
            mode: c"latency".as_ptr(),
            run: Some(run),
        }
    }};
}

/// The same of a formula for points: each result is written to memory, and the other is read anew, so that no
/// compiler leaves out a coordinate that nothing reads, or computes only once what is the same in every step.
#[macro_export]
macro_rules! formula {
    ($who:expr, $row:expr, $start:expr, |$value:ident, $other:ident| $step:expr) => {
        $crate::latency!($who, $row, $start, |$value, $other| {
            $step;
            core::hint::black_box((&mut *$value, &$other))
        })
    };
}

/// An entry like that of `latency!`, in four chains.
#[macro_export]
macro_rules! throughput {
    ($who:expr, $row:expr, $start:expr, |$value:ident, $other:ident| $step:expr) => {{
        extern "C" fn run(n: u64) {
            let (first, $other) = core::hint::black_box($start);
            let mut start = core::hint::black_box([(); 4].map(|()| first.clone()));
            for _ in 0..n.div_ceil(4) {
                for $value in &mut start {
                    $step;
                }
            }
            core::hint::black_box((&start, &$other));
        }
        $crate::entry::Entry {
            who: concat!($who, "\0").as_ptr().cast(),
            row: concat!($row, "\0").as_ptr().cast(),
            mode: c"throughput".as_ptr(),
            run: Some(run),
        }
    }};
}
