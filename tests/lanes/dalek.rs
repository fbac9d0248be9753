//! Verdicts on batches of signatures, a line each: at once, one by one, and of the whole batch by two crates.
//!
//! A line that begins with `x25519` has exchanges, which are made at once and one by one.

use std::io::stdin;
use std::panic::{catch_unwind, set_hook};

use own::{verify_batch, verify_each, Signature, Verifier, VerifyingKey};

fn bytes(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()).collect()
}

fn digits(verdicts: impl IntoIterator<Item = bool>) -> String {
    verdicts.into_iter().map(|verdict| if verdict { '1' } else { '0' }).collect()
}

fn exchanged(rows: &str) {
    let bytes = |text: &str| <[u8; 32]>::try_from(bytes(text)).unwrap();
    let rows: Vec<_> = rows.split_whitespace().map(|row| row.split_once(',').unwrap()).collect();
    let (secrets, publics): (Vec<_>, Vec<_>) = rows.iter().map(|row| (bytes(row.0), bytes(row.1))).unzip();
    let mut shared = vec![[1; 32]; rows.len()];
    own_x::x25519_batch(&mut shared, &secrets, &publics);
    for (at, shared) in shared.iter().enumerate() {
        assert_eq!(*shared, own_x::x25519(secrets[at], publics[at]), "{at} of {rows:?}");
    }
    let text = |bytes: &[u8; 32]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    println!("{}", shared.iter().map(text).collect::<Vec<_>>().join(" "));
}

fn main() {
    println!("{}", digits([points::emitted_lanes::fill_lanes(8)]));
    for line in stdin().lines() {
        let line = line.unwrap();
        if let Some(rows) = line.strip_prefix("x25519") {
            exchanged(rows);
            continue;
        }
        let rows: Vec<Vec<Vec<u8>>> =
            line.split_whitespace().map(|row| row.split(',').map(bytes).collect()).collect();
        let messages: Vec<&[u8]> = rows.iter().map(|row| &row[1][..]).collect();
        let signatures: Vec<_> = rows.iter().map(|row| Signature::from_slice(&row[2]).unwrap()).collect();
        let keys: Vec<_> = rows.iter().map(|row| VerifyingKey::try_from(&row[0][..]).unwrap()).collect();
        let published: Vec<_> =
            rows.iter().map(|row| real::VerifyingKey::try_from(&row[0][..]).unwrap()).collect();
        // Earlier values are overwritten.
        let mut valid: Vec<bool> = (0..rows.len()).map(|at| at % 2 == 0).collect();
        verify_each(&mut valid, &messages, &signatures, &keys);
        let one = (0..rows.len()).map(|at| keys[at].verify(messages[at], &signatures[at]).is_ok());
        let batch = verify_batch(&messages, &signatures, &keys).map_err(|error| format!("{error:?}"));
        let other = real::verify_batch(&messages, &signatures, &published).map_err(|error| format!("{error:?}"));
        assert_eq!(batch, other, "{line}");
        println!("-{} -{} {}", digits(valid), digits(one), digits([batch.is_ok()]));
    }
    set_hook(Box::new(|_| ()));
    assert!(catch_unwind(|| verify_each(&mut [true], &[b""], &[], &[])).is_err());
}
