//! Few products, checks and prepared arguments in rows, each form of a call once the engine is ready for it. Calls on
//! rows are counted, and the values are those of `mont`.

use crate::common::shipped;
use bilinear_engine::{
    Batch, Curve, Engine, Group, Gt, Options, PairingKind, Parallel, Point, PointRef, Prepared, PreparedRows, RowError,
    Side, System, Validate,
};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Curves whose rows have five and eight limbs, with the most pairings that are few, the most pairs and products
/// together, and sizes of the products of a call.
const CURVES: [(&str, usize, usize, &[&[usize]]); 2] =
    [("d-159", 2, 4, &[&[1], &[2], &[3], &[4], &[0], &[1, 1], &[2, 1], &[1, 0]]), ("bls12-381", 3, 6, &[&[5], &[6]])];

fn has_rows(name: &str) -> bool {
    Engine::Rows.suits(Curve::named(name).unwrap().family().field())
}

fn new(name: &str) -> System {
    System::new(&Curve::named(name).unwrap()).unwrap()
}

fn batch(s: &System, threads: usize) -> Batch {
    Batch::new(s.clone()).threads(NonZeroUsize::new(threads).unwrap()).unwrap().validate(Validate::OnCurve)
}

/// Returns pairs of points. The product of the first and second is 1, and so is that of the third and fourth.
fn pairs(s: &System) -> Pairs {
    let hash = |group, i: usize| s.hash_to_curve(group, format!("few {i}").as_bytes(), b"BILINEAR-TEST").unwrap();
    let pair = |i| {
        let (p, q) = (hash(Group::G1, i), hash(Group::G2, i));
        [(p.clone(), q.clone()), (s.neg(&p), q)]
    };
    [pair(0), pair(1), pair(2)].concat()
}

/// A curve whose pairings take little time.
const SHORT: &str = "d-159";

type Pairs = Vec<(Point, Point)>;

/// Returns a system over [`SHORT`], the same on `mont`, and pairs; `None` on a processor without rows.
fn short() -> Option<(System, System, Pairs)> {
    has_rows(SHORT).then(|| {
        let s = new(SHORT);
        let pairs = pairs(&s);
        (s, shipped(SHORT).on(Engine::Mont).unwrap(), pairs)
    })
}

/// Returns consecutive groups of these sizes.
fn groups(sizes: &[usize]) -> Vec<Range<usize>> {
    let mut end = 0;
    sizes
        .iter()
        .map(|size| {
            end += size;
            end - size..end
        })
        .collect()
}

type Rows<'a> = Vec<(PointRef<'a>, PointRef<'a>)>;
type Outcomes = (Vec<Result<Gt, RowError>>, Vec<Result<bool, RowError>>, Vec<Gt>);

/// Returns products, whether they are 1, and the values that are finished separately.
fn moving(batch: &Batch, rows: &Rows<'_>, groups: &[Range<usize>]) -> Outcomes {
    let parts: Vec<_> = batch.miller(rows, groups).into_iter().filter_map(Result::ok).collect();
    (batch.product(rows, groups), batch.check(rows, groups), batch.final_exponentiation(&parts))
}

/// Prepares the fixed arguments of a system, and returns them with the other ones.
fn split<'a>(s: &System, pairs: &'a [(Point, Point)]) -> (Vec<Prepared>, Vec<PointRef<'a>>) {
    let side = s.fixed_side();
    let split = |(p, q): &'a (Point, Point)| {
        let (fixed, other) = if side == Side::P { (p, q) } else { (q, p) };
        (s.prepare(side, fixed).unwrap(), other.as_ref())
    };
    pairs.iter().map(split).unzip()
}

