//! TEMPORARY stand-in with the engine's names: values are hashes, no mathematics.
#![allow(missing_docs, dead_code, unreachable_pub)]
use bilinear_params::{Curve, Family};
use num_bigint::BigUint;
use sha2::{Digest, Sha256};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine { Mont, Portable, Reference }
impl Engine {
    pub const ALL: [Engine; 3] = [Engine::Mont, Engine::Portable, Engine::Reference];
    pub fn name(self) -> &'static str { match self { Engine::Mont => "mont", Engine::Portable => "portable", Engine::Reference => "reference" } }
}
impl std::str::FromStr for Engine { type Err = String; fn from_str(s: &str) -> Result<Self, String> { Engine::ALL.into_iter().find(|e| e.name() == s).ok_or(format!("no engine is called {s:?}: choose one of mont, portable, reference")) } }
impl std::fmt::Display for Engine { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self.name()) } }
#[derive(Clone, Debug)] pub struct System { curve: Arc<Curve>, engine: Engine, q: BigUint, len: usize }
#[derive(Debug, thiserror::Error)] #[error("system")] pub struct SystemError;
#[derive(Debug, thiserror::Error)] #[error("hash")] pub struct HashError;
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)] pub enum PointError { #[error("{0} bytes instead of {1}")] Length(usize, usize), #[error("coordinate not below q")] Canonical, #[error("not on the curve")] Curve }
impl PointError { pub fn code(&self) -> &'static str { match self { Self::Length(..) => "length", Self::Canonical => "canonical", Self::Curve => "curve" } } }
#[derive(Clone, Copy)] pub enum PointRef<'a> { Infinity, Bytes(&'a [u8]) }
#[derive(Clone, Copy, PartialEq, Eq)] pub enum Validate { Subgroup, Curve }
#[derive(Clone)] pub struct Point(Option<Vec<u8>>);
impl Point { pub fn as_ref(&self) -> PointRef<'_> { self.bytes().map_or(PointRef::Infinity, PointRef::Bytes) } pub fn compressed(&self) -> Option<Vec<u8>> { let b = self.bytes()?; let mut o = b[..b.len() / 2].to_vec(); o.push(b.last()? & 1); Some(o) }  pub fn is_infinity(&self) -> bool { self.0.is_none() } pub fn bytes(&self) -> Option<&[u8]> { self.0.as_deref() } }
#[derive(Clone)] pub struct Gt(Vec<u8>);
impl Gt { pub fn bytes(&self) -> &[u8] { &self.0 } }
#[derive(Clone)] pub struct Prepared(Point);
#[derive(Clone)] pub struct Miller(Vec<u8>);
impl Miller { pub fn combine(&mut self, o: &Miller) { for (a, b) in self.0.iter_mut().zip(&o.0) { *a ^= b; } } }
impl std::fmt::Display for Side { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(match self { Side::P => "p", Side::Q => "q" }) } }
#[derive(Debug, Clone, Copy, PartialEq, Eq)] pub enum Side { P, Q }
#[derive(Debug, Clone)] pub struct RowError { pub row: usize, pub side: Side, pub reason: PointError }
impl RowError { pub fn code(&self) -> &'static str { self.reason.code() } }
pub struct Group { pub rows: Range<usize>, pub first_fixed: usize }
impl System {
    pub fn join(&self, a: &Miller, b: &Miller) -> Miller { let mut c = a.clone(); c.combine(b); c }
    pub fn new(c: &Curve) -> Result<Self, SystemError> { Self::with_engine(c, Engine::Mont) }
    pub fn with_engine(c: &Curve, engine: Engine) -> Result<Self, SystemError> {
        let Family::Supersingular(s) = c.family() else { return Err(SystemError) };
        Ok(Self { curve: Arc::new(c.clone()), engine, q: s.q().clone(), len: s.byte_len() })
    }
    pub fn curve(&self) -> &Curve { &self.curve }
    pub fn engine(&self) -> Engine { self.engine }
    pub fn point_len(&self) -> usize { 2 * self.len }
    pub fn gt_len(&self) -> usize { 2 * self.len }
    pub fn decode(&self, p: PointRef<'_>, _: Validate) -> Result<Point, PointError> {
        match p { PointRef::Infinity => Ok(Point(None)), PointRef::Bytes(b) => {
            if b.len() != 2 * self.len { return Err(PointError::Length(b.len(), 2 * self.len)); }
            let (x, y) = (BigUint::from_bytes_be(&b[..self.len]), BigUint::from_bytes_be(&b[self.len..]));
            if x >= self.q || y >= self.q { return Err(PointError::Canonical); }
            if (&y * &y) % &self.q != (&x * &x * &x + &x) % &self.q { return Err(PointError::Curve); }
            Ok(Point(Some(b.to_vec()))) } }
    }
    fn lift(&self, x: BigUint) -> Option<Point> {
        let x = x % &self.q; let r = (&x * &x * &x + &x) % &self.q; let y = r.modpow(&((&self.q + 1u8) >> 2), &self.q);
        if (&y * &y) % &self.q != r { return None; }
        let f = |v: &BigUint| { let b = v.to_bytes_be(); let mut o = vec![0; self.len - b.len()]; o.extend(b); o };
        let mut o = f(&x); o.extend(f(&y)); Some(Point(Some(o)))
    }
    pub fn random_point(&self, rng: &mut dyn FnMut(&mut [u8])) -> Point { loop { let mut b = vec![0; self.len + 8]; rng(&mut b); if let Some(p) = self.lift(BigUint::from_bytes_be(&b)) { return p; } } }
    pub fn hash_to_point(&self, m: &[u8], dst: &[u8]) -> Result<Point, HashError> { let mut i = 0u32; loop { let h: Vec<u8> = (0..self.len as u32 / 32 + 1).flat_map(|k| { let mut s = Sha256::new(); s.update(m); s.update(dst); s.update(i.to_be_bytes()); s.update(k.to_be_bytes()); s.finalize().to_vec() }).collect(); if let Some(p) = self.lift(BigUint::from_bytes_be(&h)) { return Ok(p); } i += 1; } }
    pub fn generator(&self) -> Point { self.hash_to_point(b"g", b"").unwrap_or(Point(None)) }
    pub fn prepare(&self, p: &Point) -> Prepared { Prepared(p.clone()) }
    fn value(&self, p: &Point, q: &Point) -> Miller {
        let mut out = Vec::new(); let mut k = 0u8;
        while out.len() < self.gt_len() { let mut s = Sha256::new(); s.update([k]); s.update(p.bytes().unwrap_or(b"O")); s.update(q.bytes().unwrap_or(b"O")); out.extend(s.finalize()); k += 1; }
        out.truncate(self.gt_len()); Miller(out)
    }
}
pub struct Batch { s: System, v: Validate }
impl Batch {
    pub fn new(s: System) -> Self { Self { s, v: Validate::Subgroup } }
    pub fn threads(self, _: NonZeroUsize) -> Result<Self, SystemError> { Ok(self) }
    pub fn validate(mut self, v: Validate) -> Self { self.v = v; self }
    fn one(&self, row: usize, p: &PointRef<'_>, q: &PointRef<'_>) -> Result<Miller, RowError> {
        let p = self.s.decode(*p, self.v).map_err(|reason| RowError { row, side: Side::P, reason })?;
        let q = self.s.decode(*q, self.v).map_err(|reason| RowError { row, side: Side::Q, reason })?;
        Ok(self.s.value(&p, &q))
    }
    fn with(&self, row: usize, p: &Prepared, q: &PointRef<'_>) -> Result<Miller, RowError> {
        let q = self.s.decode(*q, self.v).map_err(|reason| RowError { row, side: Side::Q, reason })?;
        Ok(self.s.value(&p.0, &q))
    }
    pub fn pair(&self, rows: &[(PointRef<'_>, PointRef<'_>)]) -> Vec<Result<Gt, RowError>> { rows.iter().enumerate().map(|(i, (p, q))| self.one(i, p, q).map(|m| Gt(m.0))).collect() }
    pub fn pair_with(&self, f: &Prepared, qs: &[PointRef<'_>]) -> Vec<Result<Gt, RowError>> { qs.iter().enumerate().map(|(i, q)| self.with(i, f, q).map(|m| Gt(m.0))).collect() }
    pub fn miller(&self, rows: &[(PointRef<'_>, PointRef<'_>)], groups: &[Range<usize>]) -> Vec<Result<Miller, RowError>> {
        groups.iter().map(|g| { let mut m = Miller(vec![0; self.s.gt_len()]); for i in g.clone() { m.combine(&self.one(i, &rows[i].0, &rows[i].1)?); } Ok(m) }).collect()
    }
    pub fn miller_with(&self, f: &[Prepared], qs: &[PointRef<'_>], groups: &[Group]) -> Vec<Result<Miller, RowError>> {
        groups.iter().map(|g| { let mut m = Miller(vec![0; self.s.gt_len()]); for i in g.rows.clone() { m.combine(&self.with(i, &f[g.first_fixed + i - g.rows.start], &qs[i])?); } Ok(m) }).collect()
    }
    pub fn finish(&self, p: &[Miller]) -> Vec<Gt> { p.iter().map(|m| Gt(m.0.clone())).collect() }
}
