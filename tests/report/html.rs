//! Access to the elements of a page.

use roxmltree::{Document, Node};

/// Parses the visible part of a page, which is well-formed XML.
pub(crate) fn body(page: &str) -> Document<'_> {
    let begin = page.find("<main>").unwrap();
    let end = page.rfind("</main>").unwrap() + "</main>".len();
    Document::parse(&page[begin..end]).unwrap()
}

/// Returns the section with a heading.
pub(crate) fn section<'a>(body: &'a Document, heading: &str) -> Node<'a, 'a> {
    let mut sections = body.descendants().filter(|node| node.has_tag_name("section"));
    let is_it = |section: &Node| {
        section.descendants().any(|node| node.has_tag_name("h2") && text(node) == heading)
    };
    sections.find(is_it).unwrap_or_else(|| panic!("no section {heading}"))
}

/// Returns all elements of a class, in order.
pub(crate) fn all<'a>(under: Node<'a, 'a>, class: &str) -> Vec<Node<'a, 'a>> {
    let has_class = |node: &Node| {
        node.attribute("class").is_some_and(|classes| classes.split(' ').any(|name| name == class))
    };
    under.descendants().filter(has_class).collect()
}

/// Returns the text of a node and its children, trimmed.
pub(crate) fn text(node: Node) -> String {
    let texts = node.descendants().filter_map(|node| node.is_text().then(|| node.text())?);
    texts.collect::<String>().trim().to_owned()
}
