"""What the window costs a stream from a server: tokens per second there, and in a bare client of the same stream."""

from __future__ import annotations

import http.client
import json
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from app.bridge.state import Controls, Mode, Phase
from app.engine.remote import directory
from app.engine.remote.address import reference
from app.engine.remote.asking import RAW, Way, body
from app.engine.types import Limits, LoadRequest, Sampling, Server
from tests.bench.pairing import compare
from tests.bench.row import Row
from tests.bench.window_stage import Stage
from tests.engine.remote.real import serving

PAIRS = 16
TOKENS = 300
WORDS = "Tell me a long story about the sea."
NO_END = ((2, -100.0),)
"""The demo model's end token, made so unlikely that it never comes."""
CONTROLS = Controls(mode=Mode.RAW, sampling=Sampling(temperature=0.0, logit_bias=NO_END), limits=Limits(TOKENS), seed=1)
DEMO = Path(__file__).parent.parent.parent / "resources" / "models" / "demo"


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="sluice-bench-") as home, serving(DEMO, Path(home)) as address:
        models = directory.list_models(Server(address))
        assert isinstance(models, tuple), models
        model, stage = models[-1].id, Stage()
        stage.open()
        stage.playground.load(LoadRequest(reference(address, model)))
        stage.until_phase(Phase.READY)
        stage.send(WORDS, CONTROLS)
        said = _body(model, stage)
        stage.until_finished()
        compared = compare(lambda: _through_the_window(stage), lambda: _bare(address, said), PAIRS)
        stage.close()
    return [Row("remote.throughput_ratio", compared.median, "ratio", 0.97, "higher", compared.detail())]


def _body(model: str, stage: Stage) -> str:
    """What the window's own run asks for."""
    request = stage.playground.request
    assert request is not None
    return json.dumps(body(request, model, Way()))


def _through_the_window(stage: Stage) -> float:
    stage.playground.new_session()
    stage.send(WORDS, CONTROLS)
    run = stage.until_finished()
    assert run.finish.tokens == TOKENS and run.summary.figures.speed_mean is not None, run.finish
    return run.summary.figures.speed_mean


def _bare(address: str, said: str) -> float:
    """Nothing is done with a line but to see that it is one."""
    place = urlsplit(address)
    connection = http.client.HTTPConnection(place.netloc)
    connection.request("POST", f"{place.path}{RAW}", said, {"Content-Type": "application/json"})
    arrivals = [time.monotonic() for line in connection.getresponse() if line.startswith(b"data: {")]
    connection.close()
    # The last two are the end and the counts.
    return (TOKENS - 1) / (arrivals[-2] - arrivals[0])