fn prepared(batch: &Batch, fixed: &[Prepared], others: &[PointRef<'_>], groups: &[Range<usize>]) -> Outcomes {
    let groups: Vec<_> = groups.iter().map(|g| PreparedRows { rows: g.clone(), first_prepared: g.start }).collect();
    let parts: Vec<_> = batch.miller_prepared(fixed, others, &groups).into_iter().filter_map(Result::ok).collect();
    (
        batch.product_prepared(fixed, others, &groups),
        batch.check_prepared(fixed, others, &groups),
        batch.final_exponentiation(&parts),
    )
}

/// Returns true if products of varying points are few with this limit.
fn is_few(sizes: &[usize], limit: usize) -> bool {
    !sizes.contains(&0) && sizes.iter().sum::<usize>() + sizes.len() <= limit
}

#[test]
fn products_of_any_sizes_are_those_of_mont_before_and_after() {
    for (name, most, limit, sizes) in CURVES.into_iter().filter(|(name, ..)| has_rows(name)) {
        let (s, mont) = (new(name), shipped(name).on(Engine::Mont).unwrap());
        let pairs = pairs(&s);
        let rows: Rows<'_> = pairs.iter().map(|(p, q)| (p.as_ref(), q.as_ref())).collect();
        let (fixed, others) = split(&s, &pairs);
        let (of_mont, _) = split(&mont, &pairs);
        for sizes in sizes.iter().copied() {
            let groups = groups(sizes);
            let want = moving(&batch(&mont, 1), &rows, &groups);
            assert_eq!(prepared(&batch(&mont, 1), &of_mont, &others, &groups), want);
            for is_ready in [false, true] {
                if is_ready {
                    s.warm_up_products(sizes);
                    s.warm_up_products_prepared(sizes);
                    let few = s.engine_for_products(sizes) == Engine::Rows;
                    assert_eq!(few, is_few(sizes, limit), "{name}, {sizes:?}");
                    let few = s.engine_for_products_prepared(sizes) == Engine::Rows;
                    assert_eq!(few, sizes.len() <= most && !sizes.contains(&0), "{name}, {sizes:?}");
                }
                for threads in [1, 2, 3] {
                    let batch = batch(&s, threads);
                    assert_eq!(moving(&batch, &rows, &groups), want, "{name}, {sizes:?}, {threads} threads");
                    let got = prepared(&batch, &fixed, &others, &groups);
                    assert_eq!(got, want, "{name}, {sizes:?} prepared, {threads} threads");
                }
            }
        }
    }
}

#[test]
fn products_with_o_and_bad_rows_are_those_of_mont() {
    let Some((s, mont, pairs)) = short() else { return };
    let call = groups(&[2, 1]);
    for sizes in [&[2, 1][..], &[2], &[1], &[1, 1]] {
        s.warm_up_products(sizes);
        s.warm_up_products_prepared(sizes);
    }
    for (row, point) in (0..3).flat_map(|row| [PointRef::Infinity, PointRef::Bytes(&[7; 3])].map(|p| (row, p))) {
        for of_p in [true, false] {
            let mut rows: Rows<'_> = pairs.iter().map(|(p, q)| (p.as_ref(), q.as_ref())).collect();
            *(if of_p { &mut rows[row].0 } else { &mut rows[row].1 }) = point;
            let want = moving(&batch(&mont, 1), &rows, &call);
            assert_eq!(want.0.iter().filter(|value| value.is_err()).count(), usize::from(point != PointRef::Infinity));
            assert_eq!(moving(&batch(&s, 1), &rows, &call), want, "{SHORT}, row {row}");
            if of_p == (s.fixed_side() == Side::P) {
                continue;
            }
            let (fixed, mut others) = split(&s, &pairs);
            others[row] = point;
            let got = prepared(&batch(&s, 1), &fixed, &others, &call);
            assert_eq!(got, want, "{SHORT}, row {row}, prepared");
        }
    }
    // a fixed argument that is O
    let (mut fixed, others) = split(&s, &pairs);
    let (mut of_mont, _) = split(&mont, &pairs);
    let o = s.infinity(s.fixed_side().group());
    fixed[1] = s.prepare(s.fixed_side(), &o).unwrap();
    of_mont[1] = mont.prepare(s.fixed_side(), &o).unwrap();
    let want = prepared(&batch(&mont, 1), &of_mont, &others, &call);
    assert_eq!(prepared(&batch(&s, 1), &fixed, &others, &call), want, "{SHORT}, O fixed");
}

/// Waits until a background thread has prepared the engine.
fn wait_until(is_ready: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_ready() {
        assert!(begun.elapsed() < Duration::from_secs(60), "a thread makes it ready");
        sleep(Duration::from_millis(1));
    }
}

/// Counts the calls that rows compute during some work.
fn calls<T>(s: &System, work: impl FnOnce() -> T) -> usize {
    let before = s.few_calls();
    work();
    s.few_calls() - before
}

#[test]
fn rows_compute_what_they_are_ready_for_and_nothing_else() {
    let name = "d-159";
    if !has_rows(name) {
        return;
    }
    let s = new(name);
    let pairs = pairs(&s);
    let rows: Rows<'_> = pairs.iter().map(|(p, q)| (p.as_ref(), q.as_ref())).collect();
    let (fixed, others) = split(&s, &pairs);
    let one = batch(&s, 1);
    let all = |sizes: &[usize]| {
        let groups = groups(sizes);
        let with: Vec<_> = groups.iter().map(|g| PreparedRows { rows: g.clone(), first_prepared: 0 }).collect();
        [
            calls(&s, || one.product(&rows, &groups)),
            calls(&s, || one.check(&rows, &groups)),
            calls(&s, || one.miller(&rows, &groups)),
            calls(&s, || one.product_prepared(&fixed, &others, &with)),
            calls(&s, || one.check_prepared(&fixed, &others, &with)),
            calls(&s, || one.miller_prepared(&fixed, &others, &with)),
        ]
    };
    assert_eq!(all(&[2]), [0; 6]);
    // loops and final exponentiations
    s.warm_up_products(&[2]);
    assert_eq!(all(&[2]), [2, 2, 1, 1, 1, 0]);
    s.warm_up_products_prepared(&[2]);
    assert_eq!(all(&[2]), [2, 2, 1, 2, 2, 1]);
    assert_eq!(calls(&s, || batch(&s, 2).product(&rows, &groups(&[2, 1]))), 2, "ready for one of two threads");
    // with an O the loop is not few, or is that of one pair less
    let mut with_o = rows.clone();
    with_o[1].0 = PointRef::Infinity;
    assert_eq!(calls(&s, || one.product(&with_o, &groups(&[2]))), 1);
    let mut others_with_o = others.clone();
    others_with_o[1] = PointRef::Infinity;
    let met = [PreparedRows { rows: 0..2, first_prepared: 0 }];
    assert_eq!(calls(&s, || one.product_prepared(&fixed, &others_with_o, &met)), 1);
    assert_eq!(all(&[1]), [1, 1, 0, 1, 1, 0], "another number of pairs");
    assert_eq!(all(&[3]), [1, 1, 0, 1, 1, 0]);
    assert_eq!(all(&[2, 2]), [0; 6], "two products");
    s.warm_up_products(&[4]);
    s.warm_up_products_prepared(&[8]);
    s.warm_up_products_prepared(&[9]);
    assert_eq!([8, 9].map(|pairs| s.engine_for_products_prepared(&[pairs])), [Engine::Rows, Engine::Mont]);
    assert_eq!(all(&[4]), [1, 1, 0, 1, 1, 0], "not few: the final exponentiation is");
    // as many pairings with a prepared argument
    s.warm_up_products_prepared(&[1]);
    s.warm_up_products_prepared(&[1, 1]);
    s.warm_up_products_prepared(&[1, 1, 1]);
    let of = |n: usize| calls(&s, || one.pair_prepared(&fixed[0], &others[..n]));
    assert_eq!([1, 2, 3].map(of), [2, 2, 0]);
    // a product that is few by itself stays on one thread; two products are for two threads, and so are the parts of
    // a product that is not few
    s.warm_up_products(&[3]);
    assert_eq!(calls(&s, || batch(&s, 2).product(&rows, &groups(&[2]))), 2);
    assert_eq!(calls(&s, || batch(&s, 2).product(&rows, &groups(&[2, 2]))), 4);
    assert_eq!(calls(&s, || batch(&s, 2).product(&rows, &groups(&[6]))), 3);
    let two = groups(&[2, 2]).into_iter().map(|rows| PreparedRows { rows, first_prepared: 0 }).collect::<Vec<_>>();
    assert_eq!(calls(&s, || batch(&s, 2).product_prepared(&fixed, &others, &two[..1])), 2);
    assert_eq!(calls(&s, || batch(&s, 2).product_prepared(&fixed, &others, &two)), 4);
    assert_eq!(calls(&s, || batch(&s, 2).pair_prepared(&fixed[0], &others[..2])), 4);
    s.warm_up_few();
    assert_eq!(calls(&s, || s.pair(&pairs[0].0, &pairs[0].1)), 2);
    assert_eq!(calls(&s, || s.pair(&pairs[0].0, &s.infinity(Group::G2))), 1);
    assert_eq!(calls(&s, || s.on(Engine::Mont).unwrap().pair(&pairs[0].0, &pairs[0].1)), 0);
}

/// Lines of α-Weil are long. Where rows are requested, products are cut.
#[test]
fn products_that_need_too_many_rows_are_left_to_others() {
    if !has_rows("alt-bn128") {
        return;
    }
    let options = Options { pairing: Some(PairingKind::AlphaWeil), ..Options::default() };
    let s = System::with(&Curve::named("alt-bn128").unwrap(), options).unwrap();
    s.warm_up_products_prepared(&[6]);
    assert_eq!(s.engine_for_products_prepared(&[6]), Engine::Mont);
    let pair = |_| (s.random(Group::G1).unwrap(), s.random(Group::G2).unwrap());
    let pairs: Pairs = (0..6).map(pair).collect();
    let [on_rows, on_mont] = [Engine::Rows, Engine::Mont].map(|engine| {
        let system = s.on(engine).unwrap();
        let (fixed, others) = split(&system, &pairs);
        batch(&system, 1).product_prepared(&fixed, &others, &[PreparedRows { rows: 0..6, first_prepared: 0 }])
    });
    assert!(on_rows == on_mont && on_rows[0].is_ok());
}

#[test]
fn a_form_is_made_ready_after_a_thousand_products() {
    let Some((s, _, pairs)) = short() else { return };
    let rows: Rows<'_> = pairs.iter().map(|(p, q)| (p.as_ref(), q.as_ref())).collect();
    let (fixed, others) = split(&s, &pairs);
    let batch = batch(&s, 1);
    let met = [PreparedRows { rows: 0..2, first_prepared: 0 }];
    let both = || {
        assert_eq!(batch.check(&rows, std::slice::from_ref(&(0..2))), [Ok(true)]);
        assert_eq!(batch.check_prepared(&fixed, &others, &met), [Ok(true)]);
    };
    let engines = |sizes: &[usize]| [s.engine_for_products(sizes), s.engine_for_products_prepared(sizes)];
    // the programs that remain to be scheduled then take a fraction of a second
    s.warm_up_few();
    (0..1000).for_each(|_| both());
    sleep(Duration::from_millis(800));
    assert_eq!(engines(&[2]), [Engine::Ifma, Engine::Mont], "nothing begins before");
    let begun = Instant::now();
    while engines(&[2]) != [Engine::Rows; 2] {
        both();
        assert!(begun.elapsed() < Duration::from_secs(300), "a thread makes it ready");
    }
    assert_eq!(engines(&[3]), [Engine::Ifma, Engine::Mont], "a form that nobody asked for");
    assert_eq!(calls(&s, both), 4);
    // values are counted, not calls
    let twice = [PreparedRows { rows: 0..2, first_prepared: 0 }, PreparedRows { rows: 2..3, first_prepared: 2 }];
    let two = || assert_eq!(batch.check_prepared(&fixed, &others, &twice), [Ok(true), Ok(false)]);
    (0..500).for_each(|_| two());
    sleep(Duration::from_millis(20));
    assert_eq!(s.engine_for_products_prepared(&[2, 1]), Engine::Ifma, "nothing begins before");
    two();
    wait_until(|| s.engine_for_products_prepared(&[2, 1]) == Engine::Rows);
}

#[test]
fn a_prepared_argument_alone_takes_rows_when_they_are_ready() {
    let Some((s, mont, pairs)) = short() else { return };
    let (p, q) = &pairs[0];
    let (fixed, other) = if s.fixed_side() == Side::P { (p, q) } else { (q, p) };
    let fixed = s.prepare(s.fixed_side(), fixed).unwrap();
    let want = mont.pair(p, q);
    let given = |parallel: Parallel| {
        let two = s.prepared_loop_partition(2).unwrap().parts.iter().map(|part| part.part).collect::<Vec<_>>();
        parallel.with_prepared_parts(&two, false).unwrap()
    };
    for threads in [1, 2] {
        let parallel = s.parallel(NonZeroUsize::new(threads).unwrap()).unwrap();
        assert_eq!(parallel.pair_prepared(&fixed, other), want, "{SHORT}");
        // the first argument has started the preparation
        wait_until(|| s.engine_for_products_prepared(&[1]) == Engine::Rows);
        let alone = calls(&s, || assert_eq!(parallel.pair_prepared(&fixed, other), want, "{SHORT}"));
        assert_eq!(alone, 2, "{SHORT}, {threads} threads");
        assert_eq!(parallel.pair_prepared(&fixed, &s.infinity(s.fixed_side().other().group())), s.gt_one());
        // a partition given by the caller stays on the engine of single values
        let given = given(parallel);
        assert_eq!(calls(&s, || assert_eq!(given.pair_prepared(&fixed, other), want, "{SHORT}")), 0);
    }
}
