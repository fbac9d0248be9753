//! Scalars and digits of them in memory of the heap that a sum in constant time frees.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use curve25519_dalek::{constants, traits::MultiscalarMul, EdwardsPoint, Scalar};

/// A scalar below the order that is odd, so that recoding shifts it and no more.
const SCALAR: [u8; 32] = scalar();
const PART: usize = 8;

static SCALARS: AtomicBool = AtomicBool::new(false);
static DIGITS: AtomicBool = AtomicBool::new(false);

const fn scalar() -> [u8; 32] {
    let mut bytes = [0; 32];
    let mut at = 0;
    while at < 31 {
        bytes[at] = 0x41 + 2 * at as u8;
        at += 1;
    }
    bytes
}

/// Returns half of the scalar.
fn half() -> [u8; 32] {
    let mut bytes = SCALAR;
    for at in 0..31 {
        bytes[at] = SCALAR[at] >> 1 | SCALAR[at + 1] << 7;
    }
    bytes
}

/// Looks at memory before it is freed.
struct Watched;

#[global_allocator]
static WATCHED: Watched = Watched;

unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        System.alloc_zeroed(layout)
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        let bytes = std::slice::from_raw_parts(at, layout.size());
        for (form, found) in [(SCALAR, &SCALARS), (half(), &DIGITS)] {
            let there = |part: &[u8]| form[..31].windows(PART).any(|wanted| wanted == part);
            if bytes.windows(PART).any(there) {
                found.store(true, Relaxed);
            }
        }
        System.dealloc(at, layout);
    }
}

fn main() {
    let scalars = [Scalar::from_canonical_bytes(SCALAR).unwrap(); 3];
    let point = constants::ED25519_BASEPOINT_POINT;
    let sum = EdwardsPoint::multiscalar_mul(&scalars, [point; 3]);
    assert_eq!(sum, point * (scalars[0] + scalars[1] + scalars[2]));
    println!("scalars {}, digits {}", SCALARS.load(Relaxed), DIGITS.load(Relaxed));
}
