//! The list of kernels with their instruction counts, for the tests that read the kernels' code
//! (`src/ifma/tests/code.rs`) and the tests that call every kernel (`src/ifma/tests/ranges.rs`).

use crate::kernels::SIGNATURE;

/// Returns the source of a function that lists the kernels in `text`, where each kernel follows a line with its counts.
pub(crate) fn of(text: &str) -> String {
    let (mut list, mut called) = (String::new(), String::new());
    let mut counts = None;
    for line in text.lines() {
        if let Some(head) = line.strip_suffix(" issued.") {
            counts = head.strip_prefix("/// ").and_then(|head| head.split_once(" IFMA instructions, "));
        }
        let name = line.strip_prefix(SIGNATURE).and_then(|rest| rest.split('(').next());
        if let (Some(name), Some((ifma, issued))) = (name, counts) {
            list += &format!(
                "        Listed {{ name: \"{name}\", ifma: {ifma}, issued: {issued}, start: {name} as *const u8, called: &called::{name} }},\n"
            );
            called += &format!("    pub(super) static {name}: AtomicU64 = AtomicU64::new(0);\n");
        }
    }
    format!(
        "/// Every kernel.\n#[cfg(test)]\npub(super) fn inventory() -> Vec<Listed> {{\n    vec![\n{list}    ]\n}}\n\n\
        /// How often each was called.\n#[cfg(test)]\n#[allow(non_upper_case_globals, clippy::items_after_test_module)]\nmod called {{\n    \
        use std::sync::atomic::AtomicU64;\n{called}}}\n"
    )
}
