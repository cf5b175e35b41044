//! The floor under the extractor: what it once measured on real pages, it must not lose.

use std::path::Path;

/// Mean F1 a page that must hold: a little below what `firstcopy-bench accuracy --what extract` measured.
const FLOORS: [(&str, f64); 3] = [("en", 0.970), ("ja", 0.967), ("ko", 0.980)];

#[test]
fn mean_f1_holds() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    for (language, floor) in FLOORS {
        match firstcopy_bench::mean_f1(&data, language) {
            Some(f1) => assert!(f1 >= floor, "{language}: {f1:.4} is below {floor}"),
            None => println!("skipped {language}: the labelled pages are not beside the project"),
        }
    }
}
