//! Macros of functions that ask a crate of points, which `dalek_points_program.rs` compares.

/// Defines a function that asks a crate; all arithmetic is on values that it read itself.
macro_rules! answers {
    ($name:ident, $krate:ident) => {
        fn $name(given: &Given) -> Answers {
            use ff::{Field, PrimeField};
            use group::{cofactor::CofactorGroup, Group, GroupEncoding};
            use $krate::traits::{
                BasepointTable, IsIdentity, MultiscalarMul, VartimeMultiscalarMul,
                VartimePrecomputedMultiscalarMul,
            };
            use $krate::{constants::*, edwards::*, montgomery::*, ristretto::*, scalar::*};

            let Given { number, a, b, wide, many } = given;
            let (number, a, b) = (*number, *a, *b);
            let mut found = Answers::new();
            let mut put = |name: &'static str, bytes: &[u8]| found.push((name, bytes.to_vec()));

            // Scalars, reduced and not.
            let (unreduced, other) = (Scalar::from_bits(a), Scalar::from_bits(b));
            let (x, y) = (Scalar::from_bytes_mod_order(a), Scalar::from_bytes_mod_order(b));
            let z = Scalar::from_bytes_mod_order_wide(wide);
            put("canonical", &[Scalar::from_canonical_bytes(a).is_some().unwrap_u8()]);
            put("repr", &[Scalar::from_repr(a).is_some().unwrap_u8()]);
            for (name, scalar) in [
                ("x", x),
                ("z", z),
                ("x + y", x + y),
                ("x - y", x - y),
                ("x y", x * y),
                ("product of unreduced", unreduced * other),
                ("-x", -x),
                ("- unreduced", -unreduced),
                ("1/x", Scalar::invert(&x)),
                ("1/x in ff", Option::from(Field::invert(&x)).unwrap_or(Scalar::ZERO)),
                ("square", x.square()),
                ("double", Field::double(&x)),
                ("hash", Scalar::hash_from_bytes::<Sha512>(wide)),
                ("sum", [x, y, z].iter().sum()),
                ("product", [x, y, z].iter().product()),
                ("integer", Scalar::from(number as u64)),
                ("two inverse", Scalar::TWO_INV),
                ("root of unity", Scalar::ROOT_OF_UNITY),
                ("its inverse", Scalar::ROOT_OF_UNITY_INV),
                ("delta", Scalar::DELTA),
                ("generator", Scalar::MULTIPLICATIVE_GENERATOR),
            ] {
                put(name, scalar.as_bytes());
            }
            put("odd", &[x.is_odd().unwrap_u8(), unreduced.is_odd().unwrap_u8()]);
            // Signs of roots are free.
            put("root", &x.sqrt().map(|root| (root * root).to_bytes()).unwrap_or([9; 32]));
            put("roots", &[Scalar::sqrt_ratio(&x, &y).0.unwrap_u8()]);
            put("constants of ff", format!("{} {}", Scalar::NUM_BITS, Scalar::S).as_bytes());
            let mut batch = [x, y, z];
            if batch.iter().all(|scalar| *scalar != Scalar::ZERO) {
                put("product of inverses", inverted!(batch).as_bytes());
                put("inverses", &batch.map(|scalar| scalar.to_bytes()).concat());
            }
            let with_zero = panics(|| {
                let mut some = [x, Scalar::ZERO, z];
                inverted!(some)
            });
            let mut none = [Scalar::ZERO; 0];
            put("inverse of 0", &[with_zero as u8]);
            put("inverses of none", inverted!(none).as_bytes());

            // Points of any order.
            let read = CompressedEdwardsY(a).decompress();
            put("point", &[read.is_some() as u8]);
            put("point of group", &[EdwardsPoint::from_bytes(&a).is_some().unwrap_u8()]);
            put("point of subgroup", &[SubgroupPoint::from_bytes(&a).is_some().unwrap_u8()]);
            let p = read.unwrap_or(ED25519_BASEPOINT_POINT * x);
            let small = EIGHT_TORSION[number % 8];
            let q = EdwardsPoint::mul_base(&z) + small;
            for point in [p, q, small] {
                let verdicts = [point.is_small_order(), point.is_torsion_free(), IsIdentity::is_identity(&point)];
                put("verdicts", &verdicts.map(u8::from));
                put("verdict of group", &[CofactorGroup::is_torsion_free(&point).unwrap_u8()]);
                put("u", point.to_montgomery().as_bytes());
                let table = EdwardsBasepointTable::create(&point);
                let wider = EdwardsBasepointTableRadix128::from(&table);
                for (name, point) in [
                    ("same", point),
                    ("unreduced P", unreduced * point),
                    ("P z", point * z),
                    ("clamped P", point.mul_clamped(b)),
                    ("8 P", point.mul_by_cofactor()),
                    ("2 P", Group::double(&point)),
                    ("cleared", CofactorGroup::clear_cofactor(&point).into()),
                    ("a P + b G", EdwardsPoint::vartime_double_scalar_mul_basepoint(&unreduced, &point, &other)),
                    ("table", &table * &unreduced),
                    ("table, clamped", table.mul_base_clamped(b)),
                    ("table's point", table.basepoint()),
                    ("wider table", &y * &wider),
                    ("P + q", point + q),
                    ("P - q", point - q),
                    ("-P", -point),
                ] {
                    put(name, point.compress().as_bytes());
                }
            }
            put("equal points", &[(p == q) as u8, (p == p + small) as u8]);
            for (name, point) in [
                ("k G", EdwardsPoint::mul_base(&unreduced)),
                ("clamped G", EdwardsPoint::mul_base_clamped(a)),
                ("table of G", ED25519_BASEPOINT_TABLE * &other),
                ("sum", [p, q, small].iter().sum()),
                ("default", EdwardsPoint::default()),
                ("generator", <EdwardsPoint as Group>::generator()),
            ] {
                put(name, point.compress().as_bytes());
            }

            // Sums of many multiples.
            let ks: Vec<Scalar> = many.iter().map(|bytes| Scalar::from_bits(*bytes)).collect();
            let torsion = |i: usize| EIGHT_TORSION[(i + number) % 8];
            let ps: Vec<EdwardsPoint> =
                ks.iter().enumerate().map(|(i, k)| EdwardsPoint::mul_base(k) * z + torsion(i)).collect();
            let half = ks.len() / 2;
            let tables = VartimeEdwardsPrecomputation::new(&ps[..half]);
            let fewer = half / 2;
            for (name, point) in [
                ("sum in constant time", EdwardsPoint::multiscalar_mul(&ks, &ps)),
                ("sum in variable time", EdwardsPoint::vartime_multiscalar_mul(&ks, &ps)),
                ("prepared", tables.vartime_multiscalar_mul(&ks[..half])),
                ("prepared and others", tables.vartime_mixed_multiscalar_mul(&ks[..half], &ks[half..], &ps[half..])),
            ] {
                put(name, point.compress().as_bytes());
            }
            let some = || ps.iter().map(|p| (number % 3 > 0).then_some(*p));
            put("missing points", &[EdwardsPoint::optional_multiscalar_mul(&ks, some()).is_some() as u8]);
            put("missing points beside tables", &[tables
                .optional_mixed_multiscalar_mul(&ks[..half], &ks, some())
                .is_some() as u8]);
            let unequal = panics(|| EdwardsPoint::multiscalar_mul(&ks[..half], &ps));
            let unequal_var = panics(|| EdwardsPoint::vartime_multiscalar_mul(&ks, &ps[..half]));
            let too_many = panics(|| tables.vartime_multiscalar_mul(&ks));
            let too_few = panics(|| tables.vartime_multiscalar_mul(&ks[..fewer]));
            put("panics", &[unequal, unequal_var, too_many, too_few].map(u8::from));

            // Elements of ristretto255.
            let read = CompressedRistretto(a).decompress();
            put("element", &[read.is_some() as u8]);
            put("element of group", &[RistrettoPoint::from_bytes(&a).is_some().unwrap_u8()]);
            let mapped = RistrettoPoint::from_uniform_bytes(wide);
            let element = read.unwrap_or(mapped) * unreduced + RistrettoPoint::mul_base(&other);
            let again = CompressedRistretto(element.compress().0).decompress().unwrap();
            put("equal elements", &[(element == mapped) as u8, (element == again) as u8, IsIdentity::is_identity(&element) as u8]);
            let table = RistrettoBasepointTable::create(&element);
            // The difference is the identity, by any point of its coset.
            let more = [element, element - again, RistrettoPoint::default()];
            let rs: Vec<RistrettoPoint> = ks.iter().map(|k| mapped * k).chain(more).collect();
            let ristretto_tables = VartimeRistrettoPrecomputation::new(&rs[..half]);
            for (name, element) in [
                ("mapped", mapped),
                ("multiple", element),
                ("read again", again),
                ("hashed", RistrettoPoint::hash_from_bytes::<Sha512>(&a)),
                ("table", &table * &y),
                ("table of basepoint", RISTRETTO_BASEPOINT_TABLE * &y),
                ("sum", rs.iter().sum()),
                ("negative", -element),
                ("twice", Group::double(&element)),
                ("a P + b G", RistrettoPoint::vartime_double_scalar_mul_basepoint(&x, &element, &y)),
                ("many", RistrettoPoint::multiscalar_mul(&ks, &rs[..ks.len()])),
                ("many, variable", RistrettoPoint::vartime_multiscalar_mul(&ks, &rs[..ks.len()])),
                ("many, prepared", ristretto_tables.vartime_mixed_multiscalar_mul(&ks[..half], &ks[half..], &rs[half..ks.len()])),
            ] {
                put(name, element.compress().as_bytes());
            }
            for encoding in RistrettoPoint::double_and_compress_batch(&rs) {
                put("batch", encoding.as_bytes());
            }
            for element in &rs {
                put("double", (element + element).compress().as_bytes());
            }

            // u-coordinates of the curve and of its twist.
            let u = MontgomeryPoint(a);
            for (name, u) in [
                ("clamped u", u.mul_clamped(b)),
                ("u x", u * x),
                ("clamped 9", MontgomeryPoint::mul_base_clamped(b)),
                ("9 x", MontgomeryPoint::mul_base(&x)),
                ("bits", u.mul_bits_be((0..number % 300).map(|i| b[i / 8 % 32] >> (i % 8) & 1 == 1))),
            ] {
                put(name, u.as_bytes());
            }
            for sign in 0..2 {
                put("point of u", &u.to_edwards(sign).map_or([9; 32], |point| point.compress().0));
            }
            put("equal u", &[(u == MontgomeryPoint(b)) as u8, (u == p.to_montgomery()) as u8]);
            let mut hasher = std::collections::hash_map::DefaultHasher::new();
            std::hash::Hash::hash(&u, &mut hasher);
            put("hash of u", &std::hash::Hasher::finish(&hasher).to_le_bytes());

            for bytes in [
                ED25519_BASEPOINT_COMPRESSED.0,
                ED25519_BASEPOINT_POINT.compress().0,
                X25519_BASEPOINT.0,
                RISTRETTO_BASEPOINT_COMPRESSED.0,
                RISTRETTO_BASEPOINT_POINT.compress().0,
                small.compress().0,
                clamp_integer(a),
            ] {
                put("constants", &bytes);
            }
            let wrong = CompressedEdwardsY::from_slice(&wide[..number % 40]).is_ok();
            put("slices", &[wrong as u8, CompressedRistretto::try_from(&a[..]).is_ok() as u8]);
            generation!(put, $krate, given, p, q, small);
            found
        }
    };
}

