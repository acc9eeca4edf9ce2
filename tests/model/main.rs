//! Compares the ECS with a naive model on random operations and checks every invariant after each.
//!
//! `cargo test` makes 200,000 steps and shrinks failures. The long run is `cargo test --release
//! --no-default-features --test model -- --ignored --nocapture`: 10^8 steps, or `MODEL_STEPS`, and a
//! digest of the final state that is the same on every machine: after 10^8 steps, that of `docs/ecs-proof.md`.

mod machine;
mod op;
mod twin;

use machine::Machine;
use op::Op;
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use twin::Twin;

/// The model as the reference of proptest.
pub(crate) struct Reference;

impl ReferenceStateMachine for Reference {
    type State = Twin;
    type Transition = Op;

    fn init_state() -> BoxedStrategy<Twin> {
        Just(Twin::default()).boxed()
    }

    fn transitions(_: &Twin) -> BoxedStrategy<Op> {
        any::<[u8; 5]>().prop_map(Op::decode).boxed()
    }

    fn apply(mut state: Twin, op: &Op) -> Twin {
        state.apply(*op);
        state
    }
}

impl StateMachineTest for Machine {
    type SystemUnderTest = Self;
    type Reference = Reference;

    fn init_test(_: &Twin) -> Self {
        Self::new()
    }

    fn apply(mut machine: Self, _: &Twin, op: Op) -> Self {
        machine.step(op);
        machine
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_operations_agree_with_the_model(sequential 200 => Machine);
}

/// Pseudo-random numbers (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators",
/// 2014).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[test]
#[ignore = "takes minutes: the long run"]
fn the_long_run_ends_in_the_documented_state() {
    let steps = std::env::var("MODEL_STEPS").map_or(100_000_000, |steps| steps.parse().unwrap());
    let (mut random, mut digest) = (1, 0_u64);
    let mut machine = Machine::new();
    for step in 0..steps {
        // A world of its own every so often, so that groups are made at every moment of a life.
        if step % 1000 == 0 {
            digest = digest.rotate_left(1) ^ machine.digest();
            machine = Machine::new();
        }
        let bytes = split_mix(&mut random).to_le_bytes();
        machine.step(Op::decode(std::array::from_fn(|i| bytes[i])));
    }
    digest ^= machine.digest();
    println!("{steps} steps, digest {digest:016x}");
    if steps == 100_000_000 {
        assert_eq!(digest, 0x08a6_f618_9fe2_2c57, "as in docs/ecs-proof.md");
    }
}
