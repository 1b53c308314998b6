#!/usr/bin/env bash
# Twenty questions that only somebody who sits there can answer. `y`, `n`, anything else: not tried.
set -uo pipefail
# shellcheck source=/dev/null
. packaging/mac_check/facts.sh

readonly WAIT_S=900

answer() {
    IFS= read -r -t "$WAIT_S" given || given=
    case $given in
    [yYjJ]*) printf 'holds\t%s\tyes\t\n' "$1" >>"$FACTS" ;;
    [nN]*) printf 'fails\t%s\tno\t\n' "$1" >>"$FACTS" ;;
    *) printf 'told\t%s\tnot tried\t\n' "$1" >>"$FACTS" ;;
    esac
}

echo "Now twenty questions by hand: y, n, or Return for those that you don't try. Ctrl-D ends them."
if [ -d dist/Sluice.app ]; then
    open -n dist/Sluice.app --args --data-dir "$SCRATCH/by-hand" && echo "Sluice has been opened for them."
fi
number=0
while IFS= read -r question <&3; do
    number=$((number + 1))
    printf '%2d. %s [y/n] ' "$number" "$question"
    answer "$question"
done 3<packaging/mac_check/questions.txt
