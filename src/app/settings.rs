//! The settings of the window: flags override saved preferences, which override defaults.

use super::host;
use super::preferences::Preferences;
use crate::cli::{FaultArgs, GraphicsArgs, WindowArgs};
use crate::components::{FallMode, Motion};
use crate::hud::Panels;
use crate::render::{PresentMode, Size};

/// Whether positions on the desktop are in points, not in pixels: the monitors of a Mac, each with a scale of its own, share
/// one space in points.
pub(super) const DESKTOP_IN_POINTS: bool = cfg!(target_os = "macos");

/// Settings of the window when it opens.
pub(super) struct WindowSettings {
    pub(super) mode: FallMode,
    pub(super) motion: Motion,
    pub(super) graphics: GraphicsArgs,
    /// `None`: 1280x720 points, if the monitor has as many.
    pub(super) size: Option<Size>,
    pub(super) maximized: bool,
    /// Upper left corner on the desktop in pixels, or in points: [`DESKTOP_IN_POINTS`].
    #[cfg_attr(web, expect(dead_code, reason = "the style sheet places the canvas"))]
    pub(super) position: Option<(i32, i32)>,
    #[cfg_attr(web, expect(dead_code, reason = "browsers demand a click"))]
    pub(super) fullscreen: bool,
    pub(super) present_mode: PresentMode,
    /// Open panels of the HUD. Help is closed.
    pub(super) panels: Panels,
    /// Size of the UI in percent.
    pub(super) ui_scale: u16,
    /// The camera drifts until the first input.
    pub(super) attract: bool,
    pub(super) faults: FaultArgs,
}

impl WindowSettings {
    /// Resolves the flags with the saved preferences.
    pub(super) fn resolve(args: &WindowArgs, saved: &Preferences) -> Self {
        let mut graphics = args.graphics.clone();
        graphics.culling = graphics.culling.or(saved.culling);
        // Flags for single effects apply to the default quality of the adapter.
        if !graphics.sets_effects() {
            graphics.quality = graphics.quality.or(saved.quality);
        }
        let mode = |vsync| if vsync { PresentMode::Vsync } else { PresentMode::NoVsync };
        let saved_size = saved.size.and_then(|(width, height)| Size::new(width, height));
        let panels = saved.panels.unwrap_or_default();
        Self {
            mode: args.simulation.scene.mode(),
            motion: args.simulation.scene.motion(),
            graphics,
            size: args.size.or(saved_size),
            maximized: saved.maximized && args.size.is_none(),
            position: saved.position,
            fullscreen: args.fullscreen,
            present_mode: args
                .present_mode()
                .or(saved.vsync.map(mode))
                .unwrap_or(PresentMode::Vsync),
            panels: Panels { shown: args.hud.unwrap_or(panels.shown), help: false, ..panels },
            ui_scale: saved.ui_scale.unwrap_or(100),
            attract: args.attract.or(saved.attract).unwrap_or_else(|| !host::reduces_motion()),
            faults: args.faults.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;
    use crate::input::Dock;
    use crate::render::Quality;

    const SAVED: Preferences = Preferences {
        size: Some((640, 480)),
        position: Some((-20, 30)),
        maximized: true,
        vsync: Some(false),
        culling: Some(true),
        quality: Some(Quality::High),
        widened_view: None,
        coloring: None,
        attract: Some(false),
        panels: Some(Panels {
            shown: false,
            statistics: true,
            controls: false,
            inspector: true,
            selected: true,
            help: true,
            dock: Dock::Left,
        }),
        ui_scale: Some(120),
        recent: Vec::new(),
    };

    fn resolve(flags: &[&str], saved: &Preferences) -> WindowSettings {
        let cli = Cli::parse_from([&["cubefall"], flags].concat());
        WindowSettings::resolve(&cli.window, saved)
    }

    #[test]
    fn preferences_apply_where_no_flag_is_given() {
        let settings = resolve(&[], &SAVED);
        assert_eq!((settings.size, settings.maximized), (Size::new(640, 480), true));
        assert_eq!(settings.present_mode, PresentMode::NoVsync);
        let GraphicsArgs { quality, culling, .. } = settings.graphics;
        assert_eq!((quality, culling), (Some(Quality::High), Some(true)));
        assert_eq!(settings.panels, Panels { help: false, ..SAVED.panels.unwrap() });
        assert_eq!((settings.ui_scale, resolve(&[], &Preferences::default()).ui_scale), (120, 100));
    }

    #[test]
    fn place_and_attract_mode_are_those_of_the_preferences() {
        let settings = resolve(&[], &SAVED);
        assert_eq!((settings.position, settings.attract), (Some((-20, 30)), false));
        assert!(resolve(&["--attract", "on"], &SAVED).attract);
        assert!(resolve(&[], &Preferences::default()).attract);
    }

    #[test]
    fn flags_override_preferences() {
        let flags = ["--size", "320x240", "--present", "fifo", "--fog", "on", "--culling", "off"];
        let settings = resolve(&[&flags[..], &["--hud", "on"]].concat(), &SAVED);
        assert_eq!((settings.size, settings.maximized), (Size::new(320, 240), false));
        assert_eq!(settings.present_mode, PresentMode::Fifo);
        let GraphicsArgs { quality, culling, .. } = settings.graphics;
        assert_eq!((quality, culling), (None, Some(false)));
        let mut graphics = resolve(&["--ground", "off"], &SAVED).graphics;
        assert_eq!(graphics.quality, Some(Quality::High), "the ground is of no quality");
        graphics.set_quality(Quality::Low);
        assert_eq!(graphics.effects.ground, Some(false));
        assert!(settings.panels.shown);
        let settings = resolve(&["--no-vsync"], &Preferences { vsync: Some(true), ..SAVED });
        assert_eq!(settings.present_mode, PresentMode::NoVsync);
    }
}
