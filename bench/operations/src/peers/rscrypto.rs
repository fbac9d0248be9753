//! rscrypto: Rust with assembler and vector code.

use super::{p256_key, x25519_key};
use crate::{processor::vector_code, timing::Operations, MESSAGE, OTHER, SECRET};
use rscrypto::{
    EcdsaP256PublicKey, EcdsaP256SecretKey, Ed25519Keypair, Ed25519SecretKey, P256EphemeralSecret, P256PublicKey,
    X25519PublicKey, X25519SecretKey,
};
use std::convert::Infallible;
use std::hint::black_box;

const SUBJECT: &str = "rscrypto, assembler";

pub fn add(list: &mut Operations) {
    ecdsa(list);
    exchange_p256(list);
    let pair = Ed25519Keypair::from_secret_key(Ed25519SecretKey::from_bytes(SECRET));
    let (key, signature) = (pair.public_key(), pair.sign(MESSAGE));
    list.add("Ed25519: verify strictly", format!("rscrypto, {}", vector_code(true, true)), move || {
        black_box(&key).verify(black_box(MESSAGE), black_box(&signature)).unwrap();
    });
    list.add("Ed25519: sign", SUBJECT, move || {
        black_box(black_box(&pair).sign(black_box(MESSAGE)));
    });
    let (own, other) = (X25519SecretKey::from_bytes(SECRET), X25519PublicKey::from_bytes(x25519_key(OTHER)));
    list.add("X25519: exchange", SUBJECT, move || {
        black_box(black_box(&own).diffie_hellman(black_box(&other)).unwrap());
    });
    list.add("X25519: public key", SUBJECT, || {
        black_box(X25519SecretKey::from_bytes(black_box(SECRET)).public_key().to_bytes());
    });
}

fn ecdsa(list: &mut Operations) {
    let secret = EcdsaP256SecretKey::from_bytes(SECRET).unwrap();
    let public = p256_key(&SECRET);
    let (key, signature) = (EcdsaP256PublicKey::from_sec1_bytes(&public).unwrap(), secret.try_sign(MESSAGE).unwrap());
    list.add("ECDSA P-256: verify", "rscrypto, key with table", move || {
        black_box(&key).verify(black_box(MESSAGE), black_box(&signature)).unwrap();
    });
    list.add("ECDSA P-256: decode a key, verify", "rscrypto", move || {
        EcdsaP256PublicKey::verify_sec1(black_box(&public), black_box(MESSAGE), black_box(&signature)).unwrap();
    });
    list.add("ECDSA P-256: sign", SUBJECT, move || {
        black_box(black_box(&secret).try_sign(black_box(MESSAGE)).unwrap());
    });
}

/// Adds exchanges, each with a secret that is read again, since it serves once.
fn exchange_p256(list: &mut Operations) {
    let own = || {
        P256EphemeralSecret::try_generate_with(|bytes| {
            *bytes = black_box(SECRET);
            Ok::<(), Infallible>(())
        })
        .unwrap()
    };
    let encoded = p256_key(&OTHER);
    let other = P256PublicKey::from_sec1_bytes(&encoded).unwrap();
    list.add("ECDH P-256", SUBJECT, move || {
        black_box(own().diffie_hellman(black_box(&other)));
    });
    list.add("ECDH P-256: decode a key, exchange", SUBJECT, move || {
        let other = P256PublicKey::from_sec1_bytes(black_box(&encoded)).unwrap();
        black_box(own().diffie_hellman(&other));
    });
}
