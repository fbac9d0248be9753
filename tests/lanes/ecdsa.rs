//! Verdicts on many signatures at once beside those on one: each kind of edit in every place.

use sha2::Sha256;
use subtle::{Choice, CtOption};
use whole::ecdh::{exchange, exchange_batch};
use whole::ecdsa::{
    public_key, public_key_batch, sign, sign_batch, verify, verify_batch, verify_digest_batch, VerifyingKey,
};
use whole::{multiply_generator, Point, Scalar, FIELD_BYTES, IDENTITY, SCALAR_BYTES};

fn secret(number: usize) -> [u8; SCALAR_BYTES] {
    let mut bytes = [0; SCALAR_BYTES];
    bytes[SCALAR_BYTES - 1] = u8::try_from(number % 251).unwrap() + 1;
    bytes[3] = u8::try_from(number / 251).unwrap();
    bytes
}

fn scalar(number: usize) -> Scalar {
    Scalar::from_bytes_be(&secret(number)).unwrap()
}

/// Sums of a multiple of G and one of the key that are equal or opposite: u1*G = u2*Q, then u1*G = -u2*Q.
fn exceptional(key: usize, nonce: usize) -> [(Vec<u8>, Vec<u8>, bool); 2] {
    let (d, k) = (scalar(key), scalar(nonce));
    let x = multiply_generator(&k.to_bytes_be()).to_affine().unwrap().x.to_bytes_be();
    let r = Scalar::from_bytes_be(&x).unwrap();
    let hash = r.mul(&d);
    let s = hash.add(&hash).mul(&k.invert());
    let signature = [r.to_bytes_be(), s.to_bytes_be()].concat();
    let (equal, opposite) = (hash.to_bytes_be().to_vec(), hash.neg().to_bytes_be().to_vec());
    [(equal, signature.clone(), true), (opposite, signature, false)]
}

fn exceptions_have_their_verdicts() {
    let cases: Vec<_> = (0..9).flat_map(|at| exceptional(at, at + 20).map(|case| (at, case))).collect();
    let keys: Vec<_> = cases.iter().map(|(at, _)| public_key(&secret(*at)).unwrap()).collect();
    let keys: Vec<_> = keys.iter().map(|key| VerifyingKey::new(key).unwrap()).collect();
    let digests: Vec<&[u8]> = cases.iter().map(|(_, case)| &case.0[..]).collect();
    let signatures: Vec<&[u8]> = cases.iter().map(|(_, case)| &case.1[..]).collect();
    let mut valid = vec![false; cases.len()];
    verify_digest_batch(&mut valid, &keys, &digests, &signatures);
    assert!(cases.iter().zip(&valid).all(|((_, case), found)| case.2 == *found));
    let short: Vec<&[u8]> = (0..cases.len()).map(|at| &[7; 80][..5 * at.min(16)]).collect();
    verify_digest_batch(&mut valid, &keys, &short, &signatures);
    for (at, found) in valid.iter().enumerate() {
        assert_eq!(*found, keys[at].verify_digest(short[at], signatures[at]));
    }
}

/// Keys and signatures of a batch are those of each by itself, with refused secrets in some places.
fn signatures_are_those_of_one(count: usize) {
    let order = (Scalar::ZERO.sub(&Scalar::ONE)).to_bytes_be();
    for refused in [count, 0, 3, 32] {
        let mut secrets: Vec<_> = (0..count).map(secret).collect();
        for (at, own) in secrets.iter_mut().enumerate() {
            match (at == refused, at % 2) {
                (true, 0) => *own = [0; SCALAR_BYTES],
                (true, _) => *own = [0xff; SCALAR_BYTES],
                (false, _) if at % 11 == 5 => *own = order,
                _ => {}
            }
        }
        let text: Vec<u8> = (0..=255).collect();
        let messages: Vec<&[u8]> = (0..count).map(|at| &text[..2 * at]).collect();
        let mut signatures = vec![[1; 2 * SCALAR_BYTES]; count];
        let mut publics = vec![IDENTITY; count];
        assert_eq!(bool::from(sign_batch::<Sha256>(&mut signatures, &secrets, &messages)), refused >= count);
        assert_eq!(bool::from(public_key_batch(&mut publics, &secrets)), refused >= count);
        for at in 0..count {
            let wanted = Option::from(sign::<Sha256>(&secrets[at], messages[at])).unwrap_or([0; 2 * SCALAR_BYTES]);
            assert_eq!(signatures[at], wanted, "{at} of {count}");
            if let Some(public) = Option::<whole::Point>::from(public_key(&secrets[at])) {
                assert!(bool::from(publics[at].equal(&public)), "{at} of {count}");
            }
        }
    }
}

