//! Whole batches on the machine of a device have the bytes of `mont` in every row.

use crate::shim::{Shim, properties};
use bilinear_cuda::{Arithmetic, DeviceError, Driver, Machines, Properties};
use bilinear_engine::params::Description;
use bilinear_engine::{
    Batch, BigUint, Curve, Engine, Group, Gt, Point, PointRef, Prepared, PreparedRows, Side, System,
};
use bilinear_field::{Field, Margin, at, plus, times};
use bilinear_program::{Recorder, machine};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) fn mont(name: &str) -> System {
    System::with_engine(&Curve::named(name).unwrap(), Engine::Mont).unwrap()
}

fn described(name: &str, text: &str) -> System {
    let text = format!("name = \"{name}\"\n{text}\n");
    System::with_engine(&Description::from_toml(&text, name).unwrap().curve, Engine::Mont).unwrap()
}

/// A supersingular curve over 66 bits, for tests of launches and not of numbers.
pub(crate) fn short() -> System {
    described("short", &format!("family = \"a\"\n[parameters]\nr = \"{}\"\nh = \"20\"", (1u64 << 61) - 1))
}

/// A short curve with a group on a twist: 62 bits.
fn short_twisted() -> System {
    described("short-twisted", "family = \"bn\"\n[parameters]\nu = \"16478\"")
}

/// Returns a system whose batches run on a device made of the kernels, and the device.
fn on(system: &System, shim: Shim) -> (System, Arc<Shim>) {
    let shim = Arc::new(shim);
    (system.on_device(shim.clone()).unwrap(), shim)
}

pub(crate) fn batch(system: &System) -> Batch {
    Batch::new(system.clone()).on_this_thread()
}

/// Returns pairs of points, the last but one with O.
pub(crate) fn points(system: &System, count: usize) -> Vec<[Point; 2]> {
    let point = |group, i: usize| system.mul(&BigUint::from(7 * i as u32 + 3), &system.generator(group));
    let mut all: Vec<[Point; 2]> = (0..count).map(|i| [Group::G1, Group::G2].map(|group| point(group, i))).collect();
    all[count - 2][0] = system.infinity(Group::G1);
    all
}

/// Compares the pairings of six rows: the last but one has O, and the second a point off the curve. The five others
/// leave a lane of the shim's last vector idle.
pub(crate) fn pairs(mont: &System, cuda: &System) {
    let points = points(mont, 6);
    let mut bad = points[1][0].bytes().unwrap().to_vec();
    *bad.last_mut().unwrap() ^= 1;
    let rows: Vec<(PointRef<'_>, PointRef<'_>)> = points
        .iter()
        .enumerate()
        .map(|(i, [p, q])| (if i == 1 { PointRef::Bytes(&bad) } else { p.as_ref() }, q.as_ref()))
        .collect();
    let [got, want] = [cuda, mont].map(|system| batch(system).pair(&rows));
    assert_eq!(got, want, "{}", mont.curve().name());
    assert!(want[1].is_err() && want[4] == Ok(mont.gt_one()) && want[5].is_ok(), "{}", mont.curve().name());
}

fn pairs_on_the_shim(name: &str, properties: Properties) {
    let mont = mont(name);
    let (cuda, shim) = on(&mont, Shim::new(properties));
    pairs(&mont, &cuda);
    assert_eq!(cuda.fallback_reason(), None, "{name}");
    // one stage of a Miller loop; two of a final exponentiation, and an inversion
    assert!(usize::MAX - shim.left() >= 4, "{name}: {} launches", usize::MAX - shim.left());
}

#[test]
fn pairings_are_those_of_mont() {
    for name in ["a-512", "bls12-381", "alt-bn128", "a1-2x512", "a-1536"] {
        pairs_on_the_shim(name, properties());
    }
}

