/// Answers requests for what a test program has no table of: bytes, powers and inverses of many elements.
fn more(name: &str, words: &[&str]) -> Option<String> {
    let bytes = |i: usize| -> Vec<u8> {
        let text = words.get(i).copied().unwrap_or("");
        (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
    };
    let element = |i: usize| read(words[i]).unwrap_or(FieldElement::ZERO);
    Some(match name {
        "set_zero" => write(&FieldElement::ZERO),
        "set_one" => write(&FieldElement::ONE),
        "from_bytes_be" | "from_bytes_le" => {
            let given: [u8; BYTES] = bytes(0).try_into().unwrap();
            let big = name == "from_bytes_be";
            let found = if big { FieldElement::from_bytes_be(&given) } else { FieldElement::from_bytes_le(&given) };
            format!("{} {}", found.is_some().unwrap_u8(), write(&found.unwrap_or(FieldElement::ZERO)))
        }
        "to_bytes_le" => element(0).to_bytes_le().iter().map(|byte| format!("{byte:02x}")).collect(),
        "mul_small_by" => write(&element(0).mul_small(words[1].parse().unwrap())),
        "sqr_n" => write(&element(0).square_n(words[1].parse().unwrap())),
        "pow" => write(&element(0).pow(&bytes(1))),
        "pow_public" => write(&element(0).pow_public(&bytes(1))),
        "inv_batch" => {
            let values: Vec<_> = (0..words.len()).map(element).collect();
            let mut inverses = vec![FieldElement::ONE; values.len()];
            FieldElement::invert_batch(&mut inverses, &values);
            inverses.iter().map(write).collect::<Vec<_>>().join(" ")
        }
        _ => return None,
    })
}

