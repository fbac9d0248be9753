//! Times whole operations in interleaved rounds, and prints `operation|subject|median in µs` for each.

use std::hint::black_box;
use std::time::Instant;

/// Rounds, in each of which every operation runs for about the same time.
const ROUNDS: usize = 31;
const NANOSECONDS_OF_A_ROUND: f64 = 2e6;

const MESSAGE: &[u8] = b"hello, a message of thirty-two by";
const SECRET: [u8; 32] = [7; 32];

/// An operation of a subject.
struct Timed {
    operation: &'static str,
    subject: &'static str,
    run: Box<dyn Fn()>,
}

/// Collects operations.
#[derive(Default)]
struct Operations(Vec<Timed>);

impl Operations {
    fn add(&mut self, operation: &'static str, subject: &'static str, run: impl Fn() + 'static) {
        self.0.push(Timed {
            operation,
            subject,
            run: Box::new(run),
        });
    }
}

/// Adds what a crate with RustCrypto's traits offers; the older generation names encodings otherwise.
macro_rules! with_traits {
    ($list:ident, $curve:literal, $subject:literal, $krate:ident) => {
        with_traits!($list, $curve, $subject, $krate, ToSec1Point, to_sec1_point)
    };
    ($list:ident, $curve:literal, $subject:literal, $krate:ident, $trait:ident, $encode:ident) => {{
        use $krate::ecdsa::signature::{Signer, Verifier};
        use $krate::ecdsa::{Signature, SigningKey, VerifyingKey};
        use $krate::elliptic_curve::{group::Group, sec1::$trait};
        use $krate::{NonZeroScalar, ProjectivePoint, PublicKey};

        let signing = SigningKey::from_bytes(&SECRET.into()).unwrap();
        let verifying = VerifyingKey::from(&signing);
        let signature: Signature = signing.sign(MESSAGE);
        let encoded = verifying.$encode(true).as_bytes().to_vec();
        let secret: NonZeroScalar = *signing.as_nonzero_scalar();
        let public = PublicKey::from(&verifying);
        let p = ProjectivePoint::GENERATOR.double();
        let q = p.double() + ProjectivePoint::GENERATOR;
        $list.add(concat!("ECDSA ", $curve, ": verify"), $subject, move || {
            verifying.verify(MESSAGE, black_box(&signature)).unwrap();
        });
        $list.add(concat!("ECDSA ", $curve, ": sign"), $subject, move || {
            black_box::<Signature>(black_box(&signing).sign(MESSAGE));
        });
        $list.add(concat!("ECDH ", $curve), $subject, move || {
            black_box($krate::ecdh::diffie_hellman(black_box(secret), black_box(public).as_affine()));
        });
        $list.add(concat!($curve, ": decode a compressed key"), $subject, move || {
            black_box(VerifyingKey::from_sec1_bytes(black_box(&encoded)).unwrap());
        });
        $list.add(concat!($curve, ": P + Q"), $subject, move || {
            black_box(black_box(p) + black_box(q));
        });
    }};
}

/// Adds what an emitted crate offers by its own interface.
macro_rules! native {
    ($list:ident, $curve:literal, $krate:ident) => {{
        use $krate::{ecdh, ecdsa};

        let subject = "efdgen, own interface";
        let public = Option::<$krate::Point>::from(ecdsa::public_key(&SECRET)).unwrap();
        let signature = Option::<[u8; 64]>::from(ecdsa::sign::<sha2::Sha256>(&SECRET, MESSAGE)).unwrap();
        $list.add(concat!("ECDSA ", $curve, ": verify"), subject, move || {
            assert!(ecdsa::verify::<sha2::Sha256>(black_box(&public), MESSAGE, black_box(&signature)));
        });
        $list.add(concat!("ECDSA ", $curve, ": sign"), subject, || {
            black_box(ecdsa::sign::<sha2::Sha256>(black_box(&SECRET), MESSAGE));
        });
        $list.add(concat!("ECDH ", $curve), subject, move || {
            black_box(ecdh::exchange(black_box(&SECRET), black_box(&public)));
        });
    }};
}

