//! x-coordinates of multiples at once, one request in a line: scalars and x-coordinates in hexadecimal.

use std::io::{stdin, BufRead};

use whole::{lanes, x_multiply, FieldElement, FIELD_BYTES, SCALAR_BYTES};

fn bytes<const SIZE: usize>(text: &str) -> [u8; SIZE] {
    core::array::from_fn(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap())
}

fn shown(x: &FieldElement) -> String {
    x.to_bytes_le().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn main() {
    assert!(lanes::is_available());
    for line in stdin().lock().lines() {
        let line = line.unwrap();
        let (mut k, mut x) = (Vec::new(), Vec::new());
        for row in line.split_whitespace() {
            let (scalar, given) = row.split_once(':').unwrap();
            k.push(bytes::<SCALAR_BYTES>(scalar));
            x.push(FieldElement::from_bytes_le(&bytes::<FIELD_BYTES>(given)).unwrap());
        }
        let mut r = vec![FieldElement::ZERO; k.len()];
        lanes::x_multiply_batch(&mut r, &k, &x);
        for (at, found) in r.iter().enumerate() {
            assert!(*found == x_multiply(&k[at], &x[at]), "{at} of {line}");
        }
        println!("{}", r.iter().map(shown).collect::<Vec<_>>().join(" "));
    }
}
