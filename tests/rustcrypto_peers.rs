//! Answers requests to the decoders of emitted crates and of those that they replace, one a line: `CRATE FUNCTION =ARGUMENT …`
//! in hexadecimal. The answer is `ok` and bytes, `none`, or an error as `Debug` and `Display` show it; it is the emitted
//! crate's, and after a tab its peer's.

use std::fmt::{Debug, Display};

fn hexadecimal(bytes: impl AsRef<[u8]>) -> String {
    bytes
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn bytes(text: &str) -> Vec<u8> {
    let digits = text.strip_prefix('=').expect("arguments begin with =");
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal");
    (0..digits.len()).step_by(2).map(byte).collect()
}

fn decoded<T, E: Debug + Display, B: AsRef<[u8]>>(
    found: Result<T, E>,
    write: impl FnOnce(T) -> B,
) -> String {
    match found {
        Ok(value) => format!("ok {}", hexadecimal(write(value))),
        Err(error) => format!("{error:?}: {error}"),
    }
}

fn optional<T, B: AsRef<[u8]>>(found: Option<T>, write: impl FnOnce(T) -> B) -> String {
    let write = |value| format!("ok {}", hexadecimal(write(value)));
    found.map_or_else(|| "none".into(), write)
}

macro_rules! peer {
    ($name:ident, $curve:ident) => {
        mod $name {
            use ::$name as curve;
            use curve::ecdsa::signature::hazmat::PrehashVerifier;
            use curve::ecdsa::{DerSignature, Signature, SigningKey, VerifyingKey};
            use curve::elliptic_curve::ff::PrimeField;
            use curve::elliptic_curve::group::GroupEncoding;
            use curve::elliptic_curve::ops::Reduce;
            use curve::elliptic_curve::point::{DecompactPoint, DecompressPoint};
            use curve::elliptic_curve::sec1::{FromSec1Point, ToSec1Point};
            use curve::elliptic_curve::subtle::Choice;
            use curve::elliptic_curve::{Error, ScalarValue};
            use curve::pkcs8::{DecodePrivateKey, DecodePublicKey};
            use curve::{$curve, AffinePoint, FieldBytes, NonZeroScalar};
            use curve::{ProjectivePoint, PublicKey, Scalar, Sec1Point, SecretKey};

            use ecdsa::RecoveryId;

            use crate::{decoded, optional};

            fn plain(point: impl ToSec1Point<$curve>) -> Sec1Point {
                point.to_sec1_point(false)
            }

            fn affine(bytes: &[u8]) -> Option<AffinePoint> {
                AffinePoint::from_sec1_point(&Sec1Point::from_bytes(bytes).ok()?).into_option()
            }

            fn element(bytes: &[u8]) -> FieldBytes {
                FieldBytes::try_from(bytes).expect("a number's length")
            }

            /// Answers requests about bytes that encode one thing.
            fn one(function: &str, a: &[u8]) -> Option<String> {
                Some(match function {
                    "sec1_point" => decoded(Sec1Point::from_bytes(a), |point| point),
                    "affine" => optional(affine(a), plain),
                    "affine_or_error" => {
                        let point = Sec1Point::from_bytes(a).map_err(|_| Error);
                        decoded(point.and_then(AffinePoint::try_from), plain)
                    }
                    "affine_bytes" => decoded(
                        <AffinePoint as FromSec1Point<$curve>>::from_sec1_bytes(a),
                        plain,
                    ),
                    "projective" => decoded(
                        <ProjectivePoint as FromSec1Point<$curve>>::from_sec1_bytes(a),
                        plain,
                    ),
                    "public_key" => decoded(PublicKey::from_sec1_bytes(a), plain),
                    "public_key_own" => {
                        decoded(PublicKey::from_sec1_bytes(a), |key| key.to_sec1_bytes())
                    }
                    "public_key_of_point" => {
                        let point = Sec1Point::from_bytes(a).map_err(|_| Error);
                        decoded(point.and_then(PublicKey::try_from), plain)
                    }
                    "public_key_of_affine" => {
                        let point = affine(a).ok_or(Error);
                        decoded(point.and_then(PublicKey::from_affine), plain)
                    }
                    "verifying_key" => decoded(VerifyingKey::from_sec1_bytes(a), |key| {
                        key.to_sec1_point(false)
                    }),
                    "group_affine" => {
                        let bytes = a.try_into().expect("a compressed point's length");
                        optional(AffinePoint::from_bytes(&bytes).into_option(), plain)
                    }
                    "group_projective" => {
                        let bytes = a.try_into().expect("a compressed point's length");
                        optional(ProjectivePoint::from_bytes(&bytes).into_option(), plain)
                    }
                    "compact" => optional(AffinePoint::decompact(&element(a)).into_option(), plain),
                    "scalar" => {
                        optional(Scalar::from_repr(element(a)).into_option(), |k| k.to_repr())
                    }
                    "reduced" => optional(
                        Some(<Scalar as Reduce<FieldBytes>>::reduce(&element(a))),
                        |k| k.to_repr(),
                    ),
                    "nonzero" => {
                        optional(NonZeroScalar::from_repr(element(a)).into_option(), |k| {
                            k.to_repr()
                        })
                    }
                    "nonzero_slice" => decoded(NonZeroScalar::try_from(a), |k| k.to_repr()),
                    "value" => decoded(ScalarValue::<$curve>::from_slice(a), |k| k.to_bytes()),
                    "secret_key" => decoded(SecretKey::from_slice(a), |key| key.to_bytes()),
                    "signing_key" => decoded(SigningKey::from_slice(a), |key| key.to_bytes()),
                    "signature" => {
                        decoded(Signature::from_slice(a), |signature| signature.to_bytes())
                    }
                    "signature_try" => {
                        decoded(Signature::try_from(a), |signature| signature.to_bytes())
                    }
                    "der" => decoded(Signature::from_der(a), |signature| signature.to_bytes()),
                    "der_signature" => {
                        let found = DerSignature::from_bytes(a).and_then(Signature::try_from);
                        decoded(found, |signature| signature.to_bytes())
                    }
                    "pkcs8" => decoded(SecretKey::from_pkcs8_der(a), |key| key.to_bytes()),
                    "pkcs8_signing" => decoded(SigningKey::from_pkcs8_der(a), |key| key.to_bytes()),
                    "sec1_der" => decoded(SecretKey::from_sec1_der(a), |key| key.to_bytes()),
                    "spki" => decoded(PublicKey::from_public_key_der(a), plain),
                    "spki_verifying" => decoded(VerifyingKey::from_public_key_der(a), |key| {
                        key.to_sec1_point(false)
                    }),
                    "json_public_key" => decoded(serde_json::from_slice::<PublicKey>(a), plain),
                    "json_affine" => decoded(serde_json::from_slice::<AffinePoint>(a), plain),
                    "json_scalar" => decoded(serde_json::from_slice::<Scalar>(a), |k| k.to_repr()),
                    "json_signature" => {
                        decoded(serde_json::from_slice::<Signature>(a), |signature| {
                            signature.to_bytes()
                        })
                    }
                    _ => return None,
                })
            }

            pub fn answer(function: &str, arguments: &[Vec<u8>]) -> String {
                match (function, arguments) {
                    ("decompress", [x, odd]) => optional(
                        AffinePoint::decompress(&element(x), Choice::from(odd[0])).into_option(),
                        plain,
                    ),
                    ("signature_of", [r, s]) => {
                        decoded(Signature::from_scalars(element(r), element(s)), |found| {
                            found.to_bytes()
                        })
                    }
                    ("exchange", [secret, public]) => {
                        let secret = SecretKey::from_slice(secret).expect("a secret key");
                        let public = PublicKey::from_sec1_bytes(public);
                        decoded(public, |public| {
                            *secret.diffie_hellman(&public).raw_secret_bytes()
                        })
                    }
                    ("verify", [owner, hash, signature]) => {
                        let valid = VerifyingKey::from_sec1_bytes(owner).and_then(|owner| {
                            let signature = Signature::from_slice(signature)?;
                            owner.verify_prehash(hash, &signature)
                        });
                        decoded(valid, |()| [1])
                    }
                    ("verify_der", [owner, hash, signature]) => {
                        let valid = VerifyingKey::from_sec1_bytes(owner).and_then(|owner| {
                            let signature = DerSignature::from_bytes(signature)?;
                            owner.verify_prehash(hash, &signature)
                        });
                        decoded(valid, |()| [1])
                    }
                    ("recover", [hash, signature, id]) => {
                        let found = Signature::from_slice(signature).and_then(|signature| {
                            let id = RecoveryId::try_from(id[0])?;
                            VerifyingKey::recover_from_prehash(hash, &signature, id)
                        });
                        decoded(found, |key| key.to_sec1_point(false))
                    }
                    (_, [bytes]) => one(function, bytes).expect("a function"),
                    _ => panic!("there is no {function} of {} arguments", arguments.len()),
                }
            }
        }
    };
}

macro_rules! peers {
    ($($name:ident, $peer:ident, $curve:ident;)*) => {
        $(
            peer!($name, $curve);
            peer!($peer, $curve);
        )*

        fn answer(name: &str, function: &str, arguments: &[Vec<u8>]) -> String {
            match name {
                $(stringify!($name) => {
                    let own = $name::answer(function, arguments);
                    format!("{own}\t{}", $peer::answer(function, arguments))
                })*
                _ => panic!("there is no crate {name}"),
            }
        }
    };
}

fn main() {
    for line in std::io::stdin().lines() {
        let line = line.expect("a line");
        let words: Vec<&str> = line.split(' ').collect();
        let arguments: Vec<_> = words[2..].iter().copied().map(bytes).collect();
        println!("{}", answer(words[0], words[1], &arguments));
    }
}
