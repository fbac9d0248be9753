//! The names that SQIsign and modarith have in C, over the field of the crate `sqisign-verify`.
//!
//! Results are written when they are there, so that an output may be an input, as it may in C.

use sqisign_verify::fp::{Fp, Fp2};
use sqisign_verify::params::Level1;

type Element = Fp<Level1>;
type Pair = Fp2<Level1>;

const BYTES: usize = 32;

macro_rules! call {
    ($name:ident($($operand:ident: $kind:ty),*), $out:ident = $value:expr) => {
        #[no_mangle]
        pub unsafe extern "C" fn $name($($operand: $kind),*) {
            let value = unsafe { $value };
            unsafe { $out.write(value) }
        }
    };
}

call!(fp_copy(out: *mut Element, a: *const Element), out = (*a).clone());
call!(fp_add(out: *mut Element, a: *const Element, b: *const Element), out = (*a).add(&*b));
call!(fp_sub(out: *mut Element, a: *const Element, b: *const Element), out = (*a).sub(&*b));
call!(fp_mul(out: *mut Element, a: *const Element, b: *const Element), out = (*a).mul(&*b));
call!(fp_neg(out: *mut Element, a: *const Element), out = (*a).neg());
call!(fp_sqr(out: *mut Element, a: *const Element), out = (*a).sqr());
call!(fp_half(out: *mut Element, a: *const Element), out = (*a).half());
call!(fp_mul_small(out: *mut Element, a: *const Element, k: u32), out = (*a).mul_small(k));
call!(fp_inv(out: *mut Element), out = (*out).inv());
call!(fp_decode(out: *mut Element, bytes: *const [u8; BYTES]), out = Fp::decode(&*bytes).unwrap());
call!(fp_encode(out: *mut [u8; BYTES], a: *const Element), out = encoded(&*a));

call!(fp2_copy(out: *mut Pair, a: *const Pair), out = (*a).clone());
call!(fp2_add(out: *mut Pair, a: *const Pair, b: *const Pair), out = (*a).add(&*b));
call!(fp2_sub(out: *mut Pair, a: *const Pair, b: *const Pair), out = (*a).sub(&*b));
call!(fp2_mul(out: *mut Pair, a: *const Pair, b: *const Pair), out = (*a).mul(&*b));
call!(fp2_neg(out: *mut Pair, a: *const Pair), out = (*a).neg());
call!(fp2_sqr(out: *mut Pair, a: *const Pair), out = (*a).sqr());
call!(fp2_half(out: *mut Pair, a: *const Pair), out = (*a).half());
call!(fp2_mul_small(out: *mut Pair, a: *const Pair, k: u32), out = (*a).mul_small(k));
call!(fp2_inv(out: *mut Pair), out = (*out).inv());

call!(modcpy(a: *const Element, out: *mut Element), out = (*a).clone());
call!(modadd(a: *const Element, b: *const Element, out: *mut Element), out = (*a).add(&*b));
call!(modsub(a: *const Element, b: *const Element, out: *mut Element), out = (*a).sub(&*b));
call!(modmul(a: *const Element, b: *const Element, out: *mut Element), out = (*a).mul(&*b));
call!(modneg(a: *const Element, out: *mut Element), out = (*a).neg());
call!(modsqr(a: *const Element, out: *mut Element), out = (*a).sqr());
call!(modmli(a: *const Element, k: u32, out: *mut Element), out = (*a).mul_small(k));
call!(modinv(a: *const Element, _progenitor: *const Element, out: *mut Element), out = (*a).inv());

fn encoded(element: &Element) -> [u8; BYTES] {
    element.encode()[..].try_into().unwrap()
}
