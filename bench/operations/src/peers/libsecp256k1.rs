//! libsecp256k1: through the crate secp256k1, and by its own functions where the crate does more.

use crate::{timing::Operations, MESSAGE, OTHER, SECRET};
use secp256k1::ffi::{self, types::c_void, CPtr};
use secp256k1::{ecdsa, Message, PublicKey, SecretKey};
use sha2::{block_api::compress256, Digest, Sha256};
use std::hint::black_box;
use std::ptr::{null, null_mut, NonNull};

pub const SUBJECT: &str = "libsecp256k1";
/// The library's own function for signatures, with its SHA-256 and with that of the emitted crates.
pub const SIGNERS: [(&str, Compression); 2] =
    [("libsecp256k1, blinded once", None), ("libsecp256k1, blinded once, hashing by sha2", Some(compress))];

pub fn add(list: &mut Operations) {
    let secret = SecretKey::from_secret_bytes(SECRET).unwrap();
    let public = PublicKey::from_secret_key(&secret);
    let signature = ecdsa::sign(digest(), &secret);
    let (compressed, uncompressed) = (public.serialize(), public.serialize_uncompressed());
    list.add("ECDSA secp256k1: verify", SUBJECT, move || {
        ecdsa::verify(black_box(&signature), digest(), black_box(&public)).unwrap();
    });
    list.add("ECDSA secp256k1: decode a key, verify", SUBJECT, move || {
        let public = PublicKey::from_slice(black_box(&uncompressed)).unwrap();
        ecdsa::verify(black_box(&signature), digest(), &public).unwrap();
    });
    for (subject, hash) in SIGNERS {
        let sign = signer(hash);
        assert_eq!(ecdsa::Signature::from(sign()), signature);
        list.add("ECDSA secp256k1: sign", subject, move || {
            black_box(sign());
        });
    }
    list.add("ECDSA secp256k1: sign", "secp256k1 0.33, blinding renewed", move || {
        black_box(ecdsa::sign(digest(), black_box(&secret)));
    });
    let other = PublicKey::from_secret_key(&SecretKey::from_secret_bytes(OTHER).unwrap());
    let encoded = other.serialize_uncompressed();
    let emitted = own_k256::ecdh::exchange(&SECRET, &own_k256::decode(&encoded).unwrap()).unwrap();
    assert_eq!(shared_x(&other), emitted);
    list.add("ECDH secp256k1", SUBJECT, move || {
        black_box(shared_x(black_box(&other)));
    });
    list.add("ECDH secp256k1: decode a key, exchange", SUBJECT, move || {
        black_box(shared_x(&PublicKey::from_slice(black_box(&encoded)).unwrap()));
    });
    list.add("secp256k1: decode a compressed key", SUBJECT, move || {
        black_box(PublicKey::from_slice(black_box(&compressed)).unwrap());
    });
}

fn digest() -> Message {
    Message::from_digest(Sha256::digest(black_box(MESSAGE)).into())
}

/// Returns the library's own function, which hashes nonces by a function.
fn signer(hash: Compression) -> impl Fn() -> ffi::Signature {
    let context = blinded_once(hash);
    move || {
        let (digest, secret) = (digest(), black_box(&SECRET).as_ptr());
        // SAFETY: the context is never destroyed; message and secret have 32 bytes.
        unsafe {
            let (mut signature, message) = (ffi::Signature::new(), digest.as_c_ptr());
            let done = ffi::secp256k1_ecdsa_sign(context.as_ptr(), &mut signature, message, secret, None, null());
            assert_eq!(done, 1);
            signature
        }
    }
}

/// Returns a context that is randomised here alone, and hashes by a function.
pub fn blinded_once(hash: Compression) -> NonNull<ffi::Context> {
    // SAFETY: the context is never destroyed, the seed has 32 bytes, and the library tries the function.
    unsafe {
        let context = ffi::secp256k1_context_create(ffi::SECP256K1_START_SIGN);
        rustsecp256k1_v0_14_context_set_sha256_compression(context.as_ptr(), hash);
        assert_eq!(ffi::secp256k1_context_randomize(context, OTHER.as_ptr()), 1);
        context
    }
}

/// A function in place of the library's SHA-256, on a state of 8 words and blocks of 64 bytes.
pub type Compression = Option<unsafe extern "C" fn(*mut u32, *const u8, usize)>;

unsafe extern "C" {
    /// A function of the library that secp256k1-sys links and does not declare.
    fn rustsecp256k1_v0_14_context_set_sha256_compression(context: *mut ffi::Context, hash: Compression);
}

/// Hashes as the emitted crates do, by the crate sha2.
unsafe extern "C" fn compress(state: *mut u32, blocks: *const u8, count: usize) {
    // SAFETY: the library gives a state of 8 words and `count` blocks.
    let (state, blocks) = unsafe { (&mut *state.cast(), std::slice::from_raw_parts(blocks.cast(), count)) };
    compress256(state, blocks);
}

/// Returns x of the common point as the emitted crates do: a callback that copies replaces the hash.
fn shared_x(public: &PublicKey) -> [u8; 32] {
    let mut x = [0; 32];
    let secret = black_box(&SECRET).as_ptr();
    // SAFETY: the static context serves what uses no table; secret and output have 32 bytes.
    let done = unsafe {
        let context = ffi::secp256k1_context_static;
        ffi::secp256k1_ecdh(context, x.as_mut_ptr(), public.as_c_ptr(), secret, Some(copy_x), null_mut())
    };
    assert_eq!(done, 1);
    x
}

unsafe extern "C" fn copy_x(output: *mut u8, x: *const u8, _y: *const u8, _data: *mut c_void) -> i32 {
    // SAFETY: the library gives 32 bytes, and the caller asks for as many.
    unsafe { std::ptr::copy_nonoverlapping(x, output, 32) };
    1
}
