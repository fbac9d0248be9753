//! The calls as functions, whose answers are not reduced where a test wants so.
extern crate std;

use core::array;
use core::sync::atomic::{AtomicU32, Ordering};
use std::sync::Mutex;

use super::Status;
use crate::field::{add_word, below, sub_word, Fe};

/// An answer that is congruent; only the least one is honest.
#[derive(Clone, Copy)]
pub enum Answer {
    /// The only one below n.
    Least,
    /// One of all, by a seed and the number of the call.
    Random(u64),
    /// The largest below 2^256.
    Largest,
}

/// The answer of calls from a first one to a last one, counted from 1; other calls have the least.
pub static ANSWER: Mutex<(Answer, u32, u32)> = Mutex::new((Answer::Least, 1, u32::MAX));
static CALLS: AtomicU32 = AtomicU32::new(0);

/// Ends the program with a status.
pub fn halt(status: Status) -> ! {
    std::process::exit(status as i32)
}

/// Returns a·b modulo n, for n above 2^251. The answer is congruent; an honest one is below n.
#[must_use]
pub fn modmul(a: &Fe, b: &Fe, n: &Fe) -> Fe {
    let (mut a, mut r) = (*a, [0; 8]);
    while !below(&a, n) {
        a = difference(&a, n);
    }
    for bit in (0..256).rev() {
        r = modular_sum(&r, &r, n);
        if b[bit / 32] >> (bit % 32) & 1 == 1 {
            r = modular_sum(&r, &a, n);
        }
    }
    for _ in 0..multiples() {
        match sum(&r, n) {
            (next, 0) => r = next,
            _ => break,
        }
    }
    r
}

/// Counts a call; returns how often its answer has n added, if there is room.
fn multiples() -> u64 {
    let call = CALLS.fetch_add(1, Ordering::Relaxed) + 1;
    match *ANSWER.lock().expect("there is one thread") {
        (Answer::Random(seed), first, last) if (first..=last).contains(&call) => {
            let mixed = (seed ^ u64::from(call)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed >> 32) % 17
        }
        (Answer::Largest, first, last) if (first..=last).contains(&call) => u64::MAX,
        _ => 0,
    }
}

/// Returns a + b modulo 2^256, and the carry.
fn sum(a: &Fe, b: &Fe) -> (Fe, u32) {
    let mut carry = 0;
    (array::from_fn(|i| add_word(a[i], b[i], &mut carry)), carry)
}

/// Returns a - b modulo 2^256.
fn difference(a: &Fe, b: &Fe) -> Fe {
    let mut borrow = 0;
    array::from_fn(|i| sub_word(a[i], b[i], &mut borrow))
}

/// Returns a + b modulo n, for both below n.
fn modular_sum(a: &Fe, b: &Fe, n: &Fe) -> Fe {
    match sum(a, b) {
        (r, 0) if below(&r, n) => r,
        (r, _) => difference(&r, n),
    }
}
