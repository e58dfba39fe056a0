//! Formats a curve as the text of PBC's `.param` files.

use bilinear_params::{Curve, Family, SupersingularKind};
use num_bigint::BigUint;

/// Returns the parameters of a type a or a1 curve for PBC. `None` if PBC has no form for them: it takes a prime order
/// only as a Solinas prime, and type a1's cofactor only as a C integer.
pub fn param_text(curve: &Curve) -> Option<String> {
    let Family::Supersingular(s) = curve.family() else { return None };
    let (q, order, cofactor) = (s.q(), s.order(), s.cofactor());
    if let (SupersingularKind::A, Some(Solinas { exp2, exp1, sign1, sign0 })) = (s.kind(), solinas(order)) {
        return Some(format!(
            "type a\nq {q}\nh {cofactor}\nr {order}\nexp2 {exp2}\nexp1 {exp1}\nsign1 {sign1}\nsign0 {sign0}\n"
        ));
    }
    let small = i32::try_from(cofactor).is_ok();
    small.then(|| format!("type a1\np {q}\nn {order}\nl {cofactor}\n"))
}

/// The number 2^exp2 + sign1·2^exp1 + sign0.
struct Solinas {
    exp2: u64,
    exp1: u64,
    sign1: i8,
    sign0: i8,
}

/// Finds this form of an odd r, if r has it: r ∓ 1 is 2^exp1 times 2^(exp2 − exp1) ± 1.
fn solinas(r: &BigUint) -> Option<Solinas> {
    let one = BigUint::from(1u32);
    [(1, r - 1u32), (-1, r + 1u32)].into_iter().find_map(|(sign0, rest)| {
        let exp1 = rest.trailing_zeros()?;
        let odd = rest >> exp1;
        [(1, &odd - 1u32), (-1, &odd + 1u32)].into_iter().find_map(|(sign1, power)| {
            let exponent = power.bits().checked_sub(1).filter(|e| *e > 0 && power == &one << *e)?;
            (exp1 > 0).then_some(Solinas { exp2: exp1 + exponent, exp1, sign1, sign0 })
        })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use bilinear_params::Description;

    #[test]
    fn the_text_reads_back_as_the_same_curve() {
        for name in ["a-512", "a-1536", "ss1536", "a1-1024", "a1-2048", "a1-pbc"] {
            let curve = Curve::named(name).unwrap();
            let text = param_text(&curve).unwrap();
            let read = Description::from_pbc(&text, "x.param").unwrap().curve;
            assert_eq!(read.fingerprint(), curve.fingerprint(), "{name}");
        }
        // PBC's own a.param has these four
        let text = param_text(&Curve::named("a-512").unwrap()).unwrap();
        assert!(text.ends_with("exp2 159\nexp1 107\nsign1 1\nsign0 1\n"), "{text}");
    }

    #[test]
    fn solinas_primes_are_recognised() {
        let value = |s: &Solinas| {
            let mut v = (BigUint::from(1u32) << s.exp2) + 2u32;
            let middle = BigUint::from(1u32) << s.exp1;
            v = if s.sign1 > 0 { v + middle } else { v - middle };
            if s.sign0 > 0 { v - 1u32 } else { v - 3u32 }
        };
        for (sign1, sign0) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let r = value(&Solinas { exp2: 160, exp1: 91, sign1, sign0 });
            let found = solinas(&r).unwrap();
            assert_eq!((value(&found), found.sign0), (r, sign0));
        }
        assert!(solinas(&((BigUint::from(1u32) << 160) + 11u32)).is_none());
    }
}
