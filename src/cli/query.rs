//! Query: the flags of the window in the address of a page, `?scene=galaxy&quality=high`.

use clap::{Args, Command, FromArgMatches};

use super::scenes::{bundled_scene, names};
use super::{SharedView, WindowArgs, one_line};
use crate::error_text;
use crate::sim::CLASSIC;

/// Flags that an address may set: none that names a file or a window of the desktop.
const FLAGS: [&str; 29] = [
    "scene",
    "cubes",
    "seed",
    "mode",
    "motion",
    "palette",
    "color-by",
    "gravity",
    "time",
    "spin",
    "camera",
    "look-at",
    "fov",
    "orbit",
    "widen-view",
    "hud",
    "attract",
    "backend",
    "geometry",
    "culling",
    "quality",
    "shadows",
    "msaa",
    "fog",
    "ao",
    "bloom",
    "dither",
    "ground",
    "small-cubes",
];

/// APIs of browsers.
const BACKENDS: [&str; 2] = ["webgpu", "webgl"];

/// Beginnings of the names of parameters that other sites add to links.
const TRACKERS: [&str; 5] = ["utm_", "fbclid", "gclid", "msclkid", "mc_"];

/// Most unknown names in a message.
const MOST_NAMED: usize = 3;

/// Most messages.
const MOST_PROBLEMS: usize = 6;

/// Longest text of the address in a message, in characters.
const LONGEST: usize = 40;

/// Returns the beginning of a text in one line, without characters that change its direction.
pub(crate) fn shortened(text: &str) -> String {
    let mut chars = text.chars().map(|c| if error_text::is_invisible(c) { ' ' } else { c });
    let mut short: String = chars.by_ref().take(LONGEST).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    short
}

/// Parsed query of an address.
#[derive(Debug)]
pub struct Query {
    /// The flags.
    pub args: WindowArgs,
    /// Address of a scene file of the same site.
    pub scene_url: Option<String>,
    /// The names of parameters that have an effect.
    pub accepted: Vec<String>,
    /// Messages about ignored parameters.
    pub problems: Vec<String>,
}

impl WindowArgs {
    /// Parses the query of an address, without invalid parameters.
    pub fn from_query(query: &str) -> Query {
        let (mut flags, mut accepted) = (Vec::new(), Vec::<String>::new());
        let (mut wrong, mut unknown) = (Vec::new(), Vec::new());
        let given = || form_urlencoded::parse(query.trim_start_matches('?').as_bytes());
        let scene_url = given().find(|(name, value)| name == "scene-url" && !value.is_empty());
        let scene_url = scene_url.map(|(_, value)| value.into_owned());
        let names_scene = given().any(|(name, value)| {
            name == "scene" && value != CLASSIC && bundled_scene(&value).is_some()
        });
        for (name, value) in given() {
            let problem = match &*name {
                "scene-url" => continue,
                "cubes" if names_scene || scene_url.is_some() => {
                    "the scene has its own number".to_owned()
                }
                "scene" if scene_url.is_some() => "scene-url names another one".to_owned(),
                // With a number it is that of `cubes`.
                "scene" if value == CLASSIC && given().any(|(name, _)| name == "cubes") => continue,
                _ if accepted.iter().any(|it| *it == name) => {
                    format!("given twice, the second time as \"{}\"", shortened(&value))
                }
                _ if !FLAGS.contains(&&*name) => {
                    // Other sites add parameters to links. They are no mistake of the user.
                    if !TRACKERS.iter().any(|tracker| name.starts_with(tracker)) {
                        unknown.push(shortened(&name));
                    }
                    continue;
                }
                "backend" if !BACKENDS.contains(&&*value) => {
                    let backends = BACKENDS.join(" or ");
                    format!("unknown \"{}\", expected {backends}", shortened(&value))
                }
                "scene" if bundled_scene(&value).is_none() => {
                    format!("unknown \"{}\", expected one of {}", shortened(&value), names())
                }
                _ => {
                    let short = shortened(&value);
                    // In one line, as the message about it.
                    let value = value.replace(char::is_control, " ");
                    flags.push(format!("--{name}={value}"));
                    let Err(message) = parse(&flags) else {
                        accepted.push(name.into_owned());
                        continue;
                    };
                    flags.pop();
                    without_flag(&message, &name).replace(&value, &short)
                }
            };
            wrong.push(format!("{name}: {problem}"));
        }
        // Only some of many: a long message would cover the page.
        let rest = wrong.len().saturating_sub(MOST_PROBLEMS);
        wrong.truncate(MOST_PROBLEMS);
        if rest > 0 {
            wrong.push(format!("and {rest} more"));
        }
        if !unknown.is_empty() {
            let rest = unknown.len().saturating_sub(MOST_NAMED);
            unknown.truncate(MOST_NAMED);
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            wrong.push(format!("{}{more}: unknown", unknown.join(", ")));
        }
        let args = parse(&flags).expect("each flag was accepted");
        Query { args, scene_url, accepted, problems: wrong }
    }
}

