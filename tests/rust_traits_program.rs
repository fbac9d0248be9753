//! Answers requests to emitted crates through traits alone, one a line: `CRATE FUNCTION =ARGUMENT…` in hexadecimal.

use ff::{FromUniformBytes, PrimeField};
use group::cofactor::CofactorGroup;
use group::prime::PrimeGroup;
use group::{Curve, CurveAffine, Group, GroupEncoding};
use rand_core::TryRng;
use sha2::Sha256;
use signature::hazmat::{PrehashSigner, PrehashVerifier};
use signature::{DigestSigner, DigestVerifier, Keypair, SignatureEncoding, Signer, Verifier};

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

/// Signatures by two keys of one secret, each verified by the other's verifying key, of a message and another one.
fn signatures<S, T>(
    ours: &(impl Keypair<VerifyingKey: Verifier<S>> + Signer<S>),
    theirs: &(impl Keypair<VerifyingKey: Verifier<T>> + Signer<T>),
    message: &[u8],
) -> String
where
    S: SignatureEncoding,
    T: SignatureEncoding,
{
    let (own, other) = (ours.sign(message), theirs.sign(message));
    verdicts(
        &own,
        &other,
        |message, own, other| {
            let ours = ours.verifying_key().verify(message, own).is_ok();
            [ours, theirs.verifying_key().verify(message, other).is_ok()]
        },
        message,
    )
}

/// Both signatures, and whether each is valid as the other's, for a message and another one.
fn verdicts<S: SignatureEncoding, T: SignatureEncoding>(
    own: &S,
    other: &T,
    verify: impl Fn(&[u8], &S, &T) -> [bool; 2],
    message: &[u8],
) -> String {
    let crossed = |bytes: &[u8]| S::try_from(bytes).ok().expect("a signature");
    let back = |bytes: &[u8]| T::try_from(bytes).ok().expect("a signature");
    let (from_theirs, from_ours) = (crossed(other.to_bytes().as_ref()), back(own.to_bytes().as_ref()));
    let altered = [message, b"."].concat();
    let found = [message, &altered].map(|text| verify(text, &from_theirs, &from_ours).map(bit).concat());
    format!("{} {} {}", hexadecimal(own.to_bytes()), hexadecimal(other.to_bytes()), found.concat())
}

/// The same of digests, which are signed as such and as a function hashes.
fn prehashed<S, T>(
    ours: &(impl Keypair<VerifyingKey: PrehashVerifier<S> + DigestVerifier<Sha256, S>>
          + PrehashSigner<S>
          + DigestSigner<Sha256, S>),
    theirs: &(impl Keypair<VerifyingKey: PrehashVerifier<T> + DigestVerifier<Sha256, T>>
          + PrehashSigner<T>
          + DigestSigner<Sha256, T>),
    message: &[u8],
) -> String
where
    S: SignatureEncoding,
    T: SignatureEncoding,
{
    use sha2::Digest;
    let digest = Sha256::digest(message);
    let own = ours.sign_prehash(&digest).expect("a signature");
    let other = theirs.sign_prehash(&digest).expect("a signature");
    let hashed: S = ours.sign_digest(|hash: &mut Sha256| Digest::update(hash, message));
    assert_eq!(hexadecimal(hashed.to_bytes()), hexadecimal(own.to_bytes()));
    verdicts(
        &own,
        &other,
        |message, own, other| {
            let by_digest = |hash: &mut Sha256| {
                Digest::update(hash, message);
                Ok(())
            };
            let (our_key, their_key) = (ours.verifying_key(), theirs.verifying_key());
            let digest = Sha256::digest(message);
            let valid = our_key.verify_prehash(&digest, own).is_ok();
            assert_eq!(valid, our_key.verify_digest(by_digest, own).is_ok());
            [valid, their_key.verify_prehash(&digest, other).is_ok()]
        },
        message,
    )
}

