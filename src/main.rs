//! Parses the command line, runs the command and returns its exit code.

use std::process::ExitCode;

use cubefall::cli::{self, Cli};
use cubefall::commands::{self, CommandError};
use cubefall::output;

/// Logs unless `RUST_LOG` is set: errors of libraries, why an adapter is not used, and a `WGPU_BACKEND` that names no graphics API. But a missing settings portal, which `sctk_adwaita` logs, is no error,
/// and the program itself reports the end of a display.
const LOGS: &str = "error,cubefall::render::adapter=warn,arboard=off,sctk_adwaita=off,winit::platform_impl::linux::wayland::event_loop=off";

fn main() -> ExitCode {
    let cli = cli::parse();
    let filter = env_logger::Env::default().default_filter_or(LOGS);
    env_logger::Builder::from_env(filter).init();
    report_panics();
    // An error is ignored: only rare environments need these handlers.
    #[cfg(all(unix, any(feature = "benchmark", feature = "record")))]
    let _ = cubefall::interrupt::handle_signals_of_children_and_files();
    run(&cli).unwrap_or_else(|error| {
        output::diagnostic(&error);
        error.exit_code()
    })
}

/// Prints panics as defects to report, but none that the renderer catches.
fn report_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        #[cfg(feature = "render")]
        if cubefall::render::is_panic_caught(info) {
            return;
        }
        print(info);
        output::diagnostic(&format_args!(
            "this is a defect of cubefall {}; please report it with the lines above and the command",
            env!("CARGO_PKG_VERSION")
        ));
    }));
}

fn run(cli: &Cli) -> Result<ExitCode, CommandError> {
    // The main thread takes part in work on all cores. Otherwise it would wake another thread for all of it, and sleep
    // until that has finished.
    // There are as many threads as results name: no environment variable changes that.
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .use_current_thread()
        .thread_name(|index| format!("worker {index}"))
        .build_global()?;
    commands::run(cli)
}
