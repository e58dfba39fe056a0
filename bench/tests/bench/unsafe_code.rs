//! Tests where unsafe code is, and where a processor is named: in kernels, the executor, checks of machine code, the
//! driver of graphics processors, descriptors given by number, and bindings of other languages and libraries.

use crate::documents::sources;
use crate::root;
use std::fs;

/// Every file that may contain `unsafe`, which the workspace denies elsewhere.
const UNSAFE: [&str; 56] = [
    // bindings of peers
    "bench/src/peers/blst/ffi.rs",
    "bench/src/peers/ffi.rs",
    "bench/src/peers/gnark/ffi.rs",
    "bench/src/peers/mcl/ffi.rs",
    "bench/src/peers/relic/ffi.rs",
    // kernels, operations at addresses that call them, and requests to the cache
    "crates/field/src/binary/four.rs",
    "crates/field/src/binary/lanes.rs",
    "crates/field/src/binary/long.rs",
    "crates/field/src/binary/power.rs",
    "crates/field/src/binary/products.rs",
    "crates/field/src/binary/trinomial.rs",
    "crates/field/src/cache.rs",
    "crates/field/src/ifma/kernels.rs",
    "crates/field/src/ifma/kernels/address.rs",
    "crates/field/src/ifma/kernels/inline.rs",
    "crates/field/src/ifma/transposed.rs",
    "crates/field/src/mont/calls.rs",
    "crates/field/src/mont/forms.rs",
    "crates/field/src/mont/kernels.rs",
    "crates/field/src/mont/kernels/linear.rs",
    "crates/field/src/mont/kernels/product.rs",
    "crates/field/src/mont/kernels/reduction.rs",
    "crates/field/src/mont/kernels/small.rs",
    "crates/field/src/mont/kernels/square.rs",
    "crates/field/src/mont/kernels/words.rs",
    "crates/field/src/mont/mod.rs",
    "crates/field/src/mont/sums.rs",
    "crates/field/src/mont/values.rs",
    "crates/field/src/ternary/lanes.rs",
    // checks of machine code: requests to Valgrind, and a process that traps after each of its steps
    "crates/field/src/memcheck/request.rs",
    "crates/field/src/paths/process.rs",
    // a test that calls C functions
    "crates/schemes/tests/secrets.rs",
    // the executor of verified programs
    "crates/program/src/execute/arithmetic.rs",
    "crates/program/src/execute/call.rs",
    "crates/program/src/execute/calls.rs",
    "crates/program/src/execute/invert.rs",
    "crates/program/src/execute/link.rs",
    "crates/program/src/execute/memory.rs",
    "crates/program/src/execute/mod.rs",
    "crates/program/src/rows/run.rs",
    // the driver of graphics processors
    "crates/cuda/src/ceilings.rs",
    "crates/cuda/src/driver.rs",
    "crates/cuda/src/memory.rs",
    "crates/cuda/src/pinned.rs",
    "crates/cuda/src/stream.rs",
    // arrays that other libraries pass as pointers
    "crates/python/src/arrow.rs",
    // values that a forked process leaves to its parent
    "crates/python/src/per_process.rs",
    // file descriptors that the command gets by number
    "crates/cli/src/descriptor.rs",
    // C pointers, and the functions that C calls
    "crates/capi/src/abi/context.rs",
    "crates/capi/src/abi/elements.rs",
    "crates/capi/src/abi/error.rs",
    "crates/capi/src/abi/multiples.rs",
    "crates/capi/src/abi/pairings.rs",
    "crates/capi/src/abi/points.rs",
    "crates/capi/src/abi/target.rs",
    "crates/capi/src/memory.rs",
];

#[test]
fn unsafe_code_is_only_where_it_is_expected() {
    let root = root();
    let files = ["crates", "bench"].iter().flat_map(|folder| sources(&root.join(folder)));
    // in two parts, so that this file does not match
    let permits = concat!("allow(", "unsafe_code)");
    let mut found: Vec<String> = files
        .filter(|file| fs::read_to_string(file).unwrap().contains(permits))
        .map(|file| file.strip_prefix(root).unwrap().to_str().unwrap().into())
        .collect();
    found.sort();
    let mut expected = UNSAFE.to_vec();
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert!(fs::read_to_string(root.join("Cargo.toml")).unwrap().contains("unsafe_code = \"deny\""));
}

#[test]
fn pairings_name_no_processor() {
    for file in sources(&root().join("crates/pairing")) {
        assert!(!fs::read_to_string(&file).unwrap().contains("target_arch"), "{}", file.display());
    }
}
