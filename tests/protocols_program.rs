//! A test program: protocols of several curves on bytes, by requests on standard input, one a line.
//!
//! A request is `CURVE FUNCTION =HEX =HEX …`; a hash is given by its name.

use std::io::BufRead;

use subtle::CtOption;

fn bytes(text: &str) -> Vec<u8> {
    let digits = text.trim_start_matches('=').as_bytes();
    let pairs = digits
        .chunks(2)
        .map(|pair| std::str::from_utf8(pair).unwrap());
    pairs
        .map(|pair| u8::from_str_radix(pair, 16).unwrap())
        .collect()
}

fn array<const N: usize>(text: &str) -> [u8; N] {
    bytes(text).try_into().unwrap()
}

fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn option<T: AsRef<[u8]>>(found: Option<T>) -> String {
    found.map_or_else(|| "refused".into(), hex)
}

fn constant_time<T: AsRef<[u8]>>(found: CtOption<T>) -> String {
    option(Option::<T>::from(found))
}

macro_rules! with_hash {
    ($name:expr, $call:ident::<$($path:ident)::+>($($argument:expr),*)) => {
        match $name {
            "=sha224" => $($path)::+::$call::<sha2::Sha224>($($argument),*),
            "=sha256" => $($path)::+::$call::<sha2::Sha256>($($argument),*),
            "=sha384" => $($path)::+::$call::<sha2::Sha384>($($argument),*),
            "=sha512" => $($path)::+::$call::<sha2::Sha512>($($argument),*),
            name => panic!("no hash is called {name}"),
        }
    };
}

macro_rules! weierstrass {
    ($curve:ident, $words:expr) => {
        match $words {
            ["sign", secret, message, hash] => constant_time(with_hash!(
                *hash,
                sign::<$curve::ecdsa>(&array(secret), &bytes(message))
            )),
            ["public", secret] => {
                let key: Option<$curve::Point> = $curve::ecdsa::public_key(&array(secret)).into();
                key.map_or("refused".into(), |key| {
                    constant_time(key.encode_uncompressed())
                })
            }
            ["verify", key, message, signature, hash] => {
                let key = $curve::decode(&bytes(key));
                let valid = key.is_some_and(|key| {
                    with_hash!(
                        *hash,
                        verify::<$curve::ecdsa>(&key, &bytes(message), &bytes(signature))
                    )
                });
                u8::from(valid).to_string()
            }
            ["exchange", secret, key] => {
                let key = $curve::decode(&bytes(key));
                key.map_or("refused".into(), |key| {
                    constant_time($curve::ecdh::exchange(&array(secret), &key))
                })
            }
            ["neutral", secret] => {
                let found = $curve::ecdh::exchange(&array(secret), &$curve::IDENTITY);
                found.is_some().unwrap_u8().to_string()
            }
            ["embed", secret, message] => elgamal!($curve, secret, message),
            words => panic!("no request: {words:?}"),
        }
    };
}

macro_rules! elgamal {
    ($curve:ident, $secret:expr, $message:expr) => {{
        let secret = array($secret);
        let public = $curve::multiply_generator(&secret);
        let point = $curve::elgamal::embed(&array($message)).unwrap();
        let sent = $curve::elgamal::encrypt(&public, &point, |bytes| bytes.fill(0x35));
        assert!(sent.1 != point);
        constant_time($curve::elgamal::extract(&$curve::elgamal::decrypt(
            &secret, &sent,
        )))
    }};
}

macro_rules! montgomery {
    ($curve:ident, $words:expr) => {
        match $words {
            ["public", secret] => hex($curve::exchange::public_key(&array(secret))),
            ["exchange", secret, key] => {
                constant_time($curve::exchange::exchange(&array(secret), &array(key)))
            }
            words => panic!("no request: {words:?}"),
        }
    };
}

fn ed25519(words: &[&str]) -> String {
    use edwards25519::eddsa::{public_key, sign, verify};
    match words {
        ["public", secret] => hex(public_key(&array(secret))),
        ["sign", secret, message] => hex(sign(&array(secret), &bytes(message))),
        ["verify", key, message, signature] => {
            u8::from(verify(&bytes(key), &bytes(message), &bytes(signature))).to_string()
        }
        ["embed", secret, message] => elgamal!(edwards25519, secret, message),
        words => panic!("no request: {words:?}"),
    }
}

fn ed448(words: &[&str]) -> String {
    use ed448::eddsa::{public_key, sign, verify};
    match words {
        ["public", secret] => hex(public_key(&array(secret))),
        ["sign", secret, message, context] => {
            option(sign(&array(secret), &bytes(message), &bytes(context)))
        }
        ["verify", key, message, signature, context] => {
            let (key, message, signature) = (bytes(key), bytes(message), bytes(signature));
            u8::from(verify(&key, &message, &signature, &bytes(context))).to_string()
        }
        words => panic!("no request: {words:?}"),
    }
}

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let (curve, words) = words.split_first().unwrap();
        let answer = match *curve {
            "secp256k1" => weierstrass!(secp256k1, words),
            "p256" => weierstrass!(p256, words),
            "p384" => weierstrass!(p384, words),
            "p521" => weierstrass!(p521, words),
            "edwards25519" => ed25519(words),
            "ed448" => ed448(words),
            "curve25519" => montgomery!(curve25519, words),
            "curve448" => montgomery!(curve448, words),
            name => panic!("no curve is called {name}"),
        };
        println!("{answer}");
    }
}
