//! Values as users hold them: independent of engine and size, validated when they were made.
//!
//! Each value remembers its curve, and a point its group. Mixing values of different curves or groups is a programming
//! error, and panics with a message that says so. Values in the target group may be of any pairing of their curve: they are elements of one group.

use crate::backend::{Backend, Encoding, Group, MachineLines, PairingKind, Side, Validate};
use crate::lanes::{Engines, OnEach};
use crate::system::System;
use bilinear_params::{Curve, Layout};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// Which curve a value belongs to: the SHA-256 fingerprint of its parameters, with the last bit turned where values are laid
/// out as PBC does, since their bytes must not be mixed with others.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct CurveId(pub(crate) [u8; 32]);

impl CurveId {
    pub(crate) fn of(curve: &Curve) -> Self {
        let hex = curve.fingerprint();
        let byte = |i: usize| hex.get(2 * i..2 * i + 2).and_then(|b| u8::from_str_radix(b, 16).ok()).unwrap_or(0);
        let mut id: [u8; 32] = std::array::from_fn(byte);
        id[31] ^= u8::from(curve.layout() == Layout::Pbc);
        CurveId(id)
    }
}

impl fmt::Debug for CurveId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..8].iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

/// A point as a batch takes it: from outside, or one that was made here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointRef<'a> {
    /// O.
    Infinity,
    /// A point that was decoded or computed here: what was checked then is not checked again. Where it was checked less thoroughly
    /// than the batch asks, or belongs to another curve or group, it is treated as its bytes are.
    Known(&'a Point),
    /// An encoding: x‖y, or the family's compressed form, told apart by their length.
    Bytes(&'a [u8]),
    /// An encoding of another system, which may be that of O.
    As(Encoding, &'a [u8]),
}

/// What a batch takes as a point, as it stands in rows.
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

/// A validated point of one of the source groups, or O. Points are equal if their encodings are, however thoroughly they were
/// checked.
#[derive(Clone, Debug)]
pub struct Point {
    pub(crate) curve: CurveId,
    /// G1 on a symmetric curve.
    pub(crate) group: Group,
    /// What is known of it: [`Validate::Subgroup`] where it is in the group for sure.
    pub(crate) known: Validate,
    /// x‖y.
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
    /// Its group: on a symmetric curve, where both are one, G1.
    pub fn group(&self) -> Group {
        self.group
    }

    /// Whether this is O.
    pub fn is_infinity(&self) -> bool {
        self.bytes.is_none()
    }

    /// The encoding x‖y; `None` for O.
    pub fn bytes(&self) -> Option<&[u8]> {
        self.bytes.as_deref()
    }

    /// How far it was checked: [`Validate::Subgroup`] where it is in the group for sure.
    pub fn known(&self) -> Validate {
        self.known
    }

    /// The point as input of a batch, which does not check it again.
    pub fn as_ref(&self) -> PointRef<'_> {
        PointRef::Known(self)
    }
}

/// A validated element of the target group, as its canonical encoding.
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

/// A product of Miller values before the final exponentiation. Parts of one product may be computed apart and joined by
/// [`System::join`](crate::System::join).
#[derive(Clone, Debug)]
pub struct Miller {
    pub(crate) curve: CurveId,
    pub(crate) pairing: PairingKind,
    /// The coefficients, encoded; not canonical in any other sense: only the final exponentiation gives it meaning.
    pub(crate) bytes: Arc<[u8]>,
}

/// A fixed argument with the coefficients of its lines.
#[derive(Clone)]
pub struct Prepared {
    pub(crate) curve: CurveId,
    pub(crate) engines: Engines,
    pub(crate) pairing: PairingKind,
    pub(crate) side: Side,
    /// `None` for O, which has no lines.
    pub(crate) lines: Option<Arc<PreparedLines>>,
}

/// The lines of a fixed argument, in the form of each engine that has met it.
pub(crate) struct PreparedLines {
    /// x‖y.
    point: Box<[u8]>,
    single: Arc<MachineLines>,
    bulk: OnEach<Arc<MachineLines>>,
    few: OnceLock<Arc<MachineLines>>,
}

impl PreparedLines {
    /// On the engine of single values.
    pub(crate) fn new(backend: &dyn Backend, point: &[u8]) -> Self {
        PreparedLines {
            point: point.into(),
            single: backend.prepare(point),
            bulk: OnEach::default(),
            few: OnceLock::new(),
        }
    }

    /// For the engine of single values.
    pub(crate) fn single(&self) -> Arc<MachineLines> {
        self.single.clone()
    }

    /// For one of a system's engines: that of single values has one lane.
    pub(crate) fn of(&self, system: &System, values: usize) -> &MachineLines {
        match system.bulk_for(values) {
            Some(bulk) => &**self.bulk.on(bulk.engine).get_or_init(|| bulk.backend.prepare(&self.point)),
            None => &*self.single,
        }
    }

    /// For a system's engine for few values.
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
    /// Which argument it is: the rows of a batch give the other one.
    pub fn side(&self) -> Side {
        self.side
    }
}
