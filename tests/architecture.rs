//! The structure of `src/`, read from its imports: a module imports only from layers below it, and no
//! files import each other in a cycle.
//!
//! Names are followed through re-exports to the file that defines them, so a `mod.rs` that only
//! declares and re-exports is never part of a cycle. Code under `#[cfg(test)]` does not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

/// Top-level modules, lowest layer first. Modules of one layer do not import each other.
const LAYERS: &[&[&str]] = &[
    &["error_text", "input_file", "names", "schema_text", "time", "units"],
    &["memory", "output"],
    &["ecs", "components", "interrupt"],
    &["scenes"],
    &["sim", "render"],
    &["frame"],
    &["benchmark", "input"],
    &["cli"],
    &["hud"],
    &["app"],
    &["commands"],
];

/// A module path below the crate, such as `["render", "gpu"]`.
type ModulePath = Vec<String>;

/// What one source file declares and uses.
struct SourceFile {
    path: PathBuf,
    definitions: BTreeSet<String>,
    /// Names that `use` brings into the module, and the paths they stand for.
    imports: BTreeMap<String, ModulePath>,
    /// Every path written in the file, imports included.
    uses: Vec<ModulePath>,
}

/// All files of `src/` by module path.
struct Crate {
    files: BTreeMap<ModulePath, SourceFile>,
}

impl Crate {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = BTreeMap::new();
        read_folder(&root, &root, &mut files);
        files.remove(&vec!["main".to_owned()]);
        Self { files }
    }

    /// The module that defines what `path` names, seen from inside of `module`.
    fn resolve(&self, module: &[String], path: &[String], depth: u32) -> Option<ModulePath> {
        assert!(depth < 50, "{path:?} in {module:?} is re-exported in a circle");
        let mut at = module.to_vec();
        let mut rest = path;
        let mut anchored = false;
        while let [first, tail @ ..] = rest {
            match first.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => drop(at.pop()?),
                _ => break,
            }
            anchored = true;
            rest = tail;
        }
        let first = rest.first()?;
        if !anchored {
            let file = self.files.get(&at)?;
            let local = file.definitions.contains(first)
                || file.imports.contains_key(first)
                || self.files.contains_key(&child(&at, first));
            if !local {
                return None;
            }
        }
        for (index, segment) in rest.iter().enumerate() {
            let below = child(&at, segment);
            if self.files.contains_key(&below) {
                at = below;
                continue;
            }
            let file = self.files.get(&at)?;
            if file.definitions.contains(segment) {
                return Some(at);
            }
            let mut target = file.imports.get(segment)?.clone();
            target.extend(rest[index + 1..].iter().cloned());
            return self.resolve(&at, &target, depth + 1);
        }
        Some(at)
    }

    /// For each file, the files it uses.
    fn graph(&self) -> BTreeMap<&ModulePath, BTreeSet<ModulePath>> {
        let edges = |module: &ModulePath, file: &SourceFile| {
            let mut targets: BTreeSet<_> =
                file.uses.iter().filter_map(|path| self.resolve(module, path, 0)).collect();
            targets.remove(module);
            targets
        };
        self.files.iter().map(|(module, file)| (module, edges(module, file))).collect()
    }
}

fn read_folder(root: &Path, folder: &Path, files: &mut BTreeMap<ModulePath, SourceFile>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_folder(root, &path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let relative = path.strip_prefix(root).unwrap().with_extension("");
            let mut module: ModulePath =
                relative.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            if matches!(module.last().map(String::as_str), Some("mod" | "lib")) {
                module.pop();
            }
            files.insert(module, SourceFile::read(path));
        }
    }
}

impl SourceFile {
    fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).unwrap();
        let syntax =
            syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut file =
            Self { path, definitions: BTreeSet::new(), imports: BTreeMap::new(), uses: Vec::new() };
        if !is_test(&syntax.attrs) {
            file.visit_file(&syntax);
        }
        file
    }

    fn import(&mut self, tree: &UseTree, prefix: &ModulePath) {
        match tree {
            UseTree::Path(path) => self.import(&path.tree, &child(prefix, &path.ident.to_string())),
            UseTree::Name(name) if name.ident == "self" => {
                let last = prefix.last().expect("`self` stands in braces after a path").clone();
                self.imports.insert(last, prefix.clone());
                self.uses.push(prefix.clone());
            }
            UseTree::Name(name) => {
                let target = child(prefix, &name.ident.to_string());
                self.imports.insert(name.ident.to_string(), target.clone());
                self.uses.push(target);
            }
            UseTree::Rename(rename) => {
                let target = child(prefix, &rename.ident.to_string());
                self.imports.insert(rename.rename.to_string(), target.clone());
                self.uses.push(target);
            }
            UseTree::Glob(_) => self.uses.push(prefix.clone()),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import(tree, prefix));
            }
        }
    }
}

