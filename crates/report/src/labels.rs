//! Names beside what they name, without covering one another: each takes the cheapest of
//! some places around its anchor.

use crate::svg::{Px, text_width};

/// A name that wants a place.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    pub(crate) anchor: Px,
    pub(crate) text: String,
}

/// A place for a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Left end of the base line.
    pub(crate) start: Px,
    /// Where a leader from the anchor ends, if the name is far from it.
    pub(crate) leader: Option<Px>,
}

#[derive(Clone, Copy)]
struct Rectangle {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Rectangle {
    fn overlap(&self, other: &Rectangle) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        if width > 0.0 && height > 0.0 { width * height } else { 0.0 }
    }

    fn contains(&self, (x, y): Px) -> bool {
        (self.left..self.right).contains(&x) && (self.top..self.bottom).contains(&y)
    }
}

/// Places for names of a size on a sheet, in the order of the wishes; `None` where there is no room left.
/// `symbols` are places to avoid with their radii, `ink` points of lines that are better left visible.
pub(crate) fn places(
    wishes: &[Wish],
    size: f64,
    sheet: (f64, f64),
    symbols: &[(Px, f64)],
    ink: &[Px],
) -> Vec<Option<Place>> {
    let mut taken: Vec<Rectangle> = Vec::new();
    let mut out = Vec::new();
    for wish in wishes {
        let best = candidates(wish, size)
            .filter(|(rectangle, _)| {
                rectangle.left >= 2.0
                    && rectangle.top >= 2.0
                    && rectangle.right <= sheet.0 - 2.0
                    && rectangle.bottom <= sheet.1 - 2.0
            })
            .filter(|(rectangle, _)| taken.iter().all(|other| rectangle.overlap(other) == 0.0))
            .map(|(rectangle, distance)| {
                let covered: f64 = symbols
                    .iter()
                    .map(|&((x, y), r)| {
                        let symbol = Rectangle { left: x - r, top: y - r, right: x + r, bottom: y + r };
                        rectangle.overlap(&symbol)
                    })
                    .sum();
                let near = Rectangle {
                    left: rectangle.left - 4.0,
                    top: rectangle.top - 3.0,
                    right: rectangle.right + 4.0,
                    bottom: rectangle.bottom + 3.0,
                };
                let crossed = ink.iter().filter(|&&p| near.contains(p)).count() as f64;
                (rectangle, distance, distance + 0.6 * covered + 4.0 * crossed)
            })
            .min_by(|a, b| a.2.total_cmp(&b.2));
        out.push(best.map(|(rectangle, distance, _)| {
            taken.push(rectangle);
            let nearest = (
                wish.anchor.0.clamp(rectangle.left, rectangle.right),
                wish.anchor.1.clamp(rectangle.top, rectangle.bottom),
            );
            Place {
                start: (rectangle.left + 1.0, rectangle.bottom - 0.28 * size),
                leader: (distance > 1.6 * size).then_some(nearest),
            }
        }));
    }
    out
}

/// Rings of places around the anchor, with their distance.
fn candidates(wish: &Wish, size: f64) -> impl Iterator<Item = (Rectangle, f64)> {
    let (x, y) = wish.anchor;
    // Names are bold.
    let width = 1.12 * text_width(&wish.text, size) + 2.0;
    let height = 1.15 * size;
    let rings = [0.7, 1.4, 2.3, 3.4, 5.0, 7.0].into_iter().map(move |ring| ring * size);
    rings.flat_map(move |distance| {
        (0..16).map(move |k| {
            let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 16.0).sin_cos();
            let (px, py) = (x + distance * cos, y + distance * sin);
            // The side of the name that faces the anchor touches the ring.
            let left = px - width * (0.5 - 0.5 * cos);
            let top = py - height * (0.5 - 0.5 * sin);
            (Rectangle { left, top, right: left + width, bottom: top + height }, distance)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{Wish, places};

    #[test]
    fn names_at_one_point_do_not_cover_one_another() {
        let wishes = vec![Wish { anchor: (200.0, 200.0), text: "a_link".to_owned() }; 12];
        let found = places(&wishes, 10.0, (400.0, 400.0), &[], &[]);
        let starts: Vec<_> = found.iter().flatten().map(|place| place.start).collect();
        assert_eq!(starts.len(), 12);
        for (k, a) in starts.iter().enumerate() {
            assert!(starts[..k].iter().all(|b| (a.0 - b.0).abs() > 20.0 || (a.1 - b.1).abs() > 11.0));
        }
    }

    #[test]
    fn a_full_sheet_drops_names_instead_of_piling_them_up() {
        let wishes = vec![Wish { anchor: (20.0, 10.0), text: "a_link".to_owned() }; 50];
        let found = places(&wishes, 10.0, (60.0, 30.0), &[], &[]);
        assert!(found.iter().any(Option::is_none));
    }
}
