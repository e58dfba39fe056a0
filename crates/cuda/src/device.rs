//! What executes kernels: a graphics processor behind its driver, or, in tests, the same kernels compiled for the host.

use crate::encoding::Inversion;
use crate::modulus::Modulus;
use crate::residues::Residues;

/// N from which residues are preferred where nothing else is said.
const RESIDUES_FROM: usize = 24;

/// Why a device does not serve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// There is no driver.
    #[error("no NVIDIA driver is installed (libcuda.so is not found)")]
    NoDriver,
    /// The driver does not know the kernels' PTX.
    #[error("the NVIDIA driver is for CUDA {}.{}, and {}.{} is needed", .found / 1000, .found % 1000 / 10, .needed / 1000, .needed % 1000 / 10)]
    TooOld {
        /// 1000 times the major version, and 10 times the minor one.
        found: i32,
        /// Likewise.
        needed: i32,
    },
    /// There is no such processor.
    #[error("the NVIDIA driver finds {count} graphics processors: there is no number {number}")]
    NoDevice {
        /// How many there are.
        count: usize,
        /// The one that was asked for, from 0 on.
        number: usize,
    },
    /// The processor lacks what the kernels are compiled for.
    #[error("{name} has compute capability {major}.{minor}, and 8.0 is needed")]
    Capability {
        /// Its name.
        name: String,
        /// Its capability.
        major: i32,
        /// Likewise.
        minor: i32,
    },
    /// No kernel for so many words.
    #[error("there is no kernel for {words} words")]
    Kernel {
        /// How many.
        words: usize,
    },
    /// No kernel for so many moduli.
    #[error("there is no kernel for {} moduli", 8 * .kernel)]
    Residues {
        /// K.
        kernel: usize,
    },
    /// There is no memory for so many words at the moment.
    #[error("the device has no memory for {words} words more")]
    Memory {
        /// How many.
        words: usize,
    },
    /// The driver reports that there is no memory for what it was asked for at the moment.
    #[error("the NVIDIA driver failed in {action}: {reason}")]
    Full {
        /// What that was.
        action: &'static str,
        /// What it says.
        reason: String,
    },
    /// The driver reports an error.
    #[error("the NVIDIA driver failed in {action}: {reason}")]
    Failed {
        /// What it was asked for.
        action: &'static str,
        /// What it says.
        reason: String,
    },
}

impl DeviceError {
    /// Whether there is no memory now, since others have it.
    pub(crate) fn is_temporary(&self) -> bool {
        matches!(self, DeviceError::Memory { .. } | DeviceError::Full { .. })
    }
}

/// Which kernels compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Those of Montgomery's form in words.
    Words,
    /// Those of residues modulo small numbers, on tensor cores, for programs that do not ask whether a residue is odd.
    Residues,
    /// Residues from 24 words on and up to 40 moduli, whose matrices stay in registers: by hand, not measured. They take fewer multiply-adds of words than 4
    /// threads with those that they wait for, but for a Miller loop of bls48-581.
    Either,
}

/// What a device has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    /// Its name.
    pub name: String,
    /// Pairings of a vector, at most 64.
    pub lanes: usize,
    /// Threads a pairing where words are preferred: 1, 4 or 8. One alone computes it where the memory of a block has no room for more, or several split each
    /// number; where words are not preferred and computed with, it is chosen.
    pub width: usize,
    /// The kernels that are preferred.
    pub arithmetic: Arithmetic,
    /// Vectors that run together at most.
    pub vectors: usize,
    /// Words of 32 bits that the values of one launch may take, if it has more than one vector.
    pub memory: usize,
    /// Words of 32 bits that constants with prepared arguments may take between the launches of a machine; those of the last one stay in any case.
    pub kept: usize,
    /// Words of 32 bits that the threads of a block can share.
    pub shared: usize,
    /// Threads that invert at a time: more pairings than that share powers.
    pub inverting: usize,
}

impl Properties {
    /// The moduli for p, where residues are preferred.
    pub(crate) fn residues(&self, modulus: &Modulus) -> Option<Residues> {
        let prefers = match self.arithmetic {
            Arithmetic::Words => false,
            Arithmetic::Residues => true,
            Arithmetic::Either => modulus.words() >= RESIDUES_FROM,
        };
        let made = if prefers { Residues::new(modulus.p()) } else { None };
        made.filter(|residues| self.arithmetic != Arithmetic::Either || residues.keeps_matrices())
    }
}

