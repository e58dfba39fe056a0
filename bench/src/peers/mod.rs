//! Other libraries, measured beside ours: GMP for field arithmetic, PBC for the pairings of types A and A1, blst for
//! BLS12-381, arkworks and gnark-crypto for BLS12-381 and alt_bn128, mcl for these and BN-254N, and RELIC for the
//! curves that it is built for.
//!
//! GMP is linked in with the feature `gmp`, and blst and arkworks with the features `blst` and `ark`. Further builds of
//! GMP, and builds of PBC, are loaded when the program runs, by the paths in `BILINEAR_GMP` and `BILINEAR_PBC` (several
//! are separated by `:`). Without `BILINEAR_PBC` the loader is asked for PBC under its usual names. gnark-crypto is the
//! library that `bench/gnark` builds, loaded by its path in `BILINEAR_GNARK`. mcl is loaded by its path in
//! `BILINEAR_MCL`, and RELIC by the paths in `BILINEAR_RELIC`, a library for each curve.

#[cfg(feature = "ark")]
mod ark;
#[cfg(feature = "blst")]
mod blst;
mod ffi;
mod gmp;
mod gnark;
mod loaded;
mod mcl;
mod param_text;
mod pbc;
mod relic;

pub use gmp::GmpField;
pub use param_text::param_text;

use crate::bulk::Work;
use crate::inputs::{Inputs, Random};
use crate::method::Contender;
use bilinear_engine::{Group, System};
use num_bigint::BigUint;
use std::env;
use std::path::{Path, PathBuf};

/// The reason why a peer's figures would be meaningless.
#[derive(Debug, thiserror::Error)]
pub enum PeerError {
    /// The peer does not support the parameters, or is of a version with other structures.
    #[error("{peer}: the library refuses curve {curve}, or its structures are not those of PBC 1.0.0")]
    Refused {
        /// The name of the peer.
        peer: String,
        /// The name of the curve.
        curve: String,
    },
    /// The peer rejects one of our points, or reads it as O.
    #[error("{peer}: on curve {curve}, it does not accept our point of row {row}")]
    Point {
        /// The name of the peer.
        peer: String,
        /// The name of the curve.
        curve: String,
        /// The row of the inputs.
        row: usize,
    },
    /// The peer computes a value that differs from ours.
    #[error("{peer}: on curve {curve}, {job}: its value of row {row} differs from ours")]
    Disagrees {
        /// The name of the peer.
        peer: String,
        /// The name of the curve.
        curve: String,
        /// The job that was computed.
        job: &'static str,
        /// The row of the inputs.
        row: usize,
    },
}

/// An operation on the groups that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupJob {
    /// Decoding a point: range, curve, subgroup.
    Validation(Group),
    /// Hashing a message to a point.
    Hash(Group),
    /// Computing a multiple of a point.
    Multiplication(Group),
    /// Computing a multiple of a fixed point, of which tables were made.
    FixedMultiplication(Group),
    /// Computing a power in the target group.
    Power,
}

/// A library on one curve, with the points of the first rows of the inputs.
pub trait CurvePeer {
    /// The name of the library.
    fn label(&self) -> &str;
    /// Returns the contender for one pairing, or for one product of `size` pairings. `None` if the library does not
    /// have such a job, or has fewer rows.
    fn bulk(&self, work: Work, size: usize) -> Option<Contender<'_>>;
    /// Returns the contender for one operation on the groups; `None` if the library does not have it.
    fn group(&self, job: GroupJob) -> Option<Contender<'_>>;
}

/// The libraries that were found.
#[derive(Clone, Default)]
pub struct Peers {
    gmp: Vec<(String, ffi::Gmp)>,
    pbc: Vec<(String, ffi::Pbc)>,
    blst: bool,
    ark: bool,
    gnark: Option<gnark::Gnark>,
    mcl: Option<mcl::Mcl>,
    relic: Vec<relic::Relic>,
}

impl Peers {
    /// Looks for peers. `note` receives a text for each given path that is not such a library.
    pub fn find(note: &mut dyn FnMut(String)) -> Peers {
        let mut peers = Peers { blst: cfg!(feature = "blst"), ark: cfg!(feature = "ark"), ..Peers::default() };
        #[cfg(feature = "gmp")]
        peers.gmp.push(("gmp".to_owned(), ffi::Gmp::linked()));
        for path in paths("BILINEAR_GMP") {
            match ffi::Gmp::open(&path) {
                Ok(gmp) => peers.gmp.push((label(&path), gmp)),
                Err(reason) => note(format!("BILINEAR_GMP: {}: {reason}", path.display())),
            }
        }
        let given = paths("BILINEAR_PBC");
        for path in &given {
            match ffi::Pbc::open(path) {
                Ok(pbc) => peers.pbc.push((label(path), pbc)),
                Err(reason) => note(format!("BILINEAR_PBC: {}: {reason}", path.display())),
            }
        }
        if given.is_empty() {
            let usual = ["libpbc.so.1", "libpbc.so"];
            let found = usual.into_iter().find_map(|name| ffi::Pbc::open(Path::new(name)).ok());
            peers.pbc.extend(found.map(|pbc| ("pbc".to_owned(), pbc)));
        }
        // a process can hold one Go scheduler
        if let Some(path) = paths("BILINEAR_GNARK").first() {
            match gnark::Gnark::open(path) {
                Ok(gnark) => peers.gnark = Some(gnark),
                Err(reason) => note(format!("BILINEAR_GNARK: {}: {reason}", path.display())),
            }
        }
        // two copies of mcl in a process would share constants
        if let Some(path) = paths("BILINEAR_MCL").first() {
            match mcl::Mcl::open(path) {
                Ok(mcl) => peers.mcl = Some(mcl),
                Err(reason) => note(format!("BILINEAR_MCL: {}: {reason}", path.display())),
            }
        }
        for path in paths("BILINEAR_RELIC") {
            match relic::Relic::open(&path) {
                Ok(relic) => peers.relic.push(relic),
                Err(reason) => note(format!("BILINEAR_RELIC: {}: {reason}", path.display())),
            }
        }
        peers
    }

