//! ring, whose secrets of key exchanges serve once and are drawn.

use super::{p256_key, signatures, x25519_key};
use crate::{timing::Operations, MESSAGE, OTHER, SECRET};
use ring::agreement::{agree_ephemeral, Algorithm, EphemeralPrivateKey, UnparsedPublicKey, ECDH_P256, X25519};
use ring::rand::SystemRandom;
use ring::signature::{EcdsaKeyPair, ECDSA_P256_SHA256_FIXED_SIGNING};
use std::hint::black_box;

const SUBJECT: &str = "ring, assembler, secret drawn";

pub fn add(list: &mut Operations) {
    let (scheme, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
    let pair = EcdsaKeyPair::from_private_key_and_public_key(scheme, &SECRET, &p256_key(&SECRET), &random).unwrap();
    signatures!(list, "ring, assembler", ring, pair);
    exchange(list, "ECDH P-256: decode a key, exchange", &ECDH_P256, p256_key(&OTHER));
    exchange(list, "X25519: exchange", &X25519, x25519_key(OTHER));
    list.add("X25519: public key", SUBJECT, move || {
        let own = EphemeralPrivateKey::generate(&X25519, &random).unwrap();
        black_box(own.compute_public_key().unwrap());
    });
}

fn exchange<const N: usize>(list: &mut Operations, name: &str, algorithm: &'static Algorithm, public: [u8; N]) {
    let random = SystemRandom::new();
    list.add(name, SUBJECT, move || {
        let own = EphemeralPrivateKey::generate(algorithm, &random).unwrap();
        let other = UnparsedPublicKey::new(algorithm, black_box(&public));
        black_box(agree_ephemeral(own, &other, |common| <[u8; 32]>::try_from(common).unwrap()).unwrap());
    });
}
