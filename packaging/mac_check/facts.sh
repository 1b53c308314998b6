# shellcheck shell=bash
# How a step says what it found: a line in FACTS with a tab between its parts. Sourced by each script that is a step.

NOT_HERE=3
FAILED=0

told() { # told NAME VALUE [UNIT]: a figure or a word that nothing is held to
    printf 'told\t%s\t%s\t%s\n' "$1" "$(one_line "$2")" "${3:-}" >>"$FACTS"
}

check() { # check NAME COMMAND…: whether it ends well; what it says goes into the log
    local name=$1 code
    shift
    echo "+ $*"
    "$@"
    code=$?
    judged "$name" "$code" "ended with $code"
}

judged() { # judged NAME CODE FOUND: CODE 0 holds
    if [ "$2" = 0 ]; then
        printf 'holds\t%s\t\t\n' "$1" >>"$FACTS"
    else
        printf 'fails\t%s\t%s\t\n' "$1" "$(one_line "$3")" >>"$FACTS"
        # shellcheck disable=SC2034  # each step ends with it
        FAILED=1
    fi
}

not_here() { # not_here WHY: the step can't be tried on this machine
    told "not tried" "$1"
    exit "$NOT_HERE"
}

one_line() {
    printf '%s' "$1" | tr '\t\n' '  ' | cut -c 1-400
}

on_mac() { [ "$SYSTEM" = Darwin ]; }

short() { [ -n "${SHORT:-}" ]; }

has() { command -v "$1" >/dev/null; }
