//! Recall by true resemblance: measured, beside what the rules of the policies resemblance and paper promise.

use super::POLICIES;
use super::by_change::Cell;
use super::tally::Tally;
use anyhow::Result;
use firstcopy_engine::{Policy, Settings};
use plotters::prelude::*;
use std::path::Path;

/// Copies are put together by resemblance in so many steps.
const STEPS: usize = 25;
/// Fewer copies than this say little about a step.
const LEAST: usize = 20;

pub fn draw(path: &Path, cells: &[Cell]) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let drawing = SVGBackend::new(path, (900, 560)).into_drawing_area();
    drawing.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&drawing)
        .caption("Copies found, by true resemblance (lines: the rules; dots: measured)", ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(44)
        .build_cartesian_2d(0.5..1.0, 0.0..1.0)?;
    chart.configure_mesh().x_desc("resemblance").y_desc("recall").draw()?;
    for policy in POLICIES {
        let (color, name, height) = match policy {
            Policy::Likeness => continue,
            Policy::Resemblance => (RGBColor(66, 110, 180), "policy resemblance", 0.95),
            Policy::Paper => (RGBColor(190, 90, 60), "paper policy", 0.89),
        };
        let curve = (0..=200).map(|step| 0.5 + f64::from(step) / 400.0).map(|r| (r, promised(policy, r)));
        chart.draw_series([PathElement::new(curve.collect::<Vec<_>>(), color.stroke_width(2))])?;
        let dots = measured(cells, policy).into_iter().map(|point| Circle::new(point, 4, color.filled()));
        chart.draw_series(dots)?;
        let label = Text::new(name, (0.52, height), ("sans-serif", 15).into_font().color(&color));
        chart.draw_series([label])?;
    }
    drawing.present()?;
    Ok(())
}

/// The probability that the rule finds a copy of this resemblance and the policy calls it one.
fn promised(policy: Policy, r: f64) -> f64 {
    let settings = Settings { policy, ..Settings::default() };
    let refused = policy == Policy::Resemblance && r < settings.min_resemblance;
    if refused { 0.0 } else { settings.parameters().candidates.detection_probability(r) }
}

fn measured(cells: &[Cell], policy: Policy) -> Vec<(f64, f64)> {
    let mut steps = vec![Tally::default(); STEPS];
    for judged in cells.iter().filter(|cell| cell.policy == policy).flat_map(|cell| &cell.tally.0) {
        let step = (judged.resemblance - 0.5) * 2.0 * STEPS as f64;
        if step >= 0.0 {
            steps[(step as usize).min(STEPS - 1)].0.push(*judged);
        }
    }
    let point = |tally: &Tally| {
        let mean = tally.0.iter().map(|judged| judged.resemblance).sum::<f64>() / tally.0.len() as f64;
        Some((mean, tally.recall(0.0).value()?))
    };
    steps.iter().filter(|tally| tally.0.len() >= LEAST).filter_map(point).collect()
}
