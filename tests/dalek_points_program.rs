//! The emitted crate of points beside curve25519-dalek: `program SEED ROUNDS` asks both the same and prints counts.
//!
//! Inputs are random, or exceptional: encodings of points of small order, of numbers near p and near the order of the
//! basepoint, of numbers that are not reduced, and of elements of ristretto255.

#![allow(deprecated)]

#[macro_use]
mod answers;

use std::collections::BTreeMap;
use std::panic::{catch_unwind, set_hook, take_hook, UnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};

use real::{constants::EIGHT_TORSION, RistrettoPoint};
use sha2::{Digest, Sha512};

/// Bytes that a seed determines.
struct Random(u64, u64);

impl Random {
    fn wide(&mut self) -> [u8; 64] {
        self.1 += 1;
        Sha512::digest([self.0.to_le_bytes(), self.1.to_le_bytes()].concat()).into()
    }

    fn bytes(&mut self) -> [u8; 32] {
        self.wide()[..32].try_into().unwrap()
    }

    fn below(&mut self, bound: usize) -> usize {
        u64::from_le_bytes(self.wide()[..8].try_into().unwrap()) as usize % bound
    }
}

/// The inputs of a round.
struct Given {
    number: usize,
    a: [u8; 32],
    b: [u8; 32],
    wide: [u8; 64],
    many: Vec<[u8; 32]>,
}

/// Whether a panic may be an answer.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Returns whether a function panics.
fn panics<T>(f: impl FnOnce() -> T + UnwindSafe) -> bool {
    ASKED.store(true, Ordering::Relaxed);
    let found = catch_unwind(f).is_err();
    ASKED.store(false, Ordering::Relaxed);
    found
}

type Answers = Vec<(&'static str, Vec<u8>)>;

answers!(ours, own);
answers!(theirs, real);
readings!(our_readings, own);
readings!(their_readings, real);

/// Returns exceptional inputs.
fn special() -> Vec<[u8; 32]> {
    let order = own::Scalar::ZERO - own::Scalar::ONE;
    let mut found = vec![[0; 32], [255; 32], order.to_bytes()];
    for low in 0..4 {
        let mut bytes = order.to_bytes();
        bytes[0] += low + 1;
        found.push(bytes);
        found.push([low; 32].map(|byte| byte * 85));
    }
    for small in 1..10 {
        found.push(own::Scalar::from(small as u8).to_bytes());
    }
    for low in 0xe0..=0xff {
        for top in [0x7f, 0xff] {
            let mut bytes = [255; 32];
            (bytes[0], bytes[31]) = (low, top);
            found.push(bytes);
        }
    }
    for point in EIGHT_TORSION {
        let mut bytes = point.compress().0;
        found.extend([bytes, point.to_montgomery().0]);
        bytes[31] ^= 0x80;
        found.push(bytes);
    }
    found
}

fn main() {
    let mut words = std::env::args().skip(1).map(|word| word.parse().unwrap());
    let (seed, rounds) = (words.next().unwrap(), words.next().unwrap() as usize);
    let (mut random, special) = (Random(seed, 0), special());
    let report = take_hook();
    set_hook(Box::new(move |panic| {
        if !ASKED.load(Ordering::Relaxed) {
            report(panic);
        }
    }));
    let mut counts = BTreeMap::<_, usize>::new();
    for bytes in &special {
        assert_eq!(our_readings(*bytes), their_readings(*bytes), "{bytes:02x?}");
    }
    for number in 0..rounds {
        let mut given = Given {
            number,
            a: random.bytes(),
            b: random.bytes(),
            wide: random.wide(),
            many: Vec::new(),
        };
        let some = |random: &mut Random| special[random.below(special.len())];
        if number % 3 > 0 {
            given.a = some(&mut random);
        }
        if number % 3 > 1 {
            given.b = some(&mut random);
            given.wide[..32].copy_from_slice(&some(&mut random));
        }
        if number % 12 == 0 {
            given.a = RistrettoPoint::from_uniform_bytes(&given.wide).compress().0;
        }
        let count = if number % 64 == 63 { 200 } else { random.below(9) };
        given.many = (0..count).map(|_| if random.below(4) == 0 { some(&mut random) } else { random.bytes() }).collect();
        let (ours, theirs) = (ours(&given), theirs(&given));
        assert_eq!(ours.len(), theirs.len());
        for (our, their) in ours.iter().zip(&theirs) {
            if our != their {
                println!("seed {seed}, round {number}, a = {:02x?}: {our:02x?} is not {their:02x?}", given.a);
                std::process::exit(1);
            }
            *counts.entry(our.0).or_default() += 1;
        }
        for (_, bytes) in &ours {
            if bytes.len() == 1 {
                *counts.entry(if bytes[0] == 0 { "refused" } else { "accepted" }).or_default() += 1;
            }
        }
    }
    let total: usize = counts.iter().filter(|(name, _)| !["refused", "accepted"].contains(name)).map(|(_, n)| n).sum();
    println!("{total} values, {} accepted, {} refused", counts["accepted"], counts["refused"]);
}
