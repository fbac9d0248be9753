//! Answers requests to the features of emitted crates, one a line: `CRATE FUNCTION =ARGUMENT` in hexadecimal. Values are
//! read and written again in JSON, or in a format of bytes.

use std::convert::Infallible;

use rand_core::{TryCryptoRng, TryRng};
use serde::de::value::SeqDeserializer;
use serde::{de::DeserializeOwned, Serialize};

/// A source that hands out some bytes, one after the other.
struct Source(std::vec::IntoIter<u8>);

impl TryRng for Source {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unimplemented!("bytes alone are drawn")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unimplemented!("bytes alone are drawn")
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill_with(|| self.0.next().expect("as many bytes as are drawn"));
        Ok(())
    }
}

impl TryCryptoRng for Source {}

fn hexadecimal(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn json<T: DeserializeOwned + Serialize>(text: &[u8]) -> String {
    let read = serde_json::from_slice::<T>(text).ok();
    read.map_or_else(|| "refused".into(), |value| hexadecimal(serde_json::to_vec(&value).expect("written")))
}

fn binary<T: DeserializeOwned + Serialize>(text: &[u8]) -> String {
    let read = postcard::from_bytes::<T>(text).ok();
    let write = |value| hexadecimal(postcard::to_allocvec(&value).expect("written"));
    read.map_or_else(|| "refused".into(), write)
}

/// Reads a sequence of bytes, which some formats have in place of strings.
fn sequence<T: DeserializeOwned + Serialize>(bytes: Vec<u8>) -> String {
    let source = SeqDeserializer::<_, serde::de::value::Error>::new(bytes.into_iter());
    let write = |value| hexadecimal(postcard::to_allocvec(&value).expect("written"));
    T::deserialize(source).map_or_else(|_| "refused".into(), write)
}

macro_rules! points {
    ($name:ident) => {
        mod $name {
            use ::$name::{generate_key, FieldElement, Point, Scalar, IDENTITY};

            use crate::{binary, hexadecimal, json, sequence, Source};

            pub fn answer(function: &str, bytes: Vec<u8>) -> String {
                match function {
                    "json_element" => json::<FieldElement>(&bytes),
                    "json_scalar" => json::<Scalar>(&bytes),
                    "json_point" => json::<Point>(&bytes),
                    "element" => binary::<FieldElement>(&bytes),
                    "scalar" => binary::<Scalar>(&bytes),
                    "point" => binary::<Point>(&bytes),
                    "sequence_element" => sequence::<FieldElement>(bytes),
                    "sequence_scalar" => sequence::<Scalar>(bytes),
                    "sequence_point" => sequence::<Point>(bytes),
                    "identity" => {
                        let written = serde_json::to_vec(&IDENTITY);
                        written.map_or_else(|_| "refused".into(), hexadecimal)
                    }
                    "random" => hexadecimal(Scalar::random(&mut Source(bytes.into_iter())).to_bytes()),
                    "key" => {
                        let (secret, public) = generate_key(&mut Source(bytes.into_iter()));
                        let public = postcard::to_allocvec(&public).expect("written");
                        hexadecimal(*secret) + &hexadecimal(&public[1..])
                    }
                    _ => panic!("there is no {function}"),
                }
            }
        }
    };
}

points!(p256);
points!(edwards25519);
points!(ed448);

mod curve25519 {
    use ::curve25519::{encode, generate_key, FieldElement};

    use crate::{binary, hexadecimal, json, sequence, Source};

    pub fn answer(function: &str, bytes: Vec<u8>) -> String {
        match function {
            "json_element" => json::<FieldElement>(&bytes),
            "element" => binary::<FieldElement>(&bytes),
            "sequence_element" => sequence::<FieldElement>(bytes),
            "key" => {
                let (secret, public) = generate_key(&mut Source(bytes.into_iter()));
                hexadecimal(*secret) + &hexadecimal(encode(&public))
            }
            _ => panic!("there is no {function}"),
        }
    }
}

/// Answers requests to ECDSA on P-256 by a key that is checked once: the key, the message and the signature.
fn verify(arguments: &[Vec<u8>]) -> String {
    let [owner, message, signature] = arguments else {
        panic!("three arguments");
    };
    let key = match &owner[..] {
        [0] => ::p256::ecdsa::VerifyingKey::new(&::p256::IDENTITY),
        owner => ::p256::ecdsa::VerifyingKey::from_bytes(owner),
    };
    let verify = |key: ::p256::ecdsa::VerifyingKey| key.verify::<sha2::Sha256>(message, signature);
    key.map_or_else(|| "refused".into(), |key| u8::from(verify(key)).to_string())
}

fn main() {
    for line in std::io::stdin().lines() {
        let line = line.expect("a line");
        let words: Vec<&str> = line.split(' ').collect();
        let byte = |text: &str, at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal");
        let bytes = |text: &&str| (1..text.len()).step_by(2).map(|at| byte(text, at)).collect();
        let mut arguments: Vec<Vec<u8>> = words[2..].iter().map(bytes).collect();
        println!(
            "{}",
            match (words[0], words[1]) {
                ("p256", "verify") => verify(&arguments),
                ("p256", name) => p256::answer(name, arguments.remove(0)),
                ("edwards25519", name) => edwards25519::answer(name, arguments.remove(0)),
                ("ed448", name) => ed448::answer(name, arguments.remove(0)),
                (_, name) => curve25519::answer(name, arguments.remove(0)),
            }
        );
    }
}