/// Pairings in residues, with values in the memory that a block shares and in that of the device.
#[test]
fn pairings_in_residues_are_those_of_mont() {
    let residues = || Properties { arithmetic: Arithmetic::Residues, ..properties() };
    for name in ["a-512", "alt-bn128"] {
        pairs_on_the_shim(name, residues());
    }
    pairs_on_the_shim("bls12-381", Properties { shared: 20_000, ..residues() });
}

/// With one thread per pairing, places are in whole blocks of 128 pairings, and five pairings are three vectors: a
/// launch of several vectors takes no more memory than it may; one of a single vector may take more.
#[test]
fn launches_take_no_more_memory_than_they_may() {
    let mont = short();
    let run = |memory: usize| {
        let (cuda, shim) = on(&mont, Shim::new(Properties { shared: 10, memory, ..properties() }));
        pairs(&mont, &cuda);
        assert_eq!(cuda.fallback_reason(), None);
        (shim.taken(), usize::MAX - shim.left())
    };
    let (all, launches) = run(1 << 20);
    let (less, more) = run(all - 1);
    assert!(less < all && more > launches, "{less} of {all} words in {more} launches, {launches}");
    let (one, most) = run(10);
    assert!(10 < one && one < less && most > more, "{one} of {less} words in {most} launches, {more}");
}

/// Pairings by one thread each if a block has no memory for groups, in launches of one vector if there is no memory
/// for more, have the same values.
#[test]
fn little_memory_changes_no_value() {
    pairs_on_the_shim("a-512", Properties { shared: 100, memory: 30_000, ..properties() });
    pairs_on_the_shim("a-512", Properties { width: 4, ..properties() });
}

#[test]
fn the_first_gpu_computes_or_says_why_not() {
    match Driver::new(0) {
        Ok(driver) => {
            for name in Curve::names() {
                let mont = mont(name);
                match mont.on_device(driver.clone()) {
                    Ok(cuda) => {
                        pairs(&mont, &cuda);
                        assert_eq!(cuda.fallback_reason(), None, "{name}");
                    }
                    // there are no kernels for longer moduli
                    Err(error) => assert!(mont.curve().family().field().bits() > 2176, "{error}"),
                }
            }
        }
        Err(reason) => {
            let mont = mont("a-512");
            let without = mont.on(Engine::Cuda).unwrap();
            pairs(&mont, &without);
            assert_eq!(without.no_device_reason(), Some(reason.to_string().as_str()));
            assert!(!reason.to_string().contains('\n'), "{reason}");
        }
    }
}

/// Compares products of several lengths, with variable arguments and with fixed ones, which differ between two vectors.
fn products(properties: Properties) {
    let mont = mont("a-512");
    let (cuda, _) = on(&mont, Shim::new(properties));
    let points = points(&mont, 7);
    let rows: Vec<_> = points.iter().map(|[p, q]| (p.as_ref(), q.as_ref())).collect();
    let groups = [0..3, 3..3, 3..4, 4..7, 2..9];
    let [got, want] = [&cuda, &mont].map(|system| batch(system).product(&rows, &groups));
    assert_eq!(got, want);
    let others: Vec<PointRef<'_>> = points.iter().map(|[_, q]| q.as_ref()).collect();
    let fixed: Vec<PreparedRows> = [(0..2, 0), (2..3, 0), (3..3, 1), (4..6, 1), (5..7, 0), (1..2, 1), (0..3, 0)]
        .map(|(rows, first_prepared)| PreparedRows { rows, first_prepared })
        .into();
    let values = [&cuda, &mont].map(|system| {
        let keys: Vec<_> = points[..3].iter().map(|[p, _]| system.prepare(system.fixed_side(), p).unwrap()).collect();
        (batch(system).product_prepared(&keys, &others, &fixed), batch(system).pair_prepared(&keys[0], &others))
    });
    assert_eq!(values[0], values[1]);
    assert_eq!(cuda.fallback_reason(), None);
}

#[test]
fn products_are_those_of_mont() {
    products(properties());
}

