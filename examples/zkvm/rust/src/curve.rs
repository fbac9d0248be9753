//! Points of edwards25519 in a guest: sums in halved completed coordinates, table entries, the curve's equation.

use core::array;

use crate::field::{add, below, mul, same, sub, Fe, MINUS_ONE, PRIME, SMALL};
use crate::tables::CURVE_D;
use crate::zk::{add_products_z, convert_to_products_z, double};

/// Halved completed coordinates: x = 2 e/g, y = 2 h/f.
pub struct Point {
    pub e: Fe,
    pub f: Fe,
    pub g: Fe,
    pub h: Fe,
}

impl Point {
    /// Replaces the point, a coordinate at a time, which needs no call of memcpy.
    #[inline]
    pub fn set(&mut self, point: &Point) {
        self.e = point.e;
        self.f = point.f;
        self.g = point.g;
        self.h = point.h;
    }
}

/// An entry of a table: the point (x/z, y/z), and k/z = 4 d x y of the point.
pub struct Entry {
    pub x: Fe,
    pub y: Fe,
    pub z: Fe,
    pub k: Fe,
}

/// The point (x, y).
#[must_use]
pub fn affine(x: &Fe, y: &Fe) -> Point {
    Point {
        e: mul(x, &SMALL[1]),
        f: SMALL[2],
        g: SMALL[2],
        h: mul(y, &SMALL[1]),
    }
}

/// The identity.
#[must_use]
pub fn identity() -> Point {
    affine(&SMALL[0], &SMALL[1])
}

/// Replaces a point by its negative.
pub fn negate(point: &mut Point) {
    point.e = mul(&point.e, &MINUS_ONE);
}

/// Returns whether a point is the identity, the only point of y = 1.
#[must_use]
pub fn is_identity(point: &Point) -> bool {
    same(&mul(&point.h, &SMALL[2]), &mul(&point.f, &SMALL[1]))
}

/// Returns whether x and y are below p and y^2 - x^2 = 1 + d x^2 y^2.
#[must_use]
pub fn is_point([x, y]: &[Fe; 2]) -> bool {
    if !below(x, &PRIME) || !below(y, &PRIME) {
        return false;
    }
    let (xx, yy) = (mul(x, x), mul(y, y));
    let left = mul(&sub(&yy, &xx), &SMALL[1]);
    let right = add(&mul(&mul(&xx, &yy), &CURVE_D), &SMALL[1]);
    same(&left, &mul(&right, &SMALL[1]))
}

/// Returns P, 3P, 5P and so on.
#[must_use]
pub fn odd_multiples<const N: usize>([x, y]: &[Fe; 2]) -> [Entry; N] {
    let mut sum = affine(x, y);
    let twice = convert_to_products_z(&double(&sum));
    array::from_fn(|i| {
        if i > 0 {
            sum.set(&add_products_z(&sum, &twice));
        }
        convert_to_products_z(&sum)
    })
}
