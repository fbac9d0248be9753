//! Curves for a host of WebAssembly: functions on bytes in the module's memory, which `index.mjs` calls.
//!
//! A function returns 1, or 0 for a key or a secret that it refuses and for a signature that is not valid. The
//! host reserves memory for what it passes, and overwrites it after a call.

use core::slice;

/// Reserves bytes, all 0, and returns their address.
#[no_mangle]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// Overwrites and releases bytes.
///
/// # Safety
///
/// They were reserved with this length, and are released once.
#[no_mangle]
pub unsafe extern "C" fn release(at: *mut u8, length: usize) {
    let bytes = slice::from_raw_parts_mut(at, length);
    core::hint::black_box(&mut *bytes).fill(0);
    core::hint::black_box(&mut *bytes);
    drop(Box::from_raw(core::ptr::from_mut(bytes)));
}

/// Writes a result, if there is one, and returns whether.
///
/// # Safety
///
/// There is room for it.
unsafe fn put<const N: usize>(out: *mut u8, result: Option<[u8; N]>) -> u32 {
    let Some(bytes) = result else { return 0 };
    out.copy_from(bytes.as_ptr(), N);
    1
}

/// Functions of a curve with ECDSA, SHA-256 and ECDH.
macro_rules! ecdsa {
    ($curve:ident, $public_key:ident, $sign:ident, $verify:ident, $exchange:ident) => {
        /// Writes the public key of a secret, 33 bytes.
        ///
        /// # Safety
        ///
        /// The addresses point to 32 bytes and of 33.
        #[no_mangle]
        pub unsafe extern "C" fn $public_key(secret: *const [u8; 32], out: *mut u8) -> u32 {
            let key: Option<$curve::Point> = $curve::ecdsa::public_key(&*secret).into();
            put(out, key.and_then(|key| key.encode().into()))
        }

        /// Writes the signature r, s of a message, 64 bytes.
        ///
        /// # Safety
        ///
        /// The addresses point to 32 bytes, of the message and of 64 bytes.
        #[no_mangle]
        pub unsafe extern "C" fn $sign(
            secret: *const [u8; 32],
            message: *const u8,
            length: usize,
            out: *mut u8,
        ) -> u32 {
            let message = slice::from_raw_parts(message, length);
            put(out, $curve::ecdsa::sign::<sha2::Sha256>(&*secret, message).into())
        }

        /// Returns whether a signature is valid.
        ///
        /// # Safety
        ///
        /// The addresses point to bytes of these lengths; the signature has 64.
        #[no_mangle]
        pub unsafe extern "C" fn $verify(
            key: *const u8,
            key_length: usize,
            message: *const u8,
            length: usize,
            signature: *const [u8; 64],
        ) -> u32 {
            let key = slice::from_raw_parts(key, key_length);
            let message = slice::from_raw_parts(message, length);
            $curve::ecdsa::VerifyingKey::from_bytes(key)
                .is_some_and(|key| key.verify::<sha2::Sha256>(message, &*signature))
                .into()
        }

        /// Writes the secret that is shared with the owner of a public key, 32 bytes.
        ///
        /// # Safety
        ///
        /// The addresses point to 32 bytes, of the key and of 32 bytes.
        #[no_mangle]
        pub unsafe extern "C" fn $exchange(
            secret: *const [u8; 32],
            key: *const u8,
            key_length: usize,
            out: *mut u8,
        ) -> u32 {
            let key = $curve::decode(slice::from_raw_parts(key, key_length));
            put(out, key.and_then(|key| $curve::ecdh::exchange(&*secret, &key).into()))
        }
    };
}

ecdsa!(p256, p256_public_key, p256_sign, p256_verify, p256_exchange);
ecdsa!(
    secp256k1,
    secp256k1_public_key,
    secp256k1_sign,
    secp256k1_verify,
    secp256k1_exchange
);

/// Writes the public key of a secret, 32 bytes.
///
/// # Safety
///
/// The addresses point to 32 bytes each.
#[no_mangle]
pub unsafe extern "C" fn ed25519_public_key(secret: *const [u8; 32], out: *mut u8) -> u32 {
    put(out, Some(ed25519::eddsa::public_key(&*secret)))
}

/// Writes the signature of a message, 64 bytes.
///
/// # Safety
///
/// The addresses point to 32 bytes, of the message and of 64 bytes.
#[no_mangle]
pub unsafe extern "C" fn ed25519_sign(
    secret: *const [u8; 32],
    message: *const u8,
    length: usize,
    out: *mut u8,
) -> u32 {
    let message = slice::from_raw_parts(message, length);
    put(out, Some(ed25519::eddsa::sign(&*secret, message)))
}

/// Returns whether a signature is valid.
///
/// # Safety
///
/// The addresses point to 32 bytes, of the message and of 64 bytes.
#[no_mangle]
pub unsafe extern "C" fn ed25519_verify(
    key: *const [u8; 32],
    message: *const u8,
    length: usize,
    signature: *const [u8; 64],
) -> u32 {
    let message = slice::from_raw_parts(message, length);
    ed25519::eddsa::verify(&*key, message, &*signature).into()
}

/// Writes the public key of a secret, 32 bytes.
///
/// # Safety
///
/// The addresses point to 32 bytes each.
#[no_mangle]
pub unsafe extern "C" fn x25519_public_key(secret: *const [u8; 32], out: *mut u8) -> u32 {
    put(out, Some(x25519::exchange::public_key(&*secret)))
}

/// Writes the secret that is shared with the owner of a public key, 32 bytes.
///
/// # Safety
///
/// The addresses point to 32 bytes each.
#[no_mangle]
pub unsafe extern "C" fn x25519_exchange(
    secret: *const [u8; 32],
    key: *const [u8; 32],
    out: *mut u8,
) -> u32 {
    put(out, x25519::exchange::exchange(&*secret, &*key).into())
}