    /// The names of all peers.
    pub fn labels(&self) -> Vec<&str> {
        let gmp = self.gmp.iter().map(|(label, _)| &**label);
        gmp.chain(self.of_pairings()).collect()
    }

    /// The names of the peers that compute pairings.
    fn of_pairings(&self) -> impl Iterator<Item = &str> {
        let linked = [self.blst.then_some("blst"), self.ark.then_some("ark")];
        let loaded = [self.gnark.map(|_| gnark::LABEL), self.mcl.map(|_| mcl::LABEL)];
        let relic = (!self.relic.is_empty()).then_some(relic::LABEL);
        let others = linked.into_iter().chain(loaded).chain([relic]).flatten();
        self.pbc.iter().map(|(label, _)| &**label).chain(others)
    }

    /// Returns the peers that compute pairings but are not among `having`, the peers that have a curve.
    pub(crate) fn without(&self, having: &[Box<dyn CurvePeer>]) -> Vec<&str> {
        self.of_pairings().filter(|label| having.iter().all(|peer| peer.label() != *label)).collect()
    }

    /// Returns every library that supports the curve of `system`. Its values are checked on the first `rows` rows, and
    /// on products of the sizes in `products`.
    ///
    /// # Errors
    /// Returns an error if a library cannot compute on the curve, or computes another value.
    pub(crate) fn curves(
        &self,
        system: &System,
        inputs: &Inputs,
        rows: usize,
        products: &[usize],
        random: &Random,
    ) -> Result<Vec<Box<dyn CurvePeer>>, PeerError> {
        let mut curves: Vec<Box<dyn CurvePeer>> = vec![];
        for curve in self.pbc_curves(system, inputs, rows, products, random)? {
            curves.push(Box::new(curve));
        }
        #[cfg(feature = "blst")]
        if self.blst {
            curves.extend(blst::curve(system, inputs, rows, products, random)?);
        }
        #[cfg(feature = "ark")]
        if self.ark {
            curves.extend(ark::curve(system, inputs, rows, products, random)?);
        }
        if let Some(gnark) = self.gnark {
            curves.extend(gnark::curve(gnark, system, inputs, rows, products, random)?);
        }
        if let Some(mcl) = self.mcl {
            curves.extend(mcl::curve(mcl, system, inputs, rows, products, random)?);
        }
        curves.extend(relic::curve(&self.relic, system, inputs, rows, products, random)?);
        Ok(curves)
    }

    /// Returns the field of p elements of every build of GMP.
    pub fn gmp_fields(&self, p: &BigUint) -> Vec<GmpField> {
        self.gmp.iter().map(|(label, gmp)| GmpField::new(gmp.clone(), label.clone(), p)).collect()
    }
}

/// Returns the paths in an environment variable.
fn paths(variable: &str) -> Vec<PathBuf> {
    let value = env::var_os(variable).unwrap_or_default();
    env::split_paths(&value).filter(|path| !path.as_os_str().is_empty()).collect()
}

/// Returns the name of the folder that contains a library. Skips folders that are only called `lib` or the like.
fn label(path: &Path) -> String {
    let plain = |name: &&str| !["lib", "lib64", ".libs"].contains(name);
    let folders = path.ancestors().skip(1).filter_map(|folder| folder.file_name()?.to_str());
    folders.into_iter().find(plain).or(path.file_stem().and_then(|s| s.to_str())).unwrap_or("peer").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_folders() {
        assert_eq!(label(Path::new("/usr/local/pbc-fast/lib/libpbc.so.1")), "pbc-fast");
        assert_eq!(label(Path::new("builds/zen/libpbc.so")), "zen");
        assert_eq!(label(Path::new("libpbc.so")), "libpbc");
    }

    #[test]
    fn peers_without_a_curve_are_named() {
        struct Ark;
        impl CurvePeer for Ark {
            fn label(&self) -> &str {
                "ark"
            }
            fn bulk(&self, _: Work, _: usize) -> Option<Contender<'_>> {
                None
            }
            fn group(&self, _: GroupJob) -> Option<Contender<'_>> {
                None
            }
        }
        let peers = Peers { blst: true, ark: true, ..Peers::default() };
        assert_eq!(peers.without(&[]), ["blst", "ark"]);
        assert_eq!(peers.without(&[Box::new(Ark)]), ["blst"]);
    }

    #[test]
    fn a_file_that_is_no_library_is_noted() {
        assert!(ffi::Gmp::open(Path::new(file!())).is_err());
        assert!(ffi::Pbc::open(Path::new("/nowhere/libpbc.so")).is_err());
        assert!(gnark::Gnark::open(Path::new(file!())).is_err());
        assert!(mcl::Mcl::open(Path::new(file!())).is_err());
        assert!(relic::Relic::open(Path::new("/nowhere/librelic.so")).is_err());
    }

    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn another_library_is_refused_by_the_function_that_it_lacks() {
        let another = Path::new("libc.so.6");
        let reasons = [mcl::Mcl::open(another).err(), relic::Relic::open(another).err()].map(Option::unwrap_or_default);
        assert!(reasons[0].contains("mclBn_init") && reasons[1].contains("core_init"), "{reasons:?}");
        assert!(reasons.iter().all(|reason| reason.lines().count() == 1), "{reasons:?}");
    }
}
