//! Verdicts on many signatures at once beside those on one: each kind of edit in every place.

use whole::eddsa::{public_key, public_key_batch, sign, sign_batch, verify, verify_batch, SECRET_BYTES};

/// Keys and signatures of a batch are those of each by itself.
fn signatures_are_those_of_one(count: usize) {
    let secrets: Vec<_> = (0..count).map(|at| [u8::try_from(3 * at).unwrap(); SECRET_BYTES]).collect();
    let text: Vec<u8> = (0..=255).collect();
    let messages: Vec<&[u8]> = (0..count).map(|at| &text[..2 * at]).collect();
    let mut signatures = vec![[1; 64]; count];
    let mut publics = vec![[1; 32]; count];
    sign_batch(&mut signatures, &secrets, &messages);
    public_key_batch(&mut publics, &secrets);
    for at in 0..count {
        assert_eq!(signatures[at], sign(&secrets[at], messages[at]), "{at} of {count}");
        assert_eq!(publics[at], public_key(&secrets[at]), "{at} of {count}");
    }
}

fn main() {
    assert!(whole::lanes::is_available());
    for count in [0, 1, 7, 8, 9, 33, 65] {
        signatures_are_those_of_one(count);
        let (mut keys, mut messages, mut signatures) = (Vec::new(), Vec::new(), Vec::new());
        for at in 0..count {
            let secret = [u8::try_from(at).unwrap(); SECRET_BYTES];
            let message = vec![u8::try_from(at).unwrap(); at];
            let mut signature = sign(&secret, &message).to_vec();
            let mut key = public_key(&secret);
            match at % 7 {
                1 => signature[at % 64] ^= 1 << (at % 8),
                2 => key = [u8::from(at % 2 == 0); 32],
                3 => signature[32..].fill(0xff),
                4 => drop(signature.pop()),
                5 => {
                    // The identity as the key, and as R with S = 0: valid for every message in its only encoding.
                    key = [0; 32];
                    key[0] = 1;
                    let mut other = key;
                    match at % 3 {
                        0 => other[31] = 0x80,
                        1 => other = core::array::from_fn(|i| [0xee, 0xff, 0x7f][usize::from(i > 0) + i / 31]),
                        _ => {}
                    }
                    signature = [&other[..], &[0; 32]].concat();
                }
                _ => {}
            }
            keys.push(key);
            messages.push(message);
            signatures.push(signature);
        }
        let keys: Vec<&[u8]> = keys.iter().map(|key| &key[..]).collect();
        let messages: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
        let signatures: Vec<&[u8]> = signatures.iter().map(|signature| &signature[..]).collect();
        let mut valid = vec![true; count];
        verify_batch(&mut valid, &keys, &messages, &signatures);
        for at in 0..count {
            assert_eq!(valid[at], verify(keys[at], messages[at], signatures[at]), "{at} of {count}");
        }
        println!("{count}: {}", valid.iter().filter(|one| **one).count());
    }
}
