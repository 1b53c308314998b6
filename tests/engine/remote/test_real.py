import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.remote import server_probe
from app.engine.remote.answer import Timeouts
from app.engine.remote.engine import RemoteEngine
from app.engine.types import Event, LoadRequest, Model, Reason, Request, Sampling, Server
from app.serving import hosts
from tests.engine.remote.playing import Played, chat, opened, play, raw
from tests.engine.remote.real import SCRIPTS, serving, widened

pytestmark = pytest.mark.slow

QUESTIONS = (
    *("What is a token?", "Why does a model stop?", "Count to five.", "Say hello.", "한국어로 인사해 주세요."),
    *("Wie heißt du?", "def add(a, b):", "A wave 🌊 breaks", "A", "Once upon a time"),
)
TOKENS, FEW = 10, 5
NEAR = 1e-3


@pytest.fixture(scope="module")
def wide_model(demo_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return widened(demo_model, tmp_path_factory.mktemp("wide") / "demo")


@pytest.fixture(scope="module")
def address(wide_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(wide_model, tmp_path_factory.mktemp("home")) as address:
        yield address


@pytest.fixture(scope="module")
def here(wide_model: Path) -> MlxEngine:
    engine = MlxEngine()
    assert isinstance(engine.load(LoadRequest(str(wide_model)), lambda _: None, StopFlag()), Model)
    return engine


@pytest.fixture
def there(address: str) -> RemoteEngine:
    return open_at(address)


def open_at(address: str) -> RemoteEngine:
    models = server_probe.list_models(Server(address))
    assert isinstance(models, tuple)
    return opened(address, models[-1].id, Timeouts())[0]


@pytest.mark.parametrize("kind", ["chat", "raw"])
def test_real_server_gives_the_same_text(here: MlxEngine, there: RemoteEngine, kind: str) -> None:
    for words in QUESTIONS:
        request = chat(words, tokens=TOKENS) if kind == "chat" else raw(words, tokens=TOKENS)
        mine, theirs = play(here, request), play(there, request)
        assert theirs.finish.failure is None
        # The server drops a leading space.
        assert theirs.shown() == (mine.shown() if kind == "chat" else mine.shown().removeprefix(" "))
        assert (theirs.finish.reason, theirs.finish.tokens) == (mine.finish.reason, mine.finish.tokens)
        assert theirs.finish.reused + theirs.finish.new == len(mine.prompted.prompt.ids)


@pytest.mark.parametrize("request_", [chat("What is a seed?", tokens=6, observe=5), raw("Once", tokens=6, observe=5)])
def test_real_server_gives_the_same_alternatives(here: MlxEngine, there: RemoteEngine, request_: Request) -> None:
    mine, theirs = play(here, request_), play(there, request_)
    assert theirs.finish.wire is not None and theirs.finish.wire.whole
    assert [token.id for token in theirs.tokens] == [token.id for token in mine.tokens]
    assert theirs.shown() == mine.shown()
    for one, other in zip(mine.tokens, theirs.tokens, strict=True):
        assert one.observed is not None and other.observed is not None
        assert other.observed.rank == 1
        known = {each.id: each for each in one.observed.top}
        for each in other.observed.top:
            assert each.logprob == pytest.approx(known[each.id].logprob, abs=NEAR)
            assert each.text == known[each.id].text
        assert other.observed.rest == pytest.approx(one.observed.rest, abs=NEAR)


def test_real_server_sampling_has_no_seed(address: str, there: RemoteEngine) -> None:
    models = server_probe.list_models(Server(address))
    assert isinstance(models, tuple)
    assert "seed" in dict(opened(address, models[-1].id, Timeouts())[1].can.refusals)
    played = play(there, chat("Say hello.", heat=1.5))
    assert played.finish.wire is not None and not played.finish.wire.seeded
    assert play(there, chat("Say hello.", heat=1.5, observe=5)).prompted.prompt.notes[-1].endswith("temperature 0.")


def test_real_server_serves_ten_streams(address: str, here: MlxEngine) -> None:
    engine = open_at(address)
    played: dict[int, Played] = {}

    def run(index: int) -> None:
        played[index] = play(engine, chat(QUESTIONS[index], tokens=TOKENS))

    threads = [threading.Thread(target=run, args=(index,)) for index in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for index in range(10):
        assert played[index].shown() == play(here, chat(QUESTIONS[index], tokens=TOKENS)).shown()


def stopped(engine: RemoteEngine, request: Request) -> Played:
    stop, played = StopFlag(), Played()

    def hear(event: Event) -> None:
        played.events.append(event)
        if len(played.tokens) == 2:
            stop.ask()

    played.finish = engine.generate(request, hear, stop)
    return played


def test_real_server_after_stop_is_ready(there: RemoteEngine) -> None:
    played = stopped(there, raw("Once upon a time", tokens=500))
    assert played.finish.reason is Reason.STOPPED and len(played.tokens) < 500
    assert play(there, chat("Say hello.", tokens=4)).finish.failure is None


def test_real_server_over_two_processes_answers(demo_draft: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("ring")
    model = widened(demo_draft, folder / "demo-draft")
    here = MlxEngine()
    known = here.load(LoadRequest(str(model)), lambda _: None, StopFlag())
    assert isinstance(known, Model)
    port = hosts.free_ring_port(2, hosts.RING + 500)
    launch = (str(SCRIPTS / "mlx.launch"), "-n", "2", "--backend", "ring", "--starting-port", str(port), "--")
    with serving(model, folder / "home", launch) as address:
        there = open_at(address)
        for words in QUESTIONS[:2]:
            assert play(there, chat(words, tokens=FEW)).shown() == play(here, chat(words, tokens=FEW)).shown()
        mine, theirs = play(here, raw(QUESTIONS[0], tokens=FEW)), play(there, raw(QUESTIONS[0], tokens=FEW))
        assert theirs.shown() == mine.shown().removeprefix(" ")
        # After a stop in an endless sampled answer, both processes still work together.
        endless = Sampling(temperature=1.0, logit_bias=tuple((token, -100.0) for token, _ in known.eos))
        warm = replace(raw("Once upon a time", tokens=500), sampling=endless)
        assert stopped(there, warm).finish.reason is Reason.STOPPED
        assert play(there, chat(QUESTIONS[0], tokens=FEW)).shown() == play(here, chat(QUESTIONS[0], tokens=FEW)).shown()
