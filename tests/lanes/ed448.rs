//! Keys, signatures and verdicts with a context: those of a batch beside those of each by itself.

use whole::eddsa::{public_key, public_key_batch, sign, sign_batch, verify, verify_batch, SECRET_BYTES, SIGNATURE_BYTES};

fn main() {
    assert!(whole::lanes::is_available());
    let text: Vec<u8> = (0..=255).collect();
    for count in [0, 1, 7, 8, 9, 33, 65] {
        let secrets: Vec<_> = (0..count).map(|at| [u8::try_from(3 * at).unwrap(); SECRET_BYTES]).collect();
        let messages: Vec<&[u8]> = (0..count).map(|at| &text[..2 * at]).collect();
        let context = &text[..count];
        let mut signatures = vec![[1; SIGNATURE_BYTES]; count];
        let mut publics = vec![[1; SECRET_BYTES]; count];
        assert!(sign_batch(&mut signatures, &secrets, &messages, context));
        assert_eq!(sign_batch(&mut signatures.clone(), &secrets, &messages, &[0; 256]), count == 0);
        public_key_batch(&mut publics, &secrets);
        for at in 0..count {
            assert_eq!(signatures[at], sign(&secrets[at], messages[at], context).unwrap());
            assert_eq!(publics[at], public_key(&secrets[at]));
            let place = at * 5 % SIGNATURE_BYTES;
            signatures[at][place] ^= u8::from(at % 3 == 1) << (at % 8);
            publics[at][place % SECRET_BYTES] ^= u8::from(at % 7 == 2) << (at % 8);
        }
        let keys: Vec<&[u8]> = publics.iter().map(|key| &key[..]).collect();
        let signed: Vec<&[u8]> = signatures.iter().map(|signature| &signature[..]).collect();
        let mut valid = vec![true; count];
        verify_batch(&mut valid, &keys, &messages, &signed, context);
        for at in 0..count {
            assert_eq!(valid[at], verify(keys[at], messages[at], signed[at], context), "{at} of {count}");
        }
        println!("{count}: {}", valid.iter().filter(|one| **one).count());
    }
}
