//! The functions of the header for contexts.

#![allow(unsafe_code)]
// SAFETY: each body relies on the conditions in the head of memory.rs, which docs/c.md states for callers
#![allow(unsafe_op_in_unsafe_fn, clippy::missing_safety_doc)]

use crate::code::Code;
use crate::context::{Choice, Context, Of};
use crate::fault::{Error, Fault};
use crate::memory::{self, guarded};
use bilinear_engine::Group;
use std::ffi::c_char;
use std::ptr::null_mut;

/// The options of a context. NULL and 0 mean the defaults; in BILINEAR_OPTIONS_INIT all options have their defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Options {
    /// sizeof(bilinear_options).
    pub size: usize,
    /// The name of an engine (docs/formats.md); by default the best engine of this processor.
    pub engine: *const c_char,
    /// The number of threads of a batch, at most 1024; by default the number of processors. With 1, the calling thread does all
    /// the work.
    pub threads: usize,
    /// "optate", "ate", "rate", "tate", "betaweil", "alphaweil", "weil", "etat" or "opteta"; by default the first one that the
    /// curve has.
    pub pairing: *const c_char,
    /// "exact", the default, or "fast".
    pub power: *const c_char,
    /// 1 to accept curves of small characteristic too ("ss2-1223", "hss2-367" and others), whose discrete logarithms are
    /// broken.
    pub research: i32,
}

/// Reads the options of a caller.
unsafe fn choice<'a>(options: *const Options) -> Result<Choice<'a>, Fault> {
    if options.is_null() {
        return Ok(Choice::default());
    }
    // the size is read first, and nothing else unless it is that of the struct
    let size = memory::items("options", options.cast::<usize>(), 1)?[0];
    if size != size_of::<Options>() {
        let message = format!("options.size is {size}: sizeof(bilinear_options) is {}", size_of::<Options>());
        return Err(Fault::new(Code::BilinearErrorArgument, message));
    }
    let options = memory::items("options", options, 1)?[0];
    Ok(Choice {
        engine: memory::text("options.engine", options.engine)?,
        threads: options.threads,
        pairing: memory::text("options.pairing", options.pairing)?,
        power: memory::text("options.power", options.power)?,
        research: options.research != 0,
    })
}

/// Makes the context of a shipped curve: `bilinear curves` lists the names. This takes milliseconds, for some curves tenths
/// of a second.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_context_new(
    name: *const c_char,
    options: *const Options,
    context: *mut *mut Context,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (name, choice) = (memory::some_text("name", name)?, choice(options)?);
        memory::give("context", context, || Context::named(name, &choice))
    })
}

/// Makes a context from a description: TOML, or PBC's parameters of types a, a1, d, e, f, g and i. The description is
/// checked in full. If it has the factors of the order (n0, n1, ... of type a1), the context knows them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_context_from_text(
    text: *const c_char,
    len: usize,
    options: *const Options,
    context: *mut *mut Context,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let text = std::str::from_utf8(memory::items("text", text.cast::<u8>(), len)?);
        let text = text.map_err(|_| Fault::new(Code::BilinearErrorArgument, "text is not UTF-8"))?;
        let choice = choice(options)?;
        memory::give("context", context, || Context::described(text, &choice))
    })
}

/// Makes a context from the description in a file, as bilinear_context_from_text does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_context_from_file(
    path: *const c_char,
    options: *const Options,
    context: *mut *mut Context,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (path, choice) = (memory::some_text("path", path)?, choice(options)?);
        memory::give("context", context, || Context::loaded(path, &choice))
    })
}

/// Makes another context with the same curve and options that knows the factors of the order, from the file that `bilinear
/// params new a1 --factors-out` writes. The file is refused unless its mode is 0600 or 0400 and it belongs to the user or
/// to root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_context_with_factors(
    context: *const Context,
    path: *const c_char,
    made: *mut *mut Context,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (context, path) = (memory::object("context", context)?, memory::some_text("path", path)?);
        memory::give("made", made, || context.knowing_factors(path))
    })
}

