//! A program on six crates of curves: signatures of published vectors, and keys of Ed25519 as points and as keys of X25519.

use curve25519_dalek::{constants::ED25519_BASEPOINT_POINT, EdwardsPoint, MontgomeryPoint, Scalar};
use ed25519_dalek::{hazmat::ExpandedSecretKey, SigningKey, VerifyingKey};
use x25519_dalek::{PublicKey, StaticSecret};

fn bytes<const N: usize>(hex: &str) -> [u8; N] {
    std::array::from_fn(|at| u8::from_str_radix(&hex[2 * at..][..2], 16).unwrap())
}

/// Signs a message with ECDSA, and verifies the signature with a key that is decoded.
macro_rules! ecdsa {
    ($krate:ident, $size:literal, $secret:expr, $message:expr) => {{
        use $krate::ecdsa::{signature::{Signer, Verifier}, Signature, SigningKey, VerifyingKey};
        let key = SigningKey::from_slice(&bytes::<$size>($secret)).unwrap();
        let signature: Signature = key.sign($message);
        let public = VerifyingKey::from_sec1_bytes(&key.verifying_key().to_sec1_bytes()).unwrap();
        public.verify($message, &signature).unwrap();
        assert!(public.verify(b"another message", &signature).is_err());
        signature.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    }};
}

/// RFC 6979, A.2.5 and A.2.6, and the vector of libraries for secp256k1.
fn weierstrass() {
    let p256 = ecdsa!(p256, 32, "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721", b"sample");
    assert_eq!(&p256[..64], "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716");
    let secret = "6b9d3dad2e1b8c1c05b19875b6659f4de23c3b667bf297ba9aa47740787137d896d5724e4c70a825f872c9ea60d2edf5";
    let p384 = ecdsa!(p384, 48, secret, b"sample");
    let r = "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e80fabe46";
    assert_eq!(&p384[..96], r);
    let one = format!("{:064x}", 1);
    let k256 = ecdsa!(k256, 32, &one, b"Satoshi Nakamoto");
    assert_eq!(&k256[..64], "934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8");
}

/// RFC 8032, 7.1, test 2.
fn signed() -> SigningKey {
    let key = SigningKey::from_bytes(&bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"));
    let public: [u8; 32] = bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
    assert_eq!(key.verifying_key().to_bytes(), public);
    use ed25519_dalek::{Signer, Verifier};
    let signature = key.sign(&[0x72]);
    assert_eq!(signature.r_bytes(), &bytes("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"));
    VerifyingKey::from_bytes(&public).unwrap().verify(&[0x72], &signature).unwrap();
    assert!(VerifyingKey::from_bytes(&public).unwrap().verify(&[0x73], &signature).is_err());
    key
}

/// The types of keys are those of `curve25519-dalek`.
fn as_points(key: &SigningKey) {
    let (public, secret): (EdwardsPoint, Scalar) = (key.verifying_key().into(), key.to_scalar());
    assert_eq!(public, secret * ED25519_BASEPOINT_POINT);
    assert_eq!(public, key.verifying_key().to_edwards());
    let twice = ExpandedSecretKey { scalar: secret + secret, hash_prefix: [7; 32] };
    assert_eq!(VerifyingKey::from(public + public), VerifyingKey::from(&twice));
}

/// A key of Ed25519 exchanges keys by X25519.
fn as_exchange(key: &SigningKey) {
    let (ours, theirs) = (StaticSecret::from(key.to_scalar_bytes()), StaticSecret::from([9; 32]));
    let u: MontgomeryPoint = key.verifying_key().to_montgomery();
    assert_eq!(PublicKey::from(&ours), PublicKey::from(u.to_bytes()));
    let common = ours.diffie_hellman(&PublicKey::from(&theirs));
    assert_eq!(common.to_bytes(), theirs.diffie_hellman(&PublicKey::from(u.to_bytes())).to_bytes());
    assert_eq!(common.to_bytes(), u.mul_clamped([9; 32]).to_bytes());
    assert_eq!(common.to_bytes(), (key.verifying_key().to_edwards().mul_clamped([9; 32])).to_montgomery().to_bytes());
}

/// RFC 7748, 5.2.
fn exchanged() {
    let k = bytes("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4");
    let u = bytes("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c");
    let product = bytes("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552");
    assert_eq!(x25519_dalek::x25519(k, u), product);
}

fn main() {
    weierstrass();
    exchanged();
    let key = signed();
    as_points(&key);
    as_exchange(&key);
    println!("six crates agree");
}
