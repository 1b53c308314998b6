#!/usr/bin/env bash
# Step: the tests on one of Qt's platforms, with lint, types and contracts where that is wanted.
# usage: tests.sh PLATFORM [everything]
set -uo pipefail
# shellcheck source=/dev/null
. packaging/mac_check/facts.sh

pytest_() { # pytest_ WHAT…
    QT_QPA_PLATFORM=$platform "$PYTHON" -m pytest -q -rfE --tb=short -p no:cacheprovider "$@"
}

platform=$1
if [ "${2:-}" = everything ] && ! short; then
    for tool in "ruff check" "ruff format --check" mypy; do
        # shellcheck disable=SC2086  # words are meant
        check "$tool" "$PYTHON" -m $tool
    done
    check "import contracts" "$(dirname "$PYTHON")/lint-imports" --no-logo
fi
if short; then
    pytest_ tests/i18n/test_i18n.py
elif [ "$platform" = offscreen ]; then
    pytest_ --numprocesses 2 --dist loadfile --no-loadscope-reorder
else
    pytest_ tests/ui # one process: two would take the focus from each other
fi
judged "pytest" $? "$(tail -n 1 "$OUT/log.txt")"
told "pytest's last line" "$(tail -n 1 "$OUT/log.txt" | tr -d '=')"
grep -E '^(FAILED|ERROR) ' "$OUT/log.txt" | head -n 60 | while IFS= read -r line; do
    told "red" "$line"
done
exit "$FAILED"
