#!/usr/bin/env bash
# Twenty questions that only somebody who sits there can answer. `y`, `n`, anything else: not tried.
set -uo pipefail
# shellcheck source=/dev/null
. packaging/mac_check/facts.sh

readonly WAIT_S=900

ask() { # ask NUMBER QUESTION: fails where nobody is there any more
    local given
    printf '%2d. %s [y/n] ' "$1" "$2"
    IFS= read -r -t "$WAIT_S" given || return
    case $given in
    [yY]*) judged "$2" 0 "" ;;
    [nN]*) judged "$2" 1 no ;;
    *) told "$2" "not tried" ;;
    esac
}

echo "Now twenty questions by hand: y, n, or Return for those that you don't try. Ctrl-D ends them."
if [ -d dist/Sluice.app ]; then
    open -n dist/Sluice.app --args --data-dir "$SCRATCH/by-hand" && echo "Sluice has been opened for them."
fi
number=0
there=1
while IFS= read -r question <&3; do
    number=$((number + 1))
    [ -z "$there" ] || ask "$number" "$question" || there=
    [ -n "$there" ] || told "$question" "not tried"
done 3<packaging/mac_check/questions.txt
