//! Triangles of rows as they come.

use steiner_linalg::Stream;
use steiner_linalg::triangle::Triangle;

/// Panels of few rows, which most columns of a wide matrix are remainders of, leave R finite and RᵀR = AᵀA.
#[test]
fn short_panels_do_not_spoil_the_triangle() {
    for columns in [3, 12, 70] {
        for rows in 1..=6 {
            let mut stream = Stream::new(rows as u64);
            let (mut triangle, mut gram) = (Triangle::new(columns), vec![0.0; columns * columns]);
            // The short stretch first, last, and between long ones.
            for stretch in [rows, 150, rows, 1, 40, rows] {
                let mut part = Triangle::new(columns);
                for _ in 0..stretch {
                    let row: Vec<f64> = (0..columns).map(|_| stream.uniform()).collect();
                    for a in 0..columns {
                        (0..columns).for_each(|b| gram[a * columns + b] += row[a] * row[b]);
                    }
                    part.push(&row);
                }
                triangle.merge(part);
            }
            triangle.reduce();
            for a in 0..columns {
                for b in 0..columns {
                    let found: f64 = (0..columns).map(|r| triangle.entry(r, a) * triangle.entry(r, b)).sum();
                    let wanted = gram[a * columns + b];
                    assert!((found - wanted).abs() < 1e-11 * 200.0, "{columns} {rows}: {found} {wanted}");
                }
            }
        }
    }
}

#[test]
fn a_straight_line_through_points_is_solved_and_scaled_rows_weigh() {
    // y = 2 x − 1 at x = 0, 1, 2, with one outlier that weighs nothing.
    let mut triangle = Triangle::new(3);
    for x in [0.0, 1.0, 2.0] {
        triangle.push_scaled(&[x, 1.0, 2.0 * x - 1.0], 0.5);
    }
    triangle.push_scaled(&[5.0, 1.0, 100.0], 0.0);
    triangle.reduce();
    assert_eq!((triangle.columns(), triangle.rows()), (3, 4));
    let found = triangle.back_substituted();
    assert!((found[0] - 2.0).abs() < 1e-14 && (found[1] + 1.0).abs() < 1e-14, "{found:?}");
    assert!(triangle.entry(2, 2).abs() < 1e-14);
    let slope = triangle.solve(&[0], 2);
    assert!((slope[0] - 7.0 / 5.0).abs() < 1e-14, "without the constant Σxy/Σx²: {slope:?}");
}

#[test]
fn a_column_that_has_underflowed_spoils_nothing() {
    let mut triangle = Triangle::new(3);
    for k in 0..200 {
        let x = f64::from(k) / 50.0;
        triangle.push(&[1.0, (-700.0 - x).exp(), x]);
    }
    triangle.reduce();
    let norm = |column: usize| (0..3).map(|row| triangle.entry(row, column).powi(2)).sum::<f64>().sqrt();
    let wanted = (0..200).map(|k| (f64::from(k) / 50.0).powi(2)).sum::<f64>().sqrt();
    assert!((norm(2) - wanted).abs() < 1e-12 * wanted, "{} for {wanted}", norm(2));
}
