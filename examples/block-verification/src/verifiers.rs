//! Two schemes of signatures, each verified by an emitted crate and by another one.

use ed25519_dalek::Verifier;
use sha2::{Digest, Sha256};

use crate::block::{Sign, Transaction};

/// Writes the verdicts on transactions.
pub type Verify = fn(&[Transaction], &mut [bool]);

/// A scheme: its name, how blocks are made, and its verifiers by their names.
pub struct Scheme {
    pub name: &'static str,
    pub sign: Sign,
    pub verifiers: [(&'static str, Verify); 2],
}

/// The schemes.
pub const SCHEMES: [Scheme; 2] = [
    Scheme {
        name: "Ed25519",
        sign: |secret, message| {
            let signature = edwards25519::eddsa::sign(secret, message);
            (
                edwards25519::eddsa::public_key(secret).to_vec(),
                signature.to_vec(),
            )
        },
        verifiers: [("emitted", ed25519), ("ed25519-dalek", dalek)],
    },
    Scheme {
        name: "ECDSA on secp256k1",
        sign: |secret, message| {
            let signature =
                secp256k1::ecdsa::sign::<Sha256>(secret, message).expect("a secret in range");
            let key = secp256k1::ecdsa::public_key(secret).expect("a secret in range");
            (
                key.encode()
                    .expect("a point other than the identity")
                    .to_vec(),
                signature.to_vec(),
            )
        },
        verifiers: [("emitted", ecdsa), ("libsecp256k1", libsecp256k1)],
    },
];

fn ed25519(block: &[Transaction], valid: &mut [bool]) {
    let keys: Vec<&[u8]> = block.iter().map(|each| &each.key[..]).collect();
    let messages: Vec<&[u8]> = block.iter().map(|each| &each.message[..]).collect();
    let signatures: Vec<&[u8]> = block.iter().map(|each| &each.signature[..]).collect();
    edwards25519::eddsa::verify_batch(valid, &keys, &messages, &signatures);
}

fn dalek(block: &[Transaction], valid: &mut [bool]) {
    for (each, valid) in block.iter().zip(valid) {
        let key = each.key[..]
            .try_into()
            .ok()
            .and_then(|key| ed25519_dalek::VerifyingKey::from_bytes(key).ok());
        let signature = ed25519_dalek::Signature::from_slice(&each.signature);
        *valid = key
            .zip(signature.ok())
            .is_some_and(|(key, own)| key.verify(&each.message, &own).is_ok());
    }
}

fn ecdsa(block: &[Transaction], valid: &mut [bool]) {
    // What is no key has no verdict but one; the others are a block without gaps.
    let keys: Vec<_> = block
        .iter()
        .map(|each| secp256k1::ecdsa::VerifyingKey::from_bytes(&each.key))
        .collect();
    let known: Vec<usize> = (0..block.len()).filter(|at| keys[*at].is_some()).collect();
    let messages: Vec<&[u8]> = known.iter().map(|at| &block[*at].message[..]).collect();
    let signatures: Vec<&[u8]> = known.iter().map(|at| &block[*at].signature[..]).collect();
    let keys: Vec<_> = keys.into_iter().flatten().collect();
    let mut found = vec![false; known.len()];
    secp256k1::ecdsa::verify_batch::<Sha256>(&mut found, &keys, &messages, &signatures);
    valid.fill(false);
    for (at, verdict) in known.into_iter().zip(found) {
        valid[at] = verdict;
    }
}

fn libsecp256k1(block: &[Transaction], valid: &mut [bool]) {
    for (each, valid) in block.iter().zip(valid) {
        let message = libsecp256k1::Message::from_digest(Sha256::digest(&each.message).into());
        let key = libsecp256k1::PublicKey::from_slice(&each.key);
        let signature = libsecp256k1::ecdsa::Signature::from_compact(&each.signature);
        *valid = key.ok().zip(signature.ok()).is_some_and(|(key, mut own)| {
            // The library refuses s above n/2, which ECDSA does not.
            own.normalize_s();
            own.verify(message, &key).is_ok()
        });
    }
}
