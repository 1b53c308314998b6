"""What the window costs a stream from a server: tokens per second there, and in a bare client of the same stream."""

import http.client
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from app.controls import Controls, Mode
from app.engine.remote import server_probe
from app.engine.remote.address import reference
from app.engine.remote.request_options import RAW, EndpointCapabilities, body
from app.engine.system_load import others_s
from app.engine.types import Limits, LoadRequest, Sampling, Server
from app.state import Phase
from tests.bench.lengths import length
from tests.bench.machine import TICKS_PER_S
from tests.bench.row import Row
from tests.bench.segments import WANTED_PAIRS, Pair, Ratio, Segment, enough, ratio_of, window_first
from tests.bench.window_stage import Stage
from tests.engine.remote.real import Started, started

TOKENS = length(300, 20)
WORDS = "Tell me a long story about the sea."
NO_END = ((2, -100.0),)
"""The demo model's end token, made so unlikely that it never comes."""
CONTROLS = Controls(mode=Mode.RAW, sampling=Sampling(temperature=0.0, logit_bias=NO_END), limits=Limits(TOKENS), seed=1)
DEMO = Path(__file__).parent.parent.parent / "resources" / "models" / "demo"


def rows() -> list[Row]:
    """A server has its own machine: here it gets a core, and who reads gets the others, with a window or without.

    Where both must share two cores, which the server fills by itself, whatever reading costs is taken from it.
    """
    cores = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []
    apart = _ratio(cores[:1], cores[1:])
    shared = _ratio(cores, cores)
    detail = {**apart.detail(), "on_shared_cores": shared.value}
    return [Row("remote.throughput_ratio", apart.value, detail)]


def _ratio(of_server: Sequence[int], of_reader: Sequence[int]) -> Ratio:
    _keep_to(os.getpid(), of_reader)
    with tempfile.TemporaryDirectory(prefix="sluice-bench-") as home, started(DEMO, Path(home)) as server:
        _keep_to(server.process, of_server)
        models = server_probe.list_models(Server(server.address))
        assert isinstance(models, tuple), models
        model, stage = models[-1].id, Stage()
        stage.open()
        stage.playground.load(LoadRequest(reference(server.address, model)))
        stage.until_phase(Phase.READY)
        stage.send(WORDS, CONTROLS)
        request = stage.playground.request
        assert request is not None
        said = json.dumps(body(request, model, EndpointCapabilities()))
        stage.until_finished()
        found = ratio_of(_pairs(stage, server, said))
        stage.close()
    return found


def _keep_to(process: int, cores: Sequence[int]) -> None:
    """All of its threads, those that are there and those to come. A Mac lets nobody choose."""
    if sys.platform == "linux" and cores:
        for thread in Path(f"/proc/{process}/task").iterdir():
            os.sched_setaffinity(int(thread.name), cores)


def _pairs(stage: Stage, server: Started, said: str) -> list[Pair]:
    pairs: list[Pair] = []
    watch = _Watch(server.process)
    while not enough(pairs, WANTED_PAIRS):
        segments = {}
        for window in (window_first(len(pairs)), not window_first(len(pairs))):
            before = watch.others()
            begun = time.monotonic()
            seconds = _through_the_window(stage) if window else _bare(server.address, said)
            wall = time.monotonic() - begun
            others = watch.others()
            share = None if before is None or others is None else (others - before) / wall
            segments[window] = Segment(TOKENS - 1, seconds, share)
        pairs.append(Pair(bare=segments[False], window=segments[True]))
    return pairs


class _Watch:
    """What the machine did besides this process and the server."""

    def __init__(self, server: int) -> None:
        self._stat = Path(f"/proc/{server}/stat")

    def others(self) -> float | None:
        seconds = others_s()
        if seconds is None:
            return None
        user, system = self._stat.read_text().rpartition(")")[2].split()[11:13]
        return seconds - (int(user) + int(system)) / TICKS_PER_S


def _through_the_window(stage: Stage) -> float:
    """Seconds from the first token to the last."""
    stage.playground.new_session()
    stage.send(WORDS, CONTROLS)
    run = stage.until_finished()
    assert run.finish.tokens == TOKENS, run.finish
    return run.finish.times.last_token - run.finish.times.first_token


def _bare(address: str, said: str) -> float:
    """Nothing is done with a line but to see that it is one."""
    place = urlsplit(address)
    connection = http.client.HTTPConnection(place.netloc)
    connection.request("POST", f"{place.path}{RAW}", said, {"Content-Type": "application/json"})
    arrivals = [time.monotonic() for line in connection.getresponse() if line.startswith(b"data: {")]
    connection.close()
    # The last one are the counts, and the one before it is the end.
    return arrivals[-2] - arrivals[0]
