//! Operations on curves for a host of WebAssembly, by crates with the interfaces of RustCrypto's and dalek's.
//!
//! Each function does an operation `count` times and returns the number of successes. Arguments are
//! addresses in the module's memory, to which the host adds a page for them. A call decodes its key once.

use std::hint::black_box;

/// Does an operation a number of times; returns the number of successes.
fn repeat(count: u32, mut succeeds: impl FnMut() -> bool) -> u32 {
    (0..count).map(|_| u32::from(succeeds())).sum()
}

/// Exports ECDSA of a crate; the message is a digest.
#[cfg(any(feature = "p256", feature = "k256"))]
macro_rules! ecdsa {
    ($module:ident, $sign:ident, $verify:ident) => {
        mod $module {
            use super::{black_box, repeat};
            use $module::ecdsa::signature::hazmat::{PrehashSigner, PrehashVerifier};
            use $module::ecdsa::{Signature, SigningKey, VerifyingKey};

            #[no_mangle]
            extern "C" fn $sign(
                secret: &[u8; 32],
                digest: &[u8; 32],
                out: &mut [u8; 64],
                count: u32,
            ) -> u32 {
                let Ok(key) = SigningKey::from_slice(secret) else {
                    return 0;
                };
                repeat(count, || {
                    let signature: Result<Signature, _> =
                        black_box(&key).sign_prehash(black_box(digest));
                    signature
                        .map(|signature| *out = signature.to_bytes().into())
                        .is_ok()
                })
            }

            #[no_mangle]
            extern "C" fn $verify(
                key: &[u8; 65],
                digest: &[u8; 32],
                signature: &[u8; 64],
                count: u32,
            ) -> u32 {
                let Ok(key) = VerifyingKey::from_sec1_bytes(key) else {
                    return 0;
                };
                repeat(count, || {
                    Signature::from_slice(black_box(signature))
                        .and_then(|signature| {
                            black_box(&key).verify_prehash(black_box(digest), &signature)
                        })
                        .is_ok()
                })
            }
        }
    };
}

#[cfg(feature = "p256")]
ecdsa!(p256, p256_sign, p256_verify);
#[cfg(feature = "k256")]
ecdsa!(k256, k256_sign, k256_verify);

#[cfg(feature = "ed25519")]
mod ed25519 {
    use super::{black_box, repeat};
    use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};

    #[no_mangle]
    extern "C" fn ed25519_sign(
        secret: &[u8; 32],
        message: &[u8; 32],
        out: &mut [u8; 64],
        count: u32,
    ) -> u32 {
        let key = SigningKey::from_bytes(secret);
        repeat(count, || {
            let signature = black_box(&key).try_sign(black_box(message));
            signature
                .map(|signature| *out = signature.to_bytes())
                .is_ok()
        })
    }

    #[no_mangle]
    extern "C" fn ed25519_verify(
        key: &[u8; 32],
        message: &[u8; 32],
        signature: &[u8; 64],
        count: u32,
    ) -> u32 {
        let Ok(key) = VerifyingKey::from_bytes(key) else {
            return 0;
        };
        repeat(count, || {
            let signature = Signature::from_bytes(black_box(signature));
            black_box(&key)
                .verify(black_box(message), &signature)
                .is_ok()
        })
    }
}

#[cfg(feature = "x25519")]
#[no_mangle]
extern "C" fn x25519_exchange(
    secret: &[u8; 32],
    key: &[u8; 32],
    out: &mut [u8; 32],
    count: u32,
) -> u32 {
    repeat(count, || {
        *out = x25519_dalek::x25519(*black_box(secret), *black_box(key));
        true
    })
}
