//! The check that R = a G + b Q for G fixed and Q any point of the curve, at half length: guest/half.h has the argument.
//!
//! The host gives R and a schedule: doublings and additions of small multiples of R, Q, G and 2^127 G, after which the sum
//! is the identity. The guest follows it, adds up the coefficients, and checks that
//!     `c_R` is invertible modulo 8L,    `c_Q + c_R b = 0` modulo 8L,    `c_G + c_R a = 0` modulo L.
// Casts are of words, and of numbers that are small.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss
)]

use crate::curve::{identity, is_identity, is_point, negate, odd_multiples, Entry, Point};
use crate::field::{add, add_word, same, Fe, SMALL};
use crate::machine::{halt, modmul, Status};
use crate::tables::{FIXED, FIXED_MULTIPLES, OWN_MULTIPLES};
use crate::tables::{MINUS_2_127, ORDER, ORDER_8, ORDER_8_MINUS_1, ORDER_MINUS_1};
use crate::zk::{add_products_z, double};

const COLUMNS: usize = 17;
const COLUMN_BITS: usize = 16;

// An operation of the schedule: whether it takes the guest's own table, negates the sum first, and an index.
const OWN: u8 = 0x80;
const NEGATE: u8 = 0x40;
const END: u8 = 0xff;

/// A coefficient as a sum of columns of 16 bits; none overflows, since 256 operations add less than 2^20 each.
type Column = [i32; COLUMNS];

/// The host's input beside R.
#[repr(C)]
pub struct Hints {
    /// The inverse of the coefficient of R, modulo 8L.
    pub inverse: Fe,
    /// Numbers of doublings with an operation; at first the position to begin at.
    pub schedule: [[u8; 2]; 256],
}

/// The guest's input.
#[repr(C)]
pub struct Claim {
    pub a: Fe,
    pub b: Fe,
    pub q: [Fe; 2],
    pub r: [Fe; 2],
    pub hints: Hints,
}

/// Coefficients of what was added: R and Q, G and 2^127 G.
#[derive(Default)]
struct Coefficients {
    own: [Column; 2],
    fixed: [Column; 2],
}

/// Returns the sum of column[i] 2^(16 i), plus 8L if it is negative; halts if that does not fit 256 bits.
fn coefficient(column: &Column) -> Fe {
    let (mut r, mut carry) = ([0; 8], 0);
    for (word, pair) in r.iter_mut().zip(column.chunks_exact(2)) {
        let low = pair[0] + carry;
        let high = pair[1] + (low >> COLUMN_BITS);
        *word = (low as u32 & 0xffff) + ((high as u32) << COLUMN_BITS);
        carry = high >> COLUMN_BITS;
    }
    carry += column[COLUMNS - 1];
    if carry < 0 {
        let mut wrapped = 0;
        for (word, other) in r.iter_mut().zip(&ORDER_8) {
            *word = add_word(*word, *other, &mut wrapped);
        }
        carry += i32::from(wrapped != 0);
    }
    if carry != 0 {
        halt(Status::OutOfRange);
    }
    r
}

/// Follows the schedule; returns the sum, and the coefficients of what was added.
fn follow(schedule: &[[u8; 2]; 256], own: &[[Entry; OWN_MULTIPLES]; 2]) -> (Point, Coefficients) {
    let [[low, high], turns @ ..] = schedule;
    let mut position = usize::from(*low) + usize::from(*high);
    let mut found = Coefficients::default();
    let mut sum = identity();
    let mut sign = 1; // sum is sign times what was added
    for &[doublings, operation] in turns {
        position = position.wrapping_sub(doublings.into());
        for _ in 0..doublings {
            sum.set(&double(&sum));
        }
        if operation == END && position == 0 {
            return (sum, found);
        }
        if operation == END || position >= COLUMNS * COLUMN_BITS {
            break;
        }
        if operation & NEGATE != 0 {
            negate(&mut sum);
            sign = -sign;
        }
        let index = usize::from(operation);
        let (columns, entry, multiple) = if operation & OWN != 0 {
            let (of, multiple) = (index / OWN_MULTIPLES % 2, index % OWN_MULTIPLES);
            (&mut found.own[of], &own[of][multiple], multiple)
        } else {
            let (of, multiple) = (index / FIXED_MULTIPLES % 2, index % FIXED_MULTIPLES);
            (&mut found.fixed[of], &FIXED[of][multiple], multiple)
        };
        sum.set(&add_products_z(&sum, entry));
        let digit = 2 * multiple as i32 + 1;
        columns[position / COLUMN_BITS] += (sign * digit) << (position % COLUMN_BITS);
    }
    halt(Status::BadSchedule)
}

/// Checks the coefficients; all products are modulo 8L or L.
fn check_coefficients(found: &Coefficients, claim: &Claim) {
    let r = coefficient(&found.own[0]);
    let left = modmul(&r, &claim.hints.inverse, &ORDER_8);
    if !same(&left, &SMALL[1]) {
        halt(Status::NotInvertible);
    }

    let left = modmul(&r, &claim.b, &ORDER_8);
    let right = modmul(&coefficient(&found.own[1]), &ORDER_8_MINUS_1, &ORDER_8);
    if !same(&left, &right) {
        halt(Status::WrongQ);
    }

    let left = modmul(&modmul(&r, &SMALL[1], &ORDER), &claim.a, &ORDER);
    let low = modmul(&coefficient(&found.fixed[0]), &ORDER_MINUS_1, &ORDER);
    let high = modmul(&coefficient(&found.fixed[1]), &MINUS_2_127, &ORDER);
    let right = modmul(&add(&low, &high), &SMALL[1], &ORDER);
    if !same(&left, &right) {
        halt(Status::WrongG);
    }
}

/// Halts unless R = a G + b Q. A scalar is any number of 256 bits.
pub fn check_sum(claim: &Claim) {
    if !is_point(&claim.q) || !is_point(&claim.r) {
        halt(Status::BadPoint);
    }
    let own = [odd_multiples(&claim.r), odd_multiples(&claim.q)];
    let (sum, found) = follow(&claim.hints.schedule, &own);
    if !is_identity(&sum) {
        halt(Status::NotIdentity);
    }
    check_coefficients(&found, claim);
}
