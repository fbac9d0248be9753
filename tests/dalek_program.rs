//! Emitted crates beside ed25519-dalek and x25519-dalek: `program SEED` asks both the same and prints counts.
//!
//! Keys and points of signatures are honest, of small order, with a part of small order, encoded in more than one way,
//! or random; so are scalars, with the order added or not.

use std::collections::{BTreeMap, HashSet};
use std::error::Error;

use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
use curve25519_dalek::{edwards::EdwardsPoint, scalar::Scalar};
use own::{Digest, Sha512};

const P: [u8; 32] = {
    let mut p = [0xff; 32];
    (p[0], p[31]) = (0xed, 0x7f);
    p
};
const N: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// Bytes that a seed determines.
struct Random(u64, u64);

impl Random {
    fn wide(&mut self) -> [u8; 64] {
        self.1 += 1;
        Sha512::digest([self.0.to_le_bytes(), self.1.to_le_bytes()].concat()).into()
    }

    fn bytes(&mut self) -> [u8; 32] {
        self.wide()[..32].try_into().unwrap()
    }

    fn below(&mut self, bound: usize) -> usize {
        u64::from_le_bytes(self.wide()[..8].try_into().unwrap()) as usize % bound
    }

    fn scalar(&mut self) -> Scalar {
        Scalar::from_bytes_mod_order_wide(&self.wide())
    }
}

/// Returns a + b, the least significant byte first, without the highest carry.
fn sum(a: &[u8; 32], b: &[u8; 32]) -> [u8; 32] {
    let mut carry = 0;
    std::array::from_fn(|i| {
        carry = u16::from(a[i]) + u16::from(b[i]) + (carry >> 8);
        carry as u8
    })
}

/// Returns an encoding of a point: another than the canonical one where `other` and where one exists.
fn encoding(point: &EdwardsPoint, other: usize) -> [u8; 32] {
    let mut bytes = point.compress().to_bytes();
    let sign = bytes[31] & 0x80;
    bytes[31] &= 0x7f;
    let small = bytes[0] < 19 && bytes[1..].iter().all(|byte| *byte == 0);
    if other & 1 == 1 && small {
        bytes = sum(&bytes, &P);
    }
    // x = 0 with the sign 1.
    let vertical = point + point == EdwardsPoint::default();
    bytes[31] |= if other & 2 == 2 && vertical { 0x80 } else { sign };
    bytes
}

/// Returns a scalar, a point that is this multiple of the generator plus a point of small order, and its encoding.
fn key(random: &mut Random) -> (Scalar, [u8; 32]) {
    let a = match random.below(3) {
        0 => Scalar::ZERO,
        _ => random.scalar(),
    };
    let torsion = if random.below(3) == 0 { EIGHT_TORSION[0] } else { EIGHT_TORSION[random.below(8)] };
    let point = a * ED25519_BASEPOINT_POINT + torsion;
    (a, encoding(&point, random.below(4)))
}

struct Case {
    key: [u8; 32],
    message: Vec<u8>,
    signature: [u8; 64],
    hashed: [u8; 64],
    long: [u8; 64],
}

const CONTEXT: &[u8] = b"context";
/// A context whose length is no byte: it is signed by no crate.
const LONG: &[u8] = &[7; 256];

fn signed(commitment: [u8; 32], r: Scalar, a: Scalar, parts: &[&[u8]], change: usize, random: &mut Random) -> [u8; 64] {
    let hash = parts.iter().fold(Sha512::new(), |hash, part| hash.chain_update(part));
    let mut s = (r + Scalar::from_bytes_mod_order_wide(&hash.finalize().into()) * a).to_bytes();
    match change {
        0 => s = sum(&s, &N),
        1 => s = random.bytes(),
        2 => s[random.below(32)] ^= 1 << random.below(8),
        _ => (),
    }
    let commitment = if change == 3 { random.bytes() } else { commitment };
    [commitment, s].concat().try_into().unwrap()
}

fn case(random: &mut Random) -> Case {
    let ((a, key), (r, commitment)) = (key(random), key(random));
    let message = vec![7; random.below(70)];
    let change = random.below(16);
    let parts: [&[u8]; 3] = [&commitment, &key, &message];
    let signature = signed(commitment, r, a, &parts, change, random);
    let prehash = Sha512::digest(&message);
    let [hashed, long] = [CONTEXT, LONG].map(|context| {
        let length = [1, context.len() as u8];
        let parts = [b"SigEd25519 no Ed25519 collisions", &length[..], context, &commitment, &key, &prehash];
        signed(commitment, r, a, &parts, change, random)
    });
    let key = if random.below(20) == 0 { random.bytes() } else { key };
    Case { key, message, signature, hashed, long }
}

