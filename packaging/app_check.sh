#!/usr/bin/env bash
# Looks at the frozen program as `make app` left it on Linux: it proves itself elsewhere, with nothing of this folder in
# reach; and at the Mac's bundle, put together from macOS wheels. With the word `program` it leaves the bundle out.
# PYTHON names another environment's Python.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly PYTHON=${PYTHON:-.venv/bin/python}
readonly PROGRAM=sluice
readonly MACOS=14.0
readonly NEWEST_KERNELS=26.2 # half as heavy again
readonly PYTHON_OF_THE_BUNDLE=3.13
readonly NEWER_QT=6.12.0

leave() {
    printf '%s\n' "$1" >&2
    exit 1
}

[ "$(uname -s)" = Linux ] || leave "make app-check is for Linux; on a Mac, make app looks at its bundle itself."
[ -x "dist/$PROGRAM/$PROGRAM" ] || leave "There is no dist/$PROGRAM: run make app first."

work=$(mktemp -d)
environment=$(cd "$(dirname "$PYTHON")/.." && pwd -P)
restore() {
    [ ! -e "$environment.away" ] || mv "$environment.away" "$environment"
    rm -rf "$work"
}
trap restore EXIT

# Moved to another folder, with an empty home and environment, and without the environment it was built from.
alone() { env -i HOME="$work/home" QT_QPA_PLATFORM=offscreen "$work/moved/$PROGRAM" "$@"; }

check_program() {
    mkdir "$work/home"
    cp -a "dist/$PROGRAM" "$work/moved"
    touch "$work/before"
    mv "$environment" "$environment.away"
    alone --self-test "$work/report" 2>"$work/errors" || { cat "$work/report/report.json" "$work/errors" && return 1; }
    [ -f "$work/report/PASS" ] || return 1
    [ "$(alone --version)" = "Sluice $VERSION" ] || leave "--version says $(alone --version)."
    # The child that downloads: told of no network, it must answer in words.
    (echo '{"model_id": "a/b", "token": null, "pace": {}}' && sleep 5) |
        env -i HOME="$work/home" HF_HUB_OFFLINE=1 "$work/moved/$PROGRAM" --fetch-model | grep -q '"say": "failed"' ||
        leave "The process that downloads does not answer."
    # The child that renders chat templates: it is asked a question of 42 bytes.
    printf '\000\000\000\052%s' '{"template": "{{ 6 * 7 }}", "context": {}}' | alone --render-templates 1 | grep -aq 42 ||
        leave "The process that renders chat templates does not answer."
    # The child that serves a model, alone and over a ring: both programs are in the bundle.
    for served in "mlx_lm.server --help:--decode-concurrency" "mlx.launch --help:--hostfile"; do
        # shellcheck disable=SC2086
        sleep 10 | alone --serve-model ${served%%:*} | grep -q -e "${served##*:}" ||
            leave "The process that serves a model does not know ${served%%:*}."
    done
    [ -z "$(find "$work/moved" -newer "$work/before")" ] || leave "The program wrote into its own folder."
    mv "$environment.away" "$environment"
    echo "The frozen program proved itself in another folder, with an empty home and without $environment."
}

check_bundle() {
    command -v uv >/dev/null || leave "The Mac's bundle can't be put together here: it takes uv to fetch wheels for macOS."
    unpack "$MACOS" qt --no-deps "PySide6-Essentials==$NEWER_QT"
    put_together "$MACOS" "$work/qt"
    rm -r "$work/tree" "$work/wheels"
    put_together "$NEWEST_KERNELS"
}

put_together() { # put_together MACOS [NEWER_QT]
    local lock macos=$1
    shift
    for lock in packaging/requirements.lock packaging/app-requirements.lock; do
        unpack "$macos" wheels --require-hashes --requirement "$lock"
    done
    PYTHONPATH=. "$PYTHON" packaging/macos_check.py "$macos" "$work/wheels" "$work/tree" "$@"
}

unpack() { # unpack MACOS FOLDER WHAT…
    local macos=$1 folder=$work/$2
    shift 2
    MACOSX_DEPLOYMENT_TARGET=$macos uv pip install --quiet --python-platform aarch64-apple-darwin \
        --python-version "$PYTHON_OF_THE_BUNDLE" --only-binary :all: --target "$folder" "$@"
}

VERSION=$("$PYTHON" -c 'from app import __version__; print(__version__)')
readonly VERSION
check_program
[ "${1:-}" = program ] || check_bundle
