//! A device, which executes kernels: a graphics processor behind its driver, or, in tests, the same kernels
//! compiled for the host.

use crate::encoding::Inversion;
use crate::modulus::Modulus;
use crate::residues::Residues;

/// The number N of words from which residues are preferred with [`Arithmetic::Either`].
const RESIDUES_FROM: usize = 24;

/// A reason why a device does not serve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// There is no driver.
    #[error("no NVIDIA driver is installed (libcuda.so is not found)")]
    NoDriver,
    /// The driver does not know the kernels' PTX.
    #[error("the NVIDIA driver supports CUDA {}.{}, but {}.{} is needed", .found / 1000, .found % 1000 / 10, .needed / 1000, .needed % 1000 / 10)]
    TooOld {
        /// The version found: 1000 times the major version plus 10 times the minor version.
        found: i32,
        /// The version needed, numbered in the same way.
        needed: i32,
    },
    /// There is no graphics processor of this number.
    #[error("there is no GPU {number} (counted from 0): the NVIDIA driver finds {count}")]
    NoDevice {
        /// The number of graphics processors.
        count: usize,
        /// The number asked for, from 0 on.
        number: usize,
    },
    /// The processor lacks the compute capability that the kernels are compiled for.
    #[error("{name} has compute capability {major}.{minor}, but 8.0 is needed")]
    Capability {
        /// The name of the processor.
        name: String,
        /// The major number of its compute capability.
        major: i32,
        /// The minor number of its compute capability.
        minor: i32,
    },
    /// There is no kernel for this number of words.
    #[error("there is no kernel for {words} words")]
    Kernel {
        /// The number of words.
        words: usize,
    },
    /// There is no kernel for this number of moduli.
    #[error("there is no kernel for {} moduli", 8 * .kernel)]
    Residues {
        /// The number K of the kernel, which takes up to 8·K moduli in a base.
        kernel: usize,
    },
    /// There is no memory for this number of words at the moment.
    #[error("the device has no memory for {words} more words")]
    Memory {
        /// The number of words.
        words: usize,
    },
    /// The driver reports that there is no memory for an action at the moment.
    #[error("the NVIDIA driver failed while {action}: {reason}")]
    Full {
        /// The action.
        action: &'static str,
        /// The driver's message.
        reason: String,
    },
    /// The driver reports an error.
    #[error("the NVIDIA driver failed while {action}: {reason}")]
    Failed {
        /// The action that failed.
        action: &'static str,
        /// The driver's message.
        reason: String,
    },
}

impl DeviceError {
    /// Returns true if the error is only that memory is in use elsewhere at the moment.
    pub(crate) fn is_temporary(&self) -> bool {
        matches!(self, DeviceError::Memory { .. } | DeviceError::Full { .. })
    }
}

/// The choice of the kernels that compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// The kernels of Montgomery's form in words.
    Words,
    /// The kernels of residues modulo small numbers, on tensor cores, for programs that do not ask whether a
    /// residue is odd.
    Residues,
    /// Residues from 24 words on and up to 40 moduli, whose matrices stay in registers; otherwise words. By hand,
    /// not measured. Residues take fewer multiply-adds of words than 4 threads do, counting those that threads wait
    /// for, except for a Miller loop of bls48-581.
    Either,
}

/// The properties of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    /// The name of the device.
    pub name: String,
    /// The number of pairings of a vector, at most 64.
    pub lanes: usize,
    /// The number of threads per pairing if words are preferred: 1, 4 or 8. One thread alone computes a pairing if
    /// the memory of a block does not suffice for more, and several split each number of the longest fields. If
    /// words are not preferred but used, the number is chosen.
    pub width: usize,
    /// The kernels that are preferred.
    pub arithmetic: Arithmetic,
    /// The largest number of vectors that run together.
    pub vectors: usize,
    /// The number of words of 32 bits that the values of one launch may take, if it has more than one vector.
    pub memory: usize,
    /// The number of words of 32 bits that constants with prepared arguments may take between the launches of a
    /// machine. The constants of the last launch stay in any case.
    pub kept: usize,
    /// The number of words of 32 bits that the threads of a block can share.
    pub shared: usize,
    /// The number of threads that invert at a time: if there are more pairings than that, they share powers.
    pub inverting: usize,
}

impl Properties {
    /// Returns the moduli for p, if residues are preferred.
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

/// The code of a stage, which a kernel executes: the records of the stage and the constants that they read.
#[non_exhaustive]
pub struct StageCode<'a, M> {
    /// The records, four words each: step by step one record for each thread of a pairing.
    pub records: &'a M,
    /// The number of steps.
    pub steps: u32,
    /// The constants, each in the words of an element.
    pub constants: &'a M,
}

