//! Comparison of batch and single verification on random signatures, most of them modified.
//!
//! Usage: tampered_ecdsa SEED COUNT

use sha2::Sha256;
use whole::ecdsa::{public_key, sign, verify_batch, VerifyingKey};
use whole::SCALAR_BYTES;

const BATCH: usize = 1000;

/// Numbers of a generator by its state (xorshift).
struct Drawn(u64);

impl Drawn {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() >> 16) as usize % most
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        core::array::from_fn(|_| self.next().to_le_bytes()[3])
    }
}

fn main() {
    let words: Vec<u64> = std::env::args().skip(1).map(|word| word.parse().unwrap()).collect();
    let (mut drawn, count) = (Drawn(words[0] | 1), words[1] as usize);
    let (mut tried, mut valid) = (0, 0);
    while tried < count {
        let (mut keys, mut messages, mut signatures) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..BATCH.min(count - tried) {
            let mut secret: [u8; SCALAR_BYTES] = drawn.bytes();
            secret[0] = 0;
            let message = drawn.bytes::<40>()[..drawn.below(41)].to_vec();
            let mut signature = sign::<Sha256>(&secret, &message).unwrap().to_vec();
            match drawn.below(8) {
                0 | 1 => {}
                2 => signature[..SCALAR_BYTES].copy_from_slice(&drawn.bytes::<SCALAR_BYTES>()),
                3 => signature[SCALAR_BYTES..].fill([0, 0xff][drawn.below(2)]),
                4 => secret[SCALAR_BYTES - 1] ^= 1,
                _ => {
                    let place = drawn.below(2 * SCALAR_BYTES);
                    signature[place] ^= 1 << drawn.below(8);
                }
            }
            keys.push(VerifyingKey::new(&public_key(&secret).unwrap()).unwrap());
            messages.push(message);
            signatures.push(signature);
        }
        let texts: Vec<&[u8]> = messages.iter().map(|each| &each[..]).collect();
        let signed: Vec<&[u8]> = signatures.iter().map(|each| &each[..]).collect();
        let mut found = vec![false; keys.len()];
        verify_batch::<Sha256>(&mut found, &keys, &texts, &signed);
        for at in 0..keys.len() {
            let alone = keys[at].verify::<Sha256>(texts[at], signed[at]);
            assert_eq!(found[at], alone, "{:02x?} {:02x?} {:02x?}", keys[at].point().encode(), texts[at], signed[at]);
            valid += usize::from(alone);
        }
        tried += keys.len();
    }
    println!("{tried} {valid}");
}
