//! Exchanges of keys at once, one request in a line: secrets and public keys in hexadecimal.

use std::io::{stdin, BufRead};

use subtle::{Choice, CtOption};
use whole::exchange::{exchange, exchange_batch, public_key, public_key_batch, KEY_BYTES};

fn bytes(text: &str) -> [u8; KEY_BYTES] {
    core::array::from_fn(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap())
}

fn shown(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn main() {
    assert!(whole::lanes::is_available());
    for line in stdin().lock().lines() {
        let line = line.unwrap();
        let (mut secrets, mut publics) = (Vec::new(), Vec::new());
        for row in line.split_whitespace() {
            let (secret, public) = row.split_once(':').unwrap();
            secrets.push(bytes(secret));
            publics.push(bytes(public));
        }
        let mut keys = vec![[1; KEY_BYTES]; secrets.len()];
        public_key_batch(&mut keys, &secrets);
        let mut shared = vec![CtOption::new([1; KEY_BYTES], Choice::from(1)); secrets.len()];
        exchange_batch(&mut shared, &secrets, &publics);
        let mut results = Vec::new();
        for (at, secret) in secrets.iter().enumerate() {
            let found = Option::from(shared[at]);
            assert_eq!(found, Option::from(exchange(secret, &publics[at])), "{at} of {line}");
            assert_eq!(keys[at], public_key(secret), "{at} of {line}");
            let found = found.map_or("refused".into(), |secret: [u8; KEY_BYTES]| shown(&secret));
            results.push(format!("{}:{found}", shown(&keys[at])));
        }
        println!("{}", results.join(" "));
    }
}
