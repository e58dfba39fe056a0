//! Several independent runs of a program as one program. A machine that takes products one after the other can go on
//! with another run while the products of one run wait for each other.

use crate::op::Ref;
use crate::program::{Call, Input, Parts, Program, Step};
use crate::verify::MAX_STREAMED;
use bilinear_field::Code;
use bilinear_field::CollectVec;

impl Program {
    /// Returns `count` copies of the program as one program, in which the copies proceed step by step beside each
    /// other. Its ports are those of the first copy, of the second, and so on. The copies share their inversions
    /// (Montgomery's trick), and each has prepared arguments of its own. Returns `None` if these are more than a
    /// program may have.
    ///
    /// # Panics
    /// Panics if `count` is 0.
    pub fn copies(&self, count: usize) -> Option<Program> {
        assert!(count > 0, "at least one copy is needed");
        (self.streams() as usize).checked_mul(count).filter(|streams| *streams <= MAX_STREAMED as usize)?;
        let values = self.kinds().len();
        let of = |copy: usize, v: u32| (copy * values) as u32 + v;
        let place = |copy: usize, x: Ref| if x.is_constant() { x } else { Ref::value(copy * values + x.number()) };
        let streams = self.streams();
        let port = |copy: usize, input: &Input| match input.with(of(copy, input.value())) {
            Input::Uniform { value, stream, index } => {
                Input::Uniform { value, stream: copy as u32 * streams + stream, index }
            }
            other => other,
        };
        let all = 0..count;
        let step = |step: &Step| match step {
            Step::Call(Call { routine, args, results }) => all
                .clone()
                .map(|copy| {
                    let args = args.iter().map(|v| of(copy, *v)).collect_vec();
                    let results = results.iter().map(|v| v.map(|v| of(copy, v))).collect_vec();
                    Step::Call(Call { routine: *routine, args, results })
                })
                .collect_vec(),
            Step::Shared { code: Code::Invert, args, results } => vec![Step::Shared {
                code: Code::Invert,
                args: all.clone().flat_map(|copy| args.iter().map(move |x| place(copy, *x))).collect_vec(),
                results: all.clone().flat_map(|copy| results.iter().map(move |v| of(copy, *v))).collect_vec(),
            }],
            Step::Shared { code, args, results } => all
                .clone()
                .map(|copy| Step::Shared {
                    code: *code,
                    args: args.iter().map(|x| place(copy, *x)).collect_vec(),
                    results: results.iter().map(|v| of(copy, *v)).collect_vec(),
                })
                .collect_vec(),
        };
        let parts = Parts {
            modulus: self.modulus().clone(),
            constants: self.constants().to_vec(),
            routines: self.routines().to_vec(),
            kinds: self.kinds().repeat(count),
            inputs: all.clone().flat_map(|copy| self.inputs().iter().map(move |input| port(copy, input))).collect_vec(),
            outputs: all
                .clone()
                .flat_map(|copy| self.outputs().iter().map(move |output| output.with(place(copy, output.value()))))
                .collect_vec(),
            plan: self.plan().iter().flat_map(step).collect_vec(),
        };
        Some(parts.verify().unwrap_or_else(|e| unreachable!("copies of a verified program: {e}")))
    }
}
