#[path = "points.rs"]
mod points;
use fiat_crypto::p256_64::{
    self as p256, fiat_p256_montgomery_domain_field_element as Element,
    fiat_p256_non_montgomery_domain_field_element as Plain,
};

fn host_read(bytes: &[u8], _bound: u32) -> Element {
    let mut array: [u8; 32] = bytes.try_into().unwrap();
    array.reverse();
    let (mut plain, mut element) = (Plain([0; 4]), Element([0; 4]));
    p256::fiat_p256_from_bytes(&mut plain.0, &array);
    p256::fiat_p256_to_montgomery(&mut element, &plain);
    element
}

fn host_write(element: &Element) -> Vec<u8> {
    let (mut plain, mut array) = (Plain([0; 4]), [0; 32]);
    p256::fiat_p256_from_montgomery(&mut plain, element);
    p256::fiat_p256_to_bytes(&mut array, &plain.0);
    array.reverse();
    array.to_vec()
}
