//! A process that traps after every instruction, on x86-64 under Linux. With the trap flag set (Intel's manual, volume
//! 3, single-step exceptions) the processor raises a debug exception after each instruction, and the handler of SIGTRAP
//! records the next one. A tracer in another process (ptrace(2)) takes twice as long, because each step costs two
//! context switches.
//!
//! `unsafe`: processes, signals, shared memory, and reading code.
#![allow(unsafe_code)]

use super::step::Step;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use libc::{c_int, c_void, siginfo_t, ucontext_t};
use std::hint::black_box;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The length of the longest instruction in bytes.
const LONGEST: usize = 15;
/// The trap flag TF in RFLAGS.
const TRAP: i64 = 1 << 8;
/// The maximum number of steps of a path: 1 GiB, of which only the written part takes memory.
const MAX: usize = 1 << 26;
/// The number of decoded instructions that a child caches.
const KNOWN: usize = 1 << 14;
/// The exit statuses of a child whose job panicked, whose path is too long, and that meets an address taken from a
/// vector.
const PANICKED: c_int = 42;
const TOO_LONG: c_int = 43;
const OF_VECTOR: c_int = 44;

/// A path, in memory that a child shares with its parent.
#[repr(C)]
struct Path {
    len: usize,
    steps: [Step; MAX],
}

/// The data that the signal handler of a child writes.
struct Tracer {
    path: *mut Path,
    /// The cache of decoded instructions, indexed by address modulo its length: a handler must not allocate.
    known: Vec<Instruction>,
}

static TRACER: AtomicPtr<Tracer> = AtomicPtr::new(null_mut());

/// Returns the paths of a job for secrets, including the first and last steps of the processes. Every child is a copy
/// of the same state, and finds its secret at the same place.
pub(super) fn paths<S: Copy, const N: usize>(secrets: [S; N], job: impl Fn(S)) -> [Vec<Step>; N] {
    // decodes one instruction first, which builds the decoder's tables: a handler could not
    let known = vec![decode(note as *const () as u64); KNOWN];
    let shared = [(); N].map(|()| Path::shared());
    let mut tracer = Tracer { path: null_mut(), known };
    let mut place = secrets[0];
    let children: [_; N] = std::array::from_fn(|i| {
        place = black_box(secrets[i]);
        tracer.path = shared[i];
        start(&mut tracer, || job(black_box(place)))
    });
    std::array::from_fn(|i| finish(children[i], shared[i]))
}

impl Path {
    /// Allocates an empty path that children share.
    fn shared() -> *mut Path {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: new memory, all zero
        let path = unsafe { libc::mmap(null_mut(), size_of::<Path>(), access, kind, -1, 0) };
        assert_ne!(path, libc::MAP_FAILED, "{}", std::io::Error::last_os_error());
        path.cast()
    }
}

/// Starts a child that runs the job.
fn start(tracer: &mut Tracer, job: impl FnOnce()) -> libc::pid_t {
    // SAFETY: the child runs the job on a copy of this thread and ends; other threads of this process wait for the test
    match unsafe { libc::fork() } {
        -1 => panic!("no child process: {}", std::io::Error::last_os_error()),
        0 => {
            TRACER.store(tracer, Ordering::Relaxed);
            // SAFETY: a signal action, for which all-zero is a valid value, and its handler, which sets the trap flag
            // when it returns from the signal that is raised here
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = note as *const () as usize;
                action.sa_flags = libc::SA_SIGINFO;
                libc::sigaction(libc::SIGTRAP, &raw const action, null_mut());
                libc::raise(libc::SIGTRAP);
            }
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
            // SAFETY: ends the child
            unsafe { libc::_exit(if done.is_ok() { 0 } else { PANICKED }) }
        }
        child => child,
    }
}