/// Returns a message about a value without its flag, which an address does not have.
fn without_flag(message: &str, name: &str) -> String {
    let end = message.split_once(&format!(" for '--{name} ")).and_then(|(value, flag)| {
        let (_, rest) = flag.split_once('\'')?;
        Some(format!("{value}{rest}"))
    });
    end.unwrap_or_else(|| message.to_owned())
}

fn parse(flags: &[String]) -> Result<WindowArgs, String> {
    let command = WindowArgs::augment_args(Command::new("cubefall").no_binary_name(true));
    let matches = command.try_get_matches_from(flags);
    let parsed = matches.and_then(|matches| WindowArgs::from_arg_matches(&matches));
    parsed.map_err(|error| one_line(&error))
}

impl SharedView {
    /// Returns the query of an address that opens this view.
    pub fn query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if self.scene().is_some() {
            query.append_pair("scene", self.scene_name());
        }
        query.extend_pairs(self.parts());
        // Commas are allowed in a query, and easier to read than `%2C`.
        query.finish().replace("%2C", ",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::GraphicsArgs;
    use crate::components::{ColorBy, Coloring, Motion, Palette};
    use crate::render::{Backend, Quality};
    use crate::sim::{FallMode, SceneSettings, SceneSource, Simulation};

    #[test]
    fn an_address_takes_the_graphics_flags_but_those_of_the_desktop() {
        let command = GraphicsArgs::augment_args(Command::new("cubefall"));
        for flag in command.get_arguments().filter_map(clap::Arg::get_long) {
            let is_of_desktop = ["adapter", "require-gpu", "streaming"].contains(&flag);
            assert_eq!(FLAGS.contains(&flag), !is_of_desktop, "{flag}");
        }
    }

    #[test]
    fn parameters_are_the_flags_of_the_window() {
        let query = "?cubes=200k&mode=camera-falls&seed=7&camera=0,-95,190&quality=high\
                     &motion=evaluated&backend=webgl&hud=off";
        let Query { args, problems, .. } = WindowArgs::from_query(query);
        assert_eq!(problems, [""; 0]);
        let scene = &args.simulation.scene;
        assert_eq!((scene.cubes, scene.seed), (200_000, Some(7)));
        assert_eq!((scene.mode(), scene.motion()), (FallMode::Camera, Motion::Evaluated));
        assert_eq!(scene.camera().position.unwrap().y, -95.0);
        assert_eq!((args.graphics.quality, args.hud), (Some(Quality::High), Some(false)));
        assert_eq!(args.graphics.gpu().backend, Some(Backend::Gl));
    }

    #[test]
    fn the_first_address_of_a_scene_is_opened() {
        let query = "?scene-url=&scene-url=a%26b.json&cubes=5&scene-url=c.json";
        let Query { args, scene_url, accepted, problems } = WindowArgs::from_query(query);
        assert_eq!((scene_url.as_deref(), args.simulation.scene.cubes), (Some("a&b.json"), 10_000));
        assert_eq!(
            (accepted.len(), &*problems),
            (0, &["cubes: the scene has its own number".to_owned()][..])
        );
    }

    #[test]
    fn a_scene_has_its_own_number_of_cubes() {
        for query in ["?cubes=5&scene=tower", "?scene=tower&cubes=5"] {
            let Query { accepted, problems, .. } = WindowArgs::from_query(query);
            assert_eq!(
                (accepted, problems),
                (vec!["scene".to_owned()], vec!["cubes: the scene has its own number".to_owned()])
            );
        }
        let Query { args, problems, .. } = WindowArgs::from_query("?scene=classic&cubes=5");
        assert_eq!((args.simulation.scene.cubes, problems), (5, Vec::new()));
        let Query { accepted, problems, .. } =
            WindowArgs::from_query("?scene=tower&scene-url=a.json");
        assert_eq!((accepted.len(), &*problems[0]), (0, "scene: scene-url names another one"));
    }

    #[test]
    fn messages_are_short() {
        let problems = WindowArgs::from_query(&"&mode=a".repeat(9)).problems;
        assert_eq!((problems.len(), &*problems[MOST_PROBLEMS]), (MOST_PROBLEMS + 1, "and 3 more"));
        let long = "\u{202e}a\nb".to_owned() + &"c".repeat(99);
        assert_eq!(shortened(&long), format!(" a b{}…", "c".repeat(LONGEST - 4)));
    }

    #[test]
    fn wrong_parameters_are_named_and_ignored() {
        let query = "?backend=vulkan&streaming=mapped&palette=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\
                     &mode=a%0Ab&cubes=many&load=/etc/passwd&scene=nowhere&mood=good&quality=high&quality=low&seed=5&size=1x1&utm_source=a&fbclid=b";
        let Query { args, problems, .. } = WindowArgs::from_query(query);
        assert_eq!((args.simulation.scene.cubes, args.simulation.scene.seed), (10_000, Some(5)));
        assert_eq!(args.graphics.quality, Some(Quality::High));
        assert!(args.simulation.load.is_none() && args.size.is_none());
        let expected = [
            "backend: unknown \"vulkan\", expected webgpu or webgl",
            "palette: invalid value 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…' [possible values: ",
            "mode: invalid value 'a b' [possible values: cubes-fall, camera-falls]",
            "cubes: invalid value 'many'",
            "scene: unknown \"nowhere\", expected one of classic",
            "quality: given twice, the second time as \"low\"",
            "streaming, load, mood and 1 more: unknown",
        ];
        assert_eq!(problems.len(), expected.len(), "{problems:?}");
        for (wrong, expected) in problems.iter().zip(expected) {
            assert!(wrong.starts_with(expected) && !wrong.contains('\n'), "{wrong}");
        }
    }

    #[test]
    fn an_address_opens_the_view_that_was_shared() {
        let bundled = |name| SceneSource::File(bundled_scene(name).unwrap().scene(Some(9)));
        for (source, mode) in [
            (SceneSource::Classic(SceneSettings { cubes: 300, seed: 5 }), FallMode::Camera),
            (bundled("galaxy"), FallMode::Cubes),
            // Its camera orbits.
            (bundled("tower"), FallMode::Cubes),
        ] {
            let mut simulation = Simulation::new(source, mode).unwrap();
            let coloring = Coloring { palette: Palette::ALL[2], by: ColorBy::Height };
            simulation.set_coloring(Some(coloring)).unwrap();
            let shared = SharedView::of(&simulation).unwrap();
            let Query { args, problems, .. } = WindowArgs::from_query(&shared.query());
            assert_eq!(problems, [""; 0], "{}", shared.query());
            let mut opened =
                Simulation::new(args.simulation.scene.source(), args.simulation.scene.mode())
                    .unwrap();
            if let Some(coloring) = args.simulation.coloring(&opened) {
                opened.set_coloring(Some(coloring)).unwrap();
            }
            opened.camera_mut().set_up(&args.simulation.scene.camera()).unwrap();
            assert_eq!(SharedView::of(&opened).unwrap(), shared);
        }
    }
}
