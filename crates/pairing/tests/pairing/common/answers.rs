//! Known answers: the lines of PBC's and PARI's files.

use super::{affine, folder};
use bilinear_field::{Extension, Lanes};
use bilinear_pairing::bilinear_groups::Pair;
use bilinear_pairing::curve::Affine;
use num_bigint::BigUint;
use serde_json::Value;

/// A known answer e(P, Q), coefficient by coefficient.
pub struct Answer {
    pub p: [BigUint; 2],
    pub q: [Vec<BigUint>; 2],
    /// The Tate pairing.
    pub tate: Vec<BigUint>,
    line: Value,
}

fn numbers(v: &Value, radix: u32) -> Vec<BigUint> {
    let number = |x: &Value| BigUint::parse_bytes(x.as_str().unwrap().as_bytes(), radix).unwrap();
    v.as_array().unwrap().iter().map(number).collect()
}

/// Reads both formats: PBC's hexadecimal Px, Py, Qx, Qy, e, and PARI's decimal P, Q or Q_twist, tate.
pub fn answers(file: &str) -> Vec<Answer> {
    let text = std::fs::read_to_string(folder().join(file)).unwrap();
    let answer = |text: &str| {
        let line: Value = serde_json::from_str(text).unwrap();
        let [px, py, qx, qy, tate] = if line.get("e").is_some() {
            ["Px", "Py", "Qx", "Qy", "e"].map(|key| numbers(&line[key], 16))
        } else {
            let (p, q) = (&line["P"], line.get("Q_twist").unwrap_or(&line["Q"]));
            [&p[0], &p[1], &q[0], &q[1], &line["tate"]].map(|v| numbers(v, 10))
        };
        Answer { p: [px, py].map(|mut x| x.remove(0)), q: [qx, qy], tate, line }
    };
    text.lines().map(answer).collect()
}

impl Answer {
    /// Returns the value of a pairing by its name in PARI's files, if it is there.
    pub fn value(&self, pairing: &str) -> Option<Vec<BigUint>> {
        self.line.get(pairing).map(|v| numbers(v, 10))
    }

    /// Returns P and Q.
    pub fn pair<E: Extension<Prime: Lanes>>(&self, e: &E) -> Pair<E> {
        let [x, y] = self.q.each_ref().map(|x| e.element(x));
        Pair { p: affine(e.prime(), &self.p), q: Affine { x, y, infinity: e.mask(false) }, infinite: None }
    }
}
