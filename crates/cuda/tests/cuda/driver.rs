//! Tests of `Driver` on a libcuda.so whose card is the host (`shim/driver.hpp`). A process searches for a library
//! once, so each test runs again in a process that finds this library.

use crate::batches::{batch, mont, pairs, points, short};
use crate::shim::folder;
use bilinear_cuda::{Busy, Driver};
use bilinear_engine::{Engine, Group, PointRef, System, Validate};
use std::env;
use std::process::Command;
use std::thread;

/// The environment variable that tells the other process what goes wrong there.
const WRONG: &str = "SHIM_DRIVER";

/// Runs the test of this name in a process that finds the library and in which `wrong` goes wrong. Returns the
/// errors that the process writes.
fn again(test: &str, wrong: &str) -> String {
    let mut child = Command::new(env::current_exe().unwrap());
    child.args(["--exact", &format!("driver::{test}"), "--nocapture"]);
    let output = child.env("LD_LIBRARY_PATH", folder()).env(WRONG, wrong).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success() && out.contains("1 passed"), "{test}, {wrong}:\n{out}{err}");
    err
}

/// Returns what goes wrong in the other process, or `None` in the first process.
fn wrong() -> Option<String> {
    env::var(WRONG).ok()
}

/// Returns what goes wrong in the other process. In the first process, runs the test of this name again with each
/// fault of `all` and returns `None`.
fn wrong_among(test: &str, all: &[&str]) -> Option<String> {
    let wrong = wrong();
    if wrong.is_none() {
        for wrong in all {
            again(test, wrong);
        }
    }
    wrong
}

/// Batches by each kind of kernel; for a modulus of 1536 bits, decoding points instead of pairings.
#[test]
fn batches_are_those_of_mont() {
    if wrong().is_none() {
        let said = again("batches_are_those_of_mont", "nothing");
        for kernel in ["single_16", "group_16", "invert_16", "residues_3", "residues_7", "split_68"] {
            assert!(said.contains(&format!("{kernel}: ")), "{kernel} did not run: {said}");
        }
        for ceiling in ["multiply_adds", "digits", "shared", "memory", "records"] {
            assert!(said.contains(&format!("ceiling_{ceiling}: 3 ")), "{ceiling}: {said}");
        }
        return;
    }
    let [driver] = Driver::all().unwrap().try_into().ok().unwrap();
    let driver: Driver = driver.unwrap();
    assert_eq!(driver.properties().name, "the host");
    assert!(driver.ceilings().unwrap().digits > 0.0);
    let short = mont("a-512");
    for card in [driver.with_width(1), driver.with_width(8), driver.with_residues()] {
        let cuda = short.on_device(card).unwrap();
        pairs(&short, &cuda);
        assert_eq!(cuda.fallback_reason(), None);
    }
    let long = mont("a-1536");
    let points = points(&long, 4);
    let given: Vec<PointRef<'_>> = points[..2].iter().map(|[p, _]| PointRef::Bytes(p.bytes().unwrap())).collect();
    let decoded = |system: &System| batch(system).validate(Validate::OnCurve).decode(Group::G1, &given);
    for card in [driver.with_residues(), driver] {
        let cuda = long.on_device(card).unwrap();
        assert_eq!(decoded(&cuda), decoded(&long));
        assert_eq!(cuda.fallback_reason(), None);
    }
}

