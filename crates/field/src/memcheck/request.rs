//! Requests to Valgrind, by the instruction sequence that it recognises.
#![allow(unsafe_code)]

/// Sends a request to Valgrind and returns the answer; 0 without Valgrind.
///
/// The four rotations turn rdi by 128 bits, that is, not at all, and the exchange of rbx with itself does nothing.
/// Valgrind recognises this sequence as a request whose words rax points to, and leaves the answer in rdx (valgrind.h,
/// "special sequence").
#[cfg(target_arch = "x86_64")]
pub(super) fn request(number: u64, [first, second]: [u64; 2]) -> u64 {
    let words = [number, first, second, 0, 0, 0];
    let mut answer = 0u64;
    // SAFETY: on a processor the sequence changes nothing; Valgrind reads the six words, and what it then notes about
    // memory is not part of the program's state
    unsafe {
        std::arch::asm!("rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") words.as_ptr(), inout("rdx") answer, options(nostack));
    }
    answer
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn request(_: u64, _: [u64; 2]) -> u64 {
    0
}

/// Returns the address of x. For all that the compiler knows, the assembly in `request` may change x, so that x is read
/// from memory again.
pub(super) fn address<T: ?Sized>(x: &mut T) -> u64 {
    std::ptr::from_mut(x).cast::<()>().expose_provenance() as u64
}