/// Inverts scalars in place.
#[cfg(feature = "old")]
macro_rules! inverted {
    ($batch:ident) => {
        Scalar::batch_invert(&mut $batch)
    };
}

#[cfg(not(feature = "old"))]
macro_rules! inverted {
    ($batch:ident) => {{
        let mut more = $batch.to_vec();
        let all = Scalar::invert_batch(&mut $batch);
        assert_eq!((Scalar::invert_batch_alloc(&mut more), &more[..]), (all, &$batch[..]));
        all
    }};
}

/// Asks for functions of one generation.
#[cfg(feature = "old")]
macro_rules! generation {
    ($put:ident, $krate:ident, $given:ident, $p:ident, $q:ident, $small:ident) => {
        let mapped = EdwardsPoint::nonspec_map_to_curve::<Sha512>(&$given.a);
        $put("mapped by no standard", mapped.compress().as_bytes());
        $put("order", BASEPOINT_ORDER.as_bytes());
    };
}

#[cfg(not(feature = "old"))]
macro_rules! generation {
    ($put:ident, $krate:ident, $given:ident, $p:ident, $q:ident, $small:ident) => {
        let points = [$p, $q, $small];
        for encoding in EdwardsPoint::compress_batch(&points) {
            $put("encodings", encoding.as_bytes());
        }
        assert_eq!(EdwardsPoint::compress_batch_alloc(&points), EdwardsPoint::compress_batch(&points));
        for u in EdwardsPoint::to_montgomery_batch(&points) {
            $put("u-coordinates", u.as_bytes());
        }
        let mut number = $given.b;
        (number[0], number[31]) = (number[0] & 0xfe, number[31] & 0x3f);
        let mapped = [RistrettoPoint::map_to_curve($given.a), RistrettoPoint::map_to_curve_restricted(number)];
        let random = RistrettoPoint::mul_base(&Scalar::from_bytes_mod_order_wide(&$given.wide));
        for element in [mapped[0], mapped[1], random, RistrettoPoint::default()] {
            let inverses = element.map_to_curve_inverse().map(Option::<[u8; 32]>::from);
            for (name, half) in [("even inverses", &inverses[..8]), ("odd inverses", &inverses[8..])] {
                let mut found: Vec<_> = half.iter().flatten().collect();
                found.sort();
                // The identity is an image of some elements twice in the published list.
                found.dedup();
                $put(name, &found.into_iter().flatten().copied().collect::<Vec<_>>());
            }
            $put("no lizard", &[u8::from(element.lizard_decode::<sha2::Sha256>().is_none())]);
        }
        let data = $given.wide[..16].try_into().unwrap();
        let element = RistrettoPoint::lizard_encode::<sha2::Sha256>(&data);
        $put("lizard", element.compress().as_bytes());
        assert_eq!(element.lizard_decode::<sha2::Sha256>(), Some(data));
        let message: [&[u8]; 2] = [&$given.a[..$given.number % 33], &$given.b];
        let domain: [&[u8]; 2] = [b"domain", &[7; 249][..$given.number % 250]];
        let hashed = [
            EdwardsPoint::hash_to_curve::<Sha512>(&message, &domain),
            EdwardsPoint::encode_to_curve::<Sha512>(&message, &domain),
            EdwardsPoint::encode_to_curve::<Sha512>(&[], &domain[..1]),
        ];
        for point in hashed {
            $put("hashed", point.compress().as_bytes());
        }
        let long = [0; 256];
        let wrong: [&[&[u8]]; 3] = [&[], &[&[], &[]], &[&long]];
        let wrong = wrong.map(|domain| panics(|| EdwardsPoint::hash_to_curve::<Sha512>(&message, domain)));
        $put("panics", &wrong.map(u8::from));
        $put("half", Scalar::from_bytes_mod_order($given.a).div_by_2().as_bytes());
        $put("one map", RistrettoPoint::map_to_curve($given.b).compress().as_bytes());
        let tables = VartimeEdwardsPrecomputation::new(&points[..$given.number % 4]);
        $put("tables", &[tables.len() as u8, tables.is_empty() as u8]);
        for u in X25519_LOW_ORDER_POINTS {
            $put("small u", u.as_bytes());
        }
    };
}

/// Defines a function that has a crate read bytes in every way.
macro_rules! readings {
    ($name:ident, $krate:ident) => {
        fn $name(bytes: [u8; 32]) -> [Option<[u8; 32]>; 6] {
            use $krate::{edwards::CompressedEdwardsY, ristretto::CompressedRistretto, MontgomeryPoint, Scalar};
            let u = MontgomeryPoint(bytes);
            [
                CompressedEdwardsY(bytes).decompress().map(|point| point.compress().0),
                CompressedRistretto(bytes).decompress().map(|element| element.compress().0),
                Option::from(Scalar::from_canonical_bytes(bytes)).map(|scalar: Scalar| scalar.to_bytes()),
                u.to_edwards(0).map(|point| point.compress().0),
                u.to_edwards(1).map(|point| point.compress().0),
                Some(u.mul_clamped([7; 32]).0),
            ]
        }
    };
}
