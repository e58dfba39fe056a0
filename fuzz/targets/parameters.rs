//! Files of parameters and of factors: TOML and PBC's text. For an accepted set of parameters a system is either made
//! or refused with an error.
#![no_main]

use bilinear_engine::params::{Curve, Description, Factors};
use bilinear_engine::{Engine, Group, Options, Research, System};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static COMPOSITE: LazyLock<Option<Curve>> = LazyLock::new(|| Curve::named("a1-2x512").ok());

/// The longest field, in bits, for which a system is made: longer ones take too long.
const SHORT: u64 = 96;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    if let Some(curve) = &*COMPOSITE {
        let _ = Factors::from_toml(&text, "file", curve);
    }
    for read in [Description::from_toml(&text, "file"), Description::from_pbc(&text, "file")] {
        let Ok(Description { curve, .. }) = read else { continue };
        if curve.family().field().bits() > SHORT {
            continue;
        }
        let research = Some(Research::knowing_it_is_broken());
        let options = Options { engine: Some(Engine::Portable), research, ..Options::default() };
        if let Ok(system) = System::with(&curve, options) {
            let (p, q) = (system.generator(Group::G1), system.generator(Group::G2));
            let x = system.pair(&p, &q);
            assert_eq!(system.gt_pow(&x, system.order()), system.gt_one(), "{}", curve.name());
        }
    }
});
