#!/usr/bin/env bash
# Step: the photographer in all looks, in a copy of the program whose place names nobody: a path may stand in a picture.
set -uo pipefail
# shellcheck source=/dev/null
. packaging/mac_check/facts.sh

take() { # take WHAT WORDS…
    local what=$1
    shift
    mkdir -p "$OUT/$what"
    check "pictures: $what" "$PYTHON" -m tests.pictures --into "$OUT/$what" "$@"
    told "pictures: $what" "$(find "$OUT/$what" -name '*.png' | wc -l | tr -d ' ')" taken
}

copy=$SCRATCH/program
mkdir -p "$copy"
cp -R app resources tests packaging pyproject.toml Makefile ./*.md docs "$copy"
cd "$copy" || exit 1
if on_mac; then export QT_QPA_PLATFORM=cocoa; else export QT_QPA_PLATFORM=offscreen; fi
if short; then
    take documents first-start
    exit "$FAILED"
fi
take documents
! on_mac || take native --native
take states --states
exit "$FAILED"
