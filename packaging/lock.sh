#!/usr/bin/env bash
# Renews requirements.lock from pyproject.toml: universal (macOS arm64, Linux x86-64), hashed, naming no host.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v uv >/dev/null || {
    echo "Renewing the lock needs uv: install it and run this again." >&2
    exit 1
}
uv pip compile pyproject.toml --group dev --upgrade --universal --python-version 3.11 --generate-hashes \
    --no-header --no-annotate --no-emit-index-url --no-emit-find-links --output-file packaging/requirements.lock
