//! Messages stay short, whatever a file has for names.

use steiner_files::{brief, legible};

#[test]
fn a_name_of_pages_is_cut_in_its_middle_and_the_sentence_around_it_stays() {
    let name = format!("{}ä{}", "a".repeat(300_000), "b".repeat(300_000));
    let message =
        legible(&format!("arm.urdf:3: links `{name}` and `elbow` have no parent;\njoin them")).into_owned();
    let cut = format!("`{}…{}`", "a".repeat(69), "b".repeat(68));
    assert!(
        message.starts_with("arm.urdf:3: links `aaa")
            && message.ends_with(" and `elbow` have no parent;\njoin them")
    );
    assert!(message.len() < 300 && message.contains(&cut), "{message}");
}

#[test]
fn a_long_sentence_of_short_words_is_whole() {
    let sentence = "one of x, y and z; ".repeat(40);
    assert_eq!(legible(&sentence), sentence);
    assert!(brief(&sentence).chars().count() < 150);
}
