#!/usr/bin/env bash
# Puts this folder's Sluice into the user's menu, with its icon and its kind of file. With --remove it takes it out again.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)

readonly DATA=${XDG_DATA_HOME:-$HOME/.local/share}
readonly BIN=$HOME/.local/bin

if [ "${1:-}" = --remove ]; then
    rm -f "$BIN/sluice" "$DATA/applications/sluice.desktop" "$DATA/mime/packages/sluice.xml" \
        "$DATA"/icons/hicolor/*/apps/sluice.png
else
    mkdir -p "$BIN" "$DATA/applications" "$DATA/mime/packages"
    ln -sf "$here/sluice" "$BIN/sluice"
    # The menu may not look into the user's own bin: the program is named in full. A % would stand for a file there.
    while IFS= read -r line; do
        case $line in
        Exec=sluice*) line="Exec=\"${here//%/%%}/share/preload.sh\" \"${here//%/%%}/sluice\"${line#Exec=sluice}" ;;
        TryExec=*) line=TryExec=$here/sluice ;;
        esac
        printf '%s\n' "$line"
    done <"$here/share/sluice.desktop" >"$DATA/applications/sluice.desktop"
    cp "$here/share/sluice.xml" "$DATA/mime/packages/"
    for file in "$here"/_internal/resources/icons/sluice-*.png; do
        size=${file##*-}
        place=$DATA/icons/hicolor/${size%.png}x${size%.png}/apps
        mkdir -p "$place"
        cp "$file" "$place/sluice.png"
    done
fi
# Desktops notice by themselves sooner or later; these make it sooner, where they are.
update-desktop-database "$DATA/applications" 2>/dev/null || true
update-mime-database "$DATA/mime" 2>/dev/null || true
