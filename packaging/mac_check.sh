#!/usr/bin/env bash
# All that a Mac can tell in one go. Each step has its time, leaves JSON, and keeps no other from its turn; nobody is
# asked anything before the end, which is sluice-mac-report-DATE.tar.gz, with nobody's name in it. On Linux it takes
# the steps that are not the Mac's. For bash 3.2 and BSD's tools; PYTHON names another environment's Python.
# usage: mac_check.sh [--list] [--only STEP]… [--no-questions] [--limit MINUTES] [--short] [--into FOLDER]
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. packaging/mac_check/limit.sh

# The name, its minutes, whose it is, in which home (its own, or the user's, with what was fetched before), the command.
STEPS='
machine        2 any own  packaging/mac_check/machine.sh
environment   40 any user packaging/mac_check/environment.sh
device         3 any own  python tests.mac_check.device
truth          5 any own  python tests.mac_check.truth
memory        10 any own  python tests.mac_check.memory
pictures      30 any own  packaging/mac_check/pictures.sh
build         20 any user packaging/mac_check/bundle.sh build
signature      5 mac own  packaging/mac_check/bundle.sh signature
moved         10 any own  packaging/mac_check/bundle.sh moved
opening       10 any own  python tests.mac_check.opening
keychain       3 any user python tests.mac_check.keychain
bench         60 any own  packaging/mac_check/bench.sh
offscreen     60 any own  packaging/mac_check/tests.sh offscreen everything
cocoa         45 mac own  packaging/mac_check/tests.sh cocoa
crashes       10 any user python tests.mac_check.crashes
'

ONLY=' '
QUESTIONS=1
MINUTES=240
INTO=$PWD
RUNNING=
STOPPED=
TAKEN=0

usage() {
    sed -n 's/^# \(usage: .*\)/\1/p' packaging/mac_check.sh >&2
    exit 2
}

read_switches() {
    while [ $# -gt 0 ]; do
        case $1 in
        --list) awk 'NF {print $1}' <<<"$STEPS" && exit 0 ;;
        --only) awk -v name="${2:-}" '$1 == name {found = 1} END {exit !found}' <<<"$STEPS" || usage ;;
        --limit) [ "${2:-0}" -gt 0 ] 2>/dev/null || usage ;;
        --into) [ -d "${2:-}" ] || usage ;;
        --no-questions) QUESTIONS= ;;
        --short) export SHORT=1 ;;
        *) usage ;;
        esac
        case $1 in
        --only) ONLY="$ONLY$2 " && shift ;;
        --limit) MINUTES=$2 && shift ;;
        --into) INTO=$(cd "$2" && pwd) && shift ;;
        esac
        shift
    done
}

prepare() {
    SYSTEM=$(uname -s)
    GIVEN=${PYTHON:-}
    PYTHON=${PYTHON:-.venv/bin/python}
    case $PYTHON in /*) ;; *) PYTHON=$PWD/$PYTHON ;; esac
    BEGAN=$(date +%s)
    SCRATCH=$(mktemp -d)
    USERS_HOME=${HOME:-/}
    RESULTS=$INTO/build/mac-check
    rm -rf "$RESULTS"
    mkdir -p "$RESULTS" "$SCRATCH/home"
    trap 'rm -rf "$SCRATCH"' EXIT
    trap 'STOPPED=1; [ -z "$RUNNING" ] || end_by_hand' INT TERM
    unset HF_HOME HF_HUB_CACHE HF_TOKEN HUGGINGFACE_HUB_CACHE HUGGING_FACE_HUB_TOKEN
    [ "$SYSTEM" = Darwin ] || export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}
    export HOME USERS_HOME SYSTEM GIVEN PYTHON BEGAN SCRATCH HF_HUB_DISABLE_TELEMETRY=1
    # A Mac that goes to sleep meanwhile would be measured asleep.
    [ "$SYSTEM" != Darwin ] || caffeinate -i -w $$ &
}

run_step() { # run_step NAME MINUTES WHOSE HOME COMMAND…
    local name=$1 minutes=$2 whose=$3 home=$4 seconds began code
    shift 4
    [ "$1" != python ] || { shift && set -- "$PYTHON" -m "$@"; }
    export OUT=$RESULTS/$name FACTS=$RESULTS/$name/facts.tsv
    mkdir -p "$OUT"
    : >"$FACTS"
    if [ "$home" = own ]; then HOME=$SCRATCH/home; else HOME=$USERS_HOME; fi
    began=$(date +%s)
    seconds=$(seconds_for "$name" "$minutes")
    if [ "$whose" = mac ] && [ "$SYSTEM" != Darwin ]; then
        code=mac
    elif [ -n "$STOPPED" ] || [ "$seconds" -le 0 ]; then
        code=late
    else
        printf '%-12s ' "$name"
        limited "$seconds" "$@" >"$OUT/log.txt" 2>&1
        code=$?
        [ -z "$STOPPED" ] || code=stopped
    fi
    note "$name" "$code" $(($(date +%s) - began)) "$seconds"
}

seconds_for() { # seconds_for NAME MINUTES: so many, or what is left; what crashed is told whatever happened before
    local left=$((BEGAN + 60 * MINUTES - $(date +%s)))
    [ "$left" -lt $((60 * $2)) ] && [ "$1" != crashes ] || left=$((60 * $2))
    echo "$left"
}

note() { # note NAME CODE SECONDS LIMIT: as JSON, and on the screen
    local outcome
    case $2 in
    mac) outcome="only on a Mac" ;;
    late) outcome="no time left" ;;
    stopped) outcome=stopped ;;
    0) outcome=passed ;;
    3) outcome="not here" ;;
    "$TOO_LONG") outcome="took too long" ;;
    *) outcome=failed ;;
    esac
    TAKEN=$((TAKEN + 1))
    printf '{"number": %d, "step": "%s", "outcome": "%s", "seconds": %d, "limit_s": %d}\n' \
        "$TAKEN" "$1" "$outcome" "$3" "$4" >"$OUT/step.json"
    case $2 in mac) ;; late) echo "$1: $outcome" ;; *) echo "$outcome, $3 s" ;; esac
}

run_steps() {
    local name rest
    while read -r name rest <&3; do
        case $ONLY in ' ' | *" $name "*) ;; *) continue ;; esac
        # shellcheck disable=SC2086  # words are meant
        [ -z "$name" ] || run_step "$name" $rest
    done 3<<<"$STEPS"
}

ask() {
    [ -n "$QUESTIONS" ] && [ -z "$STOPPED" ] && [ "$ONLY" = ' ' ] && [ -t 0 ] || return 0
    export OUT=$RESULTS/by-hand FACTS=$RESULTS/by-hand/facts.tsv
    mkdir -p "$OUT"
    : >"$FACTS"
    packaging/mac_check/questions.sh
}

make_report() { # with whatever Python runs: nothing may have been set up
    local python=$PYTHON archive
    "$python" -c "" 2>/dev/null || python=$(command -v python3) || {
        echo "Without Python there is no report: $RESULTS has what was found, and may name you." >&2
        exit 1
    }
    archive=$INTO/sluice-mac-report-$(date +%Y-%m-%d).tar.gz
    HOME=$USERS_HOME
    "$python" packaging/mac_report.py "$RESULTS" "$archive" || exit 1
    echo "The report is $archive: REPORT.md is the first in it. It names nobody; look before you send it."
}

read_switches "$@"
prepare
run_steps
ask
make_report
