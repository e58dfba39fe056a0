//! Types A and A1 over the recorder: G1 and G2 are one group.

use super::job::{Job, Recordable};
use super::ports::{double, input_point, output, output_affine, output_point, slope_sum};
use crate::backend::group::Group;
use crate::backend::validate::Validate;
use bilinear_field::{Extension, Field, Lanes, Prime, at, sqrt_3mod4};
use bilinear_pairing::supersingular::{
    Membership, Moving, MovingAffine, Pair, Prepared, PreparedLines, Supersingular, final_exponentiation,
};
use bilinear_pairing::svdw::with_sign;
use bilinear_pairing::{Kept, miller, window_bits};
use bilinear_program::{Elem, Program, ProgramError, Recorder};
use num_bigint::BigUint;
use std::sync::OnceLock;
use zeroize::Zeroizing;

/// The pairing of types A and A1.
pub(crate) struct OfSupersingular {
    recorder: Recorder,
    system: Supersingular<Recorder>,
    /// That of the parameters, or else hP ≠ O for the cofactor h and the first such P over x = 1, 2, ….
    generator: Option<(BigUint, BigUint)>,
    /// How the group is recognised where the cofactor is small; else by multiplication.
    membership: OnceLock<Option<Membership<Elem>>>,
    /// The shapes of a prepared argument's functions.
    prepared: OnceLock<Prepared<Recorder>>,
}

impl OfSupersingular {
    pub(crate) fn new(
        recorder: Recorder,
        system: Supersingular<Recorder>,
        generator: Option<(BigUint, BigUint)>,
    ) -> Self {
        OfSupersingular { recorder, system, generator, membership: OnceLock::new(), prepared: OnceLock::new() }
    }
}

