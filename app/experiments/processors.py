"""How much of the processors other programs had while something was measured, where the system tells it."""

from __future__ import annotations

import ctypes
import os
import sys
import time
from functools import cache
from pathlib import Path

from app.experiments.types import Outcome, Result
from app.figures import PERCENT, two_digits
from app.words import tr

STAT = Path("/proc/stat")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
LOAD_INFO = 3
"""HOST_CPU_LOAD_INFO of mach/host_info.h: ticks of user, system, idle and nice."""
TOLD_SHARE, TOLD_PROCESSORS = 0.1, 0.5
"""From a tenth of all processors on, or half of one, it is told."""


def others_s() -> float | None:
    """Seconds of all processors that went to anything but this program; only their difference means anything."""
    try:
        busy = _busy_mac() if sys.platform == "darwin" else _busy_linux()
    except (OSError, ValueError, AttributeError):
        return None
    return None if busy is None else busy / TICKS_PER_S - time.process_time()


def share_of_others(*runs: Result) -> float | None:
    """Of all processors' time while these runs went on; None where the system did not tell."""
    known = [(run.others, run.finish.times.ended - run.finish.times.sent) for run in runs if run.others is not None]
    seconds = sum(took for _, took in known) * (os.cpu_count() or 1)
    return min(1.0, max(0.0, sum(had for had, _ in known) / seconds)) if seconds > 0 else None


def told_of_others(outcome: Outcome) -> str:
    """A sentence that names the rounds in which others had the machine; empty: none, or nobody knows."""
    rounds = sorted({run.round for run in outcome.results})
    shares = {at: share_of_others(*(run for run in outcome.results if run.round == at)) for at in rounds}
    least = min(TOLD_SHARE, TOLD_PROCESSORS / (os.cpu_count() or 1))
    busy = {at: share for at, share in shares.items() if share is not None and share >= least}
    if not busy:
        return ""
    low, high = (two_digits(100 * end(busy.values())) for end in (min, max))
    share = PERCENT.format(number=low if low == high else tr("{low} to {high}").format(low=low, high=high))
    said = tr("Other programs had {share} of the processors in every round.")
    if len(busy) < len(rounds):
        said = tr(
            "Other programs had {share} of the processors in %n of {all} rounds ({rounds}).",
            "Other programs had {share} of the processors in %n of {all} rounds ({rounds}).",
            len(busy),
        )
    return said.format(share=share, all=len(rounds), rounds=", ".join(map(str, busy)))


def _busy_linux() -> float | None:
    with STAT.open(encoding="ascii") as file:
        user, nice, system, _idle, _waiting, *rest = map(int, file.readline().split()[1:9])
    return user + nice + system + sum(rest)


def _busy_mac() -> float | None:
    ticks, count = (ctypes.c_uint32 * 4)(), ctypes.c_uint32(4)
    if ctypes.CDLL(None).host_statistics(_host(), LOAD_INFO, ticks, ctypes.byref(count)):
        return None
    user, system, _idle, nice = ticks
    return user + system + nice


@cache
def _host() -> ctypes.c_uint32:
    """Asked once: each answer is one more reference to it."""
    ask = ctypes.CDLL(None).mach_host_self
    ask.restype = ctypes.c_uint32
    return ctypes.c_uint32(ask())
