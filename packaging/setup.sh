#!/usr/bin/env bash
# Makes .venv from the hashed lock: with uv where it is installed, else with venv and pip of the first suitable Python.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly IN_USE=.venv/backend # names the backend of MLX in .venv
readonly ALONE=build/set-up # has the number of the process that fills .venv
# The versions of Python, macOS and glibc for which every locked package has a wheel.
readonly PYTHONS="python3.13 python3.12 python3.11 python3.14 python3"
readonly VERSIONS=">=3.11,<3.15"
readonly PYTHON_TO_FETCH=3.13
readonly MACOS_AT_LEAST=14
readonly GLIBC_AT_LEAST=2.35
readonly GLIBC_AT_LEAST_AARCH64=2.39
# MLX's requirements for CUDA 13.
readonly DRIVER_AT_LEAST=580
readonly CAPABILITY_AT_LEAST=7.5

leave() {
    printf '%s\n' "$1" >&2
    exit 1
}

at_least() { # at_least WANTED HAVE
    [ "$(printf '%s\n%s\n' "$1" "$2" | sort -t . -k 1,1n -k 2,2n | head -n 1)" = "$1" ]
}

check_platform() {
    local version
    case "$MACHINE" in
    Darwin-arm64)
        version=$(sw_vers -productVersion)
        at_least "$MACOS_AT_LEAST" "$version" || leave "Sluice needs macOS $MACOS_AT_LEAST or newer; this is $version."
        # The wheels are those of the oldest macOS, whichever this is, or the app would run on none but the newest.
        export MACOSX_DEPLOYMENT_TARGET=${MACOSX_DEPLOYMENT_TARGET:-$MACOS_AT_LEAST.0}
        ;;
    Linux-x86_64) check_glibc "$GLIBC_AT_LEAST" "Debian 12 or Ubuntu 22.04" ;;
    Linux-aarch64) check_glibc "$GLIBC_AT_LEAST_AARCH64" "Debian 13 or Ubuntu 24.04" ;;
    *) leave "Sluice runs on macOS with Apple silicon and on Linux (x86-64, aarch64); this is ${MACHINE/-/ }." ;;
    esac
}

check_glibc() { # check_glibc WANTED SYSTEMS
    local version
    version=$(getconf GNU_LIBC_VERSION 2>/dev/null || echo "another C library")
    at_least "$1" "${version#glibc }" ||
        leave "Sluice needs Linux with glibc $1 or newer, as in $2; this is $version."
}

choose_backend() { # the one that the user names, else the one in use, else the one for this computer
    backend=${BACKEND:-$(cat "$IN_USE" 2>/dev/null || true)}
    [ -n "$backend" ] || if supports_cuda; then backend=cuda13; else backend=cpu; fi
    case "$backend" in
    cpu) lock=packaging/requirements.lock size="some hundred megabytes" ;;
    cuda12 | cuda13)
        lock=packaging/requirements-$backend.lock size="more than 2 GB"
        echo "MLX's backend is $backend, which is experimental, with $size to fetch. For the CPU backend, run: BACKEND=cpu make run"
        ;;
    *) leave "BACKEND must be cpu, cuda12 or cuda13; it is $backend." ;;
    esac
    [[ $(<"$lock") == *"'${MACHINE#*-}'"* ]] || leave "$lock has no packages for ${MACHINE/-/ }. With an NVIDIA GPU, run: BACKEND=cuda13 make run"
}

supports_cuda() {
    local driver capability
    while IFS=", " read -r driver capability; do
        [[ "$driver $capability" =~ ^[0-9.]+\ [0-9]+\.[0-9]+$ ]] || continue # "[N/A]", or a sentence on what failed
        if at_least "$DRIVER_AT_LEAST" "$driver" && at_least "$CAPABILITY_AT_LEAST" "$capability"; then
            echo "Found an NVIDIA GPU: driver $driver, compute capability $capability."
            return
        fi
    done < <(nvidia-smi --query-gpu=driver_version,compute_cap --format=csv,noheader 2>/dev/null)
    return 1
}

