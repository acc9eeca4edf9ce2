//! `EnTT`: sparse sets with owning groups, in a process of its own (`entt.cpp`).

use std::path::PathBuf;
use std::process::Command;

use crate::workload::{Subject, Workload};

pub(crate) struct Entt {
    pub(crate) program: PathBuf,
}

impl Subject for Entt {
    fn name(&self) -> &'static str {
        "entt"
    }

    fn measure(&self, workload: Workload, count: usize) -> Option<f64> {
        let mut command = Command::new(&self.program);
        let output = command.args([workload.names().0, &count.to_string()]).output();
        let output = output.unwrap_or_else(|error| panic!("{}: {error}", self.program.display()));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let time = String::from_utf8_lossy(&output.stdout);
        (!time.is_empty()).then(|| time.trim().parse().expect("it prints a number"))
    }
}
