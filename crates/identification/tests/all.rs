//! The tests of this crate: all in one program, which builds in a fraction of the time.

#[path = "support/pendulum.rs"]
#[allow(dead_code)]
mod pendulum;
#[path = "support/program.rs"]
#[allow(dead_code)]
mod program;
mod support;

mod accumulation;
mod accumulator;
mod agreement;
mod bad_questions;
mod comparison;
mod consistency;
mod contacts;
mod excitation;
mod far_from_the_file;
mod filtered_friction;
mod filtered_regressor;
mod free_flight;
mod friction_in_files;
mod friction_terms;
mod gaps;
mod identified_file;
mod instrumental;
mod known_loads;
mod lab_wrenches;
mod models;
mod multi_contact_equations;
mod multi_contact_paper;
mod output_error;
mod payload;
mod recorded_logs;
mod recorded_pendulum;
mod rest;
mod round_trips;
mod simulated_motions;
mod tx40;
mod tx40_processing;
mod uncertainties;

#[test]
fn every_file_is_one_of_them() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for entry in folder.read_dir().unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(stem) = name.strip_suffix(".rs").filter(|stem| *stem != "all") else { continue };
        assert!(
            include_str!("all.rs").contains(&format!("\nmod {stem};")),
            "tests/all.rs does not list {name}"
        );
    }
}
