#!/bin/sh
# Starts a program with the system's OpenBLAS, where it is installed. Sluice without it starts itself over with it
# (app/platform/startup.py), and then takes what is set here out again: this way it starts once.
for folder in /usr/lib/x86_64-linux-gnu /usr/lib64 /usr/lib /usr/local/lib; do
    for name in libopenblasp.so.0 libopenblas.so.0; do
        if [ -f "$folder/$name" ] && [ -z "${SLUICE_STARTED_OVER:-}" ]; then
            export SLUICE_STARTED_OVER=1 LD_PRELOAD="$folder/$name${LD_PRELOAD:+:$LD_PRELOAD}"
        fi
    done
done
exec "$@"
