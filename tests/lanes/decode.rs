//! Points decoded at once: encodings in lines of hexadecimal bytes, and x and y of each, or none.

use std::io::Read;
use whole::{lanes, IDENTITY};

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    assert!(lanes::is_available());
    for line in text.lines() {
        let given: Vec<Vec<u8>> = line.split(',').filter(|word| !word.is_empty()).map(bytes).collect();
        let given: Vec<&[u8]> = given.iter().map(|each| &each[..]).collect();
        let mut points = vec![IDENTITY; given.len()];
        let mut found = vec![false; given.len()];
        lanes::decode_batch(&mut points, &mut found, &given);
        let texts = points.iter().zip(&found).map(|(point, found)| match found {
            true => {
                let p = point.to_affine();
                hexadecimal(&p.x.to_bytes_be()) + &hexadecimal(&p.y.to_bytes_be())
            }
            false => {
                assert!(bool::from(point.is_identity()));
                "none".into()
            }
        });
        println!("{}", texts.collect::<Vec<_>>().join(","));
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()).collect()
}
