//! Values as users hold them: independent of engine and size, validated when they were created.
//!
//! Each value remembers its curve, and a point also its group. Mixing values of different curves or groups is a
//! programming error, and panics with a message that says so. Values in the target group may come from any pairing of
//! their curve: they are elements of one group.

use crate::backend::{Backend, Encoding, Group, MachineLines, PairingKind, Side, Validate};
use crate::lanes::{Engines, OnEach};
use crate::system::System;
use bilinear_params::{Curve, Layout};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// The identity of the curve that a value belongs to: the SHA-256 fingerprint of the curve's parameters. The last bit
/// is flipped if values have PBC's layout, since their bytes must not be mixed with others.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct CurveId(pub(crate) [u8; 32]);

impl CurveId {
    pub(crate) fn of(curve: &Curve) -> Self {
        let hex = curve.fingerprint();
        let byte = |i: usize| hex.get(2 * i..2 * i + 2).and_then(|b| u8::from_str_radix(b, 16).ok()).unwrap_or(0);
        let id = CurveId(std::array::from_fn(byte));
        if curve.layout() == Layout::Pbc { id.in_other_layout() } else { id }
    }

    /// The identity of the same curve where its values have the other layout.
    pub(crate) fn in_other_layout(mut self) -> Self {
        self.0[31] ^= 1;
        self
    }
}

impl fmt::Debug for CurveId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..8].iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

/// A point as a batch accepts it: from outside, or one that this library created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointRef<'a> {
    /// The point at infinity O.
    Infinity,
    /// A point that this library decoded or computed: checks that it has passed are not repeated. A point that was
    /// checked less thoroughly than the batch demands, or that belongs to another curve or group, is treated as its
    /// bytes would be.
    Known(&'a Point),
    /// An encoding: x‖y, or the family's compressed form, told apart by their length.
    Bytes(&'a [u8]),
    /// An encoding of another system; it may encode O.
    Encoded(Encoding, &'a [u8]),
}

/// Implements `From` for everything that a batch accepts as a point in its rows.
macro_rules! from_points {
    ($(($($generic:tt)*) $type:ty, $point:ident => $made:expr;)*) => {
        $(impl<'a, $($generic)*> From<&'a $type> for PointRef<'a> {
            fn from($point: &'a $type) -> Self {
                $made
            }
        })*
    };
}

from_points! {
    ('b) PointRef<'b>, point => *point;
    () Point, point => PointRef::Known(point);
    ('b) &'b Point, point => PointRef::Known(point);
    () [u8], bytes => PointRef::Bytes(bytes);
    ('b) &'b [u8], bytes => PointRef::Bytes(bytes);
    () Vec<u8>, bytes => PointRef::Bytes(bytes);
    (const N: usize) [u8; N], bytes => PointRef::Bytes(bytes);
    ('b, const N: usize) &'b [u8; N], bytes => PointRef::Bytes(*bytes);
}

/// A validated point of one of the source groups, or O. Two points are equal if their encodings are, however
/// thoroughly they were checked.
#[derive(Clone, Debug)]
pub struct Point {
    pub(crate) curve: CurveId,
    /// The group of the point; G1 on a symmetric curve.
    pub(crate) group: Group,
    /// The checks that the point has passed: [`Validate::Subgroup`] if the point is certainly in the group.
    pub(crate) known: Validate,
    /// The encoding x‖y; `None` for O.
    pub(crate) bytes: Option<Arc<[u8]>>,
}

impl PartialEq for Point {
    fn eq(&self, other: &Point) -> bool {
        (self.curve, self.group, &self.bytes) == (other.curve, other.group, &other.bytes)
    }
}

impl Eq for Point {}

impl Hash for Point {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.curve, self.group, &self.bytes).hash(state);
    }
}

impl Point {
    /// The group of the point; G1 on a symmetric curve, where both groups are one.
    pub fn group(&self) -> Group {
        self.group
    }

    /// Returns true if the point is O.
    pub fn is_infinity(&self) -> bool {
        self.bytes.is_none()
    }

    /// The encoding x‖y; `None` for O.
    pub fn bytes(&self) -> Option<&[u8]> {
        self.bytes.as_deref()
    }

    /// The checks that the point has passed: [`Validate::Subgroup`] if the point is certainly in the group.
    pub fn validated(&self) -> Validate {
        self.known
    }

    /// The point as input of a batch, which does not check the point again.
    pub fn as_ref(&self) -> PointRef<'_> {
        PointRef::Known(self)
    }
}

/// A validated element of the target group, stored as its canonical encoding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Gt {
    pub(crate) curve: CurveId,
    pub(crate) bytes: Arc<[u8]>,
}

impl Gt {
    /// The encoding: the coefficients, each big-endian, low coefficient first.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// A product of Miller values before the final exponentiation. Parts of one product may be computed separately and
/// joined by [`System::miller_mul`](crate::System::miller_mul).
#[derive(Clone, Debug)]
pub struct MillerValue {
    pub(crate) curve: CurveId,
    pub(crate) pairing: PairingKind,
    /// The encoded coefficients. They are not canonical in any other sense: only the final exponentiation gives the
    /// value a meaning.
    pub(crate) bytes: Arc<[u8]>,
}

/// A fixed argument with the coefficients of its lines.
#[derive(Clone)]
pub struct Prepared {
    pub(crate) curve: CurveId,
    pub(crate) engines: Engines,
    pub(crate) pairing: PairingKind,
    pub(crate) side: Side,
    /// The lines; `None` for O, which has none.
    pub(crate) lines: Option<Arc<PreparedLines>>,
}

/// The lines of a fixed argument, in the form of each engine that has used the argument.
pub(crate) struct PreparedLines {
    /// The encoding x‖y of the argument.
    point: Box<[u8]>,
    single: Arc<MachineLines>,
    bulk: OnEach<Arc<MachineLines>>,
    few: OnceLock<Arc<MachineLines>>,
}

impl PreparedLines {
    /// Computes the lines on the engine of single values.
    pub(crate) fn new(backend: &dyn Backend, point: &[u8]) -> Self {
        PreparedLines {
            point: point.into(),
            single: backend.prepare(point),
            bulk: OnEach::default(),
            few: OnceLock::new(),
        }
    }

    /// The lines for the engine of single values.
    pub(crate) fn single(&self) -> Arc<MachineLines> {
        self.single.clone()
    }

    /// The lines for the engine that a system uses for `values` values.
    pub(crate) fn of(&self, system: &System, values: usize) -> &MachineLines {
        match system.bulk_for(values) {
            Some(bulk) => &**self.bulk.on(bulk.engine).get_or_init(|| bulk.backend.prepare(&self.point)),
            None => &*self.single,
        }
    }

    /// The lines for a system's engine for few values.
    pub(crate) fn of_few(&self, backend: &dyn Backend) -> &MachineLines {
        &**self.few.get_or_init(|| backend.prepare(&self.point))
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Prepared { curve, engines, pairing, side, .. } = self;
        let mut text = f.debug_struct("Prepared");
        text.field("curve", curve).field("engines", &engines.to_string()).field("pairing", pairing).field("side", side);
        text.finish_non_exhaustive()
    }
}

impl Prepared {
    /// The argument that is fixed: the rows of a batch supply the other one.
    pub fn side(&self) -> Side {
        self.side
    }
}