fn aws_lc(list: &mut Operations, public: &'static [u8], signature: [u8; 64]) {
    use aws_lc_rs::agreement::{agree, PrivateKey, UnparsedPublicKey, ECDH_P256};
    use aws_lc_rs::error::Unspecified;
    use aws_lc_rs::rand::SystemRandom;
    use aws_lc_rs::signature::{
        EcdsaKeyPair, ParsedPublicKey, ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING,
    };

    let subject = "AWS-LC, assembler";
    let parsed = ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public).unwrap();
    list.add("ECDSA P-256: verify", subject, move || {
        parsed.verify_sig(MESSAGE, black_box(&signature)).unwrap();
    });
    let scheme = &ECDSA_P256_SHA256_FIXED_SIGNING;
    let key = EcdsaKeyPair::from_private_key_and_public_key(scheme, &SECRET, public).unwrap();
    let random = SystemRandom::new();
    list.add("ECDSA P-256: sign", subject, move || {
        black_box(key.sign(&random, MESSAGE).unwrap());
    });
    let own = PrivateKey::from_private_key(&ECDH_P256, &SECRET).unwrap();
    list.add("ECDH P-256", subject, move || {
        let peer = UnparsedPublicKey::new(&ECDH_P256, black_box(public));
        agree(&own, peer, Unspecified, |common| {
            black_box(common);
            Ok(())
        })
        .unwrap();
    });
}

fn ring(list: &mut Operations, public: &'static [u8], signature: [u8; 64]) {
    use ring::signature::{
        EcdsaKeyPair, UnparsedPublicKey, ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING,
    };

    let subject = "ring, assembler";
    let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public);
    list.add("ECDSA P-256: verify", subject, move || {
        key.verify(MESSAGE, black_box(&signature)).unwrap();
    });
    let random = ring::rand::SystemRandom::new();
    let scheme = &ECDSA_P256_SHA256_FIXED_SIGNING;
    let pair = EcdsaKeyPair::from_private_key_and_public_key(scheme, &SECRET, public, &random).unwrap();
    list.add("ECDSA P-256: sign", subject, move || {
        black_box(pair.sign(&random, MESSAGE).unwrap());
    });
}

fn libsecp256k1(list: &mut Operations) {
    use secp256k1::{ecdsa, Message, PublicKey, SecretKey};
    use sha2::{Digest, Sha256};

    let subject = "libsecp256k1";
    let digest = || Message::from_digest(Sha256::digest(MESSAGE).into());
    let secret = SecretKey::from_secret_bytes(SECRET).unwrap();
    let public = PublicKey::from_secret_key(&secret);
    let signature = ecdsa::sign(digest(), &secret);
    let encoded = public.serialize();
    list.add("ECDSA secp256k1: verify", subject, move || {
        ecdsa::verify(black_box(&signature), digest(), &public).unwrap();
    });
    list.add("ECDSA secp256k1: sign", subject, move || {
        black_box(ecdsa::sign(digest(), black_box(&secret)));
    });
    list.add("secp256k1: decode a compressed key", subject, move || {
        black_box(PublicKey::from_slice(black_box(&encoded)).unwrap());
    });
}

fn ed25519(list: &mut Operations) {
    use own_25519::eddsa;

    let public = eddsa::public_key(&SECRET);
    let signature = eddsa::sign(&SECRET, MESSAGE);
    list.add("Ed25519: decode a key, verify", "efdgen, own interface", move || {
        assert!(eddsa::verify(black_box(&public), MESSAGE, black_box(&signature)));
    });
    list.add("Ed25519: sign", "efdgen, own interface", || {
        black_box(eddsa::sign(black_box(&SECRET), MESSAGE));
    });
}