#[test]
fn products_in_residues_are_those_of_mont() {
    products(Properties { arithmetic: Arithmetic::Residues, ..properties() });
}

/// Prepared arguments stay on a device from one launch to the next; if there is memory for only one, the one that
/// was used last stays.
#[test]
fn prepared_arguments_stay_on_the_device() {
    let mont = mont("a-512");
    let points = points(&mont, 5);
    let others: Vec<PointRef<'_>> = points.iter().map(|[_, q]| q.as_ref()).collect();
    // constants with the lines of one argument are 6900 words
    for (kept, stays) in [(20_000, true), (10_000, false)] {
        let (cuda, shim) = on(&mont, Shim::new(Properties { kept, ..properties() }));
        let keys = |system: &System| [0, 1].map(|i: usize| system.prepare(system.fixed_side(), &points[i][0]).unwrap());
        let (own, want) = (keys(&cuda), keys(&mont));
        let mut pair = |key: usize| {
            shim.copied();
            assert_eq!(batch(&cuda).pair_prepared(&own[key], &others), batch(&mont).pair_prepared(&want[key], &others));
            shim.copied()
        };
        let [_, second, same, other, first] = [0, 1, 1, 0, 1].map(&mut pair);
        assert!(second > 2 * same, "{kept} words: {second} words for a new argument, {same} for a known one");
        assert_eq!([other, first].map(|words| words == same), [stays; 2], "{kept} words: {other}, {first}");
        assert_eq!(cuda.fallback_reason(), None);
    }
}

/// A choice of two engines. Until the processor has computed for long enough, nothing goes to the device. Without a
/// wait, the second call of each kind does, and a device that fails then costs no row.
#[test]
fn a_device_beside_the_processor() {
    let mont = short();
    let beside = |shim: &Arc<Shim>, trial| mont.beside_device(shim.clone(), Duration::from_secs(trial)).unwrap();
    let shim = Arc::new(Shim::new(properties()));
    let patient = beside(&shim, 3600);
    assert_eq!(patient.batch_engine().unwrap().0, Engine::Auto);
    (0..2).for_each(|_| pairs(&mont, &patient));
    assert_eq!((patient.device_share(), shim.left()), (Some([0, 10]), usize::MAX));

    for good in [usize::MAX, 0, 5] {
        let shim = Arc::new(Shim::new(properties()).failing(good));
        let auto = beside(&shim, 0);
        every_kind_of_call(&mont, &auto);
        let [device, all] = auto.device_share().unwrap();
        // pairs, and pairs with the key; on a processor without lanes the two products go to the engine for single
        // values, one to a thread
        assert!(all >= 3 * 10 && (device > 0) == (good > 0) || good == 5, "{good} launches: {device} of {all}");
        assert_eq!((auto.fallback_reason().is_some(), shim.left() == 0), (good != usize::MAX, good != usize::MAX));
    }
    let twisted = short_twisted();
    let auto = twisted.beside_device(Arc::new(Shim::new(properties())), Duration::ZERO).unwrap();
    every_kind_of_call(&twisted, &auto);
    assert!(auto.device_share().unwrap()[0] > 0);
}

