//! Wavefront OBJ: lines that start with `v` are vertices.

/// All vertices.
pub(super) fn vertices(bytes: &[u8]) -> Result<Vec<[f64; 3]>, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut points = Vec::new();
    for (k, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        if words.next() != Some("v") {
            continue;
        }
        // A fourth number is a weight, further ones are colours.
        let numbers: Vec<f64> = words.take(3).map_while(|word| word.parse().ok()).collect();
        points.push(numbers.try_into().map_err(|_| format!("has no three numbers in line {}", k + 1))?);
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::vertices;

    #[test]
    fn only_vertices_count() {
        let text = "# a box\nmtllib x.mtl\nv 0 0 1\nv 1.5 -2 3e-1 1.0\nvn 0 0 1\nvt 0 0\nf 1//1 2//1 1//1\n";
        assert_eq!(vertices(text.as_bytes()), Ok(vec![[0.0, 0.0, 1.0], [1.5, -2.0, 0.3]]));
        assert!(vertices(b"v 1 2\n").unwrap_err().contains("line 1"));
        assert_eq!(vertices(b""), Ok(Vec::new()));
    }
}
