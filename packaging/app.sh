#!/usr/bin/env bash
# Freezes the program: dist/Sluice.app on macOS, dist/sluice/ on Linux. PYTHON names another environment's Python.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly PYTHON=${PYTHON:-.venv/bin/python}
readonly LOCK=packaging/app-requirements.lock

add_what_freezes() {
    echo "Adding PyInstaller to the environment."
    if command -v uv >/dev/null; then
        uv pip install --quiet --python "$PYTHON" --require-hashes --only-binary :all: --requirement "$LOCK"
    else
        "$PYTHON" -m pip install --quiet --disable-pip-version-check --no-input \
            --require-hashes --only-binary :all: --requirement "$LOCK"
    fi
}

backend=$(cat .venv/backend 2>/dev/null || echo cpu)
if [ "$(uname -s)" = Linux ] && [ "$backend" != cpu ]; then
    echo "The app has the CPU backend only, and .venv has $backend: run BACKEND=cpu make app." >&2
    exit 1
fi
"$PYTHON" packaging/installed.py "$LOCK" || add_what_freezes
"$PYTHON" -m PyInstaller --noconfirm --log-level WARN packaging/sluice.spec
if [ "$(uname -s)" = Darwin ]; then
    rm -r dist/sluice # what the bundle was put together from
    "$PYTHON" packaging/verify_bundle.py dist/Sluice.app --macos "${MACOSX_DEPLOYMENT_TARGET:-14.0}"
    "$PYTHON" packaging/weigh.py dist/Sluice.app
else
    mkdir dist/sluice/share
    cp packaging/linux/sluice.desktop packaging/linux/sluice.xml packaging/linux/preload.sh dist/sluice/share/
    cp packaging/linux/install.sh dist/sluice/
    "$PYTHON" packaging/weigh.py dist/sluice
fi
