# How the checks compile, to be sourced before the first of them: what one has compiled the next one takes.
# Clippy's compiler writes programs as well: what lints and tests both need is compiled once.
RUSTC_WORKSPACE_WRAPPER=$(command -v clippy-driver)
export RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings
# A first build has nothing to go on from.
[ -d "${CARGO_TARGET_DIR:-target}" ] || export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=none
