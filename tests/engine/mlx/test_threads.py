import subprocess
import sys
import threading
from pathlib import Path

import pytest

from app.engine.mlx.engine import MlxEngine
from app.engine.types import Limits, Model, RawPrompt, Reason, Request, Sampling
from tests.engine.mlx.asking import ALL_MODELS
from tests.engine.mlx.conftest import Played, Player
from tests.engine.tiers import mostly_slow

PROJECT = Path(__file__).parents[3]
EXITS = 3
"""Number of exits; the bug showed in half of them."""
PROGRAM = """
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


@pytest.mark.parametrize("model", mostly_slow(ALL_MODELS, "tiny_llama"))
def test_engine_works_on_its_own_thread(request: pytest.FixtureRequest, model: str) -> None:
    folder, runs = request.getfixturevalue(model), list[Played]()

    def work() -> None:
        player = Player(MlxEngine(), None)  # type: ignore[arg-type]
        assert isinstance(player.load(folder), Model)
        asked = Request(RawPrompt("Once"), Sampling(temperature=1, seed=4), Limits(8))
        runs.extend((player.play(asked), player.play(asked)))
        player.engine.close()

    for _ in range(2):  # each engine lives and ends on a thread that later engines don't share
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert [each.finish.reason in (Reason.LENGTH, Reason.STOP) for each in runs] == [True] * 4
    assert len({each.text for each in runs}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("attempt", range(EXITS))
def test_engine_close_lets_the_process_exit(llama3_rope: Path, attempt: int) -> None:
    command = [sys.executable, "-c", PROGRAM, str(llama3_rope)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
