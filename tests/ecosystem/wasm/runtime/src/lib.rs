//! Parts of a suite's module that call its runner: random bytes, and messages of panics.

use std::num::NonZeroU32;
use std::panic::set_hook;
use std::process::{ExitCode, Termination};

pub use attribute::test;

#[link(wasm_import_module = "runner")]
unsafe extern "C" {
    safe fn panicked(message: *const u8, length: usize);
    safe fn randomise(bytes: *mut u8, length: usize);
}

/// Run a test: a panic ends in a trap, after the runner has its message.
pub fn run<T: Termination>(test: fn() -> T) {
    set_hook(Box::new(|panic| {
        let message = panic.to_string();
        panicked(message.as_ptr(), message.len());
    }));
    assert!(
        test().report() == ExitCode::SUCCESS,
        "the test returned an error"
    );
}

getrandom::register_custom_getrandom!(random);

fn random(bytes: &mut [u8]) -> Result<(), getrandom::Error> {
    randomise(bytes.as_mut_ptr(), bytes.len());
    Ok(())
}

/// The back end of getrandom 0.3 and 0.4, whose errors are numbers other than 0 too.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(
    bytes: *mut u8,
    length: usize,
) -> Result<(), NonZeroU32> {
    randomise(bytes, length);
    Ok(())
}
