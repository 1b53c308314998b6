"""One permanent thread owns the engine: all works off the main thread, and the process exits cleanly."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import Event, Finish, Limits, LoadRequest, Model, RawPrompt, Reason, Request, Sampling, Token
from tests.engine.tiers import mostly_slow

PROJECT = Path(__file__).parents[3]
EXITS = 3
"""Exits for each way; the bug showed in half of them."""

LEAVE = """
import sys, threading
from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import Limits, LoadRequest, RawPrompt, Request

def work():
    engine = MlxEngine()
    engine.load(LoadRequest(sys.argv[1]), lambda event: None, StopFlag())
    stop = StopFlag()
    engine.generate(Request(RawPrompt("Once"), limits=Limits(400)), lambda event: stop.ask(), stop)
    engine.close()

thread = threading.Thread(target=work)
thread.start()
thread.join()
"""


class Stage:
    """The results of an engine on its own thread."""

    def __init__(self) -> None:
        self.model: object = None
        self.finishes: list[Finish] = []
        self.texts: list[str] = []

    def play(self, folder: Path) -> None:
        engine = MlxEngine()
        self.model = engine.load(LoadRequest(str(folder)), lambda event: None, StopFlag())
        for _ in range(2):
            events: list[Event] = []
            request = Request(RawPrompt("Once"), Sampling(temperature=1, seed=4), Limits(8))
            self.finishes.append(engine.generate(request, events.append, StopFlag()))
            self.texts.append("".join(event.text for event in events if isinstance(event, Token)))
        engine.close()


@pytest.mark.parametrize(
    "model", mostly_slow(["tiny_llama", "llama3_rope", "sliding_window", "recurrent"], "tiny_llama")
)
def test_engine_works_on_its_own_thread(request: pytest.FixtureRequest, model: str) -> None:
    folder = request.getfixturevalue(model)
    stages = [Stage(), Stage()]
    for stage in stages:  # each engine lives and dies on a thread that later engines do not share
        thread = threading.Thread(target=stage.play, args=(folder,))
        thread.start()
        thread.join()
    for stage in stages:
        assert isinstance(stage.model, Model)
        assert {finish.reason for finish in stage.finishes} <= {Reason.LENGTH, Reason.STOP}
    assert len({text for stage in stages for text in stage.texts}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("attempt", range(EXITS))
def test_engine_close_lets_the_process_exit(llama3_rope: Path, attempt: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEAVE, str(llama3_rope)], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
