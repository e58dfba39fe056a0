//! A process that is stopped after every instruction (ptrace(2)), on x86-64 under Linux.
//!
//! `unsafe`: processes, and reading code. A child is a copy of this process, so its code is read here.
#![allow(unsafe_code)]

use super::step::Step;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use libc::{c_void, user_regs_struct};
use std::collections::HashMap;
use std::hint::black_box;
use std::ptr::null_mut;

/// The longest instruction.
const LONGEST: usize = 15;
/// What a child ends with that may not be traced, and one whose job panicked.
const UNTRACED: i32 = 42;
const PANICKED: i32 = 43;

/// The paths of a job for secrets, without their ends, at which processes end too. All children are made before one runs, so that
/// they are copies of one state, and find the secret at one place.
pub(super) fn paths<S: Copy, const N: usize>(secrets: [S; N], job: impl Fn(S)) -> [Vec<Step>; N] {
    stay_on_one_core();
    let mut place = secrets[0];
    let children = secrets.map(|secret| {
        place = black_box(secret);
        start(|| job(black_box(place)))
    });
    children.map(follow)
}

/// This thread and its children run where it runs now: a step takes two switches between processes, and many times longer if
/// they have to wake another core.
fn stay_on_one_core() {
    // SAFETY: a set of cores, for which 0 is empty, and places for it
    unsafe {
        let mut cores: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(libc::sched_getcpu().max(0) as usize, &mut cores);
        libc::sched_setaffinity(0, size_of_val(&cores), &cores);
    }
}

/// A child that is stopped where the job begins.
fn start(job: impl FnOnce()) -> libc::pid_t {
    // SAFETY: the child runs the job on a copy of this thread and ends; other threads of this process wait for the test
    match unsafe { libc::fork() } {
        -1 => panic!("no child process: {}", std::io::Error::last_os_error()),
        0 => {
            // SAFETY: a request that takes no addresses
            if unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, null_mut::<c_void>(), null_mut::<c_void>()) } != 0 {
                // SAFETY: ends the child
                unsafe { libc::_exit(UNTRACED) }
            }
            // SAFETY: stops the child until the parent wants its first step
            unsafe { libc::raise(libc::SIGSTOP) };
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
            // SAFETY: ends the child
            unsafe { libc::_exit(if done.is_ok() { 0 } else { PANICKED }) }
        }
        child => child,
    }
}

/// Steps through a child until it ends.
fn follow(child: libc::pid_t) -> Vec<Step> {
    let (mut known, mut path) = (HashMap::new(), vec![]);
    loop {
        let mut status = 0;
        // SAFETY: a place for the status
        assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child, "{}", std::io::Error::last_os_error());
        if libc::WIFEXITED(status) {
            match libc::WEXITSTATUS(status) {
                0 => return path,
                UNTRACED => panic!("this system does not let a process trace its child"),
                status => panic!("the traced job ended with status {status}"),
            }
        }
        let signal = if libc::WIFSTOPPED(status) { libc::WSTOPSIG(status) } else { 0 };
        assert!([libc::SIGTRAP, libc::SIGSTOP].contains(&signal), "the traced job was sent signal {signal}");
        if signal == libc::SIGTRAP {
            path.push(step(&registers(child), &mut known));
        }
        // SAFETY: a request that takes no addresses, to a child that is stopped
        let stepped =
            unsafe { libc::ptrace(libc::PTRACE_SINGLESTEP, child, null_mut::<c_void>(), null_mut::<c_void>()) };
        assert_eq!(stepped, 0, "{}", std::io::Error::last_os_error());
    }
}

/// The registers of a child that is stopped.
fn registers(child: libc::pid_t) -> user_regs_struct {
    // SAFETY: integers, for which 0 is a value
    let mut registers: user_regs_struct = unsafe { std::mem::zeroed() };
    // SAFETY: a place for the registers
    let read = unsafe { libc::ptrace(libc::PTRACE_GETREGS, child, null_mut::<c_void>(), &raw mut registers) };
    assert_eq!(read, 0, "{}", std::io::Error::last_os_error());
    registers
}

/// The instruction that a stopped child executes next.
fn step(registers: &user_regs_struct, known: &mut HashMap<u64, Instruction>) -> Step {
    let instruction = known.entry(registers.rip).or_insert_with(|| decode(registers.rip));
    let value = |register: Register, _: usize, _: usize| {
        Some(match register {
            Register::RAX => registers.rax,
            Register::RBX => registers.rbx,
            Register::RCX => registers.rcx,
            Register::RDX => registers.rdx,
            Register::RSI => registers.rsi,
            Register::RDI => registers.rdi,
            Register::RBP => registers.rbp,
            Register::RSP => registers.rsp,
            Register::R8 => registers.r8,
            Register::R9 => registers.r9,
            Register::R10 => registers.r10,
            Register::R11 => registers.r11,
            Register::R12 => registers.r12,
            Register::R13 => registers.r13,
            Register::R14 => registers.r14,
            Register::R15 => registers.r15,
            Register::FS => registers.fs_base,
            Register::GS => registers.gs_base,
            Register::CS | Register::DS | Register::ES | Register::SS => 0,
            _ => return None,
        })
    };
    let mut touches = 0u64;
    let computes_only = [Mnemonic::Lea, Mnemonic::Nop].contains(&instruction.mnemonic());
    let operands = (0..instruction.op_count()).filter(|i| !computes_only && is_memory(instruction.op_kind(*i)));
    for operand in operands {
        let Some(address) = instruction.virtual_address(operand, 0, value) else {
            panic!("{:?} at {:#x} takes its address from a vector", instruction.code(), registers.rip)
        };
        touches = touches.wrapping_mul(3).wrapping_add(address);
    }
    Step { at: registers.rip, touches }
}

fn is_memory(kind: OpKind) -> bool {
    use OpKind::{Memory, MemoryESDI, MemoryESRDI, MemorySegRDI, MemorySegRSI, MemorySegSI};
    matches!(kind, Memory | MemoryESDI | MemoryESRDI | MemorySegRDI | MemorySegRSI | MemorySegSI)
}

/// The instruction at an address of code.
pub(super) fn decode(at: u64) -> Instruction {
    // SAFETY: the instruction is executed in a copy of this process, so that at least its bytes can be read; those behind it are
    // of the same section or of its padding
    let bytes = unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance::<u8>(at as usize), LONGEST) };
    let instruction = Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).decode();
    assert!(!instruction.is_invalid(), "an instruction at {at:#x} that the decoder does not know: {bytes:02x?}");
    instruction
}
