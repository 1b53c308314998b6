"""The one owner of a child process: starts it, kills it together with its own children, and reaps it."""

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO


class ChildProcess:
    """A child process in a session of its own, with a pipe to its standard input and one from its standard output.

    Its owner has to call `end`. The methods may be called on any thread. Raises OSError if it can't be started.
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
        """Send SIGKILL to it and to its own children. Nothing that they could do in their last moments is needed.

        Only the first call does so, and always before the process is reaped: later its id may be another process's.
        """
        with self._lock:
            if not self._is_killed:
                self._is_killed = True
                with suppress(ProcessLookupError, PermissionError):  # macOS refuses where only a zombie is left
                    os.killpg(self.pid, signal.SIGKILL)

    def end(self) -> int:
        """Kill it, reap it and close its pipes. Returns its exit code, or the negative signal that ended it.

        There is no deadline, since SIGKILL can't be ignored. Only uninterruptible IO can delay it: don't call this on
        the UI thread.
        """
        self.kill()
        code = self._process.wait()
        for pipe in (self.stdin, self.stdout):
            with suppress(OSError):  # the rest of what was written has no reader
                pipe.close()
        return code
