//! `firstcopy-bench`: see the library beside it.

fn main() -> anyhow::Result<()> {
    firstcopy_bench::run()
}