/// The records of a stage and what they read: what a kernel of a stage executes.
#[non_exhaustive]
pub struct StageCode<'a, M> {
    /// Four words each, step by step a record for each thread of a pairing.
    pub records: &'a M,
    /// How many steps.
    pub steps: u32,
    /// Constants, N words each.
    pub constants: &'a M,
}

/// What a kernel does, for all pairings of a launch.
#[non_exhaustive]
pub enum Work<'a, M> {
    /// Executes a stage by one thread a pairing: `kernels/single.cu`.
    Single {
        /// The stage.
        code: StageCode<'a, M>,
        /// Memory of the stage.
        places: &'a mut M,
    },
    /// Executes a stage by threads that split the words of each number: `kernels/split.cu`.
    Split {
        /// The stage.
        code: StageCode<'a, M>,
        /// Threads a pairing.
        split: u32,
        /// Memory of the stage.
        places: &'a mut M,
    },
    /// Executes a stage by groups of threads, whose memory of the stage is shared by a block, as far as there is room: `kernels/group.cu`.
    Group {
        /// The stage.
        code: StageCode<'a, M>,
        /// Threads a pairing: 4 or 8.
        width: u32,
        /// Words of the memory that a block shares.
        shared: u32,
        /// Those of a pairing in it: places from there on are far.
        near: u32,
        /// The memory of far places, and its words for a pairing.
        far: Option<(&'a mut M, u32)>,
    },
    /// Executes a stage in residues: `kernels/residues.cu`.
    Residues {
        /// The stage.
        code: StageCode<'a, M>,
        /// Moduli of a base.
        moduli: u32,
        /// K.
        kernel: u32,
        /// [`Residues::constants`](crate::Residues::constants).
        tables: &'a M,
        /// Words that a block shares.
        shared: u32,
        /// Memory of the stage, and its words for a pairing, where a block does not share it.
        far: Option<(&'a mut M, u32)>,
    },
    /// Inverts: `kernels/invert.cuh`.
    Invert {
        /// From where to where.
        inversion: Inversion,
        /// Threads that split a number, or 1.
        split: u32,
        /// Pairings of a thread, or of those.
        each: u32,
    },
}

/// A launch of a kernel. What it reads and writes was proved to lie in its memory ([`Encoding::check`](crate::Encoding::check)), so only
/// this crate makes one.
#[non_exhaustive]
pub struct Launch<'a, M> {
    /// N.
    pub words: usize,
    /// The modulus: [`Modulus::constants`](crate::Modulus::constants).
    pub modulus: &'a [u32],
    /// What it does.
    pub work: Work<'a, M>,
    /// The slots of the pairings.
    pub slots: &'a mut M,
    /// How many pairings.
    pub count: u32,
    /// Blocks.
    pub blocks: u32,
    /// Threads of a block.
    pub threads: u32,
}

/// A device with memory of words of 32 bits. What is asked of one queue happens in that order; queues may overlap.
pub trait Device: Send + Sync + 'static {
    /// Words in its memory, freed when they are dropped.
    type Memory: Send + Sync;
    /// A queue. When it is dropped, all that was asked of it has happened: other queues read what it has copied.
    type Queue;
    /// Words of the host, which are copied to the device and from there.
    type Host: AsRef<[u32]> + AsMut<[u32]>;

    /// What it has.
    fn properties(&self) -> &Properties;
    /// Makes the kernels for N words ready, and those of residues with this K.
    ///
    /// # Errors
    /// If there are none; as all the following, if the device fails.
    fn prepare(&self, words: usize, residues: Option<usize>) -> Result<(), DeviceError>;
    /// A queue that nothing else waits in.
    fn queue(&self) -> Result<Self::Queue, DeviceError>;
    /// So many words, with any content.
    fn allocate(&self, queue: &Self::Queue, words: usize) -> Result<Self::Memory, DeviceError>;
    /// So many words of the host, with any content.
    fn host(&self, words: usize) -> Self::Host;
    /// Copies words to the beginning of memory that has as many, while the caller goes on.
    fn copy_in(&self, queue: &Self::Queue, to: &mut Self::Memory, words: Self::Host) -> Result<(), DeviceError>;
    /// Runs a kernel.
    fn launch(&self, queue: &Self::Queue, launch: Launch<'_, Self::Memory>) -> Result<(), DeviceError>;
    /// Copies words out, from word `at` of memory on that has as many, and waits for them.
    fn copy_out(
        &self,
        queue: &Self::Queue,
        from: &Self::Memory,
        at: usize,
        words: &mut Self::Host,
    ) -> Result<(), DeviceError>;
}
