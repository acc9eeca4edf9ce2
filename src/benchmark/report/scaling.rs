//! Scaling: how frame times grow with the number of cubes.

use maud::{Markup, html};

use super::axis::Axis;
use super::budgets::{DISPLAYS, budgets};
use super::plot::{INNER, Plot};
use super::svg::{Path, px};
use crate::benchmark::quantile;
use crate::benchmark::sweep::EXPONENT_SPAN;
use crate::benchmark::{LargestCount, Sweep};
use crate::units::{MILLISECOND, bare_ms, count, ms};

const HEIGHT: f64 = 340.0;

/// What can be said in a sentence; none without a point.
pub(super) fn largest_count(sweep: &Sweep) -> Option<String> {
    let fps = sweep.fps;
    Some(match sweep.largest_count()? {
        LargestCount::Below(cubes) => format!("Fewer than {} cubes at {fps} fps.", count(cubes)),
        LargestCount::About(cubes) => format!("{fps} fps up to about {} cubes.", count(cubes)),
        LargestCount::AtLeast(cubes) => format!("{fps} fps up to at least {} cubes.", count(cubes)),
    })
}

/// The picture and its table; nothing without points.
pub(super) fn section(sweep: &Sweep) -> Markup {
    let points: Vec<_> = sweep.points.iter().filter_map(Point::of).collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return html! {} };
    let x = Axis::across(first.cubes, last.cubes, INNER, "cubes").logarithmic();
    let low = points.iter().map(|point| point.times[0]).fold(f64::INFINITY, f64::min);
    let high = points.iter().map(|point| point.times[2]).fold(0.0, f64::max);
    let y = Axis::upward(low, high, HEIGHT, "median frame time, ms").logarithmic();
    let asked = (!DISPLAYS.contains(&sweep.fps)).then_some(sweep.fps);
    let rates: Vec<_> = asked.into_iter().chain(DISPLAYS).collect();
    html! {
        section {
            h2 { "More cubes" }
            p {
                @if let Some(exponent) = sweep.exponent() {
                    "Towards the largest numbers, frame times grow as the number of cubes to the power of "
                    strong { (format!("{exponent:.2}")) }
                    (grows(exponent)) " "
                }
                @if let Some(reach) = largest_count(sweep) { (reach) " " }
                @if let Some(why) = &sweep.stopped { "It stopped there: " (why) ". " }
                "Both axes are logarithmic; bars are from the fastest to the slowest run."
            }
            (Plot { x: &x, y: &y, description: &description(&points) }.draw_with(&html! {
                @if let Some(exponent) = sweep.exponent() {
                    path.fit d=(fit(&points, exponent, &x, &y).data()) {}
                }
                @for point in &points { (point.draw(&x, &y)) }
            }, &budgets(&x, &y, &rates)))
            div.table { table {
                thead { tr {
                    @for name in ["cubes", "median, ms", "fastest run, ms", "slowest run, ms", "ns per cube", "fps"] {
                        th scope="col" { (name) }
                    }
                } }
                tbody { @for point in &points { (point.row()) } }
            } }
        }
    }
}

/// What an exponent means.
fn grows(exponent: f64) -> &'static str {
    match exponent {
        ..0.9 => {
            ": slower than in proportion, as part of a frame costs the same however many there are."
        }
        0.9..=1.1 => ": in proportion.",
        _ => ": faster than in proportion, as where caches become too small.",
    }
}

/// One number of cubes that was measured.
struct Point {
    cubes: f64,
    /// The fastest run, the median, the slowest run, in ms.
    times: [f64; 3],
}

impl Point {
    fn of(point: &crate::benchmark::SweepPoint) -> Option<Self> {
        let (fastest, slowest) = point.range()?;
        let times = [fastest, point.median()?.nanoseconds(), slowest];
        let drawn = point.cubes > 0 && fastest > 0.0;
        let times = times.map(|time| time / MILLISECOND);
        drawn.then(|| Self { cubes: point.cubes.into(), times })
    }

    fn median_ns(&self) -> f64 {
        self.times[1] * MILLISECOND
    }

    fn words(&self) -> String {
        format!("{} cubes: {}", count(self.cubes), ms(self.median_ns()))
    }

    fn draw(&self, x: &Axis, y: &Axis) -> Markup {
        let at = px(x.at(self.cubes));
        let [fastest, median, slowest] = self.times.map(|time| px(y.at(time)));
        let mut whisker = Path::default();
        for end in [fastest, slowest] {
            whisker.begin(at - 4.0, end);
            whisker.line(at + 4.0, end);
        }
        whisker.begin(at, fastest);
        whisker.line(at, slowest);
        html! {
            g {
                title { (self.words()) }
                path.whisker d=(whisker.data()) {}
                circle.dot cx=(at) cy=(median) r="5" {}
            }
        }
    }

    fn row(&self) -> Markup {
        let [fastest, median, slowest] = self.times.map(|time| bare_ms(time * MILLISECOND));
        html! {
            tr {
                th scope="row" { (count(self.cubes)) }
                @for time in [median, fastest, slowest] { td { (time) } }
                td { (format!("{:.1}", self.median_ns() / self.cubes)) }
                td { (format!("{:.1}", 1e9 / self.median_ns())) }
            }
        }
    }
}

fn description(points: &[Point]) -> String {
    let points: Vec<_> = points.iter().map(Point::words).collect();
    format!("Median frame time by number of cubes. {}.", points.join(", "))
}

/// The line of the exponent through the middle of the points it is of.
fn fit(points: &[Point], exponent: f64, x: &Axis, y: &Axis) -> Path {
    let mut path = Path::default();
    let Some(last) = points.last() else { return path };
    let of: Vec<_> =
        points.iter().filter(|point| point.cubes * EXPONENT_SPAN >= last.cubes).collect();
    let mut offsets: Vec<_> =
        of.iter().map(|point| point.times[1].ln() - exponent * point.cubes.ln()).collect();
    let Some(offset) = quantile::median(&mut offsets) else { return path };
    let height = |cubes: f64| y.at((offset + exponent * cubes.ln()).exp());
    if let Some(first) = of.first() {
        path.begin(x.at(first.cubes), height(first.cubes));
        path.line(x.at(last.cubes), height(last.cubes));
    }
    path
}
