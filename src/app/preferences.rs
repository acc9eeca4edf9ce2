//! Preferences: what a window remembers of the one before.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use serde::{Deserialize, Serialize};

use crate::cli::{GraphicsArgs, Injection, WindowArgs};
use crate::components::FallMode;
use crate::hud::Panels;
use crate::output::{OutputError, OutputFile};
use crate::render::{PresentMode, Quality, Size};

/// No such file is longer, in bytes.
const LONGEST: u64 = 1 << 16;

/// How far from the first screen a window may be, in pixels.
const FARTHEST: i32 = 1 << 16;

/// What a person chose, in the window; what flags ask for is not remembered.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Preferences {
    /// Width and height of the window in pixels.
    pub(super) size: Option<(u32, u32)>,
    /// Place of its upper left corner on the desktop, in pixels.
    pub(super) position: Option<(i32, i32)>,
    /// Whether pictures wait for the display.
    pub(super) vsync: Option<bool>,
    /// Whether cubes that are not in the picture are left out.
    pub(super) culling: Option<bool>,
    #[serde(with = "by_name")]
    pub(super) quality: Option<Quality>,
    pub(super) panels: Option<Panels>,
}

/// Settings of the window, resolved once from flags, preferences and defaults.
pub(super) struct WindowSettings {
    pub(super) mode: FallMode,
    /// Size of the window when it opens.
    pub(super) size: Size,
    pub(super) fullscreen: bool,
    pub(super) present_mode: PresentMode,
    /// Panels that are open at first.
    pub(super) panels: Panels,
    /// Resolved further when the adapter is known.
    pub(super) graphics: GraphicsArgs,
    pub(super) faults: Vec<Injection>,
}

/// A file that preferences are kept in.
pub(super) struct PreferencesFile {
    path: PathBuf,
    /// What is in it.
    saved: Preferences,
}

impl PreferencesFile {
    /// The one of this person; none if the system has no place for it.
    pub(super) fn own() -> Option<PathBuf> {
        ProjectDirs::from("", "", "cubefall").map(|own| own.config_dir().join("preferences.json"))
    }

    /// Reads a file. One that is missing, damaged or no file holds nothing; that it is one of the
    /// latter two is said.
    pub(super) fn open(path: PathBuf) -> (Self, Option<String>) {
        let (saved, preferences_error) = match read(&path) {
            Ok(saved) => (saved, None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (Preferences::default(), None),
            Err(error) => {
                let said = format!("{} cannot be read and is passed over: {error}", path.display());
                (Preferences::default(), Some(said))
            }
        };
        (Self { path, saved }, preferences_error)
    }

    /// What was in it when it was opened, or was kept since.
    pub(super) fn saved(&self) -> Preferences {
        self.saved
    }

    /// Writes the file, whole or not at all, unless it says the same already.
    pub(super) fn save(&mut self, preferences: Preferences) -> Result<(), OutputError> {
        if preferences == self.saved {
            return Ok(());
        }
        if let Some(folder) = self.path.parent() {
            // If this fails, so does what comes next, and says why.
            let _ = std::fs::create_dir_all(folder);
        }
        OutputFile::create(&self.path)?.write(|to| {
            serde_json::to_writer_pretty(&mut *to, &preferences)?;
            to.write_all(b"\n")
        })?;
        self.saved = preferences;
        Ok(())
    }
}

fn read(path: &Path) -> io::Result<Preferences> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut text = String::new();
    File::open(path)?.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        return Err(io::Error::other("it is too long"));
    }
    let preferences: Preferences = serde_json::from_str(&text)?;
    let Preferences { size, position, .. } = preferences;
    let fits = size.is_none_or(|(width, height)| {
        let largest = Size::LARGEST;
        Size::new(width, height).is_some() && width <= largest && height <= largest
    });
    let near = |at: i32| (-FARTHEST..=FARTHEST).contains(&at);
    if fits && position.is_none_or(|(x, y)| near(x) && near(y)) {
        Ok(preferences)
    } else {
        Err(io::Error::other("a size or place in it is none that a window can have"))
    }
}

impl Preferences {
    /// Returns the settings of a window. Flags override preferences.
    pub(super) fn resolve(self, args: &WindowArgs) -> WindowSettings {
        let saved_size = self.size.and_then(|(width, height)| Size::new(width, height));
        let saved_mode = |vsync| if vsync { PresentMode::Vsync } else { PresentMode::NoVsync };
        let panels = self.panels.unwrap_or_default();
        let mut graphics = args.graphics.clone();
        graphics.culling = graphics.culling.or(self.culling);
        // A saved quality would undo flags for single effects.
        let effects = [graphics.shadows, graphics.msaa, graphics.fog, graphics.ground];
        if effects == [None; 4] {
            graphics.quality = graphics.quality.or(self.quality);
        }
        WindowSettings {
            mode: args.simulation.scene.mode(),
            size: args.size.or(saved_size).unwrap_or_default(),
            fullscreen: args.fullscreen,
            present_mode: args
                .present_mode()
                .or(self.vsync.map(saved_mode))
                .unwrap_or(PresentMode::Vsync),
            panels: Panels { shown: args.hud.unwrap_or(panels.shown), help: false, ..panels },
            graphics,
            faults: args.faults.inject.clone(),
        }
    }
}