/// Compares every kind of call that goes to either of two engines with `mont`, three times, on two threads.
fn every_kind_of_call(mont: &System, auto: &System) {
    let points = points(mont, 5);
    let rows: Vec<_> = points.iter().map(|[p, q]| (p.as_ref(), q.as_ref())).collect();
    let own = usize::from(mont.fixed_side() == Side::Q);
    let others: Vec<PointRef<'_>> = points.iter().map(|pair| pair[1 - own].as_ref()).collect();
    let key = |system: &System| system.prepare(system.fixed_side(), &points[0][own]).unwrap();
    let all = |system: &System, key: &Prepared| {
        let batch = Batch::new(system.clone()).threads(NonZeroUsize::MIN.saturating_add(1)).unwrap();
        let values = batch.pair(&rows);
        let bytes: Vec<&[u8]> = values.iter().flatten().map(Gt::bytes).collect();
        let decoded = [Group::G1, Group::G2].map(|group| {
            let encoded = points.iter().filter_map(|pair| pair[usize::from(group == Group::G2)].bytes());
            batch.decode(group, &encoded.chain([&[1][..]]).map(PointRef::Bytes).collect::<Vec<_>>())
        });
        (
            batch.decode_gt(&bytes),
            decoded,
            batch.check(&rows, &[0..3, 3..4, 0..0]),
            batch.product(&rows, &[0..3, 3..5]),
            batch.pair_prepared(key, &others),
            values,
        )
    };
    let want = all(mont, &key(mont));
    let made = key(auto);
    for call in 0..3 {
        assert_eq!(all(auto, &made), want, "{}, call {call}", mont.curve().name());
    }
}

/// An argument prepared on a system without another engine for batches serves systems with each of these engines,
/// in any order.
#[test]
fn an_argument_prepared_on_mont_serves_every_engine_for_batches() {
    let mont = short();
    let points = points(&mont, 5);
    let others: Vec<PointRef<'_>> = points.iter().map(|[_, q]| q.as_ref()).collect();
    let key = || mont.prepare(mont.fixed_side(), &points[0][0]).unwrap();
    let want = batch(&mont).pair_prepared(&key(), &others);
    let shim = || Arc::new(Shim::new(properties()));
    let best = System::new(mont.curve()).unwrap();
    let (cuda, auto) = (mont.on_device(shim()).unwrap(), mont.beside_device(shim(), Duration::ZERO).unwrap());
    for systems in [[&best, &cuda, &auto], [&auto, &best, &cuda], [&cuda, &auto, &best]] {
        let key = key();
        for system in systems {
            assert_eq!(batch(system).pair_prepared(&key, &others), want);
        }
    }
}

/// Points from outside are checked on the device, and the truth values return to their rows.
#[test]
fn points_that_are_checked_keep_their_rows() {
    let mont = short();
    let (cuda, shim) = on(&mont, Shim::new(properties()));
    let mut bytes: Vec<Vec<u8>> = points(&mont, 7).iter().map(|[_, q]| q.bytes().unwrap().to_vec()).collect();
    for bad in [0, 3, 4] {
        *bytes[bad].last_mut().unwrap() ^= 1;
    }
    let given: Vec<PointRef<'_>> = bytes.iter().map(|bytes| PointRef::Bytes(bytes)).collect();
    let [got, want] = [&cuda, &mont].map(|system| batch(system).decode(Group::G2, &given));
    assert_eq!(got, want);
    assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|i: usize| want[i].is_ok()), [false, true, true, false, false, true, true]);
    assert!(usize::MAX - shim.left() > 1 && cuda.fallback_reason().is_none());
}

/// Digits of secrets stay on the processor: tables may be made on a device, and no launch follows.
#[test]
fn secrets_are_not_launched() {
    let mont = mont("alt-bn128");
    let (cuda, shim) = on(&mont, Shim::new(properties()));
    let points: Vec<Point> = points(&mont, 3).into_iter().map(|[p, _]| p).collect();
    let scalars: Vec<[u8; 32]> = (1..4u8).map(|i| [i; 32]).collect();
    let terms: Vec<(&[u8], Point)> = scalars.iter().map(|k| &k[..]).zip(points.iter().cloned()).collect();
    let before = shim.left();
    let multiples = [&cuda, &mont].map(|system| batch(system).mul_secret(Group::G1, &terms));
    assert_eq!(multiples[0], multiples[1]);
    assert_eq!(shim.left(), before);
    let base = mont.mul(&BigUint::from(5u32), &mont.generator(Group::G1));
    let sums = [&cuda, &mont].map(|system| {
        let bases = batch(system).fixed_bases(Group::G1, &[base.clone(), points[0].clone()], 4);
        let sums: Vec<Vec<_>> = scalars.iter().map(|k| bases.iter().map(|base| (&k[..4], base)).collect()).collect();
        let before = shim.left();
        let sums = batch(system).fixed_sums(Group::G1, &sums);
        assert_eq!(shim.left(), before);
        sums
    });
    assert_eq!(sums[0], sums[1]);
    assert_eq!(cuda.fallback_reason(), None);
}

