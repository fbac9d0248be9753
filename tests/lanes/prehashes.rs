//! Verdicts on batches of signatures of hashed messages, a line each: at once, and one by one.

use std::io::stdin;
use std::panic::{catch_unwind, set_hook};

use own::ecdsa::signature::hazmat::PrehashVerifier;
use own::ecdsa::{verify_prehash_batch, Signature, VerifyingKey};

fn bytes(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()).collect()
}

fn digits(verdicts: impl IntoIterator<Item = bool>) -> String {
    verdicts.into_iter().map(|verdict| if verdict { '1' } else { '0' }).collect()
}

fn main() {
    println!("{}", digits([own::has_lanes()]));
    for line in stdin().lines() {
        let line = line.unwrap();
        let rows: Vec<Vec<Vec<u8>>> =
            line.split_whitespace().map(|row| row.split(',').map(bytes).collect()).collect();
        let keys: Vec<_> = rows.iter().map(|row| VerifyingKey::from_sec1_bytes(&row[0]).unwrap()).collect();
        let prehashes: Vec<&[u8]> = rows.iter().map(|row| &row[1][..]).collect();
        let signatures: Vec<_> = rows.iter().map(|row| Signature::from_slice(&row[2]).unwrap()).collect();
        // Earlier values are overwritten.
        let mut valid: Vec<bool> = (0..rows.len()).map(|at| at % 2 == 0).collect();
        verify_prehash_batch(&mut valid, &keys, &prehashes, &signatures);
        let one = (0..rows.len()).map(|at| keys[at].verify_prehash(prehashes[at], &signatures[at]).is_ok());
        println!("-{} -{}", digits(valid), digits(one));
    }
    set_hook(Box::new(|_| ()));
    assert!(catch_unwind(|| verify_prehash_batch(&mut [true], &[], &[b""], &[])).is_err());
}
