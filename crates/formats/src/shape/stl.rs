//! STL: triangles, binary or as text.

/// Bytes before the first triangle of a binary file, and of each triangle.
const HEADER: usize = 84;
const TRIANGLE: usize = 50;

/// The corners of all triangles. Some binary files start with `solid` as text ones do: the length decides.
pub(super) fn vertices(bytes: &[u8]) -> Result<Vec<[f64; 3]>, String> {
    let count = bytes.get(80..HEADER).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
    let wanted = count.map(|count| HEADER as u64 + TRIANGLE as u64 * u64::from(count));
    let readable = std::str::from_utf8(bytes).ok().filter(|text| text.trim_start().starts_with("solid"));
    match (wanted, readable) {
        (Some(wanted), _) if wanted == bytes.len() as u64 => Ok(binary(&bytes[HEADER..])),
        (_, Some(readable)) => text(readable),
        (Some(wanted), None) if wanted < bytes.len() as u64 => Ok(binary(&bytes[HEADER..wanted as usize])),
        (Some(wanted), None) => Err(format!("ends in the middle ({} of {wanted} bytes)", bytes.len())),
        (None, None) => Err(format!("is no STL file ({} bytes)", bytes.len())),
    }
}

fn binary(triangles: &[u8]) -> Vec<[f64; 3]> {
    // A normal, three corners, and two bytes that mean nothing.
    let corners = triangles.chunks_exact(TRIANGLE).flat_map(|triangle| triangle[12..48].chunks_exact(12));
    let number = |four: &[u8]| f64::from(f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
    corners.map(|corner| std::array::from_fn(|k| number(&corner[4 * k..]))).collect()
}

fn text(text: &str) -> Result<Vec<[f64; 3]>, String> {
    if !text.trim_end().lines().last().is_some_and(|line| line.trim_start().starts_with("endsolid")) {
        return Err("ends in the middle (without endsolid)".to_owned());
    }
    let mut points = Vec::new();
    for (k, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        if words.next() != Some("vertex") {
            continue;
        }
        let numbers: Vec<f64> = words.map_while(|word| word.parse().ok()).collect();
        let point = numbers.try_into().map_err(|_| format!("has no three numbers in line {}", k + 1))?;
        points.push(point);
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::vertices;

    const TEXT: &str = "solid t\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 2e-1 -3\n  endloop\n endfacet\nendsolid t\n";
    const POINTS: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.25, -3.0]];

    fn binary() -> Vec<u8> {
        let mut bytes = b"solid made by a program that lies".to_vec();
        bytes.resize(80, b' ');
        bytes.extend(1u32.to_le_bytes());
        [0.0f32; 3].iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        POINTS.iter().flatten().for_each(|x| bytes.extend((*x as f32).to_le_bytes()));
        bytes.extend([0; 2]);
        bytes
    }

    #[test]
    fn both_kinds_are_read() {
        assert_eq!(vertices(&binary()), Ok(POINTS.to_vec()));
        let mut wanted = POINTS.to_vec();
        wanted[2][1] = 0.2;
        assert_eq!(vertices(TEXT.as_bytes()), Ok(wanted));
    }

    #[test]
    fn what_is_cut_or_is_no_mesh_is_refused() {
        let bytes = binary();
        assert!(vertices(&bytes[..120]).unwrap_err().contains("ends in the middle"));
        let mut plain = bytes.clone();
        plain[..5].copy_from_slice(b"plain");
        assert_eq!(vertices(&plain[..120]).unwrap_err(), "ends in the middle (120 of 134 bytes)");
        assert!(vertices(&TEXT.as_bytes()[..90]).unwrap_err().contains("without endsolid"));
        assert!(vertices(b"").unwrap_err().contains("no STL file"));
        let broken = TEXT.replace("1 0 0", "1 0 x");
        assert!(vertices(broken.as_bytes()).unwrap_err().contains("line 5"));
    }
}