/// If a device fails in the middle of a batch, the processor computes the rest, and the system says so. A launch
/// has one vector, so that two vectors take two launches.
#[test]
fn a_device_that_fails_costs_no_row() {
    let mont = short();
    let run = |launches: usize| {
        let (cuda, shim) = on(&mont, Shim::new(Properties { memory: 10, ..properties() }).failing(launches));
        pairs(&mont, &cuda);
        (cuda.fallback_reason(), launches - shim.left())
    };
    let (reason, all) = run(1000);
    assert!(reason.is_none() && all > 4, "{all} launches");
    for launches in [0, 1, all / 2, all - 1] {
        let (reason, used) = run(launches);
        assert_eq!(reason.unwrap(), TOLD_TO, "{launches} launches");
        assert_eq!(used, launches);
    }
}

/// The reason why a device of these tests fails.
const TOLD_TO: &str = "the NVIDIA driver failed while launching: it was told to";

/// If all memory of a device but a few pieces is in use elsewhere, the processor computes the values for which
/// there is none. The next batch runs on the device again.
#[test]
fn memory_in_use_elsewhere_is_requested_again() {
    let mont = short();
    for pieces in 0.. {
        let (cuda, shim) = on(&mont, Shim::new(properties()));
        shim.leave(Some(pieces));
        pairs(&mont, &cuda);
        let Some(reason) = cuda.fallback_reason() else {
            assert!(pieces > 6, "enough with {pieces} pieces");
            break;
        };
        assert!(reason.starts_with("the device has no memory for "), "{pieces} pieces: {reason}");
        shim.leave(None);
        let before = shim.left();
        pairs(&mont, &cuda);
        assert!(before - shim.left() >= 4, "{pieces} pieces: {} launches", before - shim.left());
    }
}

/// Any batch may be computed on the processor, so a program is refused if its values would leave their range there.
#[test]
fn what_may_stay_on_the_processor_is_proved() {
    let p = mont("alt-bn128").curve().family().field().clone();
    let recorder = Recorder::new(&p).unwrap();
    let program = recorder.record(|ports| {
        let (x, y) = (ports.elem(), ports.uniform(0));
        at! {recorder; z = mul(&x, &y); sum = sum(&[times(4000, &z), times(-2000, &x), plus(&y)]); out = sqr(&sum);}
        ports.output(&out);
    });
    let program = Arc::new(program.unwrap());
    let cpu = machine(Engine::Mont, &p, Margin::default()).unwrap();
    let shim = Arc::new(Shim::new(properties()));
    for device in [shim.machine(&p, cpu.clone()), vec![shim.clone()].machine(&p, cpu.clone())] {
        let report = device.unwrap().prove(&program).unwrap();
        assert_eq!(report.violations, ["sum of weight 6001: at most 4096"]);
    }
}

/// The failure that ends the use of a device is told, even if there was another failure before.
#[test]
fn the_last_failure_of_a_device_is_reported() {
    let mont = short();
    let (cuda, shim) = on(&mont, Shim::new(properties()).failing(0));
    shim.leave(Some(0));
    pairs(&mont, &cuda);
    assert!(cuda.fallback_reason().unwrap().starts_with("the device has no memory for "));
    shim.leave(None);
    (0..2).for_each(|_| pairs(&mont, &cuda));
    assert_eq!(cuda.fallback_reason().unwrap(), TOLD_TO);
}

