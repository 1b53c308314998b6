"""Parent's side of a child process that downloads or quantizes: sends requests, reads messages."""

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, BinaryIO, NamedTuple

from app import i18n
from app.files import json_reader
from app.library.types import RetryPolicy
from app.platform.child_process import ChildProcess
from app.platform.startup import FETCH_SWITCH, child_command, child_environment

DETAILS_BYTES = 2_000


class LaunchOptions(NamedTuple):
    command: Sequence[str] = ()
    environment: Mapping[str, str] | None = None
    pace: RetryPolicy = RetryPolicy()


def fetch_command() -> list[str]:
    return spoken_command(FETCH_SWITCH)


def spoken_command(switch: str) -> list[str]:
    """Return the command of a child process, with the language of this program."""
    return [*child_command(switch), *filter(None, [i18n.current_language()])]


class DownloadProcess:
    """A child process that reads and writes lines of JSON; it ends when this program ends."""

    def __init__(self, starting: LaunchOptions) -> None:
        with ExitStack() as stack:
            self._errors: BinaryIO = stack.enter_context(tempfile.TemporaryFile())
            command = starting.command or fetch_command()
            environment = os.environ if starting.environment is None else starting.environment
            self._process = ChildProcess(command, child_environment(environment), self._errors)
            stack.pop_all()  # `end` closes it
        self.pid = self._process.pid

    def messages(self, order: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Send the request and yield the messages, until the process ends or the caller stops."""
        try:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()
            while line := self._process.stdout.readline():
                yield json_reader.parse(line)
        except (OSError, ValueError):  # it was killed in the middle of a line
            return

    def kill(self) -> None:
        self._process.kill()

    def end(self) -> str:
        """Kill and reap the process; return the last part of its standard error."""
        self._process.end()
        self._errors.seek(0)
        details = self._errors.read()[-DETAILS_BYTES:].decode("utf-8", "replace")
        self._errors.close()
        return details