/// A clock tells for how long the card was busy with each part, with two threads at a time that have streams of
/// their own. It counts nothing while it does not run.
#[test]
fn a_clock_tells_kernels_from_copies() {
    let Some(wrong) = wrong_among("a_clock_tells_kernels_from_copies", &["nothing", "clock"]) else { return };
    let mont = mont("a-512");
    let driver = Driver::new(0).unwrap();
    if wrong == "clock" {
        let reason = driver.start_clock().err().unwrap().to_string();
        assert!(reason.starts_with("the NVIDIA driver failed while starting a clock: "), "{reason}");
        return assert_eq!(driver.stop_clock(), Ok(Busy::default()));
    }
    let card = driver.with_width(1);
    let cuda = mont.on_device(card.clone()).unwrap();
    let points = points(&mont, 3);
    let rows: Vec<_> = points.iter().map(|[p, q]| (p.as_ref(), q.as_ref())).collect();
    let want = batch(&mont).pair(&rows);
    let pair = || {
        thread::scope(|scope| {
            for own in [0, 1].map(|_| scope.spawn(|| batch(&cuda).pair(&rows))) {
                assert_eq!(own.join().unwrap(), want);
            }
        });
    };
    pair();
    assert_eq!(driver.stop_clock(), Ok(Busy::default()), "there is no clock");
    driver.start_clock().unwrap();
    pair();
    let busy = card.stop_clock().unwrap();
    let Busy { stages, inversions, kernels, copies_in, copies_out, copies, all } = busy;
    assert!([inversions, copies_in, copies_out].iter().all(|time| !time.is_zero()), "{busy:?}");
    assert!(stages > inversions && kernels >= stages && kernels <= stages + inversions, "{busy:?}");
    assert!(copies >= copies_in && copies >= copies_out && copies <= copies_in + copies_out, "{busy:?}");
    assert!(all >= kernels && all <= kernels + copies, "{busy:?}");
    pair();
    assert_eq!(driver.stop_clock(), Ok(Busy::default()), "it is stopped");
    assert_eq!(cuda.fallback_reason(), None);
}

/// Copies use locked memory, which launches reuse and which is freed at the end, and other memory if none can be
/// locked. Launches may have no inputs, as those of rows of O alone. No stream waits for another one, and the pool
/// of memory is destroyed too. A driver that makes no pool, or one that keeps nothing, has memory all the same.
#[test]
fn launches_use_locked_memory_again() {
    let Some(wrong) = wrong() else {
        for (wrong, pools) in [("nothing", 1), ("locked", 1), ("pool", 0), ("threshold", 1)] {
            let said = again("launches_use_locked_memory_again", wrong);
            let numbers = |what: &str| -> Vec<usize> {
                let line = said.rsplit(what).next().and_then(|rest| rest.lines().next()).unwrap();
                line.split(' ').filter_map(|word| word.parse().ok()).collect()
            };
            let [pieces, copies, left] = numbers("locked: ").try_into().unwrap();
            assert_eq!([numbers("events: "), numbers("pools: ")], [vec![0, 0], vec![pools, 0]], "{said}");
            let is_used = (1..=6).contains(&pieces) && copies > 10 * pieces;
            assert!(
                left == 0 && if wrong == "locked" { pieces == 0 && copies == 0 } else { is_used },
                "{wrong}: {said}"
            );
        }
        return;
    };
    let mont = short();
    let cuda = mont.on_device(Driver::new(0).unwrap().with_width(1)).unwrap();
    let rows = [PointRef::Infinity; 5];
    let keys = [&mont, &cuda].map(|system| system.prepare(system.fixed_side(), &system.generator(Group::G1)).unwrap());
    assert_eq!(batch(&cuda).pair_prepared(&keys[1], &rows), batch(&mont).pair_prepared(&keys[0], &rows));
    (0..20).for_each(|_| pairs(&mont, &cuda));
    assert_eq!(cuda.fallback_reason(), None, "{wrong}");
}

/// If there is no card, `cuda` and `auto` compute without one, and one line says why.
#[test]
fn a_driver_without_a_card_says_why() {
    let Some(wrong) = wrong_among("a_driver_without_a_card_says_why", &["old", "start", "none", "capability"]) else {
        return;
    };
    let reason = Driver::all().err().unwrap().to_string();
    let means = match wrong.as_str() {
        "old" => "the NVIDIA driver supports CUDA 11.4, but 11.8 is needed",
        "start" => "the NVIDIA driver failed while starting: ",
        "none" => "there is no GPU 0 (counted from 0): the NVIDIA driver finds 0",
        _ => "the host has compute capability 7.0, but 8.0 is needed",
    };
    assert!(reason.starts_with(means) && !reason.contains('\n'), "{reason}");
    let mont = short();
    for engine in [Engine::Cuda, Engine::Auto] {
        let here = System::with_engine(mont.curve(), engine).unwrap();
        pairs(&mont, &here);
        assert_eq!(here.no_device_reason(), Some(reason.as_str()), "{engine}");
    }
}

