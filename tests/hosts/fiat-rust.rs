#[path = "points.rs"]
mod points;
use fiat_crypto::curve25519_64::{
    fiat_25519_from_bytes, fiat_25519_tight_field_element as Tight, fiat_25519_to_bytes,
};

fn host_read(bytes: &[u8], _bound: u32) -> Tight {
    let mut array: [u8; 32] = bytes.try_into().unwrap();
    array.reverse();
    let mut element = Tight([0; 5]);
    fiat_25519_from_bytes(&mut element, &array);
    element
}

fn host_write(element: &Tight) -> Vec<u8> {
    let mut array = [0; 32];
    fiat_25519_to_bytes(&mut array, element);
    array.reverse();
    array.to_vec()
}
