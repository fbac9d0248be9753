//! Published crates, one signature after the other: AWS-LC, libsecp256k1 and dalek's.

use crate::{processor::dalek_back_end, scalar, secret, sum, timing::Operations, Signed, BATCH, ED25519, K256, SIGNED, SUMS, X25519};
use aws_lc_rs::agreement::{self, agree, PrivateKey, UnparsedPublicKey as Public};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::signature::{
    EcdsaVerificationAlgorithm, Ed25519KeyPair, ParsedPublicKey, UnparsedPublicKey, ED25519 as AWS_ED25519,
};
use secp256k1::{ecdsa, Message, PublicKey};
use sha2::{Digest, Sha256};
use std::hint::black_box;

const AWS_LC: &str = "AWS-LC, assembler";

pub fn aws_lc(
    list: &mut Operations,
    name: &'static str,
    scheme: &'static EcdsaVerificationAlgorithm,
    signed: Vec<Signed>,
) {
    let keys: Vec<_> = signed
        .iter()
        .map(|each| ParsedPublicKey::new(scheme, &each.key).unwrap())
        .collect();
    list.add_batch(name, AWS_LC, BATCH, move || {
        for (key, each) in keys.iter().zip(&signed) {
            key.verify_sig(black_box(&each.message), &each.signature).unwrap();
        }
    });
}

pub fn aws_lc_ed25519(list: &mut Operations, signed: Vec<Signed>) {
    list.add_batch(ED25519, AWS_LC, BATCH, move || {
        for each in &signed {
            let key = UnparsedPublicKey::new(&AWS_ED25519, &each.key);
            key.verify(black_box(&each.message), &each.signature).unwrap();
        }
    });
}

/// Adds exchanges and signatures by secrets, whose keys are derived beforehand.
pub fn exchanges(list: &mut Operations) {
    use ed25519_dalek::{Signer, SigningKey};
    use x25519_dalek::{PublicKey, StaticSecret};

    let secrets: [[u8; 32]; BATCH] = std::array::from_fn(secret);
    let publics = secrets.map(|own| PublicKey::from(&StaticSecret::from(own)));
    let dalek = format!("dalek's crates, {}", dalek_back_end());
    let own: Vec<_> = secrets.iter().map(|own| StaticSecret::from(*own)).collect();
    list.add_batch(X25519, &dalek, BATCH, move || {
        for (own, public) in own.iter().zip(&publics) {
            black_box(black_box(own).diffie_hellman(public).to_bytes());
        }
    });
    let own = secrets.map(|own| PrivateKey::from_private_key(&agreement::X25519, &own).unwrap());
    let encoded = publics.map(|public| public.to_bytes());
    list.add_batch(X25519, AWS_LC, BATCH, move || {
        for (own, public) in own.iter().zip(&encoded) {
            let public = Public::new(&agreement::X25519, public);
            let shared = |shared: &[u8]| <[u8; 32]>::try_from(shared).or(Err(Unspecified));
            black_box(agree(black_box(own), public, Unspecified, shared).unwrap());
        }
    });
    let keys = secrets.map(|own| SigningKey::from_bytes(&own));
    list.add_batch(SIGNED, &dalek, BATCH, move || {
        for (at, key) in keys.iter().enumerate() {
            black_box(key.sign(black_box(&vec![at as u8; at])));
        }
    });
    let keys = secrets.map(|own| Ed25519KeyPair::from_seed_unchecked(&own).unwrap());
    list.add_batch(SIGNED, AWS_LC, BATCH, move || {
        for (at, key) in keys.iter().enumerate() {
            black_box(key.sign(black_box(&vec![at as u8; at])));
        }
    });
}

pub fn libsecp256k1(list: &mut Operations, signed: Vec<Signed>) {
    let parsed: Vec<_> = signed
        .iter()
        .map(|each| {
            let mut signature = ecdsa::Signature::from_compact(&each.signature).unwrap();
            signature.normalize_s();
            (PublicKey::from_slice(&each.key).unwrap(), signature)
        })
        .collect();
    list.add_batch(K256, "libsecp256k1", BATCH, move || {
        for ((key, signature), each) in parsed.iter().zip(&signed) {
            let digest = Message::from_digest(Sha256::digest(black_box(&each.message)).into());
            ecdsa::verify(signature, digest, key).unwrap();
        }
    });
}

pub fn dalek(list: &mut Operations, signed: Vec<Signed>) {
    use ed25519_dalek::{Signature, Verifier, VerifyingKey};

    list.add_batch(
        ED25519,
        format!("dalek's crates, {}", dalek_back_end()),
        BATCH,
        move || {
            for each in &signed {
                let key = VerifyingKey::from_bytes(black_box(&each.key[..]).try_into().unwrap()).unwrap();
                key.verify(&each.message, &Signature::from_slice(&each.signature).unwrap())
                    .unwrap();
            }
        },
    );
}

pub fn sums(list: &mut Operations) {
    use curve25519_dalek::traits::{MultiscalarMul, VartimeMultiscalarMul};
    use curve25519_dalek::{EdwardsPoint, Scalar};

    type Sum = fn(&[Scalar], &[EdwardsPoint]) -> EdwardsPoint;
    let secret: Sum = |k, p| EdwardsPoint::multiscalar_mul(k, p);
    let public: Sum = |k, p| EdwardsPoint::vartime_multiscalar_mul(k, p);
    for count in SUMS {
        let scalars: Vec<_> = (0..count).map(|at| Scalar::from_bytes_mod_order(scalar(at))).collect();
        let points: Vec<_> = scalars.iter().map(EdwardsPoint::mul_base).collect();
        for (is_public, way) in [(false, secret), (true, public)] {
            let (scalars, points) = (scalars.clone(), points.clone());
            let subject = format!("dalek's crates, {}", dalek_back_end());
            list.add_batch(sum(count, is_public), subject, count, move || {
                black_box(way(black_box(&scalars), &points));
            });
        }
    }
}