/// A card that does not open is skipped, and the reason is told.
#[test]
fn a_card_behind_one_that_fails_serves() {
    if wrong_among("a_card_behind_one_that_fails_serves", &["first"]).is_none() {
        return;
    }
    let reason = Driver::new(0).err().unwrap().to_string();
    assert!(reason.starts_with("the NVIDIA driver failed while opening a device: "), "{reason}");
    let cards = Driver::all().unwrap();
    assert_eq!(cards.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true]);
    let mont = short();
    for cuda in [mont.on_device(cards).unwrap(), mont.on(Engine::Cuda).unwrap()] {
        pairs(&mont, &cuda);
        assert_eq!((cuda.no_device_reason(), cuda.fallback_reason()), (None, Some(reason.clone())));
    }
}

/// A card that fails later costs no row: the processor computes the rows, and the system says why. What was asked of
/// the card before is waited for, although it answers the call that frees memory with an error too.
#[test]
fn a_card_that_fails_costs_no_row() {
    let Some(wrong) = wrong_among("a_card_that_fails_costs_no_row", &["memory", "launch"]) else { return };
    let mont = short();
    let cuda = mont.on(Engine::Cuda).unwrap();
    pairs(&mont, &cuda);
    let reason = cuda.fallback_reason().unwrap();
    match wrong.as_str() {
        "memory" => assert!(reason.starts_with("the device has no memory for "), "{reason}"),
        _ => {
            let text =
                "the NVIDIA driver failed while launching a kernel: CUDA_ERROR_LAUNCH_FAILED: an error of the shim";
            assert_eq!(reason, text);
        }
    }
}

/// A card that once has no memory for a stream or a launch is used again.
#[test]
fn a_shortage_of_memory_passes() {
    let Some(wrong) = wrong() else {
        for wrong in ["stream", "full"] {
            let said = again("a_shortage_of_memory_passes", wrong);
            let times = said.lines().filter_map(|line| line.strip_suffix(" launches")?.rsplit(' ').next());
            let launches: usize = times.flat_map(str::parse::<usize>).sum();
            assert!(launches > 8, "{wrong}: {launches} launches");
        }
        return;
    };
    let mont = short();
    let cuda = mont.on_device(Driver::new(0).unwrap()).unwrap();
    (0..4).for_each(|_| pairs(&mont, &cuda));
    let reason = cuda.fallback_reason().unwrap();
    assert!(reason.ends_with(": CUDA_ERROR_OUT_OF_MEMORY: an error of the shim"), "{wrong}: {reason}");
}

/// If memory of a card is in use elsewhere, launches get smaller.
#[test]
fn launches_fit_the_memory_that_is_left() {
    if wrong().is_none() {
        let said = again("launches_fit_the_memory_that_is_left", "crowded");
        // four vectors together take three launches: a Miller loop and two stages of a final exponentiation
        let launches = said.split("single_16: ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok());
        assert!(launches.is_some_and(|launches| launches > 3), "{said}");
        return;
    }
    let mont = mont("a-512");
    let cuda = mont.on_device(Driver::new(0).unwrap().with_width(1)).unwrap();
    let points = points(&mont, 200);
    let rows: Vec<_> = points.iter().map(|[p, q]| (p.as_ref(), q.as_ref())).collect();
    assert_eq!(batch(&cuda).pair(&rows), batch(&mont).pair(&rows));
    assert_eq!(cuda.fallback_reason(), None);
}
