//! graviola: the assembler of s2n-bignum in Rust.

use super::{p256_key, x25519_key};
use crate::{timing::Operations, MESSAGE, OTHER, SECRET};
use graviola::hashing::Sha256;
use graviola::key_agreement::{p256, x25519};
use graviola::signing::ecdsa::{SigningKey, VerifyingKey, P256};
use graviola::signing::eddsa::{Ed25519SigningKey, Ed25519VerifyingKey};
use std::hint::black_box;

const SUBJECT: &str = "graviola, assembler";
const WITH_TABLE: &str = "graviola, assembler, key with table";

pub fn add(list: &mut Operations) {
    ecdsa(list);
    exchange_p256(list);
    ed25519(list);
    let own = x25519::StaticPrivateKey::from_array(&SECRET);
    let other = x25519::PublicKey::from_array(&x25519_key(OTHER));
    list.add("X25519: exchange", SUBJECT, move || {
        black_box(black_box(&own).diffie_hellman(black_box(&other)).unwrap().as_bytes());
    });
    list.add("X25519: public key", SUBJECT, || {
        black_box(x25519::StaticPrivateKey::from_array(black_box(&SECRET)).public_key().as_bytes());
    });
}

fn ecdsa(list: &mut Operations) {
    let signature = own_p256::ecdsa::sign::<sha2::Sha256>(&SECRET, MESSAGE).unwrap();
    let public = p256_key(&SECRET);
    let key = VerifyingKey::<P256>::from_x962_uncompressed(&public).unwrap();
    list.add("ECDSA P-256: verify", WITH_TABLE, move || {
        black_box(&key).verify::<Sha256>(&[black_box(MESSAGE)], black_box(&signature)).unwrap();
    });
    list.add("ECDSA P-256: decode a key, verify", SUBJECT, move || {
        let key = VerifyingKey::<P256>::from_x962_uncompressed(black_box(&public)).unwrap();
        key.verify::<Sha256>(&[black_box(MESSAGE)], black_box(&signature)).unwrap();
    });
    let private_key = p256::StaticPrivateKey::from_bytes(&SECRET).unwrap();
    let signing = SigningKey::<P256> { private_key };
    list.add("ECDSA P-256: sign", "graviola, assembler, bytes drawn for the nonce", move || {
        let mut signature = [0; 64];
        black_box(&signing).sign::<Sha256>(&[black_box(MESSAGE)], &mut signature).unwrap();
        black_box(signature);
    });
}

fn exchange_p256(list: &mut Operations) {
    let own = p256::StaticPrivateKey::from_bytes(&SECRET).unwrap();
    let again = p256::StaticPrivateKey::from_bytes(&SECRET).unwrap();
    let encoded = p256_key(&OTHER);
    let other = p256::PublicKey::from_x962_uncompressed(&encoded).unwrap();
    list.add("ECDH P-256", WITH_TABLE, move || {
        black_box(black_box(&own).diffie_hellman(black_box(&other)).unwrap());
    });
    list.add("ECDH P-256: decode a key, exchange", SUBJECT, move || {
        let other = p256::PublicKey::from_x962_uncompressed(black_box(&encoded)).unwrap();
        black_box(black_box(&again).diffie_hellman(&other).unwrap());
    });
}

fn ed25519(list: &mut Operations) {
    let signing = Ed25519SigningKey::from_bytes(&SECRET).unwrap();
    let (signature, key) = (signing.sign(MESSAGE), signing.public_key());
    let bytes = key.as_bytes();
    list.add("Ed25519: verify", SUBJECT, move || {
        black_box(&key).verify(black_box(&signature), black_box(MESSAGE)).unwrap();
    });
    list.add("Ed25519: decode a key, verify", SUBJECT, move || {
        let key = Ed25519VerifyingKey::from_bytes(black_box(&bytes)).unwrap();
        key.verify(black_box(&signature), black_box(MESSAGE)).unwrap();
    });
    list.add("Ed25519: sign", SUBJECT, move || {
        black_box(black_box(&signing).sign(black_box(MESSAGE)));
    });
}