refuse_a_link() { # clearing .venv would clear the folder that it points to
    [ ! -L .venv ] || leave ".venv is a link, and set-up would clear the folder behind it. Remove the link and run this again."
}

be_alone() { # another one would clear the environment that is being filled
    mkdir -p build
    if ! (set -C && echo $$ >"$ALONE") 2>/dev/null; then
        ! kill -0 "$(cat "$ALONE")" 2>/dev/null || leave "Another set-up goes on in this folder: wait until it is done."
        echo $$ >"$ALONE" # it was killed
    fi
    trap 'rm -rf "$ALONE" ${wheels:+"$wheels"}' EXIT
}

suitable() { # a CPython of the right version and machine, with what it takes to make an environment
    "$1" - "$(uname -m)" >/dev/null 2>&1 <<'PYTHON'
import ensurepip, platform, sys, venv
fits = (3, 11) <= sys.version_info[:2] < (3, 15) and sys.implementation.name == "cpython"
sys.exit(not (fits and platform.machine() == sys.argv[1]))
PYTHON
}

first_suitable_python() {
    local python
    for python in $PYTHONS; do
        if suitable "$python"; then
            printf '%s' "$python"
            return
        fi
    done
    leave "Sluice needs Python 3.11 to 3.14 with its venv module, or uv: install one of them (Debian, Ubuntu: sudo apt-get install python3-venv; macOS: brew install uv) and run this again."
}

with_uv() {
    mkdir -p "$(uv cache dir)" 2>/dev/null || export UV_NO_CACHE=1 # the home can't be written
    # The one that UV_PYTHON names, else one that is installed, else the newest that this was run with.
    uv venv --quiet --clear --no-python-downloads --python "${UV_PYTHON:-cpython$VERSIONS}" .venv 2>/dev/null ||
        uv venv --quiet --clear --python "${UV_PYTHON:-cpython$PYTHON_TO_FETCH}" .venv ||
        leave "uv found no Python ${UV_PYTHON:-3.11 to 3.14} and could not fetch one: install one and run this again."
    announce uv
    # Compiled now as pip does it, or the first start would: it stutters for seconds while it imports.
    # shellcheck disable=SC2086  # two words are meant
    uv pip install --quiet --compile-bytecode --python .venv/bin/python --require-hashes --only-binary :all: \
        ${MACOSX_DEPLOYMENT_TARGET:+--python-platform aarch64-apple-darwin} --requirement "$lock"
}

with_pip() {
    local python
    python=$(first_suitable_python)
    "$python" -m venv --clear .venv
    announce pip
    if [ -z "${MACOSX_DEPLOYMENT_TARGET:-}" ]; then
        pip install
        return
    fi
    # pip installs what is newest for its own system: the wheels of another one it only fetches.
    wheels=$(mktemp -d)
    pip download --platform "macosx_${MACOSX_DEPLOYMENT_TARGET/./_}_arm64" --dest "$wheels"
    pip install --no-index --find-links "$wheels"
}

pip() { # pip COMMAND WHAT…
    .venv/bin/python -m pip "$@" --quiet --disable-pip-version-check --no-input \
        --require-hashes --only-binary :all: --requirement "$lock"
}

announce() { # announce INSTALLER
    echo "Filling .venv with $1 for $(.venv/bin/python --version): $size to fetch, which may take minutes."
    echo "$backend" >"$IN_USE"
}

MACHINE=$(uname -s)-$(uname -m)
readonly MACHINE
check_platform
refuse_a_link
be_alone
choose_backend
if command -v uv >/dev/null; then with_uv; else with_pip; fi
# Tests need less of Qt than a screen does, so here it is only said what a window would miss.
.venv/bin/python -m app.platform.qt_libraries offscreen screen || true
