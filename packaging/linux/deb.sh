#!/usr/bin/env bash
# deb.sh [FOLDER]: makes a Debian package of the frozen program that `make app` left in dist/sluice:
# sluice_VERSION_amd64.deb in FOLDER, or in dist.
set -euo pipefail
cd "$(dirname "$0")/../.."

leave() {
    printf '%s\n' "$1" >&2
    exit 1
}

readonly LINUX=packaging/linux
readonly FOLDER=${1:-dist}
# What Qt links against; PyInstaller bundles those of them that the build machine has. The C library is its own or newer.
glibc=$(getconf GNU_LIBC_VERSION)
readonly DEPENDS="libc6 (>= ${glibc#glibc }), libstdc++6, libgl1, libegl1, libdbus-1-3, libfontconfig1, libfreetype6,
 libglib2.0-0 | libglib2.0-0t64, libwayland-client0, libwayland-cursor0, libwayland-egl1, libx11-6, libx11-xcb1, libxcb1,
 libxcb-cursor0, libxcb-icccm4, libxcb-image0, libxcb-keysyms1, libxcb-randr0, libxcb-render-util0, libxcb-render0,
 libxcb-shape0, libxcb-shm0, libxcb-sync1, libxcb-util1, libxcb-xfixes0, libxcb-xkb1, libxkbcommon0, libxkbcommon-x11-0,
 hicolor-icon-theme, shared-mime-info"

[ -x dist/sluice/sluice ] || leave "There is no dist/sluice: run make app first."
command -v dpkg-deb >/dev/null || leave "dpkg-deb is missing: sudo apt-get install dpkg"
version=$(dist/sluice/sluice --version)
version=${version#Sluice }
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

put() { # put FILE FOLDER [NAME]
    install -D -m 644 "$1" "$root/$2/${3:-$(basename "$1")}"
}

mkdir -p "$root/usr/lib" "$root/usr/bin" "$root/DEBIAN"
cp -R dist/sluice "$root/usr/lib/sluice"
rm "$root/usr/lib/sluice/install.sh" # for a folder in the user's home
printf '#!/bin/sh\nexec /usr/lib/sluice/share/preload.sh /usr/lib/sluice/sluice "$@"\n' >"$root/usr/bin/sluice"
chmod 755 "$root/usr/bin/sluice"
chmod -R go=rX "$root/usr"
put $LINUX/sluice.desktop usr/share/applications
put $LINUX/sluice.xml usr/share/mime/packages
put $LINUX/org.example.sluice.metainfo.xml usr/share/metainfo
put LICENSE usr/share/doc/sluice copyright
for file in resources/icons/sluice-*.png; do
    size=${file##*-}
    put "$file" "usr/share/icons/hicolor/${size%.png}x${size%.png}/apps" sluice.png
done
cat >"$root/DEBIAN/control" <<CONTROL
Package: sluice
Version: $version
Architecture: amd64
Maintainer: The Sluice authors <noreply@sluice.example>
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Section: science
Priority: optional
Depends: $DEPENDS
Recommends: libopenblas0-pthread
Homepage: https://sluice.example
Description: playground for local language models
 Runs language models with MLX on this computer, and shows every token: its
 probability, its alternatives, its latency, the exact prompt and the KV cache.
CONTROL
dpkg-deb --root-owner-group -Zzstd --build "$root" "$FOLDER/sluice_${version}_amd64.deb"
