#!/usr/bin/env bash
# Makes .venv for CUDA 13 and checks Sluice on the GPU in 8 minutes: gpu-check.json and gpu-check.md.
# WHEELS names a folder with all wheels of the lock, for a machine without a network.
# usage: gpu_check.sh [--minutes N] [--into FOLDER] [--real FOLDER OF SMOLLM2] [--cpu]
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -n "${WHEELS:-}" ]; then
    export UV_OFFLINE=1 UV_FIND_LINKS=$WHEELS PIP_NO_INDEX=1 PIP_FIND_LINKS=$WHEELS
fi
case " $* " in
*" --cpu "*) packaging/setup.sh && exec packaging/linux/preload.sh .venv/bin/python -m tests.gpu_check "$@" ;;
esac
BACKEND=${BACKEND:-cuda13} packaging/setup.sh
exec .venv/bin/python -m tests.gpu_check "$@"
