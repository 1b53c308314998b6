"""Owner of a child process: starts it, kills it together with its own children, and reaps it."""

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO


class ChildProcess:
    """A child process in its own session, with pipes to its standard input and from its standard output.

    The owner must call `end`. Any thread may call the methods. Raises OSError if the process can't be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        stderr: int | IO[bytes] = subprocess.DEVNULL,
        folder: str | None = None,
    ) -> None:
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self.pid, self.stdin, self.stdout = self._process.pid, self._process.stdin, self._process.stdout
        self._lock = threading.Lock()
        self._is_killed = False

    def kill(self) -> None:
        """Send SIGKILL to the process and its own children, which have nothing to clean up.

        Only the first call does so, before the process is reaped: later its id may be another process's.
        """
        with self._lock:
            if not self._is_killed:
                self._is_killed = True
                with suppress(ProcessLookupError, PermissionError):  # macOS raises an error if only a zombie is left
                    os.killpg(self.pid, signal.SIGKILL)

    def end(self) -> int:
        """Kill the process, reap it and close its pipes. Return its exit code, or the negative signal that ended it.

        There is no timeout, since SIGKILL can't be ignored. Only uninterruptible I/O can delay it: don't call this on
        the UI thread.
        """
        self.kill()
        code = self._process.wait()
        for pipe in (self.stdin, self.stdout):
            with suppress(OSError):  # pending output has no reader
                pipe.close()
        return code
