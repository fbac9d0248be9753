//! Rust implementations for the harness: what efdgen generates, and its peers.

mod crrl_peers;
mod dalek;
mod entry;
mod fiat;
mod fp2_peers;
mod operators;
mod ours;
mod rustcrypto;
mod sqisign;

use entry::Entry;

const PARTS: [&[&[Entry]]; 7] = [
    crrl_peers::ENTRIES,
    dalek::ENTRIES,
    fiat::ENTRIES,
    fp2_peers::ENTRIES,
    ours::ENTRIES,
    rustcrypto::ENTRIES,
    sqisign::ENTRIES,
];

/// All entries, ended by those without a name.
#[no_mangle]
#[allow(non_upper_case_globals)]
pub static bench_entries: [Entry; 1024] = joined();

const fn joined() -> [Entry; 1024] {
    let mut all = [Entry::END; 1024];
    let (mut filled, mut part) = (0, 0);
    while part < PARTS.len() {
        let mut group = 0;
        while group < PARTS[part].len() {
            let mut at = 0;
            while at < PARTS[part][group].len() {
                all[filled] = PARTS[part][group][at];
                filled += 1;
                at += 1;
            }
            group += 1;
        }
        part += 1;
    }
    all
}
