//! The floor under the metrics of page change: IED follows the yardstick of kwon-2007, and the others miss it as they must.

use firstcopy_bench::{Change, Curve, sampled_curves};

/// How far IED may be from the yardstick.
const TOLERANCE: f64 = 0.02;

#[test]
fn ied_follows_the_yardstick() {
    for Curve { change, figure, points } in sampled_curves() {
        for point in points {
            let difference = (point.measures.ied - point.yardstick).abs();
            assert!(difference <= TOLERANCE, "{change:?} {figure:?}: {point:?}");
        }
    }
}

#[test]
fn bw_sees_nothing_but_change_and_bags_see_no_moves() {
    for Curve { change, figure, points } in sampled_curves() {
        for point in points {
            assert_eq!(point.measures.bw, 1.0, "{change:?} {figure:?}: {point:?}");
            if matches!(change, Change::Move | Change::MoveApart) {
                assert_eq!((point.measures.wd, point.measures.cos), (0.0, 0.0), "{figure:?}: {point:?}");
            }
        }
    }
}
