import time
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Emit, StopFlag, failed_run
from app.engine.templates import process as template_process
from app.engine.templates.process import TemplateEndedError, TemplateProcess, template_command
from app.engine.templates.rendering import Templates
from app.engine.types import Cancellation, ExactPrompt, Failure, Finish, Model, PromptSource, Reason, Request
from app.engine.types.request import LoadRequest
from app.state import Phase
from tests.bridge.playing import QUICK, Player

HANG_S = 60.0
MOMENT_S = 30.0
"""For a busy computer; the template hangs for a minute."""
ENDLESS = "{{ 10 ** (10 ** 10) }}"


class Hanging(EchoEngine):
    """An engine whose template hangs once, at the call that `hangs` names."""

    def __init__(self) -> None:
        super().__init__(QUICK)
        self.hangs = ""
        self.asked: list[str] = []
        self.templates = Templates(lambda: TemplateProcess(template_command(HANG_S)))

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        self.hang("load")
        return Cancellation() if stop.asked else super().load(request, emit, stop)

    def render(self, source: PromptSource) -> ExactPrompt | Failure:
        self.hang("preview")
        return super().render(source)

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        self.hang("run")
        return failed_run(stop, None, Reason.STOPPED) if stop.asked else super().generate(request, emit, stop)

    def close(self) -> None:
        self.templates.close()
        super().close()

    def hang(self, name: str) -> None:
        self.asked.append(name)
        if self.hangs == name:
            self.hangs = ""
            with pytest.raises(TemplateEndedError):
                self.templates.render(ENDLESS, {})


class Hung(Player):
    """A player on such an engine."""

    def __init__(self, qtbot: QtBot) -> None:
        self.engine = Hanging()
        super().__init__(qtbot, lambda _collect: self.engine)

    def hang(self, name: str) -> None:
        """Wait until the template hangs."""
        self.engine.hangs = name
        self.engine.asked.clear()
        if name == "preview":
            self.playground.preview.ask(lambda: "Hello")
        elif name == "run":
            assert self.playground.send("Hello")
        else:
            assert self.playground.load(LoadRequest("demo"))
        self.until(lambda: name in self.engine.asked)


@pytest.fixture
def hung(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hung]:
    monkeypatch.setattr(template_process, "ANSWER_S", HANG_S)
    player = Hung(qtbot)
    try:
        player.load()
        yield player
    finally:
        begun = time.monotonic()
        player.playground.close()
        assert time.monotonic() - begun < MOMENT_S


@pytest.mark.parametrize("at", ["preview", "run", "load"])
def test_playground_with_a_hanging_template_closes(hung: Hung, at: str) -> None:
    """The conftest checks how long that takes."""
    hung.hang(at)


@pytest.mark.parametrize("at", ["run", "load"])
def test_stop_ends_a_run_whose_template_hangs(hung: Hung, at: str) -> None:
    hung.hang(at)
    assert hung.playground.stop()
    hung.until(lambda: hung.state.phase in (Phase.READY, Phase.EMPTY))


def test_send_does_not_wait_for_a_hanging_preview(hung: Hung) -> None:
    hung.hang("preview")
    assert hung.send("Hello").text
