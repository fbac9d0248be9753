//! `check-signature KEY SIGNATURE FILE`: verifies an ECDSA signature on P-256 with SHA-256.
//!
//! The key is a point as SEC 1 encodes it, the signature r and s of 32 bytes each, both in hexadecimal.

use std::process::ExitCode;

use p256::ecdsa::VerifyingKey;
use sha2::Sha256;

/// Returns the bytes of a hexadecimal text; `None` for any other text.
fn bytes(text: &str) -> Option<Vec<u8>> {
    if text.len() % 2 == 1 || !text.is_ascii() {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

/// Returns whether a message has a signature; an error for a key that is not a point of the curve.
fn check(key: &str, signature: &str, message: &[u8]) -> Result<bool, &'static str> {
    let key = bytes(key).and_then(|key| VerifyingKey::from_bytes(&key)).ok_or("the key is not a point of P-256")?;
    let signature = bytes(signature).ok_or("the signature is not hexadecimal")?;
    Ok(key.verify::<Sha256>(message, &signature))
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [key, signature, file] = &words[..] else {
        eprintln!("usage: check-signature KEY SIGNATURE FILE");
        return ExitCode::from(2);
    };
    let message = match std::fs::read(file) {
        Ok(message) => message,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::from(2);
        }
    };
    match check(key, signature, &message) {
        Ok(true) => {
            println!("valid");
            ExitCode::SUCCESS
        }
        Ok(false) => {
            println!("not valid");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    // The key and signature of RFC 6979, section A.2.5, with SHA-256.
    const KEY: &str = "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6\
        7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299";
    const SIGNATURE: &str = "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716\
        f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8";

    #[test]
    fn the_published_signature_is_valid() {
        assert_eq!(check(KEY, SIGNATURE, b"sample"), Ok(true));
    }

    #[test]
    fn another_message_is_refused() {
        assert_eq!(check(KEY, SIGNATURE, b"test"), Ok(false));
        assert_eq!(check(KEY, &SIGNATURE[2..], b"sample"), Ok(false));
    }

    #[test]
    fn a_key_that_is_not_a_point_is_an_error() {
        assert!(check(&KEY.replace("0460", "0461"), SIGNATURE, b"sample").is_err());
    }
}
