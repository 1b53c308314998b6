#!/usr/bin/env bash
# Step: which machine this is. Nothing of whose it is: no name, no serial number.
set -uo pipefail
# shellcheck source=/dev/null
. packaging/mac_check/facts.sh

of_a_mac() {
    local name
    told "macOS" "$(sw_vers -productVersion) ($(sw_vers -buildVersion))"
    for name in machdep.cpu.brand_string hw.model hw.perflevel0.physicalcpu hw.perflevel1.physicalcpu; do
        told "$name" "$(sysctl -n "$name" 2>/dev/null)"
    done
    told "memory" "$(($(sysctl -n hw.memsize) / 1048576))" MB
    told "GPU memory at most" "$(sysctl -n iogpu.wired_limit_mb 2>/dev/null)" "MB (0: as macOS has it)"
    told "power" "$(pmset -g batt | head -n 1)"
    told "slowed down by heat" "$(pmset -g therm | grep -i -c 'CPU_Speed_Limit')"
    told "low power mode" "$(pmset -g | awk '/lowpowermode/ {print $2}')"
    told "languages" "$(defaults read -g AppleLanguages 2>/dev/null | tr -d '\n')"
    told "appearance" "$(defaults read -g AppleInterfaceStyle 2>/dev/null || echo Light)"
    told "Tab reaches everything (2: yes)" "$(defaults read -g AppleKeyboardUIMode 2>/dev/null || echo 'not set')"
    # Only these lines: a screen has a serial number too.
    told "screens" "$(system_profiler SPDisplaysDataType 2>/dev/null | grep -E 'Resolution|Retina|Metal|Total Number of Cores')"
    told "command line tools" "$(pkgutil --pkg-info com.apple.pkg.CLTools_Executables 2>/dev/null | awk '/version/ {print $2}')"
}

of_linux() {
    told "system" "$(uname -sr)"
    told "C library" "$(getconf GNU_LIBC_VERSION)"
    told "processor" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
    told "cores" "$(getconf _NPROCESSORS_ONLN)"
    told "memory" "$(awk '/MemTotal/ {print int($2 / 1024)}' /proc/meminfo)" MB
}

of_any() {
    told "architecture" "$(uname -m)"
    told "busy before" "$(uptime | sed 's/.*averages*: *//')" "jobs in 1, 5 and 15 minutes"
    told "free on this disk" "$(df -m . | awk 'END {print $(NF - 2)}')" MB
    told "bash" "$BASH_VERSION"
    told "make" "$(make --version 2>/dev/null | head -n 1)"
    told "compiler" "$(c++ --version 2>/dev/null | head -n 1)"
    told "uv" "$(uv --version 2>/dev/null || echo none)"
    told "Sluice" "$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' app/__init__.py), $(git log -1 --format=%h 2>/dev/null)"
}

if on_mac; then of_a_mac; else of_linux; fi
of_any
