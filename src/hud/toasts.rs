//! Toasts: what has happened, or cannot be done, said on the screen for some seconds.

use egui::{Align2, Area, Context, Id, Order, vec2};

use super::look;

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
pub(super) struct Toasts(Vec<Toast>);

impl Toasts {
    pub(super) fn push(&mut self, tone: Tone, text: String) {
        // The same thing said twice is said for longer.
        self.0.retain(|toast| toast.text != text);
        self.0.push(Toast { text, tone, until: None });
        let surplus = self.0.len().saturating_sub(MOST);
        self.0.drain(..surplus);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn show(&mut self, context: &Context) {
        let now = context.time();
        self.0.retain_mut(|toast| now < *toast.until.get_or_insert(now + SHOWN));
        let next = self.0.iter().filter_map(|toast| toast.until).min_by(f64::total_cmp);
        let Some(next) = next else { return };
        context.request_repaint_after_secs((next - now) as f32);
        Area::new(Id::unique("toasts"))
            .order(Order::Foreground)
            .anchor(Align2::CENTER_BOTTOM, vec2(0.0, -2.0 * look::MARGIN))
            .interactable(false)
            .fade_in(false)
            .show(context, |ui| {
                ui.set_max_width((context.content_rect().width() - 32.0).clamp(40.0, 560.0));
                for toast in &self.0 {
                    let color = match toast.tone {
                        Tone::Done => look::GOOD,
                        Tone::Failed => look::WARNING,
                    };
                    ui.vertical_centered(|ui| {
                        look::panel().show(ui, |ui| {
                            let text = egui::RichText::new(&toast.text).color(color).size(13.0);
                            ui.label(text);
                        });
                    });
                }
            });
    }
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
        let said: Vec<_> = toasts.0.iter().map(|toast| toast.text.as_str()).collect();
        assert_eq!(said, ["c", "a", "d", "e"]);
    }
}
