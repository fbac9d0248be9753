//! Vector instructions of the processor at hand, as peers ask for them when they run.

#[cfg(target_arch = "x86_64")]
pub fn has_ifma() -> bool {
    is_x86_feature_detected!("avx512ifma") && is_x86_feature_detected!("avx512vl")
}

#[cfg(target_arch = "x86_64")]
pub fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
}

#[cfg(not(target_arch = "x86_64"))]
pub fn has_ifma() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
pub fn has_avx2() -> bool {
    false
}

/// Returns the name of the vector code that runs here, out of what a library was built with.
pub fn vector_code(ifma: bool, avx2: bool) -> &'static str {
    if ifma && has_ifma() {
        "AVX-512 IFMA"
    } else if avx2 && has_avx2() {
        "AVX2"
    } else {
        "serial"
    }
}

/// Returns the back end of `curve25519-dalek` here, by the rules of its build script and of its module `backend`.
pub fn dalek_back_end() -> &'static str {
    let serial = cfg!(any(
        curve25519_dalek_backend = "serial",
        curve25519_dalek_backend = "fiat"
    ));
    let native = cfg!(all(target_feature = "avx512ifma", target_feature = "avx512vl"));
    let asked = cfg!(curve25519_dalek_backend = "avx512");
    let automatic = native && cfg!(not(curve25519_dalek_backend = "simd"));
    vector_code(!serial && (asked || automatic), !serial)
}
