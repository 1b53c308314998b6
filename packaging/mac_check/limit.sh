# shellcheck shell=bash
# A limit of time, of what macOS has too: it has no `timeout`. Sourced.

TOO_LONG=124
GRACE_S=5

limited() { # limited SECONDS COMMAND…: its code, or TOO_LONG. All of its process group ends with it, whatever it left.
    local seconds=$1 late code watch
    shift
    late=$(mktemp)
    set -m # each job is a process group of its own
    "$@" </dev/null &
    RUNNING=$!
    end_after "$seconds" "$RUNNING" "$late" &
    watch=$!
    set +m
    [ -z "${STOPPED:-}" ] || end_by_hand # just before it began
    wait "$RUNNING"
    code=$?
    end_group KILL "$watch"
    wait "$watch" 2>/dev/null
    end_group KILL "$RUNNING"
    RUNNING=
    [ ! -s "$late" ] || code=$TOO_LONG
    rm -f "$late"
    return "$code"
}

end_after() { # end_after SECONDS GROUP LATE
    sleep "$1"
    echo late >"$3"
    end_group TERM "$2"
    sleep "$GRACE_S"
    end_group KILL "$2"
}

end_by_hand() { # What has only just been begun may not hear of it the first time.
    end_after 0 "$RUNNING" /dev/null &
}

end_group() { # end_group SIGNAL GROUP
    kill "-$1" -- "-$2" 2>/dev/null
}
