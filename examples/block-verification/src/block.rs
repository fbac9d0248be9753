//! Blocks of transactions whose messages have many lengths, and some of whose signatures are wrong.

/// A transaction: a key, a message, and its signature, all as bytes from strangers.
pub struct Transaction {
    pub key: Vec<u8>,
    pub message: Vec<u8>,
    pub signature: Vec<u8>,
}

/// Returns the public key of a secret, and the signature of a message.
pub type Sign = fn(&[u8; 32], &[u8]) -> (Vec<u8>, Vec<u8>);

/// One of this number of transactions is wrong; the number is odd, so that each lane has wrong ones.
const FAULTS: usize = 11;

/// Returns a block of transactions, and which signatures are valid.
pub fn drawn(count: usize, sign: Sign) -> (Vec<Transaction>, Vec<bool>) {
    (0..count).map(|at| transaction(at, sign)).unzip()
}

fn transaction(at: usize, sign: Sign) -> (Transaction, bool) {
    let message: Vec<u8> = (0..at * 37 % 500).map(|i| (i * i + at) as u8).collect();
    let (mut key, mut signature) = sign(&secret(at), &message);
    if at % FAULTS == 5 {
        match at / FAULTS % 6 {
            0 => signature[at % 64] ^= 1 << (at % 8),
            1 => key = sign(&secret(at + 1), &message).0,
            2 => signature = sign(&secret(at), b"another message").1,
            3 => signature[32..].fill(0xff),
            4 => drop(signature.pop()),
            _ => key.fill(0xff),
        }
    }
    let valid = at % FAULTS != 5;
    (
        Transaction {
            key,
            message,
            signature,
        },
        valid,
    )
}

/// Returns the secret of an account; accounts have several transactions in a block.
fn secret(at: usize) -> [u8; 32] {
    let mut secret = [1; 32];
    secret[..2].copy_from_slice(&((at % 1000) as u16).to_be_bytes());
    secret
}