/// Waits until a child has ended and returns its path.
fn finish(child: libc::pid_t, path: *mut Path) -> Vec<Step> {
    let mut status = 0;
    // SAFETY: the status is written to a valid place
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child, "{}", std::io::Error::last_os_error());
    // SAFETY: the child, which alone wrote, has ended; steps are written before they are counted
    let steps = unsafe { std::slice::from_raw_parts((&raw const (*path).steps).cast::<Step>(), (*path).len) }.to_vec();
    // SAFETY: memory that nothing refers to any more
    unsafe { libc::munmap(path.cast(), size_of::<Path>()) };
    assert!(libc::WIFEXITED(status), "the traced job was ended by signal {}", libc::WTERMSIG(status));
    match libc::WEXITSTATUS(status) {
        0 => steps,
        PANICKED => panic!("the traced job panicked"),
        TOO_LONG => panic!("the traced job takes more than {MAX} steps"),
        OF_VECTOR => panic!("an address is made of a vector, after {:x?}", steps.last()),
        status => panic!("the traced job ended with status {status}"),
    }
}

/// The handler of SIGTRAP: records the instruction that is executed next, and makes the processor stop after it. The
/// handler may run between any two instructions, including those of an allocation, so it allocates nothing.
extern "C" fn note(_: c_int, _: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes a valid context to a signal handler; the tracer was stored before the first signal was
    // raised, and nothing else uses it in this process
    let (registers, tracer) =
        unsafe { (&mut (*context.cast::<ucontext_t>()).uc_mcontext.gregs, &mut *TRACER.load(Ordering::Relaxed)) };
    registers[libc::REG_EFL as usize] |= TRAP;
    let at = registers[libc::REG_RIP as usize] as u64;
    let known = &mut tracer.known[at as usize % KNOWN];
    if known.ip() != at {
        *known = decode(at);
    }
    // SAFETY: shared memory, which the parent reads only after this process has ended
    let path = unsafe { &mut *tracer.path };
    let end = match (step(known, registers), path.steps.get_mut(path.len)) {
        (Some(step), Some(place)) => {
            *place = step;
            path.len += 1;
            return;
        }
        (None, _) => OF_VECTOR,
        (_, None) => TOO_LONG,
    };
    // SAFETY: ends the child
    unsafe { libc::_exit(end) }
}

/// Returns the step of an instruction with these registers; `None` if the instruction takes an address from a vector.
fn step(instruction: &Instruction, registers: &[i64]) -> Option<Step> {
    let value = |register: Register, _: usize, _: usize| {
        let number = match register {
            Register::RAX => libc::REG_RAX,
            Register::RBX => libc::REG_RBX,
            Register::RCX => libc::REG_RCX,
            Register::RDX => libc::REG_RDX,
            Register::RSI => libc::REG_RSI,
            Register::RDI => libc::REG_RDI,
            Register::RBP => libc::REG_RBP,
            Register::RSP => libc::REG_RSP,
            Register::R8 => libc::REG_R8,
            Register::R9 => libc::REG_R9,
            Register::R10 => libc::REG_R10,
            Register::R11 => libc::REG_R11,
            Register::R12 => libc::REG_R12,
            Register::R13 => libc::REG_R13,
            Register::R14 => libc::REG_R14,
            Register::R15 => libc::REG_R15,
            // a thread's own variables begin at the same address in every child
            Register::FS | Register::GS | Register::CS | Register::DS | Register::ES | Register::SS => return Some(0),
            _ => return None,
        };
        Some(registers[number as usize] as u64)
    };
    let mut touches = 0u64;
    let computes_only = [Mnemonic::Lea, Mnemonic::Nop].contains(&instruction.mnemonic());
    for operand in (0..instruction.op_count()).filter(|i| !computes_only && is_memory(instruction.op_kind(*i))) {
        touches = touches.wrapping_mul(3).wrapping_add(instruction.virtual_address(operand, 0, value)?);
    }
    Some(Step { at: instruction.ip(), touches })
}

fn is_memory(kind: OpKind) -> bool {
    use OpKind::{Memory, MemoryESDI, MemoryESRDI, MemorySegRDI, MemorySegRSI, MemorySegSI};
    matches!(kind, Memory | MemoryESDI | MemoryESRDI | MemorySegRDI | MemorySegRSI | MemorySegSI)
}

/// Decodes the instruction at an address of code.
pub(super) fn decode(at: u64) -> Instruction {
    // SAFETY: the instruction is executed in this process or a copy of it, so that at least its bytes can be read; the
    // bytes behind it belong to the same section or to its padding
    let bytes = unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance::<u8>(at as usize), LONGEST) };
    let instruction = Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).decode();
    assert!(!instruction.is_invalid(), "an instruction at {at:#x} that the decoder does not know: {bytes:02x?}");
    instruction
}
