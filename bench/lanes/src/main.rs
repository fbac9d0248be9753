//! Times batches in interleaved rounds, and prints `operation|subject|median|lower decile`, in µs for each element.
//!
//! Usage: lanes [ROUNDS [OPERATION]...]

#[cfg(feature = "crypto-mb")]
mod crypto_mb;
mod emitted;
mod peers;
#[path = "../../operations/src/processor.rs"]
mod processor;
// All operations are on many elements.
#[allow(dead_code)]
#[path = "../../operations/src/timing.rs"]
mod timing;

use sha2::{Digest, Sha256};
use timing::Operations;

/// Rounds in which every operation runs, unless an argument says otherwise.
const ROUNDS: usize = 31;
/// Signatures of a batch, each of another message by another key.
const BATCH: usize = 64;

const P256: &str = "ECDSA P-256: verify 64";
const P384: &str = "ECDSA P-384: verify 64";
const K256: &str = "ECDSA secp256k1: verify 64";
const ED25519: &str = "Ed25519: decode 64 keys, verify 64";
const SIGNED: &str = "Ed25519: sign 64";
const X25519: &str = "X25519: exchange 64";

/// Numbers of multiples in a sum.
const SUMS: [usize; 3] = [8, 64, 256];

/// Returns the name of a sum of multiples, of secret scalars or of public ones.
fn sum(count: usize, public: bool) -> String {
    let scalars = if public { ", public scalars" } else { "" };
    format!("edwards25519: sum of {count} multiples{scalars}")
}

/// Returns a secret.
fn secret<const N: usize>(number: usize) -> [u8; N] {
    [number as u8 + 1; N]
}

/// Returns a scalar below 2^252, which no two numbers share.
fn scalar(number: usize) -> [u8; 32] {
    let mut scalar: [u8; 32] = Sha256::digest(number.to_le_bytes()).into();
    scalar[31] &= 15;
    scalar
}

/// A message and its signature, by a key.
#[derive(Clone)]
pub struct Signed {
    /// Uncompressed by SEC 1, or by RFC 8032.
    key: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
}

fn main() {
    let mut words = std::env::args().skip(1);
    let rounds = words
        .next()
        .map_or(ROUNDS, |text| text.parse().expect("a number of rounds"));
    let mut list = Operations::default();
    let (p256, p384, k256) = (
        emitted::p256(&mut list),
        emitted::p384(&mut list),
        emitted::k256(&mut list),
    );
    let ed25519 = emitted::ed25519(&mut list);
    emitted::x25519(&mut list);
    emitted::sums(&mut list);
    peers::aws_lc(
        &mut list,
        P256,
        &aws_lc_rs::signature::ECDSA_P256_SHA256_FIXED,
        p256.clone(),
    );
    peers::aws_lc(
        &mut list,
        P384,
        &aws_lc_rs::signature::ECDSA_P384_SHA384_FIXED,
        p384.clone(),
    );
    peers::libsecp256k1(&mut list, k256);
    peers::dalek(&mut list, ed25519.clone());
    peers::aws_lc_ed25519(&mut list, ed25519.clone());
    peers::exchanges(&mut list);
    peers::sums(&mut list);
    #[cfg(feature = "crypto-mb")]
    {
        crypto_mb::exchanges(&mut list);
        crypto_mb::add(&mut list, p256, p384, ed25519);
    }
    list.keep(&words.collect::<Vec<_>>());
    list.print(rounds);
}