/// Verdicts of a crate on signatures, one by one and in batches.
macro_rules! verdicts {
    ($krate:ident, $cases:expr) => {{
        use $krate::{hazmat, Signature, Verifier, VerifyingKey};
        let (mut found, mut valid) = (Vec::new(), Vec::new());
        for case in $cases {
            let Ok(key) = VerifyingKey::from_bytes(&case.key) else {
                found.push(("key", false));
                continue;
            };
            let [signature, hashed, long] =
                [case.signature, case.hashed, case.long].map(|bytes| Signature::from_bytes(&bytes));
            let prehash = Sha512::new_with_prefix(&case.message);
            let mut stream = key.verify_stream(&signature);
            if let Ok(verifier) = &mut stream {
                verifier.update(&case.message);
            }
            let verified = key.verify(&case.message, &signature).is_ok();
            found.extend([
                ("key", true),
                ("weak", key.is_weak()),
                ("verify", verified),
                ("strict", key.verify_strict(&case.message, &signature).is_ok()),
                ("stream", stream.is_ok_and(|verifier| verifier.finalize_and_verify().is_ok())),
                ("raw", hazmat::raw_verify::<Sha512>(&key, &case.message, &signature).is_ok()),
                ("hashed", key.verify_prehashed(prehash.clone(), Some(CONTEXT), &hashed).is_ok()),
                ("hashed, strict", key.verify_prehashed_strict(prehash.clone(), Some(CONTEXT), &hashed).is_ok()),
                ("long context", key.verify_prehashed(prehash.clone(), Some(LONG), &long).is_ok()),
                ("long context, strict", key.verify_prehashed_strict(prehash.clone(), Some(LONG), &long).is_ok()),
                ("hashed, no context", key.verify_prehashed(prehash, None, &hashed).is_ok()),
            ]);
            let one = |name, found: &mut Vec<(&str, bool)>, of: &[(&[u8], Signature, VerifyingKey)]| {
                let messages: Vec<_> = of.iter().map(|each| each.0).collect();
                let signatures: Vec<_> = of.iter().map(|each| each.1).collect();
                let keys: Vec<_> = of.iter().map(|each| each.2).collect();
                found.push((name, $krate::verify_batch(&messages, &signatures, &keys).is_ok()));
            };
            one("batch of one", &mut found, &[(&case.message, signature, key)]);
            if verified {
                valid.push((&case.message[..], signature, key));
                one("batch", &mut found, &valid[valid.len().saturating_sub(5)..]);
            }
            one("empty batch", &mut found, &[]);
        }
        let bytes: Vec<_> = $cases
            .iter()
            .filter_map(|case| VerifyingKey::from_bytes(&case.key).ok())
            .map(|key| (key.to_bytes(), key.to_montgomery().to_bytes(), key.to_edwards().compress().to_bytes()))
            .collect();
        (found, bytes)
    }};
}

/// Keys, signatures and documents that a crate makes from a secret.
macro_rules! signatures {
    ($krate:ident, $secret:expr, $message:expr) => {{
        use $krate::pkcs8::{EncodePrivateKey, EncodePublicKey};
        use $krate::{hazmat, Signer, SigningKey};
        let key = SigningKey::from_bytes($secret);
        let public = key.verifying_key();
        let expanded = hazmat::ExpandedSecretKey::from(key.as_bytes());
        let hash = || Sha512::new_with_prefix($message);
        vec![
            key.to_keypair_bytes().to_vec(),
            key.to_scalar_bytes().to_vec(),
            key.to_scalar().to_bytes().to_vec(),
            expanded.hash_prefix.to_vec(),
            public.to_montgomery().to_bytes().to_vec(),
            key.sign($message).to_bytes().to_vec(),
            key.sign_prehashed(hash(), None).unwrap().to_bytes().to_vec(),
            key.sign_prehashed(hash(), Some(CONTEXT)).unwrap().to_vec(),
            hazmat::raw_sign::<Sha512>(&expanded, $message, &public).to_vec(),
            hazmat::raw_sign_prehashed::<Sha512, Sha512>(&expanded, hash(), &public, None).unwrap().to_vec(),
            key.to_pkcs8_der().unwrap().as_bytes().to_vec(),
            public.to_public_key_der().unwrap().as_bytes().to_vec(),
            vec![u8::from(key.sign_prehashed(hash(), Some(&[0; 256])).is_err())],
            vec![u8::from(SigningKey::from_keypair_bytes(&[7; 64]).is_err())],
            vec![u8::from(key.with_context(&[0; 256]).is_err()), u8::from(key.with_context(&[0; 255]).is_ok())],
        ]
    }};
}

