//! Verifies a block of signatures, as a validator does: each has a verdict, and threads share the block.
//!
//! Verdicts and times are those of emitted crates with lanes, of `ed25519-dalek` and of libsecp256k1.

mod block;
mod verifiers;

use std::num::NonZero;
use std::thread::{available_parallelism, scope};
use std::time::Instant;

use block::Transaction;
use verifiers::SCHEMES;

/// Signatures that a thread takes at once: an emitted crate verifies up to this many by one inversion.
const GROUP: usize = 32;

/// Returns the verdicts on a block, by a verifier of any number of transactions.
fn verdicts(block: &[Transaction], verifier: fn(&[Transaction], &mut [bool])) -> Vec<bool> {
    let threads = available_parallelism().map_or(1, NonZero::get);
    let share = block
        .len()
        .div_ceil(threads)
        .next_multiple_of(GROUP)
        .max(GROUP);
    let mut valid = vec![false; block.len()];
    scope(|scope| {
        for (part, valid) in block.chunks(share).zip(valid.chunks_mut(share)) {
            scope.spawn(move || verifier(part, valid));
        }
    });
    valid
}

fn main() {
    let count = std::env::args()
        .nth(1)
        .map_or(8192, |text| text.parse().expect("a number of signatures"));
    println!("lanes: {}", secp256k1::lanes::is_available());
    for scheme in &SCHEMES {
        let (block, wanted) = block::drawn(count, scheme.sign);
        for (name, verifier) in scheme.verifiers {
            let start = Instant::now();
            let found = verdicts(&block, verifier);
            let seconds = start.elapsed().as_secs_f64();
            assert_eq!(found, wanted, "{name}");
            let invalid = found.iter().filter(|valid| !**valid).count();
            println!(
                "{}, {name}: {:.0} signatures a second, {invalid} invalid",
                scheme.name,
                count as f64 / seconds
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{block, verdicts, SCHEMES};

    #[test]
    fn verdicts_are_those_that_blocks_are_made_for() {
        for count in [0, 1, 7, 8, 9, 33, 65, 300] {
            for scheme in &SCHEMES {
                let (block, wanted) = block::drawn(count, scheme.sign);
                for (name, verifier) in scheme.verifiers {
                    assert_eq!(verdicts(&block, verifier), wanted, "{name}, {count}");
                }
            }
        }
    }

    #[test]
    fn every_fault_is_in_every_lane() {
        let (_, wanted) = block::drawn(4096, SCHEMES[0].sign);
        for lane in 0..8 {
            assert!(
                wanted
                    .iter()
                    .skip(lane)
                    .step_by(8)
                    .filter(|valid| !**valid)
                    .count()
                    > 20
            );
        }
    }
}