impl<'ast> Visit<'ast> for SourceFile {
    fn visit_item(&mut self, item: &'ast Item) {
        let (attributes, name) = match item {
            Item::Struct(item) => (&item.attrs, Some(&item.ident)),
            Item::Enum(item) => (&item.attrs, Some(&item.ident)),
            Item::Trait(item) => (&item.attrs, Some(&item.ident)),
            Item::Type(item) => (&item.attrs, Some(&item.ident)),
            Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
            Item::Const(item) => (&item.attrs, Some(&item.ident)),
            Item::Static(item) => (&item.attrs, Some(&item.ident)),
            Item::Macro(item) => (&item.attrs, item.ident.as_ref()),
            Item::Mod(item) => (&item.attrs, None),
            Item::Impl(item) => (&item.attrs, None),
            Item::Use(item) => {
                if !is_test(&item.attrs) {
                    let known = self.uses.len();
                    self.import(&item.tree, &ModulePath::new());
                    // A re-export is not a use.
                    if !matches!(item.vis, Visibility::Inherited) {
                        self.uses.truncate(known);
                    }
                }
                return;
            }
            _ => return visit::visit_item(self, item),
        };
        if is_test(attributes) {
            return;
        }
        self.definitions.extend(name.map(ToString::to_string));
        visit::visit_item(self, item);
    }

    /// `pub(in path)` names a path, but uses nothing of it.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        // A single name is local, imported (and so counted), or a variable with the name of a module.
        if path.segments.len() > 1 {
            self.uses.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Ident>()
                .is_ok_and(|name| name == "test" || name == "doctest")
    })
}

fn child(module: &[String], name: &str) -> ModulePath {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

#[test]
fn files_do_not_import_each_other_in_a_cycle() {
    let source = Crate::read();
    let graph = source.graph();
    let reachable: BTreeMap<_, _> =
        graph.keys().map(|module| (*module, reachable(&graph, module))).collect();
    let mut message = String::new();
    for (module, uses) in &graph {
        let back = |target: &&ModulePath| reachable[target].contains(*module);
        let uses: Vec<_> = uses.iter().filter(back).map(|target| target.join("/")).collect();
        if !uses.is_empty() {
            let path = source.files[*module].path.display();
            writeln!(message, "  {path} uses {}", uses.join(", ")).unwrap();
        }
    }
    assert!(message.is_empty(), "these files import each other in a cycle:\n{message}");
}

/// All files that `from` uses, and those these use, and so on.
fn reachable(
    graph: &BTreeMap<&ModulePath, BTreeSet<ModulePath>>,
    from: &ModulePath,
) -> BTreeSet<ModulePath> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for target in &graph[module] {
            if found.insert(target.clone()) {
                open.push(target);
            }
        }
    }
    found
}

#[test]
fn modules_import_only_from_lower_layers() {
    let layer = |module: &str| LAYERS.iter().position(|names| names.contains(&module));
    let source = Crate::read();
    let mut upward = Vec::new();
    for (module, uses) in source.graph() {
        let Some(from) = module.first() else { continue };
        let own = layer(from).unwrap_or_else(|| panic!("{from} has no layer in LAYERS"));
        for target in uses {
            let Some(to) = target.first().filter(|to| *to != from) else { continue };
            // What is drawn and what a file describes are plain arrays and values.
            let forbidden = to == "ecs" && ["render", "scenes"].contains(&from.as_str());
            if forbidden || layer(to).is_none_or(|to| to >= own) {
                upward.push(format!("{} uses {}", module.join("/"), target.join("/")));
            }
        }
    }
    assert!(
        upward.is_empty(),
        "imports that do not point downward, or of `ecs`:\n{}",
        upward.join("\n")
    );
}
