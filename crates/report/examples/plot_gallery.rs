//! Every kind of chart, as files in a folder: `cargo run --release -p steiner-report
//! --example plot_gallery -- FOLDER`.

use std::path::PathBuf;
use steiner_report::Plot;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    let time: Vec<f64> = (0..200_000).map(|k| 1e-4 * f64::from(k)).collect();
    let over = |f: &dyn Fn(f64) -> f64| time.iter().map(|&t| f(t)).collect::<Vec<f64>>();
    let sparse: Vec<f64> = (0..40).map(|k| 0.5 * f64::from(k)).collect();
    let noise = |k: usize| ((k * 7919 + 13) % 10_007) as f64 / 10_007.0 - 0.5;

    let torques = Plot::new("Measured and predicted torque of a joint")
        .x("time", "s")
        .y("torque", "N m")
        .line("measured", &time, over(&|t| 12.0 * (1.7 * t).sin() + 4.0 * noise((1e4 * t) as usize)))
        .line("predicted", &time, over(&|t| 12.0 * (1.7 * t).sin()))
        .dashed()
        .line("residual", &time, over(&|t| 4.0 * noise((1e4 * t) as usize) - 20.0));
    let convergence = Plot::new("Error against samples")
        .x("samples", "")
        .y("largest error", "N m")
        .log_x()
        .log_y()
        .line("weighted", [10.0, 100.0, 1e3, 1e4, 1e5], [3.0, 0.9, 0.21, 0.08, 0.021])
        .markers()
        .line("plain", [10.0, 100.0, 1e3, 1e4, 1e5], [9.0, 3.2, 1.0, 0.4, 0.1])
        .markers()
        .line("consistent", [10.0, 100.0, 1e3, 1e4, 1e5], [0.6, 0.31, 0.12, 0.05, 0.0195])
        .markers()
        .at_y(0.05, "sensor noise");
    let trade = Plot::new("Accuracy and cost against the part of the model removed")
        .x("functions removed", "%")
        .y("accuracy", "digits")
        .y_right("functions", "")
        .line("99.9 %", &sparse, sparse.iter().map(|x| 6.0 - (0.3 * x).sqrt()).collect::<Vec<_>>())
        .markers()
        .line("95 %", &sparse, sparse.iter().map(|x| 7.0 - (0.4 * x).sqrt()).collect::<Vec<_>>())
        .markers()
        .line(
            "functions left",
            &sparse,
            sparse.iter().map(|x| 21_295.0 * (1.0 - x / 20.0)).collect::<Vec<_>>(),
        )
        .on_right()
        .dashed();
    let values: Vec<f64> = (0..20_000).map(|k| 10f64.powf(6.0 * (noise(k) + noise(3 * k + 1)))).collect();
    let histogram = Plot::new("Contributions")
        .x("contribution", "N m")
        .y("functions", "")
        .log_x()
        .histogram("", values, 60);
    let cloud = Plot::new("Nine series, points and steps in one chart")
        .x("position", "rad")
        .y("friction", "N m")
        .scatter("log 1", over(&|t| (7.0 * t).sin()), over(&|t| 1e-5 * (11.0 * t + 1.0).cos()))
        .step("mean", &sparse, sparse.iter().map(|x| 1e-5 * (x.floor() / 20.0 - 0.5)).collect::<Vec<_>>());
    let cloud = (0..7).fold(cloud, |plot, k| {
        let ys: Vec<f64> = sparse.iter().map(|x| 1e-6 * (f64::from(k) - 3.0) * (0.3 * x).cos()).collect();
        plot.line(&format!("curve {k}"), &sparse, ys)
    });
    for (name, plot) in [
        ("torques", torques),
        ("convergence", convergence),
        ("trade_off", trade),
        ("histogram", histogram),
        ("cloud", cloud),
    ] {
        std::fs::write(folder.join(format!("{name}.svg")), plot.file())?;
    }
    Ok(())
}
