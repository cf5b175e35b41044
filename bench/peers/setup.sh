# What `run`, `run-gate`, `run-clustering`, `run-passages` and `run-changes` share: words for the user, the venv, the Debian packages, the Rust peers.
# Sourced, not run. Expects $here, the folder of this file, and $peers, those that the user asked for.
venv=$here/.venv

say() { printf '%s\n' "$*" >&2; }

wanted() { [[ -z $peers || ,$peers == *",$1"* ]]; }

install_debian() {
  say "installing the Debian package $1"
  local sudo=()
  ((EUID == 0)) || sudo=(sudo)
  "${sudo[@]}" apt-get update -qq >&2
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$1" >&2
}

# Debian keeps venv in a package of its own.
make_venv() {
  [[ -x $venv/bin/pip ]] && return
  say "making $venv"
  python3 -c 'import ensurepip, venv' 2>/dev/null || install_debian python3-venv
  python3 -m venv "$venv"
}

# One by one, so that a peer without a wheel for this machine costs its own row only.
install_python_peers() {
  make_venv
  local requirement
  while read -r requirement; do
    [[ -z $requirement || $requirement == \#* ]] && continue
    say "installing $requirement"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --only-binary=:all: "$requirement" >&2 ||
      say "$requirement has no wheel for this machine: what needs it is left out"
  done <"$1"
}

# Portable as firstcopy is shipped, and once more for this CPU as txtfp's documentation advises.
build_rust_peers() {
  say "building the Rust peers, portable and for this CPU"
  (cd "$here/rust" && cargo build --release --locked --quiet --target-dir "$here/target/portable")
  (cd "$here/rust" && RUSTFLAGS="-C target-cpu=native" \
    cargo build --release --locked --quiet --target-dir "$here/target/native")
}

# The folder that cargo builds the binaries of repository $1 in.
release_folder() {
  (cd "$1" && cargo metadata --format-version 1 --no-deps) |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"] + "/release")'
}
