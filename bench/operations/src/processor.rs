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
