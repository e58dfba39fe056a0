//! The two source groups of a pairing, and its two arguments.

use bilinear_pairing::names::UnknownName;
use std::fmt;
use std::str::FromStr;

/// A source group of e: G1 × G2 → GT. On a symmetric curve both are the same group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// The group of the first arguments.
    G1,
    /// The group of the second arguments.
    G2,
}

impl Group {
    /// Both groups.
    pub const ALL: [Group; 2] = [Group::G1, Group::G2];

    /// The name in commands and messages: `g1` or `g2`.
    pub fn name(self) -> &'static str {
        match self {
            Group::G1 => "g1",
            Group::G2 => "g2",
        }
    }

    /// The other source group.
    pub fn other(self) -> Group {
        match self {
            Group::G1 => Group::G2,
            Group::G2 => Group::G1,
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Group {
    type Err = UnknownName;
    fn from_str(name: &str) -> Result<Group, UnknownName> {
        UnknownName::find("group", name, &Group::ALL)
    }
}

/// An argument of the pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first argument, from G1.
    P,
    /// The second argument, from G2.
    Q,
}

impl Side {
    /// The group that the argument comes from.
    pub fn group(self) -> Group {
        match self {
            Side::P => Group::G1,
            Side::Q => Group::G2,
        }
    }

    /// The argument that comes from this group.
    pub fn of(group: Group) -> Side {
        match group {
            Group::G1 => Side::P,
            Group::G2 => Side::Q,
        }
    }

    /// The other argument.
    pub fn other(self) -> Side {
        Side::of(self.group().other())
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::P => "p",
            Side::Q => "q",
        })
    }
}
