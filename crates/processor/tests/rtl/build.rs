//! Builds of the benches in `rtl/sim` with Verilator.

use bilinear_processor::{Alu, Issue, Machine, Reduction};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// The pipelined hardware: a product every eight cycles.
pub(crate) const PIPELINED: Issue = Issue::Pipelined { product: 8 };

/// The parameters of a core to build.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Core {
    pub(crate) alu: Alu,
    /// How the core issues instructions.
    pub(crate) issue: Issue,
    pub(crate) registers: u32,
    pub(crate) wide: u32,
    pub(crate) places: u32,
    pub(crate) instructions: u32,
    pub(crate) digits: u32,
    pub(crate) count_bits: u32,
}

impl Core {
    /// Returns a core for short programs.
    pub(crate) fn small(bits: u32, limb: u32, generators: u32, reduction: Reduction) -> Self {
        let alu = Alu { bits, limb, generators, reduction };
        Core {
            alu,
            issue: Issue::Serial,
            registers: 24,
            wide: 0,
            places: 32,
            instructions: 256,
            digits: 64,
            count_bits: 12,
        }
    }

    /// Returns the machine that the core implements.
    pub(crate) fn machine(&self) -> Machine {
        let Core { alu, issue, registers, wide, .. } = *self;
        Machine { alu, issue, registers, wide, spill: true, loops: true }
    }

    /// Returns the number of bits of a limb's index in the core.
    pub(crate) fn limb_bits(&self) -> u32 {
        // the lower half of a wide value is padded to whole steps of a product
        let step = if self.wide > 0 { self.alu.generators } else { 1 };
        bits(self.alu.limbs().next_multiple_of(step).max(self.alu.limbs() + 1))
    }

    fn name(&self) -> String {
        let Alu { bits, limb, generators, reduction } = self.alu;
        let issue = match self.issue {
            Issue::Serial if self.wide > 0 => "wide",
            Issue::Serial => "serial",
            Issue::Beside => "beside",
            Issue::Pipelined { .. } => "pipelined",
        };
        let name = format!("{reduction:?}-{bits}-{limb}-{generators}-{}-{}-{issue}", self.registers, self.instructions);
        name.to_lowercase()
    }
}

/// Returns ⌈log2 n⌉, like $clog2.
pub(crate) fn bits(n: u32) -> u32 {
    n.max(1).next_power_of_two().trailing_zeros()
}

/// Returns the folder of the hardware.
pub(crate) fn rtl() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rtl")
}

/// Returns the folder of the builds.
pub(crate) fn scratch() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("rtl")
}

/// Returns Verilator's folder, which `rtl/prepare.sh` prints.
fn verilator() -> PathBuf {
    let output = Command::new(rtl().join("prepare.sh")).arg("verilator").output().unwrap();
    let root = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "rtl/prepare.sh: {}", String::from_utf8_lossy(&output.stderr));
    PathBuf::from(root.trim())
}

/// Returns the parameters of a core.
pub(crate) fn core_parameters(core: &Core) -> Vec<(&'static str, u32)> {
    let Alu { bits, limb, generators, reduction } = core.alu;
    let five_stage = u32::from(reduction == Reduction::FiveStage);
    let shape = match reduction {
        // bn-258: u = 2^63 + 857
        Reduction::Polynomial => {
            let pipelined = u32::from(core.issue == PIPELINED);
            vec![("M", 63), ("S", 857), ("BITS", bits), ("D", limb), ("PIPELINED", pipelined)]
        }
        _ => {
            let shape = [("N", bits), ("W", limb), ("G", generators), ("FIVE_STAGE", five_stage)];
            shape.into_iter().chain((core.wide > 0).then_some(("WIDE", core.wide))).collect()
        }
    };
    let sizes = [
        ("BESIDE", u32::from(core.issue == Issue::Beside)),
        ("REGISTERS", core.registers),
        ("PLACES", core.places),
        ("INSTRUCTIONS", core.instructions),
        ("DIGITS", core.digits),
        ("COUNT_BITS", core.count_bits),
    ];
    [&shape[..], &sizes].concat()
}

/// Builds the bench of a core and returns the path of the executable.
pub(crate) fn build(core: &Core) -> PathBuf {
    build_from(&rtl(), core)
}

