//! Copies of much that nobody reads soon: past the caches, so that memory is written once and never read.
#![allow(unsafe_code)]

/// Copies numbers to memory that is larger than the caches. The result is that of `copy_from_slice`.
///
/// # Panics
/// If the lengths differ.
pub fn copy_streamed(from: &[f64], to: &mut [f64]) {
    assert_eq!(from.len(), to.len(), "as many numbers as places");
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_loadu_pd, _mm_sfence, _mm_stream_pd};
        // Pairs of doubles at multiples of 16 bytes; what stands before and after is stored as usual.
        let head = (to.as_ptr().align_offset(16)).min(to.len());
        let pairs = (to.len() - head) / 2;
        to[..head].copy_from_slice(&from[..head]);
        for k in 0..pairs {
            let at = head + 2 * k;
            // SAFETY: at + 1 < head + 2 · pairs ≤ both lengths; `to` is aligned there, and every x86-64 has SSE2.
            unsafe { _mm_stream_pd(to.as_mut_ptr().add(at), _mm_loadu_pd(from.as_ptr().add(at))) };
        }
        to[head + 2 * pairs..].copy_from_slice(&from[head + 2 * pairs..]);
        // SAFETY: as above. Such stores are weakly ordered: others shall see them when this returns.
        unsafe { _mm_sfence() };
    }
    #[cfg(not(target_arch = "x86_64"))]
    to.copy_from_slice(from);
}

#[cfg(test)]
mod tests {
    use super::copy_streamed;

    #[test]
    fn every_length_and_alignment_is_copied_and_nothing_else_written() {
        let from: Vec<f64> = (0..40).map(f64::from).collect();
        for start in 0..4 {
            for length in 0..33 {
                let mut to = vec![-1.0; 40];
                copy_streamed(&from[..length], &mut to[start..start + length]);
                let wanted =
                    |k: usize| if (start..start + length).contains(&k) { (k - start) as f64 } else { -1.0 };
                assert!(to.iter().enumerate().all(|(k, x)| *x == wanted(k)), "{start}, {length}");
            }
        }
    }
}
