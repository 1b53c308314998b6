#!/usr/bin/env bash
# Steps: the frozen program, built, looked at, signed, moved, quarantined.
# usage: bundle.sh build|signature|moved
set -uo pipefail
# shellcheck source=/dev/null
. packaging/mac_check/facts.sh

if on_mac; then APP=dist/Sluice.app; else APP=dist/sluice; fi
readonly APP

build() {
    if [ -n "$GIVEN" ] && ! "$PYTHON" packaging/installed.py packaging/app-requirements.lock; then
        not_here "PYTHON names an environment without PyInstaller, and nothing is put into that"
    fi
    ! short || not_here "left out of the short form"
    check "make app" env PYTHON="$PYTHON" packaging/app.sh
    told "$APP" "$(du -sm "$APP" | awk '{print $1}')" MB
}

signature() {
    there
    check "the static checks" "$PYTHON" packaging/verify_bundle.py "$APP" --macos "${MACOSX_DEPLOYMENT_TARGET:-14.0}"
    check "the signature holds" codesign --verify --deep --strict --verbose=2 "$APP"
    check "Info.plist is one" plutil -lint "$APP/Contents/Info.plist"
    # Not who signed: that may be a person.
    told "signature" "$(codesign -d --verbose=2 "$APP" 2>&1 | grep -E '^(Identifier|Format|CodeDirectory|Signature)')"
    told "entitlements" "$(codesign -d --entitlements - --xml "$APP" 2>/dev/null | plutil -convert json -o - - 2>/dev/null)"
    told "what Gatekeeper says (an ad-hoc signature is rejected)" "$(spctl --assess --type execute --verbose=4 "$APP" 2>&1)"
    told "built for macOS" "$(plutil -extract LSMinimumSystemVersion raw "$APP/Contents/Info.plist" 2>/dev/null)"
}

moved() { # elsewhere, with an empty home and environment; on a Mac also by `open`, and as if it had been downloaded
    local away=$SCRATCH/moved program
    there
    mkdir -p "$away/home"
    copy_app "$APP" "$away/${APP##*/}"
    if on_mac; then program=$away/Sluice.app/Contents/MacOS/Sluice; else program=$away/sluice/sluice; fi
    proved "the self-test, moved and with an empty home" "$program" "$OUT/moved" \
        env -i HOME="$away/home" TMPDIR="${TMPDIR:-/tmp}" QT_QPA_PLATFORM="${QT_QPA_PLATFORM:-}"
    ! on_mac || of_a_mac "$away"
}

of_a_mac() { # of_a_mac FOLDER
    check "opened by macOS" open -W -n "$1/Sluice.app" --args --self-test "$OUT/opened"
    [ -f "$OUT/opened/PASS" ]
    judged "the self-test, opened by macOS" $? "no PASS"
    check "the signature holds after it ran" codesign --verify --deep --strict "$1/Sluice.app"
    check "quarantined" xattr -w com.apple.quarantine "0081;$(printf %x "$(date +%s)");Safari;" "$1/Sluice.app"
    told "what Gatekeeper says of a downloaded one" "$(spctl --assess --type execute --verbose=4 "$1/Sluice.app" 2>&1)"
}

proved() { # proved NAME PROGRAM FOLDER [COMMAND BEFORE IT…]
    local name=$1 program=$2 folder=$3
    shift 3
    ${1+"$@"} "$program" --self-test "$folder" >"$OUT/said.txt" 2>&1
    [ -f "$folder/PASS" ]
    judged "$name" $? "no PASS: $(tail -n 3 "$OUT/said.txt")"
}

copy_app() { # with its links as links
    if on_mac; then ditto "$1" "$2"; else cp -a "$1" "$2"; fi
}

there() {
    [ -d "$APP" ] || not_here "there is no $APP"
}

case $1 in
build) build ;;
signature) signature ;;
moved) moved ;;
esac
exit "$FAILED"
