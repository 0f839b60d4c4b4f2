//! Charts of any data are well-formed and say what they should.

use steiner_report::Plot;

fn wave(count: usize) -> (Vec<f64>, Vec<f64>) {
    let xs: Vec<f64> = (0..count).map(|k| k as f64 * 10.0 / count as f64).collect();
    let ys = xs.iter().map(|x| (3.0 * x).sin()).collect();
    (xs, ys)
}

/// Parsed as XML; a fragment for a page has no namespace, which the parser doesn't ask for.
fn well_formed(svg: &str) -> usize {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    document.descendants().filter(|node| node.has_tag_name("polyline")).count()
}

#[test]
fn a_million_points_make_a_small_picture() {
    let (xs, ys) = wave(1_000_000);
    let svg = Plot::new("wave").x("time", "s").y("angle", "rad").line("joint 1", &xs, &ys).svg();
    assert_eq!(well_formed(&svg), 1);
    assert!(svg.len() < 100_000, "{} bytes", svg.len());
    for word in ["wave", "time (s)", "angle (rad)", "joint 1"] {
        assert!(svg.contains(word), "{word}");
    }
}

#[test]
fn nothing_not_a_number_and_infinity_are_no_trouble() {
    let nan = f64::NAN;
    let odd = [nan, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1e308, -1e308, 1e-320];
    let cases: [&[f64]; 4] = [&[], &[nan, nan], &[2.0], &odd];
    for xs in cases {
        for ys in cases {
            for log in [false, true] {
                let plot = Plot::new("").line("a", xs, ys).markers().step("b", xs, ys).scatter("c", xs, ys);
                let plot =
                    plot.bars("d", xs, ys).on_right().histogram("e", xs, 5).at_x(nan, "f").at_y(1.0, "g");
                let plot = if log { plot.log_x().log_y().log_y_right() } else { plot };
                well_formed(&plot.svg());
                well_formed(&plot.file());
            }
        }
    }
    assert!(Plot::new("").line("a", [nan], [nan]).svg().contains("nothing to show"));
    assert!(!Plot::new("").line("a", [1.0], [1.0]).svg().contains("nothing to show"));
}

#[test]
fn names_from_outside_stay_words() {
    let evil = "</svg><script>alert('\"&')</script>";
    let plot =
        Plot::new(evil).x(evil, evil).y(evil, evil).y_right(evil, evil).at_x(1.0, evil).at_y(1.0, evil);
    let plot = plot.line(evil, [0.0, 1.0], [0.0, 1.0]).scatter(evil, [0.0], [1.0]).on_right();
    for svg in [plot.svg(), plot.file()] {
        well_formed(&svg);
        assert!(!svg.contains("<script"), "{svg}");
    }
}

#[test]
fn a_gap_in_the_data_is_a_gap_in_the_line() {
    let (xs, mut ys) = wave(100);
    ys[40] = f64::NAN;
    assert_eq!(well_formed(&Plot::new("").line("", &xs, &ys).svg()), 2);
    // On a logarithmic axis the waves below zero can't be shown.
    let pieces = well_formed(&Plot::new("").line("", &xs, &ys).log_y().svg());
    assert!(pieces > 3, "{pieces} pieces");
}

#[test]
fn a_histogram_counts_every_value_once() {
    let values: Vec<f64> = (0..1000).map(|k| f64::from(k % 10) + 0.5).collect();
    let svg = Plot::new("").y_range(0.0, 100.0).histogram("", values, 10).svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let bars: Vec<_> =
        document.descendants().filter(|node| node.attribute("class") == Some("plot-bar")).collect();
    assert_eq!(bars.len(), 10);
    // Each reaches the top of the axis, at the same height.
    let top = |bar: &roxmltree::Node<'_, '_>| {
        bar.attribute("points").unwrap().split(' ').nth(1).unwrap().split(',').nth(1).unwrap().to_owned()
    };
    assert!(bars.iter().all(|bar| top(bar) == top(&bars[0])));
}

#[test]
fn a_file_needs_no_page_around_it() {
    let (xs, ys) = wave(50);
    let file = Plot::new("wave").line("a", &xs, &ys).file();
    well_formed(&file);
    assert!(file.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    assert!(!file.contains("var("), "a variable of the page is left");
    assert!(file.contains("#0072b2"));
}

#[test]
fn the_same_data_give_the_same_bytes() {
    let (xs, ys) = wave(5000);
    let draw = || Plot::new("wave").scatter("a", &xs, &ys).step("b", &xs, &ys).file();
    assert_eq!(draw(), draw());
}

#[test]
fn panels_stand_side_by_side() {
    let (xs, ys) = wave(50);
    let chart = || Plot::new("wave").size(200.0, 150.0).line("a", &xs, &ys);
    let sheet = steiner_report::panels("three <waves>", &[chart(), chart(), chart()], 2);
    let one = well_formed(&chart().file());
    assert_eq!(well_formed(&sheet), 3 * one);
    let document = roxmltree::Document::parse(&sheet).unwrap();
    assert_eq!(document.root_element().attribute("viewBox"), Some("0 0 400 300"));
    assert_eq!(document.root_element().attribute("aria-label"), Some("three <waves>"));
    let places: Vec<_> = document.descendants().filter_map(|node| node.attribute("transform")).collect();
    for place in ["translate(0 0)", "translate(200 0)", "translate(0 150)"] {
        assert!(places.contains(&place), "{places:?}");
    }
}
