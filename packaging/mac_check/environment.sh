#!/usr/bin/env bash
# Step: sets everything up, as `make run` would; then says what is in the environment.
set -uo pipefail
# shellcheck source=/dev/null
. packaging/mac_check/facts.sh

if [ -n "$GIVEN" ]; then
    told "not set up" "PYTHON names an environment"
else
    began=$(date +%s)
    check "make setup" make setup
    told "make setup took" "$(($(date +%s) - began))" s
fi
"$PYTHON" -m tests.mac_check.environment || FAILED=1
exit "$FAILED"