/// Adds what crates with the interfaces of dalek's offer.
macro_rules! dalek {
    ($list:ident, $subject:literal, $signatures:ident, $exchange:ident) => {{
        use $exchange::{PublicKey, StaticSecret};
        use $signatures::{verify_batch, Signature, Signer, SigningKey, Verifier, VerifyingKey};

        let signing = SigningKey::from_bytes(&SECRET);
        let (key, bytes) = (signing.verifying_key(), signing.verifying_key().to_bytes());
        let signature: Signature = signing.sign(MESSAGE);
        $list.add("Ed25519: decode a key, verify", $subject, move || {
            let key = VerifyingKey::from_bytes(black_box(&bytes)).unwrap();
            key.verify(MESSAGE, black_box(&signature)).unwrap();
        });
        $list.add("Ed25519: verify", $subject, move || {
            black_box(&key).verify(MESSAGE, black_box(&signature)).unwrap();
        });
        $list.add("Ed25519: verify strictly", $subject, move || {
            black_box(&key).verify_strict(MESSAGE, black_box(&signature)).unwrap();
        });
        $list.add("Ed25519: verify a batch of 64", $subject, move || {
            verify_batch(&[MESSAGE; 64], black_box(&[signature; 64]), &[key; 64]).unwrap();
        });
        $list.add("Ed25519: sign", $subject, move || {
            black_box::<Signature>(black_box(&signing).sign(MESSAGE));
        });
        let (secret, public) = (StaticSecret::from(SECRET), PublicKey::from([9; 32]));
        $list.add("X25519: exchange", $subject, move || {
            black_box(black_box(&secret).diffie_hellman(black_box(&public)).to_bytes());
        });
        $list.add("X25519: public key", $subject, move || {
            black_box(PublicKey::from(&StaticSecret::from(black_box(SECRET))));
        });
    }};
}

fn main() {
    let mut list = Operations::default();
    with_traits!(list, "P-256", "efdgen, traits 0.14", emitted_p256);
    with_traits!(list, "P-256", "efdgen, traits 0.13", emitted_p256_013, ToEncodedPoint, to_encoded_point);
    native!(list, "P-256", own_p256);
    with_traits!(list, "P-256", "p256 0.14", p256);
    with_traits!(list, "P-256", "p256 0.13", p256_013, ToEncodedPoint, to_encoded_point);
    let public = own_p256::ecdsa::public_key(&SECRET).unwrap().encode_uncompressed().unwrap();
    let signature = own_p256::ecdsa::sign::<sha2::Sha256>(&SECRET, MESSAGE).unwrap();
    aws_lc(&mut list, public.to_vec().leak(), signature);
    ring(&mut list, public.to_vec().leak(), signature);
    with_traits!(list, "secp256k1", "efdgen, traits 0.14", emitted_k256);
    with_traits!(list, "secp256k1", "efdgen, traits 0.13", emitted_k256_013, ToEncodedPoint, to_encoded_point);
    native!(list, "secp256k1", own_k256);
    with_traits!(list, "secp256k1", "k256 0.14", k256);
    with_traits!(list, "secp256k1", "k256 0.13", k256_013, ToEncodedPoint, to_encoded_point);
    libsecp256k1(&mut list);
    ed25519(&mut list);
    dalek!(list, "efdgen, dalek's interface", emitted_ed25519, emitted_x25519);
    dalek!(list, "dalek's crates", ed25519_dalek, x25519_dalek);
    for (timed, median) in list.0.iter().zip(medians(&list.0)) {
        println!("{}|{}|{median:.3}", timed.operation, timed.subject);
    }
}

/// Returns the median of each operation in µs, over rounds in which all operations run.
fn medians(list: &[Timed]) -> Vec<f64> {
    let time = |timed: &Timed, count: u32| {
        let start = Instant::now();
        for _ in 0..count {
            (timed.run)();
        }
        start.elapsed().as_nanos() as f64 / f64::from(count)
    };
    let counts: Vec<u32> = list
        .iter()
        .map(|timed| (NANOSECONDS_OF_A_ROUND / time(timed, 9)).clamp(20.0, 20000.0) as u32)
        .collect();
    let mut times = vec![Vec::with_capacity(ROUNDS); list.len()];
    for _ in 0..ROUNDS {
        for ((timed, count), times) in list.iter().zip(&counts).zip(&mut times) {
            times.push(time(timed, *count));
        }
    }
    times
        .into_iter()
        .map(|mut each| {
            each.sort_by(f64::total_cmp);
            each[ROUNDS / 2] / 1000.0
        })
        .collect()
}
