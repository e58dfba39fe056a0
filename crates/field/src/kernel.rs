//! Kernels by their addresses: an executor directly calls an engine's own code for an operation.

use std::fmt;
use std::marker::PhantomData;

/// The signature of a kernel, a function of addresses and a number, laid out as [`Arguments`] says. The addresses are
/// those of places of field elements and unreduced values that the operation reads and writes, and of the context; a
/// kernel ignores the arguments that it does not take.
pub type Function = unsafe extern "C-unwind" fn(*mut (), *const (), *const (), *const (), *const (), usize);

/// The arguments of a kernel, after the address of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// a, b (ignored by a square), the context, the terms of a form and their number.
    Operands,
    /// The terms of a form, their number, and the context.
    Form,
    /// The terms of a form, their number, the context, and the element beside the form.
    FormAndElement,
    /// The halves of elements of F_p(i) as terms, the number of bytes from one coefficient to the next, and the
    /// context.
    Pairs(usize),
    /// The elements a and b of F_p(i) (b is ignored by a square), the context, and the number of bytes from one
    /// coefficient to the next.
    Complex(usize),
}

/// A kernel for an operation of the field F, on elements and unreduced values of its types. Only engines of this crate
/// create kernels, each for its own fields, since the `unsafe` code of a caller relies on this: no other implementation
/// of [`Lanes`](crate::Lanes) can pass off a kernel as its own.
pub struct Kernel<F> {
    function: Function,
    context: *const (),
    arguments: Arguments,
    of: PhantomData<fn(F)>,
}

impl<F> fmt::Debug for Kernel<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel").field("arguments", &self.arguments).finish_non_exhaustive()
    }
}

impl<F> Kernel<F> {
    /// Creates a kernel from a function that computes the operation from these arguments; the data that it reads at
    /// `context` must live as long as the field.
    pub(crate) fn new(function: Function, context: *const (), arguments: Arguments) -> Self {
        Kernel { function, context, arguments, of: PhantomData }
    }

    /// The kernel's function.
    pub fn function(&self) -> Function {
        self.function
    }

    /// The context argument of the function: constants of the field that returned this kernel, valid while a clone of
    /// that field lives.
    pub fn context(&self) -> *const () {
        self.context
    }

    /// The layout of the function's arguments.
    pub fn arguments(&self) -> Arguments {
        self.arguments
    }
}
