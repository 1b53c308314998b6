"""Busy processes that load all processors."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

BUSY = """
import os, sys
while os.getppid() == int(sys.argv[1]):
    sum(range(1_000_000))
"""
"""Ends when its parent ends."""


@contextmanager
def busy(processors: int = 1) -> Iterator[None]:
    """Run this many busy processes."""
    with ExitStack() as programs:
        for _ in range(processors):
            program = programs.enter_context(subprocess.Popen([sys.executable, "-c", BUSY, str(os.getpid())]))
            programs.callback(program.kill)
        yield
