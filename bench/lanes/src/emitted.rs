//! Emitted crates: signatures in lanes, and one after the other.

use crate::{scalar, secret, sum, timing::Operations, Signed, BATCH, ED25519, K256, P256, P384, SIGNED, SUMS, X25519};
use sha2::{Sha256, Sha384};
use std::hint::black_box;

const LANES: &str = "efdgen, lanes";
const ALONE: &str = "efdgen, one after the other";

/// Adds the verification of ECDSA by a crate and a hash, and returns the signatures.
macro_rules! ecdsa {
    ($list:ident, $name:ident, $krate:ident, $hash:ty) => {{
        use $krate::ecdsa::{public_key, sign, verify_batch, VerifyingKey};

        let signed: Vec<Signed> = (0..BATCH)
            .map(|number| {
                let secret = secret::<{ $krate::SCALAR_BYTES }>(number);
                let message = vec![number as u8; number];
                let signature = sign::<$hash>(&secret, &message).unwrap().to_vec();
                let key = public_key(&secret).unwrap().encode_uncompressed().unwrap().to_vec();
                Signed {
                    key,
                    message,
                    signature,
                }
            })
            .collect();
        let keys: Vec<_> = signed
            .iter()
            .map(|each| VerifyingKey::from_bytes(&each.key).unwrap())
            .collect();
        let (same, alone, batch) = (keys.clone(), signed.clone(), signed.clone());
        $list.add_batch($name, ALONE, BATCH, move || {
            for (key, each) in same.iter().zip(&alone) {
                assert!(key.verify::<$hash>(black_box(&each.message), &each.signature));
            }
        });
        $list.add_batch($name, LANES, BATCH, move || {
            let messages: [&[u8]; BATCH] = std::array::from_fn(|at| &batch[at].message[..]);
            let signatures: [&[u8]; BATCH] = std::array::from_fn(|at| &batch[at].signature[..]);
            let mut valid = [false; BATCH];
            verify_batch::<$hash>(&mut valid, &keys, black_box(&messages), &signatures);
            assert_eq!(valid, [true; BATCH]);
        });
        signed
    }};
}

pub fn p256(list: &mut Operations) -> Vec<Signed> {
    ecdsa!(list, P256, lanes_p256, Sha256)
}

pub fn p384(list: &mut Operations) -> Vec<Signed> {
    ecdsa!(list, P384, lanes_p384, Sha384)
}

pub fn k256(list: &mut Operations) -> Vec<Signed> {
    ecdsa!(list, K256, lanes_k256, Sha256)
}

pub fn ed25519(list: &mut Operations) -> Vec<Signed> {
    use lanes_25519::eddsa::{public_key, sign, sign_batch, verify, verify_batch};

    let signed: Vec<Signed> = (0..BATCH)
        .map(|number| {
            let (secret, message) = (secret::<32>(number), vec![number as u8; number]);
            Signed {
                key: public_key(&secret).to_vec(),
                signature: sign(&secret, &message).to_vec(),
                message,
            }
        })
        .collect();
    let (alone, batch) = (signed.clone(), signed.clone());
    list.add_batch(ED25519, ALONE, BATCH, move || {
        for each in &alone {
            assert!(verify(black_box(&each.key), &each.message, &each.signature));
        }
    });
    list.add_batch(ED25519, LANES, BATCH, move || {
        let keys: [&[u8]; BATCH] = std::array::from_fn(|at| &batch[at].key[..]);
        let messages: [&[u8]; BATCH] = std::array::from_fn(|at| &batch[at].message[..]);
        let signatures: [&[u8]; BATCH] = std::array::from_fn(|at| &batch[at].signature[..]);
        let mut valid = [false; BATCH];
        verify_batch(&mut valid, &keys, black_box(&messages), &signatures);
        assert_eq!(valid, [true; BATCH]);
    });
    let (secrets, texts) = (std::array::from_fn::<_, BATCH, _>(secret), signed.clone());
    list.add_batch(SIGNED, LANES, BATCH, move || {
        let messages: [&[u8]; BATCH] = std::array::from_fn(|at| &texts[at].message[..]);
        let mut signatures = [[0; 64]; BATCH];
        sign_batch(&mut signatures, black_box(&secrets), &messages);
        black_box(&signatures);
    });
    let texts = signed.clone();
    list.add_batch(SIGNED, ALONE, BATCH, move || {
        for (at, each) in texts.iter().enumerate() {
            black_box(sign(black_box(&secret(at)), &each.message));
        }
    });
    signed
}

pub fn x25519(list: &mut Operations) {
    use lanes_x25519::exchange::{exchange, exchange_batch, public_key};
    use subtle::{Choice, CtOption};

    let secrets: [[u8; 32]; BATCH] = std::array::from_fn(secret);
    let publics = secrets.map(|own| public_key(&own));
    list.add_batch(X25519, ALONE, BATCH, move || {
        for (own, public) in secrets.iter().zip(&publics) {
            black_box(exchange(black_box(own), public).unwrap());
        }
    });
    list.add_batch(X25519, LANES, BATCH, move || {
        let mut shared = [CtOption::new([0; 32], Choice::from(0)); BATCH];
        exchange_batch(&mut shared, black_box(&secrets), &publics);
        assert!(shared.iter().all(|each| each.is_some().into()));
    });
}

pub fn sums(list: &mut Operations) {
    use lanes_25519::{lanes, multi_multiply, multi_multiply_var, multiply_generator, Point};

    type Sum = fn(&[[u8; 32]], &[Point]) -> Point;
    let ways: [(bool, &str, Sum); 4] = [
        (false, LANES, lanes::multi_multiply),
        (false, ALONE, multi_multiply),
        (true, LANES, lanes::multi_multiply_var),
        (true, ALONE, multi_multiply_var),
    ];
    for count in SUMS {
        let scalars: Vec<_> = (0..count).map(scalar).collect();
        let points: Vec<_> = scalars.iter().map(multiply_generator).collect();
        for (public, subject, way) in ways {
            let (scalars, points) = (scalars.clone(), points.clone());
            list.add_batch(sum(count, public), subject, count, move || {
                black_box(way(black_box(&scalars), &points));
            });
        }
    }
}
