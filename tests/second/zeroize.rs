//! A stand-in for the crate `zeroize`, whose functions do what its documentation says.

#![no_std]

pub trait Zeroize {
    fn zeroize(&mut self);
}

macro_rules! integers {
    ($($name:ident)*) => {$(
        impl Zeroize for $name {
            #[inline]
            fn zeroize(&mut self) {
                *self = 0;
            }
        }
    )*};
}
integers! { u8 u16 u32 u64 i8 i16 i32 i64 usize }

impl<T: Zeroize, const N: usize> Zeroize for [T; N] {
    #[inline]
    fn zeroize(&mut self) {
        let mut i = 0;
        while i < N {
            self[i].zeroize();
            i += 1;
        }
    }
}
