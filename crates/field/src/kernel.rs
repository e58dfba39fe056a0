//! Kernels by their addresses: an executor calls an engine's own code for an operation directly.

use std::fmt;
use std::marker::PhantomData;

/// A function of addresses. All are of places of the field's elements and unreduced values that the operation reads and writes, laid
/// out as [`Arguments`] says; what a kernel does not take it ignores.
pub type Function = unsafe extern "C-unwind" fn(*mut (), *const (), *const (), *const (), *const (), usize);

/// What a kernel takes, behind the address of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// a, b (which a square ignores), the context, the terms of a form and how many there are.
    Operands,
    /// The terms of a form, how many there are, and the context.
    Form,
    /// The terms of a form, how many there are, the context, and the element beside the form.
    FormAndElement,
    /// The halves of elements of F_p(i) as terms, the bytes from one coefficient to the next, and the context.
    Pairs(usize),
    /// a and b (which a square ignores), elements of F_p(i), the context, and the bytes from one coefficient to the next.
    Complex(usize),
}

/// The kernel of an operation of the field F, on elements and unreduced values of its types. Only engines of this crate make one, each of its
/// own fields, since the `unsafe` of its caller relies on it: another implementation of [`Lanes`](crate::Lanes) can hand on no kernel as its own.
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
    /// A function that computes the operation from these arguments, and reads at `context` what lives as long as the field.
    pub(crate) fn new(function: Function, context: *const (), arguments: Arguments) -> Self {
        Kernel { function, context, arguments, of: PhantomData }
    }

    /// The function.
    pub fn function(&self) -> Function {
        self.function
    }

    /// The context that it takes: constants of the field from which it was asked for, valid while a clone of that lives.
    pub fn context(&self) -> *const () {
        self.context
    }

    /// What it takes.
    pub fn arguments(&self) -> Arguments {
        self.arguments
    }
}
