//! How right the extractors and the estimates are on labelled data.
