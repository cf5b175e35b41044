//! JSON Lines to tokens, shingles and minima, end to end on one core: the row of the peer benchmark.