/// Beside the processor, a device computes nothing while it has no memory, and its share is reported as 0; then it
/// is tried again.
#[test]
fn a_device_without_memory_leaves_values_to_the_processor() {
    let mont = short();
    let shim = Arc::new(Shim::new(properties()));
    let auto = mont.beside_device(shim.clone(), Duration::ZERO).unwrap();
    shim.leave(Some(0));
    every_kind_of_call(&mont, &auto);
    let [device, all] = auto.device_share().unwrap();
    assert!(device == 0 && all >= 3 * 10, "{device} of {all}");
    assert_eq!(shim.left(), usize::MAX, "no launch");
    shim.leave(None);
    // once the processor has computed for twenty times as long as was waited for the device
    let begun = Instant::now();
    while auto.device_share().unwrap()[0] == 0 {
        every_kind_of_call(&mont, &auto);
        assert!(begun.elapsed() < Duration::from_secs(300), "the device is tried again");
    }
}

/// Two devices take turns, and each reads arguments that the other has prepared. When one has failed, the other
/// computes the rest.
#[test]
fn several_devices_share_a_batch() {
    let mont = short();
    let points = points(&mont, 9);
    let others: Vec<PointRef<'_>> = points.iter().map(|[_, q]| q.as_ref()).collect();
    let key = |system: &System| system.prepare(system.fixed_side(), &points[0][0]).unwrap();
    let want = batch(&mont).pair_prepared(&key(&mont), &others);
    for good in [usize::MAX, 0, 3] {
        let small = || Properties { vectors: 1, ..properties() };
        let shims = [Shim::new(small()).failing(good), Shim::new(small())].map(Arc::new);
        let cuda = mont.on_device(shims.to_vec()).unwrap();
        assert_eq!(batch(&cuda).pair_prepared(&key(&cuda), &others), want, "{good} launches");
        let used = shims.each_ref().map(|shim| shim.left());
        assert!(used[0] < good || good == 0, "{good} launches");
        assert!(usize::MAX - used[1] > 2, "{good} launches");
        assert_eq!(cuda.fallback_reason().is_some(), good != usize::MAX);
    }
}

/// The reasons of all devices that have failed are told, a reason that two share only once.
#[test]
fn every_device_that_fails_is_reported() {
    let mont = short();
    let shims = [usize::MAX, 0, 0].map(|good| Arc::new(Shim::new(properties()).failing(good)));
    shims[0].leave(Some(0));
    let cuda = mont.on_device(shims.to_vec()).unwrap();
    (0..2).for_each(|_| pairs(&mont, &cuda));
    let reason = cuda.fallback_reason().unwrap();
    assert!(
        reason.starts_with("the device has no memory for ") && reason.ends_with(&format!("; {TOLD_TO}")),
        "{reason}"
    );
    assert_eq!(reason.matches(TOLD_TO).count(), 1);
}

/// A device that has no memory for the kernels is skipped, and the system says why. If none has, there is no system
/// on devices.
#[test]
fn devices_that_fail_at_once_leave_the_work_to_the_others() {
    let mont = short();
    for full in [[true, false], [false, true], [true, true]] {
        let shims = full.map(|full| {
            let shim = Shim::new(properties());
            shim.leave(full.then_some(0));
            Arc::new(shim)
        });
        match mont.on_device(shims.to_vec()) {
            Ok(cuda) => {
                pairs(&mont, &cuda);
                assert!(cuda.fallback_reason().unwrap().starts_with("the device has no memory for "));
                let used = shims.map(|shim| usize::MAX - shim.left());
                assert!(full != [true, true] && full.iter().zip(used).all(|(full, used)| *full == (used == 0)));
            }
            Err(error) => assert!(full == [true, true] && error.to_string().contains("no memory"), "{error}"),
        }
    }
}

#[test]
fn a_driver_that_is_too_old_is_named_with_what_is_needed() {
    let text = DeviceError::TooOld { found: 11040, needed: 11080 }.to_string();
    assert_eq!(text, "the NVIDIA driver supports CUDA 11.4, but 11.8 is needed");
}
