//! Multiples of many points at once, one request in a line: a function, and its arguments in hexadecimal.

use std::io::{stdin, BufRead};

use whole::{lanes, multiply_generator, Point, IDENTITY, SCALAR_BYTES};

fn bytes(text: &str) -> [u8; SCALAR_BYTES] {
    core::array::from_fn(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap())
}

fn shown(point: &Point) -> String {
    let coordinates = point.encode_wire();
    coordinates.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn main() {
    assert!(lanes::is_available());
    for line in stdin().lock().lines() {
        let line = line.unwrap();
        let mut words = line.split(' ');
        let name = words.next().unwrap();
        let (mut a, mut b, mut q) = (Vec::new(), Vec::new(), Vec::new());
        for word in words {
            let parts: Vec<_> = word.split(':').map(bytes).collect();
            a.push(parts[0]);
            b.push(parts[1]);
            q.push(multiply_generator(&parts[2]));
        }
        let mut r = vec![IDENTITY; a.len()];
        match name {
            "multiply" => lanes::multiply_batch(&mut r, &b, &q),
            "multiply_generator" => lanes::multiply_generator_batch(&mut r, &a),
            "sum" => r = vec![lanes::multi_multiply(&b, &q)],
            "sum_var" => r = vec![lanes::multi_multiply_var(&b, &q)],
            _ => lanes::double_multiply_batch(&mut r, &a, &b, &q),
        }
        println!("{}", r.iter().map(shown).collect::<Vec<_>>().join(" "));
    }
}
