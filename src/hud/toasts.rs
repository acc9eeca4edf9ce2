//! Toasts: what has happened, or cannot be done, said on the screen for some seconds.

use egui::{Align2, Area, Color32, Context, Id, Order, RichText, Ui, vec2};

use super::theme;

/// How long each is shown, in s.
const SHOWN: f64 = 6.0;

/// No more than this many at once; the oldest go first.
const MOST: usize = 4;

/// Whether all is well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// It was done.
    Done,
    /// It could not be done.
    Failed,
}

struct Toast {
    text: String,
    tone: Tone,
    /// When it goes, in s; none before it was first shown.
    until: Option<f64>,
}

/// What is said at present.
#[derive(Default)]
pub(super) struct Toasts {
    /// What has happened, the oldest first.
    said: Vec<Toast>,
    /// What could be done now, for as long as it can.
    pub(super) offer: Option<String>,
}

impl Toasts {
    pub(super) fn push(&mut self, tone: Tone, text: String) {
        // The same thing said twice is said for longer.
        self.said.retain(|toast| toast.text != text);
        self.said.push(Toast { text, tone, until: None });
        let surplus = self.said.len().saturating_sub(MOST);
        self.said.drain(..surplus);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.said.is_empty() && self.offer.is_none()
    }

    pub(super) fn show(&mut self, context: &Context) {
        let now = context.time();
        self.said.retain_mut(|toast| now < *toast.until.get_or_insert(now + SHOWN));
        if self.is_empty() {
            return;
        }
        let next = self.said.iter().filter_map(|toast| toast.until).min_by(f64::total_cmp);
        if let Some(next) = next {
            context.request_repaint_after_secs((next - now) as f32);
        }
        Area::new(Id::unique("toasts"))
            .order(Order::Foreground)
            .anchor(Align2::CENTER_BOTTOM, vec2(0.0, -2.0 * theme::MARGIN))
            .interactable(false)
            .fade_in(false)
            .show(context, |ui| {
                ui.set_max_width((context.content_rect().width() - 32.0).clamp(40.0, 560.0));
                for toast in &self.said {
                    let color = match toast.tone {
                        Tone::Done => theme::GOOD,
                        Tone::Failed => theme::WARNING,
                    };
                    line(ui, &toast.text, color);
                }
                if let Some(offer) = &self.offer {
                    line(ui, offer, theme::ACCENT);
                }
            });
    }
}

fn line(ui: &mut Ui, text: &str, color: Color32) {
    ui.vertical_centered(|ui| {
        theme::panel().show(ui, |ui| ui.label(RichText::new(text).color(color).size(13.0)));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go_first_and_nothing_is_said_twice_at_once() {
        let mut toasts = Toasts::default();
        for text in ["a", "b", "c", "a", "d", "e"] {
            toasts.push(Tone::Done, text.into());
        }
        let said: Vec<_> = toasts.said.iter().map(|toast| toast.text.as_str()).collect();
        assert_eq!(said, ["c", "a", "d", "e"]);
    }
}
