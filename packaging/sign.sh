#!/usr/bin/env bash
# Signs dist/Sluice.app, wraps it up and has Apple notarize that. Only on a Mac where nobody else's code runs: nothing is
# built here, and nothing of the program is started.
# CERTIFICATE (PKCS 12 as base64) and CERTIFICATE_PASSWORD sign; NOTARY_KEY, NOTARY_KEY_ID and NOTARY_ISSUER notarize.
set -euo pipefail
cd "$(dirname "$0")/.."
umask 077

readonly APP=dist/Sluice.app
readonly ENTITLEMENTS=packaging/entitlements.plist
work=$(mktemp -d)
readonly work
readonly KEYCHAIN=$work/sign.keychain-db

leave() {
    security delete-keychain "$KEYCHAIN" || true
    rm -rf "$work"
}
trap leave EXIT

import_certificate() {
    local password identity
    password=$(head -c 24 /dev/urandom | base64)
    printf %s "$CERTIFICATE" | base64 --decode >"$work/certificate.p12"
    security create-keychain -p "$password" "$KEYCHAIN"
    security set-keychain-settings -lut 21600 "$KEYCHAIN"
    security unlock-keychain -p "$password" "$KEYCHAIN"
    security import "$work/certificate.p12" -k "$KEYCHAIN" -P "$CERTIFICATE_PASSWORD" -T /usr/bin/codesign
    security set-key-partition-list -S apple-tool:,apple:,codesign: -s -k "$password" "$KEYCHAIN" >/dev/null
    # shellcheck disable=SC2046 # one word for each keychain
    security list-keychains -d user -s "$KEYCHAIN" $(security list-keychains -d user | tr -d '"')
    rm "$work/certificate.p12"
    identity=$(security find-identity -v -p codesigning "$KEYCHAIN" |
        awk -F'"' '/Developer ID Application/ {print $2; exit}')
    CODESIGN_IDENTITY=${identity:?The certificate is no Developer ID Application}
    export CODESIGN_IDENTITY
}

sign() {
    codesign --force --timestamp --options runtime --entitlements "$ENTITLEMENTS" --sign "$CODESIGN_IDENTITY" "$@"
}

sign_app() { # each binary, then what holds them, as PyInstaller does where it has the identity itself
    local file
    while IFS= read -r -d '' file; do
        case $(file -b "$file") in
        *Mach-O*) sign "$file" ;;
        esac
    done < <(find "$APP" -type f -print0)
    sign --deep "$APP"
    codesign --verify --deep --strict --verbose=2 "$APP"
}

notarize() {
    printf %s "$NOTARY_KEY" >"$work/key.p8"
    xcrun notarytool submit "$1" --key "$work/key.p8" --key-id "$NOTARY_KEY_ID" --issuer "$NOTARY_ISSUER" \
        --wait --timeout 30m
    rm "$work/key.p8"
    xcrun stapler staple "$1"
    spctl -a -t open --context context:primary-signature -vv "$1"
}

import_certificate
sign_app
packaging/dmg.sh
[ -z "${NOTARY_KEY:-}" ] || notarize dist/Sluice-*.dmg
