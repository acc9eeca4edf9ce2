//! flecs.
use crate::workload::{Subject, Workload};
pub(crate) struct Flecs;
impl Subject for Flecs {
    fn name(&self) -> &'static str {
        "flecs_ecs"
    }
    fn measure(&self, _: Workload, _: usize) -> Option<f64> {
        None
    }
}