/// A quality by its name.
mod by_name {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::render::Quality;

    #[expect(
        clippy::ref_option,
        clippy::trivially_copy_pass_by_ref,
        reason = "serde asks for this"
    )]
    pub(super) fn serialize<S: Serializer>(
        quality: &Option<Quality>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        quality.map(Quality::name).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Quality>, D::Error> {
        let Some(name) = Option::<String>::deserialize(from)? else { return Ok(None) };
        let found = Quality::ALL.into_iter().find(|quality| quality.name() == name);
        found.map(Some).ok_or_else(|| D::Error::custom("there is no such quality"))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;

    const CHOSEN: Preferences = Preferences {
        size: Some((640, 480)),
        position: Some((-20, 30)),
        vsync: Some(false),
        culling: Some(true),
        quality: Some(Quality::High),
        panels: Some(Panels {
            shown: false,
            statistics: true,
            controls: false,
            inspector: true,
            selected: true,
            help: true,
        }),
    };

    fn args(flags: &[&str]) -> WindowArgs {
        Cli::parse_from([&["cubefall"], flags].concat()).window
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/preferences.json");
        let (mut file, preferences_error) = PreferencesFile::open(path.clone());
        assert_eq!((file.saved(), preferences_error), (Preferences::default(), None));
        file.save(CHOSEN).unwrap();
        let (file, preferences_error) = PreferencesFile::open(path);
        assert_eq!((file.saved(), preferences_error), (CHOSEN, None));
    }

    #[test]
    fn a_damaged_file_holds_nothing_and_is_said_to_be_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("preferences.json");
        let long = format!("{{\"vsync\": true {}}}", " ".repeat(1 << 17));
        for text in [
            "",
            "{",
            "null",
            "{\"size\": [0, 5]}",
            "{\"size\": [90000, 5]}",
            "{\"size\": [1e39, 5]}",
            "{\"position\": [1, 2000000000]}",
            "{\"quality\": \"ultra\"}",
            "{\"panels\": 3}",
            "\u{feff}{}",
            &long,
        ] {
            std::fs::write(&path, text).unwrap();
            let (file, preferences_error) = PreferencesFile::open(path.clone());
            assert_eq!(file.saved(), Preferences::default(), "{text}");
            let preferences_error =
                preferences_error.unwrap_or_else(|| panic!("{text} is no complaint"));
            assert!(
                preferences_error.contains("preferences.json cannot be read")
                    && !preferences_error.contains('\n')
            );
        }
        std::fs::write(&path, [0xff, 0xfe, 0]).unwrap();
        assert!(PreferencesFile::open(path.clone()).1.is_some());
        assert!(PreferencesFile::open(folder.path().to_owned()).1.is_some(), "a folder");
    }

    #[test]
    fn a_file_of_another_version_keeps_what_is_still_known() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("preferences.json");
        std::fs::write(&path, "{\"vsync\": false, \"mood\": \"good\"}").unwrap();
        let (file, preferences_error) = PreferencesFile::open(path);
        assert_eq!(preferences_error, None);
        assert_eq!(file.saved(), Preferences { vsync: Some(false), ..Preferences::default() });
    }

    #[test]
    fn preferences_apply_where_no_flag_is_given() {
        let settings = CHOSEN.resolve(&args(&[]));
        assert_eq!(settings.size, Size::new(640, 480).unwrap());
        assert_eq!(settings.present_mode, PresentMode::NoVsync);
        assert_eq!(
            (settings.graphics.quality, settings.graphics.culling),
            (Some(Quality::High), Some(true))
        );
        assert_eq!(settings.panels, Panels { help: false, ..CHOSEN.panels.unwrap() });
    }

    #[test]
    fn flags_override_preferences() {
        let flags = ["--size", "320x240", "--present", "fifo", "--fog", "on", "--culling", "off"];
        let settings = CHOSEN.resolve(&args(&[&flags[..], &["--hud", "on"]].concat()));
        assert_eq!(settings.size, Size::new(320, 240).unwrap());
        assert_eq!(settings.present_mode, PresentMode::Fifo);
        assert_eq!((settings.graphics.quality, settings.graphics.culling), (None, Some(false)));
        assert!(settings.panels.shown);
        let vsync = Preferences { vsync: Some(true), ..CHOSEN };
        let settings = vsync.resolve(&args(&["--no-vsync"]));
        assert_eq!(settings.present_mode, PresentMode::NoVsync);
    }
}