/// Texts of errors with their reasons, and of values; the words of coordinates are a crate's own.
macro_rules! texts {
    ($krate:ident, $secret:expr) => {{
        use $krate::{hazmat, verify_batch, Signature, SignatureError, SigningKey, VerifyingKey};
        let key = SigningKey::from_bytes($secret);
        let public = key.verifying_key();
        let hash = || Sha512::new_with_prefix(b"message");
        let reason = |error: SignatureError| format!("{error}, {error:?}: {}", error.source().unwrap());
        let signed = |s| Signature::from_components(public.to_bytes(), s);
        let errors = [
            VerifyingKey::from_bytes(&[2; 32]).err(),
            VerifyingKey::try_from(&[2; 31][..]).err(),
            SigningKey::try_from(&[2; 33][..]).err(),
            hazmat::ExpandedSecretKey::from_slice(&[2; 63]).err(),
            SigningKey::from_keypair_bytes(&[key.to_bytes(), [0; 32]].concat().try_into().unwrap()).err(),
            key.verify(b"message", &signed([0; 32])).err(),
            key.verify(b"message", &signed([255; 32])).err(),
            key.sign_prehashed(hash(), Some(LONG)).err(),
            key.with_context(LONG).err(),
            verify_batch(&[b"message"], &[], &[public, public]).err(),
            verify_batch(&[b"message"], &[signed([1; 32])], &[public]).err(),
        ];
        let values = [
            format!("{public:?}"),
            format!("{key:#?}"),
            format!("{:?}", hazmat::ExpandedSecretKey::from(key.as_bytes())),
            format!("{:?}", public.with_context(CONTEXT).unwrap()),
        ];
        let coordinates = |text: &String| text.split("EdwardsPoint").next().unwrap().to_string();
        let errors = errors.map(|error| reason(error.unwrap()));
        [errors.to_vec(), values.iter().map(coordinates).collect()].concat()
    }};
}

/// Results of X25519 in a crate for a secret and another's key.
macro_rules! exchanges {
    ($krate:ident, $secret:expr, $public:expr) => {{
        let (secret, public) = ($krate::StaticSecret::from($secret), $krate::PublicKey::from($public));
        let common = secret.diffie_hellman(&public);
        let own = $krate::PublicKey::from(&secret);
        let raised = $krate::PublicKey::from(sum(&$public, &P));
        let equal = [public, raised].into_iter().collect::<HashSet<_>>().len() == 1;
        let text = format!("{own:?}");
        (common.to_bytes(), own.to_bytes(), $krate::x25519($secret, $public), common.was_contributory(), equal, text)
    }};
}

/// Bytes of a coordinate: small, near the prime, near 2^256, or random.
fn coordinate(random: &mut Random) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[0] = random.below(40) as u8;
    match random.below(5) {
        0 => bytes = sum(&P, &bytes),
        1 => bytes = bytes.map(|byte| !byte),
        2 => (),
        3 => bytes = EIGHT_TORSION[random.below(8)].to_montgomery().to_bytes(),
        _ => bytes = random.bytes(),
    }
    bytes[31] ^= (random.below(2) as u8) << 7;
    bytes
}

fn main() {
    let seed = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut random = Random(seed, 0);
    let mut cases: Vec<Case> = (0..1500).map(|_| case(&mut random)).collect();
    // Every y from the prime on, with both signs, and the points of small order.
    let near = (0..19).map(|i| sum(&P, &std::array::from_fn(|at| if at == 0 { i } else { 0 })));
    let torsion = EIGHT_TORSION.iter().flat_map(|point| (0..4).map(|other| encoding(point, other)));
    for mut key in near.chain(torsion) {
        for sign in [0, 0x80] {
            key[31] = key[31] & 0x7f | sign;
            cases.push(Case { key, ..case(&mut random) });
        }
    }
    let (ours, theirs) = (verdicts!(own, &cases), verdicts!(real, &cases));
    for (at, (our, their)) in ours.0.iter().zip(&theirs.0).enumerate() {
        assert_eq!(our, their, "verdict {at}, seed {seed}");
    }
    assert_eq!(ours, theirs, "seed {seed}");
    let mut counts = BTreeMap::<_, [usize; 2]>::new();
    for (name, holds) in ours.0 {
        counts.entry(name).or_default()[usize::from(holds)] += 1;
    }
    for length in 0..100 {
        let (secret, message) = (random.bytes(), vec![length; length.into()]);
        assert_eq!(signatures!(own, &secret, &message), signatures!(real, &secret, &message), "seed {seed}");
        assert_eq!(texts!(own, &secret), texts!(real, &secret), "seed {seed}");
    }
    for _ in 0..400 {
        let (secret, public) = (random.bytes(), coordinate(&mut random));
        let ours = exchanges!(own_x, secret, public);
        assert_eq!(ours, exchanges!(real_x, secret, public), "seed {seed}");
        counts.entry("contributory").or_default()[usize::from(ours.3)] += 1;
        counts.entry("equal keys").or_default()[usize::from(ours.4)] += 1;
    }
    for (name, [refused, accepted]) in counts {
        println!("{name}: {accepted} accepted, {refused} refused");
    }
}
