//! Memory does not grow with the table.
#![cfg(target_os = "linux")]

use crate::support::{Folder, TOY, rows};
use std::fs;
use std::io::Write;
use std::process::Stdio;

/// Returns the peak resident memory of a process in bytes (proc(5)).
fn peak(process: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<usize>().unwrap() << 10
}

/// A pipe holds 64 KiB, so almost all bytes that were written have been read, except for a few chunks.
#[test]
fn memory_is_that_of_a_few_chunks() {
    let folder = Folder::new();
    let mut command = folder.command(&format!("pair --params {} --quiet --threads 2 --chunk 256", TOY));
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let table = rows(1000);
    let mut peaks = vec![];
    for _ in 0..2 {
        for _ in 0..50 {
            input.write_all(table.as_bytes()).unwrap();
        }
        peaks.push(peak(child.id()));
    }
    drop(input);
    assert!(child.wait().unwrap().success());
    // where the system reclaims pages, the reported value may decrease later
    let (read, grown) = (50 * table.len(), peaks[1].saturating_sub(peaks[0]));
    assert!(2 * grown < read, "{grown} bytes more after {read} bytes more: {peaks:?}");
}
