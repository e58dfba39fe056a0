//! The operands of programs: values, constants and terms. The operations are those of a field: see
//! [`Code`](bilinear_field::Code).

/// A value of a routine or of a plan, or a constant of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref(pub(crate) u32);

/// The bit that is set in references to constants.
const CONSTANT: u32 = 1 << 31;

impl Ref {
    /// Returns the reference to the value with this number.
    ///
    /// # Panics
    /// Panics if the number is 2^31 or more.
    pub fn value(number: usize) -> Self {
        assert!(number < CONSTANT as usize, "the number of a value must be below 2^31");
        Ref(number as u32)
    }

    /// Returns the reference to the constant with this number.
    ///
    /// # Panics
    /// Panics if the number is 2^31 − 1 or more.
    pub fn constant(number: usize) -> Self {
        assert!(number < CONSTANT as usize - 1, "the number of a constant must be below 2^31 - 1");
        Ref(number as u32 | CONSTANT)
    }

    /// Returns true if the reference is to a constant.
    pub fn is_constant(self) -> bool {
        self.0 & CONSTANT != 0
    }

    /// The number of the value or of the constant.
    pub fn number(self) -> usize {
        (self.0 & !CONSTANT) as usize
    }
}

/// An operand c·x; the coefficient is 1 wherever an operation is not a linear form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// The coefficient c.
    pub coeff: i32,
    /// The operand x.
    pub value: Ref,
}
