#!/usr/bin/env bash
# Makes the bundled models from nothing: corpus, tokenizer, both trainings, export, comparison, evaluation, model cards.
# Interrupted, it goes on from the last checkpoint; `rm -r packaging/demo_models/build` starts it over.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly HERE=packaging/demo_models
readonly OWN=$HERE/build/venv
readonly PYTHON=$OWN/bin/python

# An environment of its own: PyTorch is for this alone, neither the program nor its tests need it.
if [ ! -e "$OWN/ready" ]; then
    mkdir -p "$HERE/build"
    .venv/bin/python -m venv --clear "$OWN"
    "$PYTHON" -m pip install --quiet --disable-pip-version-check "pip>=25.1"
    "$PYTHON" -m pip install --quiet --requirement packaging/requirements.lock
    "$PYTHON" -m pip install --quiet --group demo-models
    touch "$OWN/ready"
fi

# The compiler takes a minute and gives a third more speed.
compile=
if command -v g++ >/dev/null; then compile=--compile; fi
"$PYTHON" $HERE/train.py demo ${compile:+"$compile"}
"$PYTHON" $HERE/train.py demo-draft
"$PYTHON" $HERE/export.py
"$PYTHON" $HERE/agree.py
MLX_DISABLE_COMPILE=1 "$PYTHON" $HERE/evaluate.py
"$PYTHON" $HERE/card.py
