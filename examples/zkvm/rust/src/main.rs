//! The guest on this machine: reads what the host gives from standard input, and ends with the guest's status.
//!
//! Arguments are the answers of calls, `least`, `largest` or the seed of random ones, the first and the last such call.

use std::array::from_fn;
use std::env::args;
use std::io::{stdin, Read};

use guest::field::Fe;
use guest::half::{check_sum, Claim, Hints};
use guest::machine::portable::{Answer, ANSWER};

fn main() {
    let arguments: Vec<String> = args().skip(1).collect();
    if let [answer, first, last] = arguments.as_slice() {
        let answer = match answer.as_str() {
            "least" => Answer::Least,
            "largest" => Answer::Largest,
            seed => Answer::Random(seed.parse().expect("a seed")),
        };
        let number = |text: &str| text.parse().expect("the number of a call");
        *ANSWER.lock().expect("there is one thread") = (answer, number(first), number(last));
    }
    let mut bytes = Vec::new();
    stdin().read_to_end(&mut bytes).expect("a claim");
    bytes.resize(7 * 32 + 512, 0);
    check_sum(&claim(&bytes));
}

/// Returns the claim of these bytes, whose words begin with their least significant byte.
fn claim(bytes: &[u8]) -> Claim {
    let element = |i: usize| -> Fe {
        from_fn(|j| {
            let word = &bytes[32 * i + 4 * j..][..4];
            u32::from_le_bytes(word.try_into().expect("4 bytes"))
        })
    };
    Claim {
        a: element(0),
        b: element(1),
        q: [element(2), element(3)],
        r: [element(4), element(5)],
        hints: Hints {
            inverse: element(6),
            schedule: from_fn(|i| [bytes[224 + 2 * i], bytes[225 + 2 * i]]),
        },
    }
}