/// Frees a context. NULL is ignored. No call may use the context any more; objects that it made may be freed later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_context_free(context: *mut Context) {
    memory::free(context)
}

/// Returns the name of the curve, which is valid until the context is freed, or NULL for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_curve(context: *const Context) -> *const c_char {
    memory::object("context", context).map_or(std::ptr::null(), |context| context.curve_name().as_ptr())
}

/// Returns the name of the engine that computes batches, which is valid until the context is freed, or NULL for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_batch_engine(context: *const Context) -> *const c_char {
    memory::object("context", context).map_or(std::ptr::null(), |context| context.engine_name().as_ptr())
}

/// Returns the number of threads of a batch, or 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_threads(context: *const Context) -> usize {
    memory::object("context", context).map_or(0, |context| context.batch().thread_count())
}

/// Returns 1 if G1 and G2 are one group, and 0 otherwise or for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_is_symmetric(context: *const Context) -> i32 {
    memory::object("context", context).map_or(0, |context| i32::from(context.system().is_symmetric()))
}

/// Writes the number of bytes of an element of a group to *size. `encoding` is NULL for the encoding that all functions
/// read and write: residues big-endian, points as x and y, values as all coefficients. Points also have "compressed" and
/// the encodings of other systems (docs/formats.md: "zcash", "eip", "gnark", ...), values "torus2" and "torus6".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_size(
    context: *const Context,
    group: i32,
    encoding: *const c_char,
    size: *mut usize,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let encoding = memory::text("encoding", encoding)?;
        let found = memory::object("context", context)?.size(Of::new(group)?, encoding)?;
        memory::put("size", size, found)
    })
}

/// Writes the order of the groups, big-endian, in as many bytes as a residue has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_order(
    context: *const Context,
    order: *mut u8,
    order_len: usize,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let system = memory::object("context", context)?.system();
        let output = memory::output("order", (order, order_len), null_mut(), (1, system.scalar_len()))?;
        output.write(&[Ok(system.order().to_bytes_be())])
    })
}

/// Writes the generator of a group: the one in the parameters, or else one derived from them. For BILINEAR_GT, writes e(g1,
/// g2).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_generator(
    context: *const Context,
    group: i32,
    element: *mut u8,
    element_len: usize,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (context, of) = (memory::object("context", context)?, Of::new(group)?);
        let system = context.system();
        let size = context.size(of, None)?;
        let output = memory::output("element", (element, element_len), null_mut(), (1, size))?;
        let bytes = match of {
            Of::Zr => return Err(Fault::new(Code::BilinearErrorArgument, "BILINEAR_ZR has no generator")),
            Of::Points(group) => system.encode(&system.generator(group)),
            Of::Gt => {
                let [p, q] = Group::ALL.map(|group| system.generator(group));
                system.pair(&p, &q).bytes().to_vec()
            }
        };
        output.write(&[Ok(bytes)])
    })
}

/// Writes uniformly random elements of a group, drawn with the operating system's randomness: residues, points other than
/// the point at infinity, or values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bilinear_random(
    context: *const Context,
    group: i32,
    count: usize,
    elements: *mut u8,
    elements_len: usize,
    error: *mut *mut Error,
) -> Code {
    guarded(error, || {
        let (context, of) = (memory::object("context", context)?, Of::new(group)?);
        let system = context.system();
        let size = context.size(of, None)?;
        let output = memory::output("elements", (elements, elements_len), null_mut(), (count, size))?;
        let draw = || match of {
            Of::Zr => Ok(system.random_scalar()?),
            Of::Points(group) => Ok(system.encode(&system.random(group)?).into()),
            Of::Gt => Ok(system.random_gt()?.bytes().to_vec().into()),
        };
        let drawn = (0..count).map(|_| draw()).collect::<Result<Vec<_>, Fault>>()?;
        output.write(&drawn.iter().map(|bytes| Ok(bytes.as_slice())).collect::<Vec<_>>())
    })
}
