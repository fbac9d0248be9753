//! Answers requests about the elements of a group, one a line: multiple N, sum N, read HEX, uniform HEX.

use group_of_prime_order::{Element, Scalar, ENCODED_BYTES, UNIFORM_BYTES};

fn bytes<const N: usize>(text: &str) -> [u8; N] {
    assert_eq!(text.len(), 2 * N);
    core::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
}

fn main() {
    let words: Vec<_> = std::env::args().skip(1).collect();
    for pair in words.chunks(2) {
        let found: Option<Element> = match pair[0].as_str() {
            "read" => Element::decode(&bytes::<ENCODED_BYTES>(&pair[1])).into(),
            "uniform" => Some(Element::from_uniform_bytes(&bytes::<UNIFORM_BYTES>(&pair[1]))),
            request => {
                let number: u8 = pair[1].parse().unwrap();
                let (k, two) = (Scalar::reduce(&[number]), Scalar::reduce(&[2]));
                let multiple = Element::multiply_generator(&k);
                assert_eq!(multiple, Element::generator() * k);
                assert_eq!(multiple, Element::generator().multiply_var(&k));
                assert_eq!(bool::from(multiple.is_identity()), number == 0);
                let terms = [multiple, Element::generator()];
                let sum = Element::multi_multiply(&[two, Scalar::ZERO], &terms) - multiple;
                assert_eq!(sum, Element::multi_multiply_var(&[two, Scalar::ZERO], &terms) - multiple);
                Some(if request == "sum" { sum } else { multiple })
            }
        };
        let text = |encoding: [u8; ENCODED_BYTES]| encoding.map(|byte| format!("{byte:02x}")).concat();
        println!("{}", found.map_or("refused".into(), |element| text(element.encode())));
    }
}
