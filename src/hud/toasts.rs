//! Toasts: short messages at the lower edge of the window.

use egui::{Align2, Area, Color32, Context, Id, Order, Rect, RichText, Ui, vec2};

use super::theme;

/// Least lifetime of a message, in s.
const LIFETIME: f64 = 6.0;

/// Characters of a longer message that are read, or copied by hand, in a second.
const READING_RATE: f64 = 8.0;

/// Lifetime of a changed value, in s.
const VALUE_LIFETIME: f64 = 1.5;

/// Largest number of messages shown at once; the oldest are dropped.
const MAX_TOASTS: usize = 4;

/// Color and meaning of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// An action succeeded.
    Done,
    /// An action failed.
    Failed,
    /// A value was changed.
    Value,
}

struct Toast {
    text: String,
    tone: Tone,
    /// Expiry time in s; `None` until first shown.
    until: Option<f64>,
}

impl Toast {
    /// Returns how long it is shown, in s.
    fn lifetime(&self) -> f64 {
        match self.tone {
            Tone::Value => VALUE_LIFETIME,
            Tone::Done | Tone::Failed => {
                LIFETIME.max(self.text.chars().count() as f64 / READING_RATE)
            }
        }
    }
}

/// Messages shown now.
#[derive(Default)]
pub(super) struct Toasts {
    /// Oldest first.
    messages: Vec<Toast>,
    /// The value that was changed last.
    value: Option<Toast>,
    /// Hint shown until it is cleared.
    pub(super) hint: Option<String>,
    /// Height in the latest layout, which places the next one.
    height: f32,
}

impl Toasts {
    pub(super) fn push(&mut self, tone: Tone, text: String) {
        // Later messages are below earlier ones.
        self.value = None;
        // A repeated message replaces the first, so that it stays longer.
        self.messages.retain(|toast| toast.text != text);
        self.messages.push(Toast { text, tone, until: None });
        let surplus = self.messages.len().saturating_sub(MAX_TOASTS);
        self.messages.drain(..surplus);
    }

    /// Removes the failures whose text begins with `start`.
    pub(super) fn retract_failures(&mut self, start: &str) {
        self.messages.retain(|it| it.tone != Tone::Failed || !it.text.starts_with(start));
    }

    pub(super) fn set_value(&mut self, text: String) {
        self.value = Some(Toast { text, tone: Tone::Value, until: None });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty() && self.value.is_none() && self.hint.is_none()
    }

    /// Shows the messages at the lower edge of the area without panels.
    pub(super) fn show(&mut self, context: &Context, free: Rect) {
        let now = context.time();
        let lives = |toast: &mut Toast| {
            let lifetime = toast.lifetime();
            now < *toast.until.get_or_insert(now + lifetime)
        };
        self.messages.retain_mut(lives);
        self.value.take_if(|toast| !lives(toast));
        if self.is_empty() {
            return;
        }
        let next = self
            .messages
            .iter()
            .chain(&self.value)
            .filter_map(|toast| toast.until)
            .min_by(f64::total_cmp);
        if let Some(next) = next {
            context.request_repaint_after_secs((next - now) as f32);
        }
        let shown = Area::new(Id::unique("toasts"))
            .order(Order::Foreground)
            .pivot(Align2::CENTER_BOTTOM)
            .fixed_pos(free.center_bottom() - vec2(0.0, theme::MARGIN))
            .interactable(false)
            .fade_in(false)
            .show(context, |ui| {
                // Wider than a narrow area, and then over panels for a moment.
                let window = context.content_rect().width() - 32.0;
                ui.set_max_width(free.width().clamp(300.0, 560.0).min(window).max(40.0));
                for toast in self.messages.iter().chain(&self.value) {
                    let color = match toast.tone {
                        Tone::Done => theme::GOOD,
                        Tone::Failed => theme::WARNING,
                        Tone::Value => theme::TEXT,
                    };
                    line(ui, &toast.text, color);
                }
                if let Some(hint) = &self.hint {
                    line(ui, hint, theme::ACCENT);
                }
            });
        let height = shown.response.rect.height();
        if std::mem::replace(&mut self.height, height) != height {
            context.request_discard("messages are placed by their height");
        }
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
    fn a_long_message_is_shown_as_long_as_it_takes_to_read() {
        let lifetime = |tone, characters: usize| {
            Toast { text: "a".repeat(characters), tone, until: None }.lifetime()
        };
        assert_eq!(lifetime(Tone::Done, 10), LIFETIME);
        assert_eq!(lifetime(Tone::Failed, 200), 25.0);
        assert_eq!(lifetime(Tone::Value, 200), VALUE_LIFETIME);
    }

    #[test]
    fn the_oldest_message_is_dropped_and_a_repeated_one_is_not_duplicated() {
        let mut toasts = Toasts::default();
        for text in ["a", "b", "c", "a", "d", "e"] {
            toasts.push(Tone::Done, text.into());
        }
        let texts: Vec<_> = toasts.messages.iter().map(|toast| toast.text.as_str()).collect();
        assert_eq!(texts, ["c", "a", "d", "e"]);
        toasts.push(Tone::Failed, "d, line 1".into());
        toasts.retract_failures("d");
        assert_eq!(toasts.messages.len(), 3, "what succeeded stays");
    }
}
