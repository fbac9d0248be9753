//! Libraries with interfaces of their own, most of them in assembler.

pub mod aws_lc;
pub mod graviola;
pub mod libsecp256k1;
pub mod ring;
pub mod rscrypto;

/// Adds signatures by the interface of ring, which aws-lc-rs shares; both draw the nonces of ECDSA.
macro_rules! signatures {
    ($list:ident, $subject:literal, $krate:ident, $pair:ident) => {{
        use $krate::signature::{Ed25519KeyPair, KeyPair, UnparsedPublicKey, ECDSA_P256_SHA256_FIXED, ED25519};

        let random = $krate::rand::SystemRandom::new();
        let public = $pair.public_key().as_ref().to_vec();
        let signature = $pair.sign(&random, MESSAGE).unwrap();
        $list.add("ECDSA P-256: decode a key, verify", $subject, move || {
            let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, black_box(&public));
            key.verify(black_box(MESSAGE), black_box(signature.as_ref())).unwrap();
        });
        $list.add("ECDSA P-256: sign", concat!($subject, ", nonce drawn"), move || {
            black_box(black_box(&$pair).sign(&random, black_box(MESSAGE)).unwrap());
        });
        let pair = Ed25519KeyPair::from_seed_unchecked(&SECRET).unwrap();
        let public = pair.public_key().as_ref().to_vec();
        let signature = pair.sign(MESSAGE);
        $list.add("Ed25519: decode a key, verify", $subject, move || {
            let key = UnparsedPublicKey::new(&ED25519, black_box(&public));
            key.verify(black_box(MESSAGE), black_box(signature.as_ref())).unwrap();
        });
        $list.add("Ed25519: sign", $subject, move || {
            black_box(black_box(&pair).sign(black_box(MESSAGE)));
        });
    }};
}
pub(crate) use signatures;

/// Returns the uncompressed public key of a secret, by an emitted crate.
fn p256_key(secret: &[u8; 32]) -> [u8; 65] {
    own_p256::ecdsa::public_key(secret).unwrap().encode_uncompressed().unwrap()
}

/// Returns the public key of a secret, by an emitted crate.
fn x25519_key(secret: [u8; 32]) -> [u8; 32] {
    emitted_x25519::PublicKey::from(&emitted_x25519::StaticSecret::from(secret)).to_bytes()
}
