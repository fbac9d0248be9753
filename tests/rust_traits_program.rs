//! Answers requests to emitted crates through traits alone, one a line: `CRATE FUNCTION =ARGUMENT…` in hexadecimal.

use ff::{FromUniformBytes, PrimeField};
use group::cofactor::CofactorGroup;
use group::prime::PrimeGroup;
use group::{Curve, CurveAffine, Group, GroupEncoding};
use rand_core::TryRng;

mod signatures;

const REFUSED: &str = "refused";

/// A source that hands out some bytes, one after the other, and fails after them.
struct Source(std::vec::IntoIter<u8>);

#[derive(Debug)]
struct Exhausted;

impl std::fmt::Display for Exhausted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("exhausted")
    }
}

impl std::error::Error for Exhausted {}

impl TryRng for Source {
    type Error = Exhausted;

    fn try_next_u32(&mut self) -> Result<u32, Exhausted> {
        Err(Exhausted)
    }

    fn try_next_u64(&mut self) -> Result<u64, Exhausted> {
        Err(Exhausted)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Exhausted> {
        for byte in bytes {
            *byte = self.0.next().ok_or(Exhausted)?;
        }
        Ok(())
    }
}

fn hexadecimal(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn optional<T>(found: Option<T>, write: impl Fn(T) -> String) -> String {
    found.map_or_else(|| REFUSED.into(), write)
}

fn bit(choice: impl Into<bool>) -> String {
    u8::from(choice.into()).to_string()
}

/// Copies bytes to a representation, whose length they must have.
fn filled<R: Default + AsMut<[u8]>>(bytes: &[u8]) -> R {
    let mut found = R::default();
    found.as_mut().copy_from_slice(bytes);
    found
}

fn read<F: PrimeField>(bytes: &[u8]) -> F {
    F::from_repr(filled(bytes)).expect("a number below the modulus")
}

fn element<F: PrimeField>(found: F) -> String {
    hexadecimal(found.to_repr())
}

fn constants<F: PrimeField>() -> String {
    let elements = [
        F::ZERO,
        F::ONE,
        F::TWO_INV,
        F::MULTIPLICATIVE_GENERATOR,
        F::ROOT_OF_UNITY,
        F::ROOT_OF_UNITY_INV,
        F::DELTA,
    ];
    let numbers = format!("{} {} {} {}", F::MODULUS, F::NUM_BITS, F::CAPACITY, F::S);
    elements.into_iter().fold(numbers, |text, found| text + " " + &element(found))
}

/// Returns a result on which operators on values, references and places have to agree.
fn agreed<T: Copy + PartialEq>(found: T, others: &[T]) -> T {
    assert!(others.iter().all(|other| *other == found), "operators disagree");
    found
}

macro_rules! operated {
    ($a:expr, $b:expr, $operator:tt, $assignment:tt) => {{
        let (mut by_value, mut by_reference) = ($a, $a);
        by_value $assignment $b;
        by_reference $assignment &$b;
        agreed($a $operator $b, &[$a $operator &$b, by_value, by_reference])
    }};
}

/// The functions of one or two elements.
fn computed<F: PrimeField>(function: &str, a: F, b: F) -> String {
    let both = [a, b];
    match function {
        "add" => element(operated!(a, b, +, +=)),
        "sub" => element(agreed(operated!(a, b, -, -=), &[a + -b])),
        "mul" => element(operated!(a, b, *, *=)),
        "sum" => element(agreed(both.iter().sum::<F>(), &[both.into_iter().sum()])),
        "product" => element(agreed(both.iter().product::<F>(), &[both.into_iter().product()])),
        "square" => element(a.square()),
        "cube" => element(a.cube()),
        "double" => element(a.double()),
        "invert" => optional(a.invert().into_option(), element),
        "sqrt" => optional(a.sqrt().into_option(), |root| element(root.square())),
        "sqrt_ratio" => {
            let (is_square, root) = F::sqrt_ratio(&a, &b);
            format!("{} {}", bit(is_square), element(root.square()))
        }
        "power" => element(a.pow([3, 1])),
        "is_zero" => bit(a.is_zero()),
        "is_odd" => bit(a.is_odd()),
        "is_even" => bit(a.is_even()),
        "equal" => bit(a.ct_eq(&b)) + &bit(a == b),
        "select" => element(F::conditional_select(&a, &b, a.is_odd())),
        _ => panic!("there is no {function}"),
    }
}

fn field<F: PrimeField>(function: &str, arguments: &[Vec<u8>]) -> String {
    match (function, arguments) {
        ("constants", []) => constants::<F>(),
        ("read", [a]) => optional(F::from_repr(filled(a)).into_option(), element),
        ("u64", [a]) => element(F::from(u64::from_be_bytes(a[..].try_into().expect("8 bytes")))),
        ("u128", [a]) => element(F::from_u128(u128::from_be_bytes(a[..].try_into().expect("16 bytes")))),
        ("decimal", [a]) => {
            let text = std::str::from_utf8(a).expect("digits");
            optional(F::from_str_vartime(text), element)
        }
        ("random", [a]) => optional(F::try_random(&mut Source(a.clone().into_iter())).ok(), element),
        (_, [a]) => computed::<F>(function, read(a), F::ZERO),
        (_, [a, b]) => computed::<F>(function, read(a), read(b)),
        _ => panic!("there is no {function}"),
    }
}

fn uniform<const N: usize, F: FromUniformBytes<N>>(bytes: &[u8]) -> String {
    element(F::from_uniform_bytes(bytes.try_into().expect("as many bytes as are reduced")))
}

fn point<G: GroupEncoding>(bytes: &[u8]) -> G {
    G::from_bytes(&filled(bytes)).expect("the encoding of a point")
}

fn encoded<G: GroupEncoding>(found: G) -> String {
    hexadecimal(found.to_bytes())
}

/// The functions of points, and of scalars where one comes last.
fn points<G: Group + GroupEncoding>(function: &str, arguments: &[Vec<u8>]) -> String {
    match (function, arguments) {
        ("identity", []) => encoded(agreed(G::identity(), &[std::iter::empty::<G>().sum()])),
        ("generator", []) => encoded(G::generator()),
        ("read", [p]) => {
            let unchecked = optional(G::from_bytes_unchecked(&filled(p)).into_option(), encoded);
            let found = optional(G::from_bytes(&filled(p)).into_option(), encoded);
            assert!(found == unchecked || found == REFUSED);
            found
        }
        ("generate", [k]) => {
            let k = read::<G::Scalar>(k);
            encoded(agreed(operated!(G::generator(), k, *, *=), &[G::mul_by_generator(&k)]))
        }
        ("multiple", [p, k]) => encoded(operated!(point::<G>(p), read::<G::Scalar>(k), *, *=)),
        ("add", [p, q]) => encoded(operated!(point::<G>(p), point::<G>(q), +, +=)),
        ("sub", [p, q]) => encoded(operated!(point::<G>(p), point::<G>(q), -, -=)),
        ("sum", [p, q]) => {
            let both = [point::<G>(p), point(q)];
            encoded(agreed(both.iter().sum::<G>(), &[both.into_iter().sum()]))
        }
        ("neg", [p]) => encoded(-point::<G>(p)),
        ("double", [p]) => encoded(point::<G>(p).double()),
        ("is_identity", [p]) => bit(point::<G>(p).is_identity()),
        ("random", [p]) => optional(G::try_random(&mut Source(p.clone().into_iter())).ok(), encoded),
        _ => panic!("there is no {function}"),
    }
}

/// The functions of points in affine coordinates.
fn affine<G: Curve + GroupEncoding>(function: &str, arguments: &[Vec<u8>]) -> String {
    let form = |bytes: &[u8]| point::<G>(bytes).to_affine();
    match (function, arguments) {
        ("identity", []) => encoded(agreed(G::Affine::identity(), &[G::identity().to_affine()])),
        ("generator", []) => encoded(agreed(G::Affine::generator(), &[G::generator().to_affine()])),
        ("read", [p]) => {
            let found = G::Affine::from_bytes(&filled(p)).into_option();
            optional(found, |p| encoded(agreed(p, &[p.to_curve().to_affine()])))
        }
        ("add", [p, q]) => encoded(operated!(point::<G>(p), form(q), +, +=)),
        ("sub", [p, q]) => encoded(operated!(point::<G>(p), form(q), -, -=)),
        ("neg", [p]) => encoded(agreed(-form(p), &[(-point::<G>(p)).to_affine()])),
        ("is_identity", [p]) => bit(form(p).is_identity()),
        ("multiple", [p, k]) => {
            let k = read::<G::Scalar>(k);
            encoded(agreed(form(p) * k, &[form(p) * &k]))
        }
        // More than share an inversion, not normalized before.
        ("sum", [p, q]) => {
            let sums: Vec<G> =
                (0..70).map(|i| point::<G>(if i % 3 == 0 { p } else { q }) + G::generator()).collect();
            let mut found = vec![G::Affine::identity(); sums.len()];
            G::batch_normalize(&sums, &mut found);
            assert!(found.iter().zip(&sums).all(|(found, sum)| *found == sum.to_affine()), "a batch differs");
            let both = [found[33], found[34]].map(|found| found.to_curve() - G::generator());
            encoded(both[0] + both[1])
        }
        _ => panic!("there is no {function}"),
    }
}

/// The functions of the subgroup of a curve, a group of prime order.
fn subgroup<G: CofactorGroup>(function: &str, arguments: &[Vec<u8>]) -> String
where
    G::Subgroup: PrimeGroup,
{
    match (function, arguments) {
        ("clear", [p]) => encoded(point::<G>(p).clear_cofactor()),
        ("into_subgroup", [p]) => optional(point::<G>(p).into_subgroup().into_option(), encoded),
        ("is_torsion_free", [p]) => bit(point::<G>(p).is_torsion_free()),
        ("is_small_order", [p]) => bit(point::<G>(p).is_small_order()),
        ("add_subgroup", [p, q]) => encoded(operated!(point::<G>(p), point::<G::Subgroup>(q), +, +=)),
        ("sub_subgroup", [p, q]) => encoded(operated!(point::<G>(p), point::<G::Subgroup>(q), -, -=)),
        ("widen", [p]) => encoded::<G>(point::<G::Subgroup>(p).into()),
        _ => points::<G::Subgroup>(function, arguments),
    }
}

/// The functions of one crate; `sizes` are the bytes of numbers that are reduced to elements and to scalars.
macro_rules! curve {
    ($name:ident, $sizes:expr) => {
        mod $name {
            use ::$name::{FieldElement, Point, Scalar};

            const SIZES: [usize; 2] = $sizes;

            pub fn answer(kind: &str, function: &str, arguments: &[Vec<u8>]) -> String {
                match (kind, function, arguments) {
                    ("element", "uniform", [a]) => crate::uniform::<{ SIZES[0] }, FieldElement>(a),
                    ("scalar", "uniform", [a]) => crate::uniform::<{ SIZES[1] }, Scalar>(a),
                    ("element", ..) => crate::field::<FieldElement>(function, arguments),
                    ("scalar", ..) => crate::field::<Scalar>(function, arguments),
                    ("affine", ..) => crate::affine::<Point>(function, arguments),
                    ("point", ..) => crate::points::<Point>(function, arguments),
                    _ => crate::subgroup::<Point>(function, arguments),
                }
            }
        }
    };
}

curve!(nist, [64, 64]);
curve!(koblitz, [64, 64]);
curve!(edwards, [64, 64]);
curve!(drawn, include!("sizes"));

fn main() {
    for line in std::io::stdin().lines() {
        let line = line.expect("a line");
        let words: Vec<&str> = line.split(' ').collect();
        let byte = |text: &str, at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal");
        let bytes = |text: &&str| (1..text.len()).step_by(2).map(|at| byte(text, at)).collect();
        let (name, kind, function) = (words[0], words[1], words[2]);
        let arguments: Vec<Vec<u8>> = words[3..].iter().map(bytes).collect();
        println!(
            "{}",
            match (name, kind) {
                (_, "readable") => signatures::readable(function, &arguments[0]),
                (_, "ecdsa") => signatures::ecdsa(name, function, &arguments[0], &arguments[1]),
                (_, "bip340") => signatures::bip340(function, &arguments[0], &arguments[1]),
                (_, "eddsa") => signatures::eddsa(&arguments[0], &arguments[1]),
                ("nist", _) => nist::answer(kind, function, &arguments),
                ("koblitz", _) => koblitz::answer(kind, function, &arguments),
                ("edwards", _) => edwards::answer(kind, function, &arguments),
                _ => drawn::answer(kind, function, &arguments),
            }
        );
    }
}
