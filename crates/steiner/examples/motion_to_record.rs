//! The motion that shows the base parameters of an arm best, as a file for its controller.

use std::path::Path;

use steiner::{Design, ReadOptions, excite, read_mechanism, write_motion};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arm = read_mechanism("two_link", &ReadOptions::default())?;
    // N·m of noise in every sample of force; all else as usual: 10 s, five harmonics, the file's limits.
    let wish = Design { noise: vec![("*".to_owned(), 0.1)], starts: Some(1), ..Design::default() };
    let found = excite(&arm, &wish, &|_| false)?;
    for parameter in &found.deviations {
        println!("{} = {:.4} ± {:.1e}", parameter.name, parameter.value, parameter.sd);
    }
    assert!(found.feasible);
    let file = std::env::temp_dir().join("motion.csv");
    write_motion(&arm, &found.trajectory(&arm, 100.0), Path::new(&file))?;
    Ok(())
}
