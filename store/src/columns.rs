//! How numbers and lists lie in a column.

/// Numbers, eight bytes each, little end first.
pub(crate) fn of_numbers(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

pub(crate) fn to_numbers(bytes: &[u8]) -> Vec<u64> {
    let number = |chunk: &[u8]| chunk.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
    bytes.chunks_exact(8).map(number).collect()
}

/// A fingerprint, little end first.
pub(crate) fn to_fingerprint(bytes: &[u8]) -> u128 {
    bytes.iter().take(16).rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// Warnings are single lines: a line each.
pub(crate) fn of_lines(lines: &[String]) -> Option<String> {
    (!lines.is_empty())
        .then(|| lines.iter().map(|line| line.replace('\n', " ")).collect::<Vec<_>>().join("\n"))
}

pub(crate) fn to_lines(lines: Option<String>) -> Vec<String> {
    lines.map(|lines| lines.lines().map(str::to_owned).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for numbers in [vec![], vec![0, 1, u64::MAX], vec![0x0123_4567_89ab_cdef]] {
            assert_eq!(to_numbers(&of_numbers(&numbers)), numbers);
        }
        for fingerprint in [0, 1, u128::MAX, 1 << 77] {
            assert_eq!(to_fingerprint(&fingerprint.to_le_bytes()), fingerprint);
        }
        let lines = vec!["one".to_owned(), "two".to_owned()];
        assert_eq!(to_lines(of_lines(&lines)), lines);
        assert_eq!((of_lines(&[]), to_lines(None)), (None, vec![]));
    }
}
