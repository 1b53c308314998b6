#!/usr/bin/env bash
# Wraps dist/Sluice.app up as dist/Sluice-VERSION.dmg, with a link to Applications beside it. Only on a Mac.
# CODESIGN_IDENTITY signs it; PYTHON names another environment's Python.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly PYTHON=${PYTHON:-.venv/bin/python}
readonly APP=dist/Sluice.app
readonly BACKGROUND=dist/background.png
readonly LIMIT_MB=100

leave() {
    printf '%s\n' "$1" >&2
    exit 1
}

[ "$(uname -s)" = Darwin ] || leave "A disk image is made on a Mac only."
[ -d "$APP" ] || leave "There is no $APP: run make app first."
version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' app/__init__.py)
image=dist/Sluice-$version.dmg
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/stage/.background"
ditto "$APP" "$work/stage/Sluice.app" # keeps links as links
ln -s /Applications "$work/stage/Applications"
[ -f "$BACKGROUND" ] || "$PYTHON" packaging/dmg_background.py "$BACKGROUND"
cp "$BACKGROUND" "$work/stage/.background/background.png"

again() { # the Mac's own indexing holds a volume for seconds
    for _ in 1 2 3 4; do
        if "$@"; then return; fi
        sleep 5
    done
    return 1
}

again hdiutil create -quiet -ov -volname Sluice -srcfolder "$work/stage" -fs HFS+ -format UDRW "$work/draft.dmg"
mkdir "$work/volume" # hdiutil makes none
hdiutil attach -quiet -readwrite -noverify -noautoopen -mountpoint "$work/volume" "$work/draft.dmg"
# How the Finder shows it; without a Finder, as where nobody is logged in, the image is as good and only plainer.
osascript - "$work/volume" <<'APPLESCRIPT' || echo "The Finder could not lay the image out: it stays plain."
on run arguments
    tell application "Finder"
        set place to (POSIX file (item 1 of arguments) as alias)
        open place
        set shown to container window of place
        set current view of shown to icon view
        set toolbar visible of shown to false
        set statusbar visible of shown to false
        set bounds of shown to {200, 150, 840, 570}
        set settings to icon view options of shown
        set arrangement of settings to not arranged
        set icon size of settings to 128
        set background picture of settings to file ".background:background.png" of place
        set position of item "Sluice.app" of place to {170, 190}
        set position of item "Applications" of place to {470, 190}
        update place without registering applications
        close shown
    end tell
end run
APPLESCRIPT
sync
again hdiutil detach -quiet "$work/volume"
again hdiutil convert -quiet -ov "$work/draft.dmg" -format ULMO -o "$image"
[ -z "${CODESIGN_IDENTITY:-}" ] || codesign --sign "$CODESIGN_IDENTITY" --timestamp "$image"
size_mb=$(($(stat -f %z "$image") / 1000000))
echo "$image: $size_mb MB; at most $LIMIT_MB MB"
[ "$size_mb" -le "$LIMIT_MB" ]
