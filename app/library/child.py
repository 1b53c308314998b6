"""The parent's side of a child that downloads or quantizes: hands it an order, reads what it says."""

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, BinaryIO, NamedTuple

from app import i18n
from app.files import json_reader
from app.library.types import RetryPolicy
from app.platform.bootstrap import FETCH_SWITCH, child_command, child_environment
from app.platform.child_process import ChildProcess

DETAILS_BYTES = 2_000


class Starting(NamedTuple):
    """How children are started."""

    command: Sequence[str] = ()
    environment: Mapping[str, str] | None = None
    pace: RetryPolicy = RetryPolicy()


def fetch_command() -> list[str]:
    """What starts `app.library.fetch`: it says why a download fails, so it is told the language."""
    return spoken_command(FETCH_SWITCH)


def spoken_command(switch: str) -> list[str]:
    """What starts a child that has something to say, in the language of this program."""
    return [*child_command(switch), *filter(None, [i18n.spoken()])]


class Child:
    """One child process that takes orders and answers in lines of JSON; it leaves when this program ends."""

    def __init__(self, starting: Starting) -> None:
        with ExitStack() as stack:
            self._errors: BinaryIO = stack.enter_context(tempfile.TemporaryFile())
            command = starting.command or fetch_command()
            environment = os.environ if starting.environment is None else starting.environment
            self._process = ChildProcess(command, child_environment(environment), self._errors)
            stack.pop_all()  # `end` closes it
        self.pid = self._process.pid

    def messages(self, order: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Hand over the order and wait for what is said, to the end of the process or until enough is heard."""
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
        """Kill and reap it. Returns the last that it wrote on its standard error."""
        self._process.end()
        self._errors.seek(0)
        details = self._errors.read()[-DETAILS_BYTES:].decode("utf-8", "replace")
        self._errors.close()
        return details
