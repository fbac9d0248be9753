//! Crates with the interfaces of dalek's: emitted ones and the published `ed25519-dalek` and `x25519-dalek`.

use crate::{processor::dalek_back_end, timing::Operations, MESSAGE, OTHER, SECRET};
use std::hint::black_box;

/// Signatures of a batch, each by its own key.
const BATCH: u8 = 64;

/// Adds what crates with the interfaces of dalek's offer.
macro_rules! dalek {
    ($list:ident, $subject:expr, $signatures:ident, $exchange:ident) => {{
        use $exchange::{PublicKey, StaticSecret};
        use $signatures::{verify_batch, Signature, Signer, SigningKey, Verifier, VerifyingKey};

        let subject: &str = $subject;
        let signing = SigningKey::from_bytes(&SECRET);
        let (key, bytes) = (signing.verifying_key(), signing.verifying_key().to_bytes());
        let signature: Signature = signing.sign(MESSAGE);
        let batch: Vec<(Signature, VerifyingKey)> = (0..BATCH)
            .map(|i| SigningKey::from_bytes(&[i; 32]))
            .map(|signing| (signing.sign(MESSAGE), signing.verifying_key()))
            .collect();
        let (signatures, keys): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        $list.add("Ed25519: verify", subject, move || {
            black_box(&key).verify(black_box(MESSAGE), black_box(&signature)).unwrap();
        });
        $list.add("Ed25519: decode a key, verify", subject, move || {
            let key = VerifyingKey::from_bytes(black_box(&bytes)).unwrap();
            key.verify(black_box(MESSAGE), black_box(&signature)).unwrap();
        });
        $list.add("Ed25519: verify strictly", subject, move || {
            black_box(&key).verify_strict(black_box(MESSAGE), black_box(&signature)).unwrap();
        });
        $list.add("Ed25519: verify a batch of 64 keys", subject, move || {
            verify_batch(black_box(&[MESSAGE; BATCH as usize]), black_box(&signatures), black_box(&keys)).unwrap();
        });
        $list.add("Ed25519: sign", subject, move || {
            black_box::<Signature>(black_box(&signing).sign(black_box(MESSAGE)));
        });
        let (secret, public) = (StaticSecret::from(SECRET), PublicKey::from(&StaticSecret::from(OTHER)));
        $list.add("X25519: exchange", subject, move || {
            let shared = black_box(&secret).diffie_hellman(black_box(&public));
            assert!(shared.was_contributory());
            black_box(shared.to_bytes());
        });
        $list.add("X25519: public key", subject, move || {
            black_box(PublicKey::from(&StaticSecret::from(black_box(SECRET))).to_bytes());
        });
    }};
}

pub fn add(list: &mut Operations) {
    dalek!(list, "efdgen, dalek's interface", emitted_ed25519, emitted_x25519);
    dalek!(list, &format!("dalek's crates, {}", dalek_back_end()), ed25519_dalek, x25519_dalek);
}
