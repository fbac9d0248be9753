//! Elements of GF(2^255 - 19) over the modular multiplication call of a zkVM: 8 words of 32 bits, least significant first.
//!
//! The prover answers the call, and only congruence is checked: an honest answer is below p, another one may be anything
//! below 2^256. A product may read such words. A sum may not, since it could wrap around, so it checks that its operands
//! are below 2^255 and halts otherwise; an honest answer always passes.

#![allow(clippy::inline_always, clippy::needless_range_loop)] // short, and called in every formula

use crate::machine::{halt, modmul, Status};

/// An element, or any number of 256 bits.
pub type Fe = [u32; 8];

/// Returns the element of these words, the most significant first.
#[must_use]
pub const fn words(w: [u32; 8]) -> Fe {
    [w[7], w[6], w[5], w[4], w[3], w[2], w[1], w[0]]
}

const ONES: u32 = 0xffff_ffff;
/// p
pub static PRIME: Fe = words([0x7fff_ffff, ONES, ONES, ONES, ONES, ONES, ONES, 0xffff_ffed]);
/// -1
pub static MINUS_ONE: Fe = words([0x7fff_ffff, ONES, ONES, ONES, ONES, ONES, ONES, 0xffff_ffec]);
/// 1/2
pub static HALF: Fe = words([0x3fff_ffff, ONES, ONES, ONES, ONES, ONES, ONES, 0xffff_fff7]);
/// 0 to 4
pub static SMALL: [Fe; 5] = [small(0), small(1), small(2), small(3), small(4)];

const fn small(k: u32) -> Fe {
    [k, 0, 0, 0, 0, 0, 0, 0]
}

/// Returns a·b.
#[inline]
#[must_use]
pub fn mul(a: &Fe, b: &Fe) -> Fe {
    modmul(a, b, &PRIME)
}

/// Halts unless two words, the highest of elements, have a clear highest bit.
#[inline(always)]
fn guard(a: u32, b: u32) {
    if a >> 31 != 0 {
        halt(Status::NotReduced);
    }
    if b >> 31 != 0 {
        halt(Status::NotReduced);
    }
}

/// Returns one word of a sum, with a carry of 0 or 1.
#[inline(always)]
pub(crate) fn add_word(x: u32, y: u32, carry: &mut u32) -> u32 {
    let (sum, over) = x.overflowing_add(y);
    let (sum, more) = sum.overflowing_add(*carry);
    *carry = u32::from(over) + u32::from(more);
    sum
}

/// Returns one word of a difference, with a borrow that is at most 2 beside the first.
#[inline(always)]
pub(crate) fn sub_word(x: u32, y: u32, borrow: &mut u32) -> u32 {
    let (rest, under) = x.overflowing_sub(y);
    let (rest, more) = rest.overflowing_sub(*borrow);
    *borrow = u32::from(under) + u32::from(more);
    rest
}

/// Returns the highest word of a - b + p, given those of a and b and the borrow; halts if the difference is negative.
#[inline(always)]
fn last(a: u32, b: u32, borrow: u32) -> u32 {
    let top = a + 0x8000_0000;
    let rest = top.wrapping_sub(b).wrapping_sub(borrow);
    if rest > top {
        halt(Status::NotReduced);
    }
    rest
}

/// Returns a + b.
#[inline(always)]
#[must_use]
pub fn add(a: &Fe, b: &Fe) -> Fe {
    let (mut r, mut carry) = ([0; 8], 0);
    for i in 0..7 {
        r[i] = add_word(a[i], b[i], &mut carry);
    }
    guard(a[7], b[7]);
    r[7] = a[7] + b[7] + carry;
    r
}

/// Returns a - b + p. It is not negative: halts if b is above a + p, as no answer below p is.
#[inline(always)]
#[must_use]
pub fn sub(a: &Fe, b: &Fe) -> Fe {
    let (mut r, mut borrow) = ([0; 8], 19);
    for i in 0..7 {
        r[i] = sub_word(a[i], b[i], &mut borrow);
    }
    guard(a[7], b[7]);
    r[7] = last(a[7], b[7], borrow);
    r
}

/// Returns a + b and a - b + p.
#[inline(always)]
#[must_use]
pub fn add_sub(a: &Fe, b: &Fe) -> (Fe, Fe) {
    let (mut r, mut s, mut carry, mut borrow) = ([0; 8], [0; 8], 0, 19);
    for i in 0..7 {
        r[i] = add_word(a[i], b[i], &mut carry);
        s[i] = sub_word(a[i], b[i], &mut borrow);
    }
    guard(a[7], b[7]);
    r[7] = a[7] + b[7] + carry;
    s[7] = last(a[7], b[7], borrow);
    (r, s)
}

/// Returns whether a and b have the same words; then they are the same element.
#[inline]
#[must_use]
pub fn same(a: &Fe, b: &Fe) -> bool {
    a.iter().zip(b).all(|(x, y)| x == y)
}

/// Returns whether a < n as integers.
#[must_use]
pub fn below(a: &Fe, n: &Fe) -> bool {
    a.iter().rev().lt(n.iter().rev())
}
