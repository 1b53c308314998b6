"""Servers that attack, each in a process of its own: what an attack costs them is not told as the window's."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def attacker(module: str, kind: str) -> Iterator[str]:
    """Its address, which is the first line that it says."""
    command = [sys.executable, "-m", module, kind]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            yield child.stdout.readline().strip()
        finally:
            child.kill()