/// The work of a kernel, for all pairings of a launch.
#[non_exhaustive]
pub enum Work<'a, M> {
    /// Executes a stage by one thread per pairing: `kernels/single.cu`.
    Single {
        /// The stage.
        code: StageCode<'a, M>,
        /// The memory of the stage.
        places: &'a mut M,
    },
    /// Executes a stage by threads that split the words of each number: `kernels/split.cu`.
    Split {
        /// The stage.
        code: StageCode<'a, M>,
        /// The number of threads per pairing.
        split: u32,
        /// The memory of the stage.
        places: &'a mut M,
    },
    /// Executes a stage by groups of threads: `kernels/group.cu`. The memory of the stage is shared by a block,
    /// except for far places.
    Group {
        /// The stage.
        code: StageCode<'a, M>,
        /// The number of threads per pairing: 4 or 8.
        width: u32,
        /// The number of words of the memory that a block shares.
        shared: u32,
        /// The number of words of a pairing in the shared memory: places from this number on are far.
        near: u32,
        /// The memory of far places, and its number of words for a pairing.
        far: Option<(&'a mut M, u32)>,
    },
    /// Executes a stage in residues: `kernels/residues.cu`.
    Residues {
        /// The stage.
        code: StageCode<'a, M>,
        /// The number of moduli of a base.
        moduli: u32,
        /// The number K of the kernel.
        kernel: u32,
        /// The tables of [`Residues::constants`](crate::Residues::constants).
        tables: &'a M,
        /// The number of words that a block shares.
        shared: u32,
        /// The part of the stage's memory that a block does not share, and its number of words for a pairing.
        far: Option<(&'a mut M, u32)>,
    },
    /// Inverts: `kernels/invert.cuh`.
    Invert {
        /// The slots of the operand and of the result.
        inversion: Inversion,
        /// The number of threads that split a number, or 1.
        split: u32,
        /// The number of pairings of a thread, or of the threads that split a number.
        each: u32,
    },
}

/// A launch of a kernel. Everything that it reads and writes was proved to lie in its memory
/// ([`Encoding::check`](crate::Encoding::check)), so only this crate creates launches.
#[non_exhaustive]
pub struct Launch<'a, M> {
    /// The number N of words of the modulus.
    pub words: usize,
    /// The words of the modulus: [`Modulus::constants`](crate::Modulus::constants).
    pub modulus: &'a [u32],
    /// The work of the kernel.
    pub work: Work<'a, M>,
    /// The slots of the pairings.
    pub slots: &'a mut M,
    /// The number of pairings.
    pub count: u32,
    /// The number of blocks.
    pub blocks: u32,
    /// The number of threads of a block.
    pub threads: u32,
}

/// A device with memory of words of 32 bits. A queue executes its requests in order; different queues may overlap.
pub trait Device: Send + Sync + 'static {
    /// Words in the memory of the device, freed when they are dropped.
    type Memory: Send + Sync;
    /// A queue. Dropping it waits until all its requests are done: other queues read what it has copied.
    type Queue;
    /// Words of the host, which are copied to the device and from it.
    type Host: AsRef<[u32]> + AsMut<[u32]>;

    /// The properties of the device.
    fn properties(&self) -> &Properties;
    /// Makes the kernels for N words ready, and the kernel of residues with this K.
    ///
    /// # Errors
    /// Returns an error if there are no such kernels, or, as all the following methods do, if the device fails.
    fn prepare(&self, words: usize, residues: Option<usize>) -> Result<(), DeviceError>;
    /// Creates a new, empty queue.
    fn queue(&self) -> Result<Self::Queue, DeviceError>;
    /// Allocates `words` words of the device, with any content.
    fn allocate(&self, queue: &Self::Queue, words: usize) -> Result<Self::Memory, DeviceError>;
    /// Returns `words` words of the host, with any content.
    fn host(&self, words: usize) -> Self::Host;
    /// Copies words to the beginning of memory that has at least as many, while the caller goes on.
    fn copy_in(&self, queue: &Self::Queue, to: &mut Self::Memory, words: Self::Host) -> Result<(), DeviceError>;
    /// Runs a kernel.
    fn launch(&self, queue: &Self::Queue, launch: Launch<'_, Self::Memory>) -> Result<(), DeviceError>;
    /// Copies words from memory, from word `at` on, and waits for them. The memory must have that many words there.
    fn copy_out(
        &self,
        queue: &Self::Queue,
        from: &Self::Memory,
        at: usize,
        words: &mut Self::Host,
    ) -> Result<(), DeviceError>;
}
