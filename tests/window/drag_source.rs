//! A window of another program from which files are dragged.
//!
//! Implements the source of drag-and-drop between X windows, version 5:
//! <https://www.freedesktop.org/wiki/Specifications/XDND/>.

use std::path::Path;
use std::thread::sleep;
use std::time::Instant;

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode,
    SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;
use x11rb::{CURRENT_TIME, NONE};

use super::desktop::{PATIENCE, POLL};

x11rb::atom_manager! {
    Atoms: AtomsCookie {
        XdndActionCopy,
        XdndDrop,
        XdndEnter,
        XdndFinished,
        XdndLeave,
        XdndPosition,
        XdndSelection,
        XdndStatus,
        UriList: b"text/uri-list",
    }
}

const VERSION: u32 = 5;

pub(crate) struct DragSource {
    connection: RustConnection,
    atoms: Atoms,
    /// Invisible window of this program.
    window: u32,
    /// Window that the file is dragged onto.
    target: u32,
}

impl DragSource {
    pub(crate) fn new(display: &str, target: u32) -> Self {
        let (connection, screen) = RustConnection::connect(Some(display)).unwrap();
        let atoms = Atoms::new(&connection).unwrap().reply().unwrap();
        let root = connection.setup().roots[screen].root;
        let window = connection.generate_id().unwrap();
        let looks = CreateWindowAux::new();
        let class = WindowClass::INPUT_OUTPUT;
        connection.create_window(0, window, root, 0, 0, 1, 1, 0, class, 0, &looks).unwrap();
        Self { connection, atoms, window, target }
    }

    /// Drags a file onto the target.
    pub(crate) fn hold(&self, file: &Path) {
        let Self { connection, atoms, window, .. } = self;
        connection.set_selection_owner(*window, atoms.XdndSelection, CURRENT_TIME).unwrap();
        self.send(atoms.XdndEnter, [VERSION << 24, atoms.UriList, NONE, NONE]);
        let corner = 20;
        let position = [0, corner << 16 | corner, CURRENT_TIME, atoms.XdndActionCopy];
        self.send(atoms.XdndPosition, position);
        let uri = format!("file://{}\r\n", file.display().to_string().replace(' ', "%20"));
        let mut is_taken = false;
        self.wait_for("XdndStatus and a request for the file", |event| {
            match event {
                Event::SelectionRequest(request) => {
                    self.hand_over(request, uri.as_bytes());
                    is_taken = true;
                }
                Event::ClientMessage(message) if message.type_ == atoms.XdndStatus => {
                    assert_eq!(message.data.as_data32()[1] & 1, 1, "the window accepts no files");
                }
                _ => {}
            }
            is_taken
        });
    }

    /// Ends the drag without a drop.
    pub(crate) fn leave(&self) {
        self.send(self.atoms.XdndLeave, [0; 4]);
    }

    /// Drags a file onto the target and drops it.
    pub(crate) fn drop(&self, file: &Path) {
        self.hold(file);
        let Self { atoms, .. } = self;
        self.send(atoms.XdndDrop, [0, CURRENT_TIME, 0, 0]);
        self.wait_for("XdndFinished", |event| {
            matches!(event, Event::ClientMessage(message) if message.type_ == atoms.XdndFinished)
        });
    }

    fn send(&self, what: Atom, [a, b, c, d]: [u32; 4]) {
        let message = ClientMessageEvent::new(32, self.target, what, [self.window, a, b, c, d]);
        self.connection.send_event(false, self.target, EventMask::NO_EVENT, message).unwrap();
        self.connection.flush().unwrap();
    }

    /// Sends the dragged file to the window that requests it.
    fn hand_over(&self, request: &SelectionRequestEvent, uri: &[u8]) {
        let SelectionRequestEvent { requestor, property, target, selection, time, .. } = *request;
        assert_eq!((selection, target), (self.atoms.XdndSelection, self.atoms.UriList));
        self.connection
            .change_property8(PropMode::REPLACE, requestor, property, target, uri)
            .unwrap();
        let told = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time,
            requestor,
            selection,
            target,
            property,
        };
        self.connection.send_event(false, requestor, EventMask::NO_EVENT, told).unwrap();
        self.connection.flush().unwrap();
    }

    fn wait_for(&self, what: &str, mut is_it: impl FnMut(&Event) -> bool) {
        let start = Instant::now();
        loop {
            match self.connection.poll_for_event().unwrap() {
                Some(event) if is_it(&event) => return,
                Some(_) => {}
                None => sleep(POLL),
            }
            assert!(start.elapsed() < PATIENCE, "timeout: {what}");
        }
    }
}
