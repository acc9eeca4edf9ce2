//! Coverage-guided comparison of the ECS with its naive model. Every five bytes are one operation,
//! decoded and checked as in `tests/model`. The command is in `docs/ecs-proof.md`.

#![no_main]

#[path = "../../tests/model/machine.rs"]
mod machine;
#[path = "../../tests/model/op.rs"]
mod op;
#[path = "../../tests/model/twin.rs"]
mod twin;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut machine = machine::Machine::new();
    for &bytes in bytes.as_chunks().0 {
        machine.step(op::Op::decode(bytes));
    }
    std::hint::black_box(machine.digest());
});
