#[path = "points.rs"]
mod points;
use ark_ff::{BigInteger, Fp256, MontBackend, MontConfig, PrimeField};

#[derive(MontConfig)]
#[modulus = "115792089210356248762697446949407573530086143415290314195533631308867097853951"]
#[generator = "6"]
pub struct P256Config;
type P256 = Fp256<MontBackend<P256Config, 4>>;

fn host_read(bytes: &[u8], _bound: u32) -> P256 {
    P256::from_be_bytes_mod_order(bytes)
}

fn host_write(element: &P256) -> Vec<u8> {
    element.into_bigint().to_bytes_be()
}