fn ecdsa(name: &str, function: &str, secret: &[u8], message: &[u8]) -> String {
    macro_rules! curve {
        ($own:ident, $peer:ident) => {{
            let secret: [u8; 32] = secret.try_into().expect("32 bytes");
            let ours = ::$own::ecdsa_keys::SigningKey::<Sha256>::from_bytes(&secret);
            let theirs = ::$peer::ecdsa::SigningKey::from_slice(&secret);
            assert_eq!(ours.is_ok(), theirs.is_ok());
            let (Ok(ours), Ok(theirs)) = (ours, theirs) else {
                return REFUSED.into();
            };
            type Ours = ::$own::ecdsa_keys::Signature;
            type Theirs = ::$peer::ecdsa::Signature;
            match function {
                "sign" => signatures::<Ours, Theirs>(&ours, &theirs, message),
                _ => prehashed::<Ours, Theirs>(&ours, &theirs, message),
            }
        }};
    }
    match name {
        "nist" => curve!(nist, p256),
        _ => curve!(koblitz, k256),
    }
}

fn bip340(function: &str, secret: &[u8], message: &[u8]) -> String {
    use ::koblitz::bip340_keys::{Signature, SigningKey};
    let secret: [u8; 32] = secret.try_into().expect("32 bytes");
    let (ours, theirs) = (SigningKey::from_bytes(&secret), k256::schnorr::SigningKey::from_slice(&secret));
    assert_eq!(ours.is_ok(), theirs.is_ok());
    let (Ok(ours), Ok(theirs)) = (ours, theirs) else {
        return REFUSED.into();
    };
    if function == "prehash" {
        return prehashed::<Signature, k256::schnorr::Signature>(&ours, &theirs, message);
    }
    // The peer's `Signer` hashes the message first; its raw functions do not.
    let other = theirs.sign_raw(message, &[0; 32]).expect("a signature");
    verdicts::<Signature, k256::schnorr::Signature>(
        &ours.sign(message),
        &other,
        |message, own, other| {
            let ours = ours.verifying_key().verify(message, own).is_ok();
            [ours, theirs.verifying_key().verify_raw(message, other).is_ok()]
        },
        message,
    )
}

fn eddsa(secret: &[u8], message: &[u8]) -> String {
    use ::edwards::eddsa_keys::{Signature, SigningKey};
    let secret: [u8; 32] = secret.try_into().expect("32 bytes");
    let theirs = ed25519_dalek::SigningKey::from_bytes(&secret);
    signatures::<Signature, ed25519_dalek::Signature>(&SigningKey::from_bytes(&secret), &theirs, message)
}

/// Signatures and keys of any bytes: whether they are read.
fn readable(function: &str, bytes: &[u8]) -> String {
    bit(match function {
        "nist_signature" => ::nist::ecdsa_keys::Signature::try_from(bytes).is_ok(),
        "nist_key" => ::nist::ecdsa_keys::VerifyingKey::<Sha256>::from_bytes(bytes).is_ok(),
        "bip340_signature" => ::koblitz::bip340_keys::Signature::try_from(bytes).is_ok(),
        "bip340_key" => {
            let key = <&[u8; 32]>::try_from(bytes).map(::koblitz::bip340_keys::VerifyingKey::from_bytes);
            key.is_ok_and(|key| key.is_ok())
        }
        "eddsa_signature" => ::edwards::eddsa_keys::Signature::try_from(bytes).is_ok(),
        _ => ::edwards::eddsa_keys::VerifyingKey::from_bytes(bytes).is_ok(),
    })
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
                (_, "readable") => readable(function, &arguments[0]),
                (_, "ecdsa") => ecdsa(name, function, &arguments[0], &arguments[1]),
                (_, "bip340") => bip340(function, &arguments[0], &arguments[1]),
                (_, "eddsa") => eddsa(&arguments[0], &arguments[1]),
                ("nist", _) => nist::answer(kind, function, &arguments),
                ("koblitz", _) => koblitz::answer(kind, function, &arguments),
                ("edwards", _) => edwards::answer(kind, function, &arguments),
                _ => drawn::answer(kind, function, &arguments),
            }
        );
    }
}
