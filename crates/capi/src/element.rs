//! Single values, checked once: residues, points and elements of the target group, with the operations of their
//! groups. Sums and products are one operation in the groups, and two for residues. Residues are integers of variable
//! length: their arithmetic takes a time that depends on them, and nothing wipes them.

use crate::code::Code;
use crate::context::{BILINEAR_ON_CURVE, Context, Of, PointForm};
use crate::fault::Fault;
use crate::pairings::PreparedArgument;
use crate::points::{Input, written};
use bilinear_engine::{BigUint, Gt, Point, Side, System};

/// A residue modulo the order, a point, or an element of the target group. It belongs to its context, which may be freed before it.
#[derive(Clone)]
pub struct Element {
    context: Context,
    value: Value,
}

#[derive(Clone, PartialEq)]
enum Value {
    Zr(BigUint),
    Point(Point),
    Gt(Gt),
}

/// An operation with two operands of one group.
#[derive(Clone, Copy)]
pub(crate) enum Operation {
    Add,
    Multiply,
}

fn wrong(message: &str) -> Fault {
    Fault::new(Code::BilinearErrorArgument, message)
}

impl Element {
    fn new(context: &Context, value: Value) -> Element {
        Element { context: context.clone(), value }
    }

    /// Creates an element with another value in the same context.
    fn with(&self, value: Value) -> Element {
        Element::new(&self.context, value)
    }

    fn system(&self) -> &System {
        self.context.system()
    }

    /// Returns the neutral element of a group: 0, the point at infinity, or 1.
    pub(crate) fn neutral(context: &Context, group: Of) -> Element {
        let system = context.system();
        let value = match group {
            Of::Zr => Value::Zr(BigUint::default()),
            Of::Points(group) => Value::Point(system.infinity(group)),
            Of::Gt => Value::Gt(system.gt_one()),
        };
        Element::new(context, value)
    }

    /// Returns the residue of an integer.
    pub(crate) fn integer(context: &Context, value: i64) -> Element {
        let (order, size) = (context.system().order(), BigUint::from(value.unsigned_abs()));
        let residue = size % order;
        let residue = if value < 0 { (order - residue) % order } else { residue };
        Element::new(context, Value::Zr(residue))
    }

    /// Returns a uniform element; a point is not the one at infinity.
    pub(crate) fn random(context: &Context, group: Of) -> Result<Element, Fault> {
        let system = context.system();
        let value = match group {
            Of::Zr => Value::Zr(BigUint::from_bytes_be(&system.random_scalar()?)),
            Of::Points(group) => Value::Point(system.random(group)?),
            Of::Gt => Value::Gt(system.random_gt()?),
        };
        Ok(Element::new(context, value))
    }

    /// Returns the point to which a message is hashed; for BILINEAR_ZR, the residue of its big-endian bytes.
    pub(crate) fn hash(context: &Context, group: Of, message: &[u8], dst: &[u8]) -> Result<Element, Fault> {
        let system = context.system();
        let value = match group {
            Of::Zr => Value::Zr(BigUint::from_bytes_be(message) % system.order()),
            Of::Points(group) => Value::Point(system.hash_to_curve(group, message, dst)?),
            Of::Gt => return Err(wrong("hashing to BILINEAR_GT is not supported")),
        };
        Ok(Element::new(context, value))
    }

    /// Checks and reads an element.
    pub(crate) fn read(context: &Context, group: Of, bytes: &[u8], flags: u32) -> Result<Element, Fault> {
        let system = context.system();
        context.checks(flags)?;
        let value = match group {
            Of::Zr => {
                let (given, wanted) = (bytes.len(), system.scalar_len());
                if given != wanted {
                    return Err(Fault::new(
                        Code::BilinearErrorLength,
                        format!("a residue takes {wanted} bytes, not {given}"),
                    ));
                }
                let value = BigUint::from_bytes_be(bytes);
                if value >= *system.order() {
                    return Err(Fault::new(Code::BilinearErrorCanonical, "the residue is not below the order"));
                }
                Value::Zr(value)
            }
            Of::Points(group) => {
                let input = Input { context, group, flags, bytes, rows: 1 };
                Value::Point(input.read(PointForm::Full)?.remove(0)?)
            }
            Of::Gt => Value::Gt(system.decode_gt(bytes)?),
        };
        Ok(Element::new(context, value))
    }

