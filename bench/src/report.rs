//! What a benchmark leaves behind: a table on the screen, JSON and charts in a folder.

use crate::CommonArguments;
use anyhow::{Context, Result};
use plotters::coord::ranged1d::ValueFormatter;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use serde_json::{Map, Value};
use std::fs;
use std::path::Path;

/// A table of named columns; every cell is a JSON value, so that table and JSON cannot disagree.
pub struct Report {
    name: &'static str,
    columns: Vec<&'static str>,
    rows: Vec<Vec<Value>>,
}

impl Report {
    /// An empty table.
    pub fn new(name: &'static str, columns: &[&'static str]) -> Self {
        Report { name, columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row, one value a column.
    pub fn row(&mut self, cells: Vec<Value>) {
        self.rows.push(cells);
    }

    /// Prints the table and writes what was asked for; bars show the column `bars`, labelled by the columns before it.
    pub fn finish(&self, arguments: &CommonArguments, bars: &str) -> Result<()> {
        if arguments.json {
            self.objects().for_each(|object| println!("{}", Value::Object(object)));
        } else {
            println!("{}", self.table());
        }
        match &arguments.output {
            Some(folder) => {
                self.write(folder, bars).with_context(|| format!("cannot write to {}", folder.display()))
            }
            None => Ok(()),
        }
    }

    /// Writes the JSON if asked to: for a table that is too long for a screen.
    pub fn keep(&self, arguments: &CommonArguments) -> Result<()> {
        if arguments.json {
            self.objects().for_each(|object| println!("{}", Value::Object(object)));
        }
        match &arguments.output {
            Some(folder) => {
                self.write_json(folder).with_context(|| format!("cannot write to {}", folder.display()))
            }
            None => Ok(()),
        }
    }

    fn objects(&self) -> impl Iterator<Item = Map<String, Value>> {
        self.rows.iter().map(|row| {
            self.columns
                .iter()
                .zip(row)
                .map(|(column, cell)| (column.replace(' ', "_"), cell.clone()))
                .collect()
        })
    }

    fn table(&self) -> comfy_table::Table {
        let mut table = comfy_table::Table::new();
        table.load_style(comfy_table::presets::ASCII_MARKDOWN).set_header(&self.columns);
        for row in &self.rows {
            table.add_row(row.iter().map(text));
        }
        for (index, column) in table.column_iter_mut().enumerate() {
            if self.rows.iter().any(|row| row[index].is_number()) {
                column.set_cell_alignment(comfy_table::CellAlignment::Right);
            }
        }
        table
    }

    fn write_json(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)?;
        let objects: Vec<_> = self.objects().collect();
        fs::write(folder.join(format!("{}.json", self.name)), serde_json::to_string_pretty(&objects)?)?;
        Ok(())
    }

    fn write(&self, folder: &Path, bars: &str) -> Result<()> {
        self.write_json(folder)?;
        let column = self.columns.iter().position(|column| *column == bars).unwrap_or(1);
        let labelled: Vec<(String, f64)> = self
            .rows
            .iter()
            .filter_map(|row| {
                Some((row[..column].iter().map(text).collect::<Vec<_>>().join(" "), row[column].as_f64()?))
            })
            .collect();
        draw_bars(&folder.join(format!("{}.svg", self.name)), &format!("{}: {bars}", self.name), &labelled)
    }
}

fn text(cell: &Value) -> String {
    match cell {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Number(number) if number.is_f64() => format_number(number.as_f64().unwrap_or_default()),
        other => other.to_string(),
    }
}

/// Three significant places, as a reader of a noisy measurement needs.
fn format_number(number: f64) -> String {
    match number.abs() {
        0.0..2.0 => format!("{number:.3}"),
        2.0..100.0 => format!("{number:.1}"),
        _ => format!("{number:.0}"),
    }
}

/// Horizontal bars, one a row.
fn draw_bars(path: &Path, title: &str, rows: &[(String, f64)]) -> Result<()> {
    let height = 60 + 26 * rows.len() as u32;
    let drawing = SVGBackend::new(path, (900, height)).into_drawing_area();
    let longest = rows.iter().map(|row| row.1).fold(f64::MIN_POSITIVE, f64::max);
    let font = |size: i32| ("sans-serif", size).into_font();
    drawing.fill(&WHITE)?;
    drawing.draw(&Text::new(title.to_owned(), (10, 12), font(18)))?;
    for (index, (label, value)) in rows.iter().enumerate() {
        let top = 44 + 26 * index as i32;
        let right = 330 + (480.0 * value / longest) as i32;
        drawing.draw(&Text::new(label.clone(), (10, top + 4), font(13)))?;
        drawing.draw(&Rectangle::new([(330, top), (right, top + 18)], RGBColor(66, 110, 180).filled()))?;
        drawing.draw(&Text::new(format_number(*value), (right + 6, top + 4), font(13)))?;
    }
    drawing.present()?;
    Ok(())
}

/// A line a series, over a common axis.
pub struct Lines<'a> {
    /// The name of the file, without its ending.
    pub name: &'a str,
    /// What is shown.
    pub title: &'a str,
    /// What the axis across counts.
    pub across: &'a str,
    /// What the axis upwards counts.
    pub unit: &'a str,
    /// Whether the axis upwards is logarithmic.
    pub is_logarithmic: bool,
    /// The lines by name, each of points (across, upwards).
    pub series: Vec<(String, Vec<(f64, f64)>)>,
}

impl Lines<'_> {
    /// Writes them as SVG.
    pub fn draw(&self, folder: &Path) -> Result<()> {
        let path = folder.join(format!("{}.svg", self.name));
        let drawing = SVGBackend::new(&path, (760, 460)).into_drawing_area();
        drawing.fill(&WHITE)?;
        let points = || self.series.iter().flat_map(|line| &line.1);
        let right = points().map(|point| point.0).fold(1.0, f64::max);
        let top = points().map(|point| point.1).fold(f64::MIN_POSITIVE, f64::max);
        let bottom = points().map(|point| point.1).fold(top, f64::min);
        let mut builder = ChartBuilder::on(&drawing);
        builder.caption(self.title, ("sans-serif", 18)).margin(14);
        builder.x_label_area_size(42).y_label_area_size(62);
        if self.is_logarithmic {
            let chart =
                builder.build_cartesian_2d(0.0..right * 1.05, (bottom / 2.0..top * 2.0).log_scale())?;
            self.draw_on(chart)?;
        } else {
            self.draw_on(builder.build_cartesian_2d(0.0..right * 1.05, 0.0..top * 1.1)?)?;
        }
        drawing.present()?;
        Ok(())
    }

    fn draw_on<'a, 'b: 'a, Y>(
        &self,
        mut chart: ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, Y>>,
    ) -> Result<()>
    where
        Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(self.across).y_desc(self.unit).x_labels(8).light_line_style(WHITE);
        mesh.x_label_formatter(&|value| format!("{value:.0}"))
            .y_label_formatter(&|value| format_number(*value));
        mesh.draw()?;
        for (index, (name, points)) in self.series.iter().enumerate() {
            let color = Palette99::pick(index).to_rgba();
            chart
                .draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(2)).point_size(4))?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
        }
        chart.configure_series_labels().border_style(BLACK).background_style(WHITE).draw()?;
        Ok(())
    }
}
