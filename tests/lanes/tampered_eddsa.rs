//! Comparison of batch and single verification on random signatures, most of them modified.
//!
//! Usage: tampered_eddsa SEED COUNT

use whole::eddsa::{public_key, sign, verify, verify_batch, SECRET_BYTES, SIGNATURE_BYTES};

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
            let secret: [u8; SECRET_BYTES] = drawn.bytes();
            let message = drawn.bytes::<40>()[..drawn.below(41)].to_vec();
            let (mut key, mut signature) = (public_key(&secret), sign(&secret, &message).to_vec());
            match drawn.below(8) {
                0 | 1 => {}
                2 => key = drawn.bytes(),
                3 => signature[SECRET_BYTES..].fill([0, 0xff][drawn.below(2)]),
                4 => key[drawn.below(SECRET_BYTES)] ^= 1 << drawn.below(8),
                _ => {
                    let place = drawn.below(SIGNATURE_BYTES);
                    signature[place] ^= 1 << drawn.below(8);
                }
            }
            keys.push(key);
            messages.push(message);
            signatures.push(signature);
        }
        let texts: Vec<&[u8]> = messages.iter().map(|each| &each[..]).collect();
        let signed: Vec<&[u8]> = signatures.iter().map(|each| &each[..]).collect();
        let publics: Vec<&[u8]> = keys.iter().map(|each| &each[..]).collect();
        let mut found = vec![false; keys.len()];
        verify_batch(&mut found, &publics, &texts, &signed);
        for at in 0..keys.len() {
            let alone = verify(publics[at], texts[at], signed[at]);
            assert_eq!(found[at], alone, "{:02x?} {:02x?} {:02x?}", keys[at], texts[at], signed[at]);
            valid += usize::from(alone);
        }
        tried += keys.len();
    }
    println!("{tried} {valid}");
}
