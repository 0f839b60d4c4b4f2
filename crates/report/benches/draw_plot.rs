//! Draws a chart for the benchmarks: a description in JSON on standard input, an SVG file on standard output.
//!
//! `{"title": …, "x": [label, unit], "y": [label, unit], "x_names": […], "log_x": false, "log_y": true,
//! "series": [{"name": …, "xs": […], "ys": […], "dashed": false, "points": false}]}`.

use std::io::Read;

use serde_json::Value;
use steiner_report::Plot;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let chart: Value = serde_json::from_str(&text)?;
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let numbers = |value: &Value| -> Vec<f64> {
        value.as_array().map(|list| list.iter().filter_map(Value::as_f64).collect()).unwrap_or_default()
    };
    let is = |value: &Value| value.as_bool().unwrap_or(false);
    let mut plot = Plot::new(&word(&chart["title"]))
        .x(&word(&chart["x"][0]), &word(&chart["x"][1]))
        .y(&word(&chart["y"][0]), &word(&chart["y"][1]));
    if let Some(names) = chart["x_names"].as_array() {
        plot = plot.x_names(&names.iter().map(word).collect::<Vec<_>>());
    }
    if is(&chart["log_x"]) {
        plot = plot.log_x();
    }
    if is(&chart["log_y"]) {
        plot = plot.log_y();
    }
    for series in chart["series"].as_array().into_iter().flatten() {
        let (name, xs, ys) = (word(&series["name"]), numbers(&series["xs"]), numbers(&series["ys"]));
        plot = match is(&series["points"]) {
            true => plot.scatter(&name, &xs, &ys),
            false => plot.line(&name, &xs, &ys).markers(),
        };
        if is(&series["dashed"]) {
            plot = plot.dashed();
        }
    }
    print!("{}", plot.file());
    Ok(())
}
