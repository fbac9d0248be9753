//! Intel's crypto_mb: eight signatures in a call, in lanes of AVX-512 IFMA.

use crate::{secret, timing::Operations, Signed, BATCH, ED25519, P256, P384, X25519};
use sha2::{Digest, Sha256, Sha384};
use std::hint::black_box;
use std::ptr::{null, null_mut};

const SUBJECT: &str = "crypto_mb";
/// Signatures in a call.
const LANES: usize = 8;

/// Pointers to the bytes, or the words, of each lane.
type Bytes = [*const u8; LANES];
type Words = [*const u64; LANES];
/// Verifies r and s, big-endian, of digests by affine keys, least significant words first: 0 if all are right.
type Verify = unsafe extern "C" fn(
    *const Bytes,
    *const Bytes,
    *const Bytes,
    *const Words,
    *const Words,
    *const Words,
    *mut u8,
) -> u32;

#[link(name = "crypto_mb")]
unsafe extern "C" {
    fn mbx_nistp256_ecdsa_verify_mb8(
        r: *const Bytes,
        s: *const Bytes,
        digest: *const Bytes,
        x: *const Words,
        y: *const Words,
        z: *const Words,
        buffer: *mut u8,
    ) -> u32;
    fn mbx_nistp384_ecdsa_verify_mb8(
        r: *const Bytes,
        s: *const Bytes,
        digest: *const Bytes,
        x: *const Words,
        y: *const Words,
        z: *const Words,
        buffer: *mut u8,
    ) -> u32;
    fn mbx_ed25519_verify_mb8(
        r: *const Bytes,
        s: *const Bytes,
        message: *const Bytes,
        length: *const [u32; LANES],
        key: *const Bytes,
    ) -> u32;
    fn mbx_x25519_mb8(shared: *const [*mut u8; LANES], secret: *const Bytes, public: *const Bytes) -> u32;
    fn mbx_x25519_public_key_mb8(public: *const [*mut u8; LANES], secret: *const Bytes) -> u32;
}

pub fn add(list: &mut Operations, p256: Vec<Signed>, p384: Vec<Signed>, ed25519: Vec<Signed>) {
    ecdsa::<32>(
        list,
        P256,
        mbx_nistp256_ecdsa_verify_mb8,
        |message| Sha256::digest(message).to_vec(),
        p256,
    );
    ecdsa::<48>(
        list,
        P384,
        mbx_nistp384_ecdsa_verify_mb8,
        |message| Sha384::digest(message).to_vec(),
        p384,
    );
    list.add_batch(ED25519, SUBJECT, BATCH, move || {
        for signed in black_box(&ed25519).chunks_exact(LANES) {
            let r = each(|at| signed[at].signature.as_ptr());
            let s = each(|at| signed[at].signature[32..].as_ptr());
            let messages = each(|at| signed[at].message.as_ptr());
            let lengths = each(|at| signed[at].message.len() as u32);
            let keys = each(|at| signed[at].key.as_ptr());
            // SAFETY: each pointer is to 32 bytes, or to a message of its length.
            assert_eq!(unsafe { mbx_ed25519_verify_mb8(&r, &s, &messages, &lengths, &keys) }, 0);
        }
    });
}

/// Adds the exchange of keys.
pub fn exchanges(list: &mut Operations) {
    let secrets: [[u8; 32]; BATCH] = std::array::from_fn(secret);
    let mut publics = [[0_u8; 32]; BATCH];
    for (secrets, publics) in secrets.chunks_exact(LANES).zip(publics.chunks_exact_mut(LANES)) {
        let (secret, public) = (each(|at| secrets[at].as_ptr()), each(|at| publics[at].as_mut_ptr()));
        // SAFETY: each pointer is to 32 bytes.
        assert_eq!(unsafe { mbx_x25519_public_key_mb8(&public, &secret) }, 0);
    }
    list.add_batch(X25519, SUBJECT, BATCH, move || {
        let mut shared = [[0_u8; 32]; BATCH];
        let inputs = black_box(&secrets).chunks_exact(LANES).zip(publics.chunks_exact(LANES));
        for (shared, (secrets, publics)) in shared.chunks_exact_mut(LANES).zip(inputs) {
            let (secret, public) = (each(|at| secrets[at].as_ptr()), each(|at| publics[at].as_ptr()));
            let shared = each(|at| shared[at].as_mut_ptr());
            // SAFETY: each pointer is to 32 bytes.
            assert_eq!(unsafe { mbx_x25519_mb8(&shared, &secret, &public) }, 0);
        }
        black_box(&shared);
    });
}

/// Adds ECDSA on a curve over a field of `N` bytes.
fn ecdsa<const N: usize>(
    list: &mut Operations,
    name: &'static str,
    verify: Verify,
    hash: fn(&[u8]) -> Vec<u8>,
    signed: Vec<Signed>,
) {
    let keys: Vec<[Vec<u64>; 2]> = signed
        .iter()
        .map(|each| [words(&each.key[1..=N]), words(&each.key[N + 1..])])
        .collect();
    list.add_batch(name, SUBJECT, BATCH, move || {
        for (signed, keys) in black_box(&signed).chunks_exact(LANES).zip(keys.chunks_exact(LANES)) {
            let digests: [Vec<u8>; LANES] = each(|at| hash(&signed[at].message));
            let r = each(|at| signed[at].signature.as_ptr());
            let s = each(|at| signed[at].signature[N..].as_ptr());
            let digests = each(|at| digests[at].as_ptr());
            let (x, y) = (each(|at| keys[at][0].as_ptr()), each(|at| keys[at][1].as_ptr()));
            // SAFETY: each pointer is to N bytes; without z, keys are affine.
            assert_eq!(unsafe { verify(&r, &s, &digests, &x, &y, null(), null_mut()) }, 0);
        }
    });
}

/// Returns what each lane has.
fn each<T>(lane: impl FnMut(usize) -> T) -> [T; LANES] {
    std::array::from_fn(lane)
}

/// Returns the words of a number in big-endian bytes, the least significant first.
fn words(bytes: &[u8]) -> Vec<u64> {
    bytes
        .rchunks_exact(8)
        .map(|word| u64::from_be_bytes(word.try_into().unwrap()))
        .collect()
}