impl Recordable for OfSupersingular {
    fn record(&self, job: Job) -> Result<Program, ProgramError> {
        let system = &self.system;
        let (fq, fq2, curve) = (system.fq(), system.fq2(), system.curve());
        // the test takes a search, which is no part of a program
        if let Job::InGroup(_) = job {
            self.membership.get_or_init(|| system.membership());
        }
        self.recorder.record(|ports| match job {
            Job::Miller { pairs, masked, affine } => {
                let pair = |_| Pair {
                    p: input_point(ports, curve),
                    q: input_point(ports, curve),
                    infinite: masked.then(|| ports.mask()),
                };
                let list: Vec<Pair<Recorder>> = (0..pairs).map(pair).collect();
                let mut f = [fq2.one()];
                if affine {
                    let mut lines = MovingAffine::new(system, &list, &[pairs]);
                    miller(&mut lines, system.moving_loop(), &mut f);
                    ports.output_mask(lines.undefined());
                } else {
                    miller(&mut Moving::new(system, &list, &[pairs]), system.moving_loop(), &mut f);
                }
                output(ports, fq2, &f[0]);
            }
            Job::Prepare => {
                let prepared = system.prepare(&input_point(ports, curve));
                prepared.kept().residues().iter().for_each(|x| ports.output_uniform(x));
                self.prepared.get_or_init(|| prepared);
            }
            Job::MillerPrepared { pairs, masked } => {
                let shape = self.prepared.get().unwrap_or_else(|| unreachable!("an argument was prepared before"));
                let kept = shape.kept().residues().len();
                let functions: Vec<Prepared<Recorder>> = (0..pairs)
                    .map(|stream| {
                        let residues: Vec<Elem> = (0..kept).map(|_| ports.uniform(stream)).collect();
                        shape.with_kept(Kept::from_residues(residues))
                    })
                    .collect();
                let others: Vec<_> = functions
                    .iter()
                    .map(|_| (system.powers(&input_point(ports, curve)), masked.then(|| ports.mask())))
                    .collect();
                let mut lines = PreparedLines::new(system);
                for (functions, (powers, infinite)) in functions.iter().zip(&others) {
                    lines.push(functions, powers, *infinite, 0);
                }
                let mut f = [fq2.one()];
                miller(&mut lines, system.prepared_loop(), &mut f);
                output(ports, fq2, &f[0]);
            }
            Job::Finish => {
                let mut f = [fq2.compose(&mut || ports.elem())];
                final_exponentiation(system, &mut f);
                output(ports, fq2, &f[0]);
            }
            Job::OnCurve(_) => {
                let p = input_point(ports, curve);
                ports.output_mask(curve.contains(&p));
            }
            Job::Decompress(_) => {
                let x = ports.elem();
                let odd = ports.mask();
                let (mut g, mut y) = (fq.zero(), fq.zero());
                curve.right_side(&mut g, &x);
                sqrt_3mod4(fq, &mut y, &g);
                at! {fq; yy = sqr(&y);}
                ports.output(&with_sign(fq, &y, odd));
                ports.output_mask(fq.equal(&yy, &g));
            }
            Job::InGroup(_) => {
                let p = input_point(ports, curve);
                ports.output_mask(match self.membership.get() {
                    Some(Some(test)) => system.passes(test, &p),
                    _ => system.killed_by(system.order(), &p),
                });
            }
            Job::ClearCofactor(_) => {
                let p = input_point(ports, curve);
                output_point(ports, curve, &curve.mul(system.cofactor(), &p));
            }
            // u to the point with x = ±u, whichever is an abscissa, and y of u's parity: a bijection from F_q* to the points of
            // E other than O and (0, 0), since −1 is not a square and x³ + x is odd
            Job::Map { .. } => {
                let u = ports.elem();
                let (mut p, _) = system.point_from_x(&u);
                p.y = with_sign(fq, &p.y, fq.is_odd(&u));
                output_point(ports, curve, &curve.mul(system.cofactor(), &p));
            }
            Job::Add(_) => {
                let (p, q) = (input_point(ports, curve), input_point(ports, curve));
                output_affine(ports, curve, &slope_sum(curve, &p, &q));
            }
            Job::Double(_) => {
                let p = input_point(ports, curve);
                output_affine(ports, curve, &double(curve, &p));
            }
            Job::Multiple { bytes, .. } => {
                let p = input_point(ports, curve);
                output_point(ports, curve, &curve.mul_secret(&[&vec![0; bytes]], &p));
            }
            Job::GtMul => {
                let (x, y) = (fq2.compose(&mut || ports.elem()), fq2.compose(&mut || ports.elem()));
                at! {fq2; product = mul(&x, &y);}
                output(ports, fq2, &product);
            }
            Job::GtSquare { .. } => {
                let x = fq2.compose(&mut || ports.elem());
                at! {fq2; square = sqr(&x);}
                output(ports, fq2, &square);
            }
            Job::GtInv => {
                let x = fq2.compose(&mut || ports.elem());
                output(ports, fq2, &system.gt_inv(&x));
            }
            Job::InGt => {
                let x = fq2.compose(&mut || ports.elem());
                ports.output_mask(system.gt_contains(&x));
            }
            Job::GtPower { bytes } => {
                let x = fq2.compose(&mut || ports.elem());
                output(ports, fq2, &system.gt_pow_secret(&x, &[&vec![0; bytes]]));
            }
            Job::GtCompress(torus) => {
                let x = fq2.compose(&mut || ports.elem());
                torus.compress(fq2, &x).iter().for_each(|c| ports.output(c));
            }
            Job::GtDecompress(torus) => {
                let (x, on_torus) = torus.decompress(fq2, &[ports.elem()]);
                output(ports, fq2, &x);
                ports.output_mask(fq2.both(on_torus, system.gt_contains(&x)));
            }
        })
    }

    fn order(&self) -> &BigUint {
        self.system.order()
    }

    fn degree(&self, _: Group) -> usize {
        1
    }

    fn generator(&self, _: Group) -> (Vec<BigUint>, Validate) {
        let known = Validate::Subgroup;
        if let Some((x, y)) = &self.generator {
            return (vec![x.clone(), y.clone()], known);
        }
        let f = &self.recorder;
        for x in (1u32..).map(BigUint::from) {
            let (mut p, _) = self.system.point_from_x(&f.constant(&x));
            p.y = with_sign(f, &p.y, f.mask(false));
            let p = self.system.clear_cofactor(&p);
            if !f.lane(p.infinity, 0) {
                return (vec![f.value(&p.x, 0), f.value(&p.y, 0)], known);
            }
        }
        unreachable!("a curve has points of the group's order")
    }

    fn maps_uniformly(&self) -> bool {
        true
    }

    fn prepares_g1(&self) -> bool {
        true
    }

    fn digits(&self, _: Group, _: Validate, k: &[u8]) -> Zeroizing<Vec<bool>> {
        window_bits(k)
    }

    fn gt_digits(&self, e: &[u8]) -> Zeroizing<Vec<bool>> {
        self.system.gt_digits(e)
    }
}
