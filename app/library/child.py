"""The parent's side of a child process: starts it, hands it an order, reads what it says, kills it."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, BinaryIO, NamedTuple

from app import json_reader, words
from app.launch import FETCH_SWITCH, child_command, child_environment
from app.library.types import Pace

DETAILS_BYTES = 2_000


class Starting(NamedTuple):
    """How children are started."""

    command: Sequence[str] = ()
    environment: Mapping[str, str] | None = None
    pace: Pace = Pace()


def fetch_command() -> list[str]:
    """What starts `app.library.fetch`: it says why a download fails, so it is told the language."""
    return spoken_command(FETCH_SWITCH)


def spoken_command(switch: str) -> list[str]:
    """What starts a child that has something to say, in the language of this program."""
    return [*child_command(switch), *filter(None, [words.spoken()])]


class Child:
    """One child process; it dies with this program, and when it is told to."""

    def __init__(self, starting: Starting) -> None:
        with ExitStack() as stack:
            self._errors: BinaryIO = stack.enter_context(tempfile.TemporaryFile())
            self._process = subprocess.Popen(
                list(starting.command) or fetch_command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=child_environment(os.environ if starting.environment is None else starting.environment),
                start_new_session=True,
            )
            stack.pop_all()  # closed when the child has ended

    def messages(self, order: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Hand over the order and wait for what is said, to the end of the process or until enough is heard."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()
            while line := self._process.stdout.readline():
                yield json_reader.parse(line)
        except (OSError, ValueError):  # it was killed at an unlucky moment
            return

    def kill(self) -> None:
        """Stop it now; nothing that it could do in its last moments would be missed."""
        self._process.kill()

    def end(self) -> str:
        """Wait until it is gone; the last that it wrote on its errors."""
        for pipe in (self._process.stdout, self._process.stdin):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:  # what was still to be written has no reader
                pass
        self._process.wait()
        self._errors.seek(0)
        details = self._errors.read()[-DETAILS_BYTES:].decode("utf-8", "replace")
        self._errors.close()
        return details
