//! Times whole operations in interleaved rounds, and prints `operation|subject|median|lower decile`, in µs, for each.
//!
//! Usage: operations [ROUNDS [OPERATION]...]

mod bip340;
mod dalek;
mod hashing;
mod own;
mod peers;
mod processor;
mod rustcrypto;
mod timing;

use timing::Operations;

/// Rounds in which every operation runs, unless an argument says otherwise.
const ROUNDS: usize = 31;

const MESSAGE: &[u8] = b"hello, a message of thirty-two by";
const SECRET: [u8; 32] = [7; 32];
/// The secret of the other party of key exchanges.
const OTHER: [u8; 32] = [9; 32];
const TAG: &[u8] = b"a tag of messages that are hashed to a curve";

fn main() {
    let mut words = std::env::args().skip(1);
    let rounds = words.next().map_or(ROUNDS, |text| text.parse().expect("a number of rounds"));
    let mut list = Operations::default();
    rustcrypto::p256(&mut list);
    own::p256(&mut list);
    rustcrypto::k256(&mut list);
    own::k256(&mut list);
    own::ed25519(&mut list);
    dalek::add(&mut list);
    peers::aws_lc::add(&mut list);
    peers::ring::add(&mut list);
    peers::graviola::add(&mut list);
    peers::rscrypto::add(&mut list);
    peers::libsecp256k1::add(&mut list);
    hashing::add(&mut list);
    bip340::add(&mut list);
    list.keep(&words.collect::<Vec<_>>());
    list.print(rounds);
}
