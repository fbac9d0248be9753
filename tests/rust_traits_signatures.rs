//! Keys and signatures of emitted crates and of published ones, each through traits alone.

use sha2::Sha256;
use signature::hazmat::{PrehashSigner, PrehashVerifier};
use signature::{DigestSigner, DigestVerifier, Keypair, SignatureEncoding, Signer, Verifier};

use crate::{bit, hexadecimal, REFUSED};

/// Signatures by two keys of one secret, each verified by the other's verifying key, of a message and another one.
fn signatures<S, T>(
    ours: &(impl Keypair<VerifyingKey: Verifier<S>> + Signer<S>),
    theirs: &(impl Keypair<VerifyingKey: Verifier<T>> + Signer<T>),
    message: &[u8],
) -> String
where
    S: SignatureEncoding,
    T: SignatureEncoding,
{
    let (own, other) = (ours.sign(message), theirs.sign(message));
    verdicts(
        &own,
        &other,
        |message, own, other| {
            let ours = ours.verifying_key().verify(message, own).is_ok();
            [ours, theirs.verifying_key().verify(message, other).is_ok()]
        },
        message,
    )
}

/// Both signatures, and whether each is valid as the other's, for a message and another one.
fn verdicts<S: SignatureEncoding, T: SignatureEncoding>(
    own: &S,
    other: &T,
    verify: impl Fn(&[u8], &S, &T) -> [bool; 2],
    message: &[u8],
) -> String {
    let crossed = |bytes: &[u8]| S::try_from(bytes).ok().expect("a signature");
    let back = |bytes: &[u8]| T::try_from(bytes).ok().expect("a signature");
    let (from_theirs, from_ours) = (crossed(other.to_bytes().as_ref()), back(own.to_bytes().as_ref()));
    let altered = [message, b"."].concat();
    let found = [message, &altered].map(|text| verify(text, &from_theirs, &from_ours).map(bit).concat());
    format!("{} {} {}", hexadecimal(own.to_bytes()), hexadecimal(other.to_bytes()), found.concat())
}

/// The same of digests, which are signed as such and as a function hashes.
fn prehashed<S, T>(
    ours: &(impl Keypair<VerifyingKey: PrehashVerifier<S> + DigestVerifier<Sha256, S>>
          + PrehashSigner<S>
          + DigestSigner<Sha256, S>),
    theirs: &(impl Keypair<VerifyingKey: PrehashVerifier<T> + DigestVerifier<Sha256, T>>
          + PrehashSigner<T>
          + DigestSigner<Sha256, T>),
    message: &[u8],
) -> String
where
    S: SignatureEncoding,
    T: SignatureEncoding,
{
    use sha2::Digest;
    let digest = Sha256::digest(message);
    let own = ours.sign_prehash(&digest).expect("a signature");
    let other = theirs.sign_prehash(&digest).expect("a signature");
    let hashed: S = ours.sign_digest(|hash: &mut Sha256| Digest::update(hash, message));
    assert_eq!(hexadecimal(hashed.to_bytes()), hexadecimal(own.to_bytes()));
    verdicts(
        &own,
        &other,
        |message, own, other| {
            let by_digest = |hash: &mut Sha256| {
                Digest::update(hash, message);
                Ok(())
            };
            let (our_key, their_key) = (ours.verifying_key(), theirs.verifying_key());
            let digest = Sha256::digest(message);
            let valid = our_key.verify_prehash(&digest, own).is_ok();
            assert_eq!(valid, our_key.verify_digest(by_digest, own).is_ok());
            [valid, their_key.verify_prehash(&digest, other).is_ok()]
        },
        message,
    )
}

pub fn ecdsa(name: &str, function: &str, secret: &[u8], message: &[u8]) -> String {
    macro_rules! curve {
        ($own:ident, $peer:ident) => {{
            let secret: [u8; 32] = secret.try_into().expect("32 bytes");
            let ours = ::$own::ecdsa_keys::SigningKey::<Sha256>::from_bytes(&secret);
            let theirs = ::$peer::ecdsa::SigningKey::from_slice(&secret);
            assert_eq!(ours.is_ok(), theirs.is_ok());
            let (Ok(ours), Ok(theirs)) = (ours, theirs) else {
                return REFUSED.into();
            };
            type Ours = ::$own::ecdsa_keys::Signature;
            type Theirs = ::$peer::ecdsa::Signature;
            match function {
                "sign" => signatures::<Ours, Theirs>(&ours, &theirs, message),
                _ => prehashed::<Ours, Theirs>(&ours, &theirs, message),
            }
        }};
    }
    match name {
        "nist" => curve!(nist, p256),
        _ => curve!(koblitz, k256),
    }
}

pub fn bip340(function: &str, secret: &[u8], message: &[u8]) -> String {
    use ::koblitz::bip340_keys::{Signature, SigningKey};
    let secret: [u8; 32] = secret.try_into().expect("32 bytes");
    let (ours, theirs) = (SigningKey::from_bytes(&secret), k256::schnorr::SigningKey::from_slice(&secret));
    assert_eq!(ours.is_ok(), theirs.is_ok());
    let (Ok(ours), Ok(theirs)) = (ours, theirs) else {
        return REFUSED.into();
    };
    if function == "prehash" {
        return prehashed::<Signature, k256::schnorr::Signature>(&ours, &theirs, message);
    }
    // The peer's `Signer` hashes the message first; its raw functions do not.
    let other = theirs.sign_raw(message, &[0; 32]).expect("a signature");
    verdicts::<Signature, k256::schnorr::Signature>(
        &ours.sign(message),
        &other,
        |message, own, other| {
            let ours = ours.verifying_key().verify(message, own).is_ok();
            [ours, theirs.verifying_key().verify_raw(message, other).is_ok()]
        },
        message,
    )
}

pub fn eddsa(secret: &[u8], message: &[u8]) -> String {
    use ::edwards::eddsa_keys::{Signature, SigningKey};
    let secret: [u8; 32] = secret.try_into().expect("32 bytes");
    let theirs = ed25519_dalek::SigningKey::from_bytes(&secret);
    signatures::<Signature, ed25519_dalek::Signature>(&SigningKey::from_bytes(&secret), &theirs, message)
}

/// Signatures and keys of any bytes: whether they are read.
pub fn readable(function: &str, bytes: &[u8]) -> String {
    bit(match function {
        "nist_signature" => ::nist::ecdsa_keys::Signature::try_from(bytes).is_ok(),
        "nist_key" => ::nist::ecdsa_keys::VerifyingKey::<Sha256>::from_bytes(bytes).is_ok(),
        "bip340_signature" => ::koblitz::bip340_keys::Signature::try_from(bytes).is_ok(),
        "bip340_key" => {
            let key = <&[u8; 32]>::try_from(bytes).map(::koblitz::bip340_keys::VerifyingKey::from_bytes);
            key.is_ok_and(|key| key.is_ok())
        }
        "eddsa_signature" => ::edwards::eddsa_keys::Signature::try_from(bytes).is_ok(),
        _ => ::edwards::eddsa_keys::VerifyingKey::from_bytes(bytes).is_ok(),
    })
}
