//! Fused multiply-add by the hardware, where it has it but the target does not promise it.
#![allow(unsafe_code)]

/// Runs something in which every `f64::mul_add` that is inlined is one instruction, if the processor has it;
/// otherwise each is a call of the C library, with the same result.
#[cfg(all(target_arch = "x86_64", not(target_feature = "fma")))]
#[inline(always)]
pub(crate) fn with_fma<R>(work: impl FnOnce() -> R) -> R {
    #[target_feature(enable = "fma")]
    fn fused<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
    if is_x86_feature_detected!("fma") {
        // SAFETY: the processor has what the function is compiled for.
        unsafe { fused(work) }
    } else {
        work()
    }
}

/// Here `f64::mul_add` is always what it can be.
#[cfg(not(all(target_arch = "x86_64", not(target_feature = "fma"))))]
#[inline(always)]
pub(crate) fn with_fma<R>(work: impl FnOnce() -> R) -> R {
    work()
}
