//! Requests to Valgrind, in the instructions by which it knows them.
#![allow(unsafe_code)]

/// The answer to a request, 0 without Valgrind.
///
/// The four rotations turn rdi by 128 bits, that is not at all, and the exchange of rbx with itself does nothing; Valgrind takes
/// them in this order as a request whose words rax points to, and leaves the answer in rdx (valgrind.h, "special sequence").
#[cfg(target_arch = "x86_64")]
pub(super) fn request(number: u64, [first, second]: [u64; 2]) -> u64 {
    let words = [number, first, second, 0, 0, 0];
    let mut answer = 0u64;
    // SAFETY: on a processor the sequence changes nothing; Valgrind reads the six words, and what it then notes about memory is no
    // part of the program
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

/// Where x lies. The assembly above may change it for all that the compiler knows, so it is read from there again.
pub(super) fn address<T: ?Sized>(x: &mut T) -> u64 {
    std::ptr::from_mut(x).cast::<()>().expose_provenance() as u64
}
