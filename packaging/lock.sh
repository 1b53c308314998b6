#!/usr/bin/env bash
# Renews the locks from pyproject.toml: universal (macOS arm64, Linux x86-64 and aarch64), hashed, naming no host.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v uv >/dev/null || {
    echo "Renewing the lock needs uv: install it and run this again." >&2
    exit 1
}
compile() { # compile LOCK WHAT…
    local lock=$1
    shift
    uv pip compile "$@" --universal --python-version 3.11 --generate-hashes \
        --no-header --no-annotate --no-emit-index-url --no-emit-find-links --output-file "$lock"
}

compile packaging/requirements.lock pyproject.toml --upgrade --extra cpu --group dev
# One lock per backend of MLX. uv prefers the versions of an existing output, here those of the CPU backend; it
# can't resolve the markers of that lock as constraints.
for backend in cuda12 cuda13; do
    cp packaging/requirements.lock "packaging/requirements-$backend.lock"
    compile "packaging/requirements-$backend.lock" pyproject.toml --extra "$backend" --group dev
done
# What freezes the program stands beside what it is made of: the second lock keeps to the versions of the first.
compile packaging/app-requirements.lock --upgrade --group app --constraint packaging/requirements.lock
