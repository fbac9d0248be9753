//! Answers requests to the operations of a crate with RustCrypto's traits, one a line: `FUNCTION ARGUMENT …` in hexadecimal.
//! Arguments are secret from their bytes on, except for hashes; validity of a number or point is a `Choice` throughout.

use std::io;

use p256 as curve;

use curve::ecdsa::signature::hazmat::PrehashSigner;
use curve::ecdsa::{Signature, SigningKey};
use curve::elliptic_curve::ff::{Field, FromUniformBytes, PrimeField};
use curve::elliptic_curve::group::{Curve, Group, GroupEncoding};
use curve::elliptic_curve::ops::{Invert, LinearCombination, Reduce, ReduceNonZero};
use curve::elliptic_curve::point::AffineCoordinates;
use curve::elliptic_curve::scalar::IsHigh;
use curve::elliptic_curve::subtle::{
    Choice, ConditionallySelectable, ConditionallyNegatable, ConstantTimeEq,
};
use curve::{AffinePoint, FieldBytes, NonZeroScalar, ProjectivePoint, PublicKey, Scalar, SecretKey};

const SIZE: usize = size_of::<FieldBytes>();

fn bytes(text: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal");
    (0..text.len()).step_by(2).map(byte).collect()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn number(text: &str) -> FieldBytes {
    secret(FieldBytes::try_from(&bytes(text)[..]).expect("a number's length"))
}

fn scalar(text: &str) -> Scalar {
    Scalar::from_repr(number(text)).unwrap_or(Scalar::ZERO)
}

fn nonzero(text: &str) -> NonZeroScalar {
    let one = NonZeroScalar::new(Scalar::ONE).expect("1 is not 0");
    NonZeroScalar::from_repr(number(text)).unwrap_or(one)
}

fn affine(text: &str) -> AffinePoint {
    if text == "O" {
        return secret(AffinePoint::IDENTITY);
    }
    let (x, y) = text.split_at(2 * SIZE);
    AffinePoint::from_coordinates(&number(x), &number(y)).unwrap_or(AffinePoint::IDENTITY)
}

fn point(text: &str) -> ProjectivePoint {
    affine(text).into()
}

fn choice(text: &str) -> Choice {
    Choice::from(secret(u8::from(text == "1")))
}

fn write(bytes: impl AsRef<[u8]>) -> String {
    let copied: Vec<u8> = bytes.as_ref().iter().map(|byte| public(*byte)).collect();
    hexadecimal(&copied)
}

fn write_choice(choice: Choice) -> String {
    public(choice.unwrap_u8()).to_string()
}

fn write_scalar(scalar: &Scalar) -> String {
    write(scalar.to_repr())
}

fn write_affine(point: &AffinePoint) -> String {
    if public(point.is_identity().unwrap_u8()) == 1 {
        return "O".into();
    }
    write(point.x()) + &write(point.y())
}

fn write_point(point: &ProjectivePoint) -> String {
    write_affine(&point.to_affine())
}

fn of_scalars(words: &[&str]) -> Option<String> {
    Some(match *words {
        ["scalar_add", a, b] => write_scalar(&(scalar(a) + scalar(b))),
        ["scalar_sub", a, b] => write_scalar(&(scalar(a) - scalar(b))),
        ["scalar_mul", a, b] => write_scalar(&(scalar(a) * scalar(b))),
        ["scalar_neg", a] => write_scalar(&-scalar(a)),
        ["scalar_double", a] => write_scalar(&scalar(a).double()),
        ["scalar_square", a] => write_scalar(&scalar(a).square()),
        ["scalar_invert", a] => write_scalar(&scalar(a).invert().unwrap_or(Scalar::ZERO)),
        ["scalar_sqrt", a] => {
            let root = scalar(a).sqrt();
            write_choice(root.is_some()) + &write_scalar(&root.unwrap_or(Scalar::ZERO).square())
        }
        ["scalar_sqrt_ratio", a, b] => {
            let (square, root) = Scalar::sqrt_ratio(&scalar(a), &scalar(b));
            write_choice(square) + &write_scalar(&(root.square() * scalar(b)))
        }
        ["scalar_from_repr", text] => {
            let found = Scalar::from_repr(number(text));
            write_choice(found.is_some()) + &write_scalar(&found.unwrap_or(Scalar::ZERO))
        }
        ["scalar_reduce", text] => write_scalar(&<Scalar as Reduce<FieldBytes>>::reduce(&number(text))),
        ["scalar_reduce_nonzero", text] => {
            write_scalar(&<Scalar as ReduceNonZero<FieldBytes>>::reduce_nonzero(&number(text)))
        }
        ["scalar_from_uniform_bytes", text] => {
            let wide: [u8; 2 * SIZE] = bytes(text).try_into().expect("two numbers' length");
            write_scalar(&Scalar::from_uniform_bytes(&secret(wide)))
        }
        ["scalar_equal", a, b] => write_choice(scalar(a).ct_eq(&scalar(b))),
        ["scalar_is_zero", a] => write_choice(scalar(a).is_zero()),
        ["scalar_is_odd", a] => write_choice(scalar(a).is_odd()),
        ["scalar_is_high", a] => write_choice(scalar(a).is_high()),
        ["scalar_select", a, b, which] => {
            write_scalar(&Scalar::conditional_select(&scalar(a), &scalar(b), choice(which)))
        }
        ["scalar_sum", a, b] => write_scalar(&[scalar(a), scalar(b)].iter().sum()),
        ["scalar_product", a, b] => write_scalar(&[scalar(a), scalar(b)].iter().product()),
        ["nonzero_invert", a] => write_scalar(&Invert::invert(&nonzero(a))),
        _ => return None,
    })
}

fn of_points(words: &[&str]) -> Option<String> {
    Some(match *words {
        ["point_add", p, q] => write_point(&(point(p) + point(q))),
        ["point_add_affine", p, q] => write_point(&(point(p) + affine(q))),
        ["point_sub", p, q] => write_point(&(point(p) - point(q))),
        ["point_double", p] => write_point(&point(p).double()),
        ["point_neg", p] => write_point(&-point(p)),
        ["point_mul", p, k] => write_point(&(point(p) * scalar(k))),
        ["affine_mul", p, k] => write_point(&(affine(p) * scalar(k))),
        ["generator_mul", k] => write_point(&ProjectivePoint::mul_by_generator(&scalar(k))),
        ["point_lincomb", p, a, q, b] => {
            let pairs = [(point(p), scalar(a)), (point(q), scalar(b))];
            write_point(&ProjectivePoint::lincomb(&pairs))
        }
        ["point_select", p, q, which] => {
            write_point(&ProjectivePoint::conditional_select(&point(p), &point(q), choice(which)))
        }
        ["affine_select", p, q, which] => {
            write_affine(&AffinePoint::conditional_select(&affine(p), &affine(q), choice(which)))
        }
        ["point_negate_if", p, which] => {
            let mut found = point(p);
            found.conditional_negate(choice(which));
            write_point(&found)
        }
        ["point_equal", p, q] => write_choice(point(p).ct_eq(&point(q))),
        ["affine_equal", p, q] => write_choice(affine(p).ct_eq(&affine(q))),
        ["point_is_identity", p] => write_choice(point(p).is_identity()),
        ["affine_y_is_odd", p] => write_choice(affine(p).y_is_odd()),
        ["batch_normalize", p, q] => {
            let mut both = [AffinePoint::IDENTITY; 2];
            ProjectivePoint::batch_normalize(&[point(p), point(q)], &mut both);
            both.iter().map(write_affine).collect::<Vec<_>>().concat()
        }
        ["affine_to_bytes", p] => write(affine(p).to_bytes()),
        ["point_to_bytes", p] => write(point(p).to_bytes()),
        _ => return None,
    })
}

fn of_keys(words: &[&str]) -> Option<String> {
    Some(match *words {
        ["sign", k, hash] => {
            let signature: Signature = public(SigningKey::from(nonzero(k)).sign_prehash(&bytes(hash)))
                .expect("a hash of any length is signed");
            write(public(signature).to_bytes())
        }
        ["verifying_key", k] => write_affine(SigningKey::from(nonzero(k)).verifying_key().as_affine()),
        ["public_key", k] => write_affine(SecretKey::from(nonzero(k)).public_key().as_affine()),
        ["public_key_of_scalar", k] => write_affine(PublicKey::from_secret_scalar(&nonzero(k)).as_affine()),
        ["secret_key_to_bytes", k] => write(SecretKey::from(nonzero(k)).to_bytes()),
        ["secret_key_equal", a, b] => {
            write_choice(SecretKey::from(nonzero(a)).ct_eq(&SecretKey::from(nonzero(b))))
        }
        ["exchange", k, p] => {
            let shared = curve::ecdh::diffie_hellman(nonzero(k), affine(p));
            write(shared.raw_secret_bytes())
        }
        _ => return None,
    })
}

fn main() -> io::Result<()> {
    for line in io::stdin().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let answer = of_scalars(&words).or_else(|| of_points(&words)).or_else(|| of_keys(&words));
        let answer = answer.unwrap_or_else(|| match words[..] {
            ["leak", text] => leak(secret(bytes(text)[0])),
            _ => "error: there is no such function".into(),
        });
        println!("{answer}");
    }
    Ok(())
}