/// Builds the bench of a core from the hardware in another folder.
pub(crate) fn build_from(source: &Path, core: &Core) -> PathBuf {
    let (top, macros) = match core.alu.reduction {
        Reduction::Polynomial => ("core_polynomial", ("POLYNOMIAL", 1)),
        _ => ("core_limbs", ("LIMBS", 1 << core.limb_bits())),
    };
    compile(source, &core.name(), top, "core", &core_parameters(core), &[macros])
}

/// Runs a command, which must succeed.
fn must(command: &mut Command) {
    let output = command.output().unwrap();
    let said = [output.stderr, output.stdout].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{command:?}: {}", said.concat());
}

/// Returns a Verilator command for the module `top` of the hardware in a folder, without the action.
fn reader(root: &Path, source: &Path, top: &str, parameters: &[(&str, u32)]) -> Command {
    let files = fs::read_to_string(source.join("files.txt")).unwrap();
    let mut command = Command::new(root.join("bin/verilator"));
    command.env("VERILATOR_ROOT", root).current_dir(source);
    command.args(["-Wall", "-Wno-UNUSEDSIGNAL", "-Wno-UNUSEDPARAM", "--top-module", top]);
    command.args(parameters.iter().map(|(parameter, value)| format!("-G{parameter}={value}"))).args(files.lines());
    command
}

/// Checks that Verilator accepts the module `top` with these parameters; returns its messages if not.
pub(crate) fn lint(top: &str, parameters: &[(&str, u32)]) -> Result<(), String> {
    let output = reader(&verilator(), &rtl(), top, parameters).arg("--lint-only").output().unwrap();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Returns Verilator's own library, compiled once.
fn runtime(root: &Path) -> PathBuf {
    static ONCE: Mutex<()> = Mutex::new(());
    let _one = ONCE.lock();
    let library = scratch().join("verilated.o");
    if !library.exists() {
        let include = root.join("include");
        fs::create_dir_all(scratch()).unwrap();
        let mut command = Command::new("g++");
        command.args(["-std=c++20", "-DVL_TIME_CONTEXT", "-O0", "-r", "-nostdlib", "-I"]).arg(&include);
        command
            .arg("-I")
            .arg(include.join("vltstd"))
            .args(["verilated.cpp", "verilated_threads.cpp"].map(|name| include.join(name)));
        must(command.arg("-o").arg(&library));
    }
    library
}

/// Compiles the module `top` as the class V`bench` with the bench `bench`.cpp.
pub(crate) fn compile(
    source: &Path,
    name: &str,
    top: &str,
    bench: &str,
    parameters: &[(&str, u32)],
    macros: &[(&str, u32)],
) -> PathBuf {
    let root = verilator();
    let name = if source == rtl() { name.to_owned() } else { format!("{name}-mutant") };
    let folder = scratch().join(name);
    fs::create_dir_all(&folder).unwrap();
    let mut command = reader(&root, source, top, parameters);
    command.args(["--cc", "--assert", "--prefix", &format!("V{bench}"), "--Mdir"]).arg(&folder);
    must(&mut command);
    let library = format!("libV{bench}.a");
    let flags = [
        "OPT_FAST=-O1",
        "OPT_SLOW=-O0",
        "OPT_GLOBAL=-O0",
        "USER_CPPFLAGS=-std=c++20 -DVL_TIME_CONTEXT",
        // the option by which g++ includes a compiled header, which the package from PyPI does not set
        "CFG_CXXFLAGS_PCH_I=-include",
    ];
    must(Command::new("make").arg("-C").arg(&folder).args(["-s", "-f", &format!("V{bench}.mk"), &library]).args(flags));
    let include = root.join("include");
    let mut command = Command::new("g++");
    command.args(["-std=c++20", "-DVL_TIME_CONTEXT", "-O1", "-I"]).arg(&include).arg("-I").arg(include.join("vltstd"));
    command.args(macros.iter().map(|(name, value)| format!("-D{name}={value}"))).arg("-I").arg(&folder);
    command.arg(source.join(format!("sim/{bench}.cpp"))).arg(folder.join(&library)).arg(runtime(&root));
    must(command.args(["-lpthread", "-o"]).arg(folder.join(bench)));
    folder.join(bench)
}

/// Runs a bench on a script; returns its output, and whether it found no difference.
pub(crate) fn run(bench: &Path, script: &str) -> (String, bool) {
    let file = bench.with_extension("script");
    fs::write(&file, script).unwrap();
    let output = Command::new(bench).arg(&file).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (said, output.status.success())
}
