//! The crate fp2: fields for cryptography on isogenies, any prime that is 3 modulo 4, in Montgomery form, and
//! their extensions of degree 2.

use crate::entry::Entry;
use crate::{field, latency, throughput};

fp2::define_fp_core!(typename = F384, modulus = [0x00000000ffffffffu64, 0xffffffff00000000, 0xfffffffffffffffe, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff],);
fp2::define_fp_core!(typename = F521, modulus = [0xffffffffffffffffu64, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0x00000000000001ff],);
fp2::define_fp_core!(typename = F448, modulus = [0xffffffffffffffffu64, 0xffffffffffffffff, 0xffffffffffffffff, 0xfffffffeffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff],);
fp2::define_fp_core!(typename = F5_248, modulus = [0xffffffffffffffffu64, 0xffffffffffffffff, 0xffffffffffffffff, 0x04ffffffffffffff],);
fp2::define_fp_core!(typename = F65_376, modulus = [0xffffffffffffffffu64, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0x40ffffffffffffff],);
fp2::define_fp_core!(typename = F27_500, modulus = [0xffffffffffffffffu64, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0x01afffffffffffff],);
fp2::define_fp2_from_type!(typename = F5_248_2, base_field = F5_248,);
fp2::define_fp2_from_type!(typename = F65_376_2, base_field = F65_376,);
fp2::define_fp2_from_type!(typename = F27_500_2, base_field = F27_500,);

pub const ENTRIES: &[&[Entry]] = &[
    field!("fp2, rustc", "P-384", F384),
    field!("fp2, rustc", "P-521", F521),
    field!("fp2, rustc", "2^448-2^224-1", F448),
    field!("fp2, rustc", "5*2^248-1", F5_248),
    field!("fp2, rustc", "65*2^376-1", F65_376),
    field!("fp2, rustc", "27*2^500-1", F27_500),
    field!("fp2, rustc", "(5*2^248-1)^2", F5_248_2),
    field!("fp2, rustc", "(65*2^376-1)^2", F65_376_2),
    field!("fp2, rustc", "(27*2^500-1)^2", F27_500_2),
];
