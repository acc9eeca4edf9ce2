//! Changes of the scale factor, as when the user sets another one for the display.

use std::thread::sleep;

use x11rb::CURRENT_TIME;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, CreateWindowAux, PropMode, WindowClass};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use super::desktop::{Desktop, POLL};
use super::windowed_run::WindowedRun;

x11rb::atom_manager! {
    Atoms: AtomsCookie {
        _XSETTINGS_S0,
        _XSETTINGS_SETTINGS,
    }
}

/// The program of a desktop that holds its settings, among them the scale factor:
/// <https://specifications.freedesktop.org/xsettings-spec/latest/>.
struct Settings {
    connection: RustConnection,
    atoms: Atoms,
    window: u32,
}

impl Settings {
    fn start(desktop: &Desktop) -> Self {
        let (connection, screen) = RustConnection::connect(Some(desktop.display())).unwrap();
        let atoms = Atoms::new(&connection).unwrap().reply().unwrap();
        let root = connection.setup().roots[screen].root;
        let window = connection.generate_id().unwrap();
        let (class, values) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
        connection.create_window(0, window, root, 0, 0, 1, 1, 0, class, 0, &values).unwrap();
        let settings = Self { connection, atoms, window };
        settings.set_dpi(96);
        let owned = settings.connection.set_selection_owner(
            window,
            settings.atoms._XSETTINGS_S0,
            CURRENT_TIME,
        );
        owned.unwrap().check().unwrap();
        settings
    }

    /// Sets the resolution in pixels per inch; 96 is a scale factor of 1.
    fn set_dpi(&self, dpi: u32) {
        // Byte order and serial number, one setting: an integer with a name of 7 bytes, padded to 8.
        let mut content = vec![0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 7, 0];
        content.extend(b"Xft/DPI\0\0\0\0\0");
        content.extend((dpi * 1024).to_le_bytes());
        let property = self.atoms._XSETTINGS_SETTINGS;
        let replace = PropMode::REPLACE;
        let changed =
            self.connection.change_property8(replace, self.window, property, property, &content);
        changed.unwrap().check().unwrap();
    }
}

#[test]
fn window_and_hud_follow_a_new_scale_factor() {
    let desktop = Desktop::start();
    let settings = Settings::start(&desktop);
    let mut demo = desktop.open_with_hud(&["--cubes", "200", "--size", "500x370"]);
    demo.wait_for_title(&["200 cubes"]);
    let [_, _, width, height] = demo.place("pause");
    settings.set_dpi(192);
    demo.wait_until_size([1000, 740]);
    demo.wait_until("the frame is 1000x740", || desktop.screenshot().covers(1000, 740));
    let mut grown = demo.place("pause");
    while (grown[2] - 2 * width).abs() > 4 || (grown[3] - 2 * height).abs() > 4 {
        demo.wait_for_new_place("pause", grown);
        grown = demo.place("pause");
    }
    demo.click("pause");
    demo.wait_for_title(&["paused"]);
    settings.set_dpi(96);
    demo.wait_until_size([500, 370]);
    demo.quit();
}

#[test]
fn a_benchmark_marks_frames_with_a_new_scale_factor_and_keeps_its_size() {
    let desktop = Desktop::start();
    let settings = Settings::start(&desktop);
    let flags = ["--size", "300x200", "--warmup", "1", "--duration", "5"];
    let mut run = WindowedRun::start(&desktop, &flags);
    for dpi in [192, 96].into_iter().cycle() {
        let size = desktop.tool(&["getwindowgeometry", &run.window]);
        if run.has_ended() {
            break;
        }
        assert!(size.is_empty() || size.contains("300x200"), "{size}");
        settings.set_dpi(dpi);
        sleep(POLL * 6);
    }
    let frames = run.result().frames;
    assert!(frames.resized > 0, "{frames:?}");
}

#[test]
fn moving_a_window_after_a_new_scale_factor_keeps_its_size() {
    let desktop = Desktop::start_managed();
    let settings = Settings::start(&desktop);
    desktop.write_preferences(r#"{"size": [300, 200]}"#);
    let mut demo = desktop.open_with_preferences(&["--cubes", "200"]);
    demo.wait_until_size([300, 200]);
    demo.wait_for_title(&["200 cubes"]);
    settings.set_dpi(192);
    demo.wait_until_size([600, 400]);
    let position = || desktop.saved_preferences()["position"].clone();
    let before = position();
    demo.move_to(50, 60);
    demo.wait_until("the new position is saved", || position() != before);
    assert_eq!(demo.size(), [600, 400]);
    settings.set_dpi(96);
    demo.wait_until_size([300, 200]);
    demo.quit();
}