/// Results of a batch are those of each exchange by itself, with refused secrets and keys in all places.
fn exchanges_are_those_of_one(count: usize) {
    let order = (Scalar::ZERO.sub(&Scalar::ONE)).to_bytes_be();
    let zero = whole::FieldElement::from_bytes_be(&[0; FIELD_BYTES]).unwrap();
    for shift in 0..9 {
        let secrets: Vec<_> = (0..count)
            .map(|at| match (at + shift) % 9 {
                1 => [0; SCALAR_BYTES],
                2 => [0xff; SCALAR_BYTES],
                3 => order,
                _ => secret(at),
            })
            .collect();
        let publics: Vec<_> = (0..count)
            .map(|at| {
                let point = multiply_generator(&secret(at + 40));
                match (at + shift) % 9 {
                    4 => IDENTITY,
                    5 => Point { x: zero, ..point },
                    _ => point,
                }
            })
            .collect();
        let mut found = vec![CtOption::new([9; FIELD_BYTES], Choice::from(1)); count];
        exchange_batch(&mut found, &secrets, &publics);
        for at in 0..count {
            let wanted: Option<_> = exchange(&secrets[at], &publics[at]).into();
            assert_eq!(Option::<[u8; FIELD_BYTES]>::from(found[at]), wanted, "{at} of {count}");
            assert_eq!(wanted.is_some(), ![1, 2, 4, 5].contains(&((at + shift) % 9)), "{at} of {count}");
        }
    }
}

fn main() {
    exceptions_have_their_verdicts();
    assert!(whole::lanes::is_available());
    for count in [0, 1, 7, 8, 9, 33, 65] {
        signatures_are_those_of_one(count);
        exchanges_are_those_of_one(count);
        let (mut keys, mut messages, mut signatures) = (Vec::new(), Vec::new(), Vec::new());
        for at in 0..count {
            let own = secret(at);
            let message = vec![u8::try_from(at).unwrap(); at];
            let mut signature = sign::<Sha256>(&own, &message).unwrap().to_vec();
            let key = public_key(&if at % 13 == 5 { secret(at + 1) } else { own }).unwrap();
            match at % 7 {
                1 => signature[at % 64] ^= 1 << (at % 8),
                2 => signature[..SCALAR_BYTES].fill(0),
                3 => signature[SCALAR_BYTES..].fill(0xff),
                4 => drop(signature.pop()),
                _ => {}
            }
            keys.push(VerifyingKey::new(&key).unwrap());
            messages.push(message);
            signatures.push(signature);
        }
        let messages: Vec<&[u8]> = messages.iter().map(|m| &m[..]).collect();
        let signatures: Vec<&[u8]> = signatures.iter().map(|s| &s[..]).collect();
        let mut valid = vec![true; count];
        verify_batch::<Sha256>(&mut valid, &keys, &messages, &signatures);
        for at in 0..count {
            let one = verify::<Sha256>(keys[at].point(), messages[at], signatures[at]);
            assert_eq!(valid[at], one, "{at} of {count}");
        }
        println!("{count}: {}", valid.iter().filter(|one| **one).count());
    }
}