    /// Returns the bytes of the element, in compressed form if `is_compressed`, which only points have.
    pub(crate) fn written(&self, is_compressed: bool) -> Result<Vec<u8>, Fault> {
        match &self.value {
            Value::Point(point) => {
                written(self.system(), if is_compressed { PointForm::Compressed } else { PointForm::Full }, point)
            }
            _ if is_compressed => Err(wrong("only points can be compressed")),
            Value::Zr(value) => Ok(self.system().scalar_bytes(value)),
            Value::Gt(value) => Ok(value.bytes().to_vec()),
        }
    }

    fn beside(&self, other: &Element) -> Result<(), Fault> {
        if self.context.is(&other.context) {
            return Ok(());
        }
        Err(Fault::new(Code::BilinearErrorContext, "the elements belong to different contexts"))
    }

    /// Returns the sum or the product.
    pub(crate) fn combined(&self, operation: Operation, other: &Element) -> Result<Element, Fault> {
        self.beside(other)?;
        let system = self.system();
        Ok(self.with(match (&self.value, &other.value) {
            (Value::Zr(x), Value::Zr(y)) => Value::Zr(match operation {
                Operation::Add => (x + y) % system.order(),
                Operation::Multiply => (x * y) % system.order(),
            }),
            (Value::Point(p), Value::Point(q)) if p.group() == q.group() => Value::Point(system.add(p, q)),
            (Value::Gt(x), Value::Gt(y)) => Value::Gt(system.gt_mul(x, y)),
            _ => return Err(wrong("the elements are of different groups")),
        }))
    }

    /// Returns −x; in the target group 1/x.
    pub(crate) fn negative(&self) -> Element {
        let system = self.system();
        self.with(match &self.value {
            Value::Zr(x) => Value::Zr((system.order() - x) % system.order()),
            Value::Point(p) => Value::Point(system.neg(p)),
            Value::Gt(x) => Value::Gt(system.gt_inv(x)),
        })
    }

    /// Returns 1/x; for a point −P.
    pub(crate) fn inverse(&self) -> Result<Element, Fault> {
        match &self.value {
            Value::Zr(x) => {
                let inverse = x.modinv(self.system().order());
                let inverse =
                    inverse.ok_or_else(|| wrong("the residue has no inverse modulo the order of the groups"))?;
                Ok(self.with(Value::Zr(inverse)))
            }
            _ => Ok(self.negative()),
        }
    }

    /// Returns eP, or x^e.
    pub(crate) fn power(&self, exponent: &Element) -> Result<Element, Fault> {
        self.beside(exponent)?;
        let Value::Zr(e) = &exponent.value else { return Err(wrong("the exponent is not a residue")) };
        let (system, bytes) = (self.system(), self.system().scalar_bytes(e));
        Ok(self.with(match &self.value {
            Value::Zr(x) => Value::Zr(x.modpow(e, system.order())),
            Value::Point(p) => Value::Point(system.mul_secret(&bytes, p)),
            Value::Gt(x) => Value::Gt(system.gt_pow_secret(x, &bytes)),
        }))
    }

    /// Returns true if both are the same value in the same context.
    pub(crate) fn equals(&self, other: &Element) -> bool {
        self.context.is(&other.context) && self.value == other.value
    }

    /// Returns the point, if it is an argument of the pairing on this side.
    fn argument(&self, side: Side) -> Result<&Point, Fault> {
        match &self.value {
            Value::Point(p) if self.system().is_symmetric() || p.group() == side.group() => Ok(p),
            _ => Err(wrong("the pairing takes a point of G1 and a point of G2")),
        }
    }

    /// Returns the product of e(P, Q) over pairs, at least one: a product of no pairs has no context.
    pub(crate) fn paired(ps: &[&Element], qs: &[&Element]) -> Result<Element, Fault> {
        let Some(first) = ps.first() else { return Err(wrong("a product needs at least one pairing")) };
        let argument = |side, element: &&Element| {
            first.beside(element)?;
            Ok::<Point, Fault>(element.argument(side)?.clone())
        };
        let pair = |(p, q)| Ok((argument(Side::P, p)?, argument(Side::Q, q)?));
        let rows = ps.iter().zip(qs).map(pair).collect::<Result<Vec<_>, Fault>>()?;
        // elements may be known only to be on the curve, and that is what was asked for
        let batch = first.context.checking(BILINEAR_ON_CURVE)?;
        let product = batch.product(&rows, std::slice::from_ref(&(0..rows.len()))).remove(0)?;
        Ok(first.with(Value::Gt(product)))
    }

    /// Returns the pairing with a prepared argument.
    pub(crate) fn paired_with(&self, fixed: &PreparedArgument) -> Result<Element, Fault> {
        let value = fixed.pair(&self.context, |side| self.argument(side))?;
        Ok(self.with(Value::Gt(value)))
    }
}
