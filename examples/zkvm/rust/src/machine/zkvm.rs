//! The calls of the zkVM, and what start.c and the host see of the guest.
#![allow(unsafe_code)]

use core::arch::asm;
use core::mem::MaybeUninit;
use core::ptr::addr_of;

use super::Status;
use crate::field::Fe;
use crate::half::{check_sum, Claim};

/// The host's input, written before the guest runs; all of its values are valid.
#[export_name = "io"]
#[link_section = ".io"]
static mut IO: MaybeUninit<Claim> = MaybeUninit::uninit();

#[no_mangle]
extern "C" fn guest() -> u32 {
    // SAFETY: nothing writes it while the guest runs.
    check_sum(unsafe { &*addr_of!(IO).cast::<Claim>() });
    0
}

/// Halts the program with a status.
#[inline]
pub fn halt(status: Status) -> ! {
    // SAFETY: the call ends the program.
    unsafe { asm!("ecall", in("a0") status as u32, in("t0") 0, options(noreturn)) }
}

/// Returns a·b modulo n. The answer is congruent; an honest one is below n.
#[inline]
#[must_use]
pub fn modmul(a: &Fe, b: &Fe, n: &Fe) -> Fe {
    let mut r = MaybeUninit::<Fe>::uninit();
    // SAFETY: the call reads 8 words at each of three addresses, and writes 8 words at the first.
    unsafe {
        asm!(
            "ecall",
            in("a0") r.as_mut_ptr(),
            in("a1") 0,
            in("a2") a,
            in("a3") b,
            in("a4") n,
            in("t0") 4,
            options(nostack, preserves_flags)
        );
        r.assume_init()
    }
}
