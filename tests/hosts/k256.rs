#[path = "points.rs"]
mod points;
use k256::FieldElement;

/// Adds a multiple of the prime, so that the element has the magnitude that the function allows.
fn host_read(bytes: &[u8], bound: u32) -> FieldElement {
    let array: [u8; 32] = bytes.try_into().unwrap();
    let element = FieldElement::from_bytes(&array.into()).unwrap();
    match bound {
        0 | 1 => element,
        _ => element + FieldElement::ZERO.mul_single(bound - 1),
    }
}

fn host_write(element: &FieldElement) -> Vec<u8> {
    element.normalize().to_bytes().to_vec()
}
