"""A scripted engine that answers with what was said, and whose model has any name."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from app.engine.echo.engine import EchoEngine
from app.engine.echo.script import SPECIAL, ScriptedToken, pieces
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Cancellation, ChatPrompt, ExactPrompt, Failure, LoadRequest, Model, RawPrompt, Request
from tests.ui.desk import QUICK

ROOM = 1_000_000
PLAIN = 9
"""An id that means nothing."""
REFUSED = "refused "
"""A model whose name begins so can't be opened, and the failure quotes it."""


class Parrot(EchoEngine):
    """Repeats the last words of the user. `name` is that of every model."""

    def __init__(self, name: str = "parrot") -> None:
        super().__init__(replace(QUICK, context=ROOM))
        self._name = name

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        if request.model.startswith(REFUSED):
            return Failure(f"“{request.model}” can't be opened.", request.model, request.model, request.model)
        return super().load(request, emit, stop)

    def _script(self, request: Request, prompt: ExactPrompt) -> Iterator[ScriptedToken]:
        source = request.prompt
        if isinstance(source, ChatPrompt):
            return self._remember_tokens(_as_text(source.messages[-1].text), request.observe)
        return self._remember_tokens(_as_text(source.text if isinstance(source, RawPrompt) else ""), request.observe)

    def _model(self, request: LoadRequest) -> Model:
        return replace(super()._model(request), name=self._name, folder=Path("/nowhere") / self._name)


def _as_text(text: str) -> Iterator[ScriptedToken]:
    """What looks like a special token is written as ordinary text."""
    return (replace(piece, id=PLAIN) if piece.id in SPECIAL.values() else piece for piece in pieces(text))
