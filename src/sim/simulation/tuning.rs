//! Tuning: factors that are changed while the simulation runs.

use super::population::reserved;
use super::{DRAWN, Simulation};
use crate::components::AngularVelocity;
use crate::ecs::{Error, TakenGroup};
use crate::sim::spin::own_spin;
use crate::sim::tuning::Tuning;

impl Simulation {
    /// The factors now.
    #[must_use]
    pub fn tuning(&self) -> Tuning {
        Tuning::of(&self.world)
    }

    /// Sets all factors, each [cut to its range](Tuning::clamped). With a spin above 0 every cube has
    /// an [`AngularVelocity`], about an axis of its own that hangs on the seed alone; at 0 none has.
    /// Only cubes that fall do spin.
    ///
    /// # Errors
    /// There is not enough memory for so many spins; nothing is changed then.
    pub fn tune(&mut self, tuning: Tuning) -> Result<(), Error> {
        let tuning = tuning.clamped();
        match (self.tuning().spin > 0.0, tuning.spin > 0.0) {
            (false, true) => self.give_spin()?,
            (true, false) => self.take_spin()?,
            _ => {}
        }
        self.world.resources_mut().insert(tuning);
        Ok(())
    }

    /// Multiplies every gravity by a factor, from 0 to [`Tuning::MOST_GRAVITY`]; the components stay
    /// as they are.
    pub fn set_gravity_scale(&mut self, gravity: f32) {
        let tuning = Tuning { gravity, ..self.tuning() };
        self.world.resources_mut().insert(tuning.clamped());
    }

    /// Lets everything fall and spin faster or slower by a factor, from 0 to [`Tuning::MOST_TIME`].
    pub fn set_time_scale(&mut self, time: f32) {
        let tuning = Tuning { time, ..self.tuning() };
        self.world.resources_mut().insert(tuning.clamped());
    }

    /// Lets cubes spin while they fall, faster or slower by a factor from 0 to
    /// [`Tuning::MOST_SPIN`]; see [`tune`](Self::tune).
    ///
    /// # Errors
    /// As for [`tune`](Self::tune).
    pub fn set_spin_scale(&mut self, spin: f32) -> Result<(), Error> {
        self.tune(Tuning { spin, ..self.tuning() })
    }

    fn give_spin(&mut self) -> Result<(), Error> {
        let seed = self.stream().settings().seed;
        let count = self.cubes();
        let (mut cubes, mut spins) = (reserved(count)?, reserved(count)?);
        for cube in self.world.group(self.drawn).expect(DRAWN).entities() {
            cubes.push(cube);
            spins.push(own_spin(seed, cube));
        }
        self.world.restore_group::<(AngularVelocity,)>(TakenGroup::new(cubes, (spins,)))?;
        Ok(())
    }

    fn take_spin(&mut self) -> Result<(), Error> {
        drop(self.world.take_group::<(AngularVelocity,)>(self.spinning)?);
        // Those who hang still are not in the group.
        let having = self.world.signature_of::<(AngularVelocity,)>()?;
        let others: Vec<_> = self.world.entities(having).collect();
        for cube in others.into_iter().rev() {
            self.world.remove::<AngularVelocity>(cube)?;
        }
        Ok(())
    }
}
