"""The stack of the engine thread, and model files that are nested too deeply for a small one."""

import shutil
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

import pytest
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from app.bridge.runner import STACK_BYTES
from app.engine.echo.engine import EchoEngine
from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import Collect, Engine, StopFlag
from app.engine.types import ChatPrompt, Event, Failure, Finish, Limits, LoadRequest, Message, Model, Request, Role
from tests.bridge.playing import playing
from tests.bridge.stack import own_stack_bytes

MAC_BYTES = 512 << 10
"""The default of macOS."""
DEEP = 5_000
REQUEST = Request(ChatPrompt((Message(Role.USER, "Hello"),)), limits=Limits(max_tokens=4))


def test_engine_thread_has_a_16_mb_stack(qtbot: QtBot) -> None:
    told: SimpleQueue[int] = SimpleQueue()

    def make(collect: Collect) -> Engine:
        told.put(own_stack_bytes())
        return EchoEngine()

    with playing(qtbot, factory=make) as player:
        player.load()
    assert told.get() >= STACK_BYTES == 16 << 20


class SmallThread(QThread):
    """Does one thing on a stack of a Mac's default size."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__()
        self._work = work
        self.setStackSize(MAC_BYTES)

    def run(self) -> None:
        self._work()


def append(file: Path, deep: str) -> None:
    head, _, _ = file.read_text("utf-8").rpartition("}")
    file.write_text(f'{head}, "deep": {deep}}}', "utf-8")


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "tokenizer_config.json", "chat_template.jinja"])
def test_engine_on_a_small_stack_refuses_deeply_nested_files(demo_model: Path, tmp_path: Path, name: str) -> None:
    """The load or the run refuses them in a sentence."""
    folder = tmp_path / "deep"
    shutil.copytree(demo_model, folder)
    if name.endswith(".json"):
        append(folder / name, "[" * DEEP + "]" * DEEP)
    else:
        (folder / name).write_text("{{ " + "(" * DEEP + "1" + ")" * DEEP + " }}", "utf-8")
    ended: list[Model | Failure | Finish | object] = []

    def work() -> None:
        engine = MlxEngine()
        model = engine.load(LoadRequest(str(folder), None), _ignore, StopFlag())
        ended.append(engine.generate(REQUEST, _ignore, StopFlag()).failure if isinstance(model, Model) else model)
        engine.close()

    thread = SmallThread(work)
    thread.start()
    assert thread.wait(60_000)
    (failure,) = ended
    assert isinstance(failure, Failure) and failure.what


def _ignore(event: Event) -> None:
    """Nobody watches."""
