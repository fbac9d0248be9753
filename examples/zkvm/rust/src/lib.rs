//! A guest of a zkVM: it checks that R = a·G + b·Q on edwards25519, as guest/half.c does.
//!
//! On other machines than the zkVM the call is a function, which `main.rs` uses.
#![no_std]
#![deny(unsafe_code)]

pub mod curve;
pub mod field;
pub mod half;
pub mod machine;
#[rustfmt::skip]
pub mod tables;
pub mod zk;
