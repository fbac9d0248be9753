//! Schnorr signatures on secp256k1 (BIP-340), with the same additional bytes for all.

use crate::peers::libsecp256k1::{blinded_once, SIGNERS, SUBJECT};
use crate::{timing::Operations, MESSAGE, OTHER, SECRET};
use secp256k1::ffi::{self, CPtr};
use secp256k1::{schnorr::Signature, Keypair, SecretKey, XOnlyPublicKey};
use std::hint::black_box;

const VERIFY: &str = "BIP-340: verify";
const VERIFY_ENCODED: &str = "BIP-340: decode a key, verify";
const SIGN: &str = "BIP-340: sign";

/// Adds a crate with the module `schnorr` of k256.
macro_rules! schnorr {
    ($list:ident, $subject:literal, $krate:ident) => {{
        use $krate::schnorr::{SigningKey, VerifyingKey};

        let signing = SigningKey::from_bytes((&SECRET[..]).try_into().unwrap()).unwrap();
        let verifying = *signing.verifying_key();
        let encoded: [u8; 32] = verifying.to_bytes().into();
        let signature = signing.sign_raw(MESSAGE, &OTHER).unwrap();
        $list.add(VERIFY, $subject, move || {
            black_box(&verifying).verify_raw(black_box(MESSAGE), black_box(&signature)).unwrap();
        });
        $list.add(VERIFY_ENCODED, $subject, move || {
            let key = VerifyingKey::from_bytes(black_box(&encoded[..]).try_into().unwrap()).unwrap();
            key.verify_raw(black_box(MESSAGE), black_box(&signature)).unwrap();
        });
        $list.add(SIGN, $subject, move || {
            black_box(black_box(&signing).sign_raw(black_box(MESSAGE), black_box(&OTHER)).unwrap());
        });
    }};
}

pub fn add(list: &mut Operations) {
    schnorr!(list, "efdgen, traits 0.14", emitted_k256);
    schnorr!(list, "efdgen, traits 0.13", emitted_k256_013);
    native(list);
    schnorr!(list, "k256 0.14", k256);
    schnorr!(list, "k256 0.13", k256_013);
    libsecp256k1(list);
}

fn native(list: &mut Operations) {
    use own_k256::bip340;

    let public = bip340::public_key(&SECRET).unwrap();
    let signature = bip340::sign(&SECRET, MESSAGE, &OTHER).unwrap();
    list.add(VERIFY_ENCODED, "efdgen, own interface", move || {
        assert!(bip340::verify(black_box(&public), black_box(MESSAGE), black_box(&signature)));
    });
    list.add(SIGN, "efdgen, own interface, key derived", || {
        black_box(bip340::sign(black_box(&SECRET), black_box(MESSAGE), &OTHER).unwrap());
    });
}

fn libsecp256k1(list: &mut Operations) {
    let pair = Keypair::from_secret_key(&SecretKey::from_secret_bytes(SECRET).unwrap());
    let (public, _) = pair.x_only_public_key();
    let (encoded, signature) = (public.to_byte_array(), own_k256::bip340::sign(&SECRET, MESSAGE, &OTHER).unwrap());
    let checked = Signature::from_byte_array(signature);
    list.add(VERIFY, SUBJECT, move || {
        black_box(&checked).verify(black_box(MESSAGE), black_box(&public)).unwrap();
    });
    list.add(VERIFY_ENCODED, SUBJECT, move || {
        let public = XOnlyPublicKey::from_byte_array(*black_box(&encoded)).unwrap();
        black_box(&checked).verify(black_box(MESSAGE), &public).unwrap();
    });
    for (subject, hash) in SIGNERS {
        let context = blinded_once(hash);
        let sign = move || {
            let (mut made, message) = ([0; 64], black_box(MESSAGE));
            let extra = ffi::SchnorrSigExtraParams::new(None, OTHER.as_ptr().cast());
            // SAFETY: the context is never destroyed; a signature has 64 bytes, the additional bytes are 32.
            let done = unsafe {
                let (context, start, pair) = (context.as_ptr(), message.as_ptr(), black_box(&pair).as_c_ptr());
                ffi::secp256k1_schnorrsig_sign_custom(context, made.as_mut_ptr(), start, message.len(), pair, &extra)
            };
            assert_eq!(done, 1);
            made
        };
        assert_eq!(sign(), signature);
        list.add(SIGN, subject, move || {
            black_box(sign());
        });
    }
}
