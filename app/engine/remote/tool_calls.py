"""The calls of tools in a server's answer, put together from their pieces: none is believed to be in order."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from app.engine.remote.chunk import CallPart
from app.engine.tools import LONGEST_CALL, MOST_CALLS, call_of, too_long
from app.engine.types import ToolCall
from app.files.json_values import clean
from app.i18n import tr


@dataclass(slots=True)
class _Call:
    index: int | None
    id: str
    name: str = ""
    arguments: str = ""

    def add(self, part: CallPart) -> None:
        """Enough of it to see that it is too long."""
        self.id = self.id or part.id
        self.name = (self.name + part.name)[: LONGEST_CALL + 1]
        self.arguments = (self.arguments + part.arguments)[: LONGEST_CALL + 1]

    def is_other(self, part: CallPart) -> bool:
        """Whether this piece begins another call. Some servers give no index, or all calls the same."""
        return bool(part.name) and (part.index is None or bool(self.id and part.id and part.id != self.id))


class ToolCalls:
    """`redact` takes out the server's key."""

    def __init__(self, redact: Callable[[str], str]) -> None:
        self._redact = redact
        self._calls: list[_Call] = []
        """One more than are told takes in all that is too much."""

    def see(self, parts: Iterable[CallPart]) -> None:
        for part in parts:
            if part.name or part.arguments:
                self._of(part).add(part)

    def read(self) -> tuple[ToolCall, ...]:
        """All calls of an answer that has ended."""
        return tuple(self._read(call) for call in self._calls[:MOST_CALLS])

    def _of(self, part: CallPart) -> _Call:
        same = (each for each in reversed(self._calls) if part.index in (None, each.index))
        known = next(same, None)
        if known is not None and not known.is_other(part):
            return known
        if len(self._calls) <= MOST_CALLS:
            self._calls.append(_Call(part.index, part.id))
        return self._calls[-1]

    def _read(self, call: _Call) -> ToolCall:
        name, arguments = self._redact(call.name), self._redact(call.arguments)
        # A name alone might be a word of what was said before.
        text = clean(self._redact(call.name + call.arguments)) if arguments else ""
        if len(call.name) + len(call.arguments) > LONGEST_CALL:
            return too_long(text)
        try:
            read = call_of({"name": name, "arguments": arguments}, text)
        except ValueError as error:
            why = tr("The server's call can't be read: {why}").format(why=self._redact(str(error))[:200])
            return ToolCall("", "{}", text, why)
        return replace(read, arguments=self._redact(read.arguments))  # read, it may spell what was escaped
