//! Elements of ristretto255 by the crate of points: answers each request of the command line by a line.
//!
//! `multiple K` and `uniform BYTES` ask for encodings, `read BYTES` for the encoding again; `half K` is `multiple K` from
//! half of it, by the encoding of twice an element.

use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT;
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;

fn bytes(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

fn main() {
    for request in std::env::args().skip(1) {
        let (name, argument) = request.split_once(' ').unwrap();
        let scalar = || Scalar::from(argument.parse::<u64>().unwrap());
        let found = match name {
            "multiple" => {
                let element = RISTRETTO_BASEPOINT_POINT * scalar();
                assert_eq!(element, RistrettoPoint::mul_base(&scalar()));
                Some(element.compress())
            }
            "half" => {
                let half = RISTRETTO_BASEPOINT_POINT * (scalar() * Scalar::from(2_u8).invert());
                Some(RistrettoPoint::double_and_compress_batch([&half])[0])
            }
            "uniform" => Some(RistrettoPoint::from_uniform_bytes(&bytes(argument).try_into().unwrap()).compress()),
            "read" => {
                let element = CompressedRistretto::from_slice(&bytes(argument)).unwrap().decompress();
                element.map(|element| element.compress())
            }
            _ => panic!("{name} is unknown"),
        };
        let text = found.map(|found| found.0.map(|byte| format!("{byte:02x}")).concat());
        println!("{}", text.unwrap_or_else(|| "refused".into()));
    }
}
