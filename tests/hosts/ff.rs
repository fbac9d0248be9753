#[path = "points.rs"]
mod points;
use p256::FieldElement;

fn host_read(bytes: &[u8], _bound: u32) -> FieldElement {
    let array: [u8; 32] = bytes.try_into().unwrap();
    FieldElement::from_bytes(&array.into()).unwrap()
}

fn host_write(element: &FieldElement) -> Vec<u8> {
    element.to_bytes().to_vec()
}
