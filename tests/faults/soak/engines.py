"""What the random user's models are: the scripted engine under two names, and real ones where they are wanted."""

from pathlib import Path
from random import Random

from app.bridge.worker import EngineFactory
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.engines import Engines
from app.engine.protocol import Collect, Emit, Engine, StopFlag
from app.engine.types import Cancellation, Failure, LoadRequest, Model
from tests.faults.soak.texts import ANSWERS, REASONING

SCRIPTED = ("echo", "another echo")
BROKEN = "no such model"


class Scripted(EchoEngine):
    """Refuses one name, as a folder that is gone would be refused."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        if request.model == BROKEN:
            return Failure("“no such model” is no model.", "Choose another one.", kind="gone")
        return super().load(request, emit, stop)


def scripted(random: Random) -> EchoEngine:
    """With a pace and manners that the seed decides."""
    return Scripted(
        EchoOptions(
            replies=tuple(random.sample(ANSWERS, k=4)),
            reasoning=random.choice(("", REASONING)),
            tokens_per_second=random.choice((0.0, 200.0, 1000.0)),
            prefill_per_second=random.choice((0.0, 5_000.0)),
            load_seconds=random.choice((0.0, 0.05)),
            context=random.choice((300, 2048, 20_000)),
            draft_every=random.choice((0, 3)),
            draft_misses=random.choice((0, 2)),
            run_failure=random.choice((None, None, Failure("The script broke off.", "Try again.", kind="script"))),
            fails_after=40,
        )
    )


def factory(random: Random, real: bool) -> EngineFactory:
    """`real`: folders are opened by mlx, names by the script."""

    def make(collect: Collect) -> Engine:
        if not real:
            return scripted(random)
        from app.engine.mlx.engine import MlxEngine

        here = MlxEngine(collect)
        return Engines(here, lambda: scripted(random), lambda name: not Path(name).is_absolute())

    return make
