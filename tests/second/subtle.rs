//! A stand-in for the crate `subtle`, whose functions do what its documentation says.
//!
//! All of it is inlined, so that its code is in the IR of the crate that calls it.

#![no_std]

use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

#[derive(Clone, Copy, Debug)]
pub struct Choice(u8);

impl Choice {
    #[inline]
    pub fn unwrap_u8(&self) -> u8 {
        self.0
    }
}

impl From<u8> for Choice {
    #[inline]
    fn from(bit: u8) -> Self {
        Choice(bit)
    }
}

impl From<Choice> for bool {
    #[inline]
    fn from(choice: Choice) -> bool {
        choice.0 != 0
    }
}

macro_rules! operators {
    ($($name:ident $function:ident $assign:ident $function_assign:ident $operator:tt;)*) => {$(
        impl $name for Choice {
            type Output = Choice;
            #[inline]
            fn $function(self, other: Choice) -> Choice {
                Choice(self.0 $operator other.0)
            }
        }
        impl $assign for Choice {
            #[inline]
            fn $function_assign(&mut self, other: Choice) {
                self.0 = self.0 $operator other.0;
            }
        }
    )*};
}
operators! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

impl Not for Choice {
    type Output = Choice;
    #[inline]
    fn not(self) -> Choice {
        Choice(1 ^ self.0)
    }
}

pub trait ConstantTimeEq {
    fn ct_eq(&self, other: &Self) -> Choice;
    #[inline]
    fn ct_ne(&self, other: &Self) -> Choice {
        !self.ct_eq(other)
    }
}

pub trait ConditionallySelectable: Copy {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self;
    #[inline]
    fn conditional_assign(&mut self, other: &Self, choice: Choice) {
        *self = Self::conditional_select(self, other, choice);
    }
    #[inline]
    fn conditional_swap(a: &mut Self, b: &mut Self, choice: Choice) {
        let t = *a;
        a.conditional_assign(b, choice);
        b.conditional_assign(&t, choice);
    }
}

impl ConditionallySelectable for Choice {
    #[inline]
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Choice(if choice.0 != 0 { b.0 } else { a.0 })
    }
}

#[derive(Clone, Copy, Debug)]
pub struct CtOption<T> {
    value: T,
    is_some: Choice,
}

impl<T> CtOption<T> {
    #[inline]
    pub fn new(value: T, is_some: Choice) -> Self {
        CtOption { value, is_some }
    }
    #[inline]
    pub fn is_some(&self) -> Choice {
        self.is_some
    }
    #[inline]
    pub fn is_none(&self) -> Choice {
        !self.is_some
    }
    #[inline]
    pub fn unwrap_or(self, other: T) -> T
    where
        T: ConditionallySelectable,
    {
        T::conditional_select(&other, &self.value, self.is_some)
    }
}
