"""What a run chose is read again with the adapter that it had, and without one where it had none."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.bridge import conversation
from app.bridge.forks import Choice, Forking, forking, looking
from app.engine.echo.engine import EchoEngine
from app.engine.jobs import Job, ReadAttention, Result
from app.engine.protocol import Emit, StopFlag
from app.engine.types import (
    Adapter,
    ExactPrompt,
    Failure,
    LoadRequest,
    Model,
    Role,
    Sampling,
    Stopped,
)
from app.records.types import FilesRef
from app.state import Phase, Run, Turn
from tests.bridge.playing import QUICK, Player, keeping, playing
from tests.ui.conversation.runs import run

PLAIN = Model("demo", Path("demo"), "llama", 1, 4, None, 100, 64, ())
FOX, OWL = (replace(PLAIN, adapter=Adapter(name, Path("/adapters", name), 8, 20.0)) for name in ("fox", "owl"))
BARE = run()
ADAPTED = replace(BARE, adapter=FilesRef("fox", "/adapters/fox", digest="f0f"))
FOX_FIRST = "Open demo with the adapter fox first: this run had it."


class Attending(EchoEngine):
    """It says how strongly the adapter counted when it was looked into."""

    def run_job(self, job: Job[Result], emit: Emit, stop: StopFlag) -> Result | Failure | Stopped:
        assert isinstance(job, ReadAttention)
        return Failure(str(job.strength), "")


def adapted(player: Player, name: str) -> None:
    """Open the same model with this adapter, or with none."""
    assert player.playground.load(LoadRequest("demo", adapter=f"/adapters/{name}" if name else None))
    player.until_phase(Phase.LOADING)
    player.until_phase(Phase.READY)


@pytest.mark.parametrize("model", [PLAIN, FOX, OWL])
def test_only_what_an_adapter_chose_needs_it(model: Model) -> None:
    assert conversation.unlike(BARE, model, {}) == ""
    assert conversation.unlike(ADAPTED, model, {}) == ("" if model is FOX else FOX_FIRST)
    assert conversation.foreign(ADAPTED, model) == "", "its tokens are the same"


def test_an_adapter_is_known_by_what_is_in_it() -> None:
    """It may have been moved, or trained anew where it lies; what is in it may not be known."""
    moved = replace(FOX, adapter=Adapter("fox", Path("/elsewhere/fox"), 8, 20.0))
    for model in (moved, FOX):
        assert model.adapter is not None
        folder = model.adapter.folder
        for digest, said in (("f0f", ""), ("0ff", FOX_FIRST)):
            known = {folder: FilesRef("fox", str(folder), digest=digest)}
            assert conversation.unlike(ADAPTED, model, known) == said
            read = looking([replace(ADAPTED, is_partial=False)], 0, model, known)
            assert isinstance(read, Failure) == bool(said)
        unread = {folder: FilesRef("fox", str(folder))}
        assert conversation.unlike(ADAPTED, model, unread) == ("" if model is FOX else FOX_FIRST)


def test_another_model_is_named_before_its_adapter_and_also_where_a_run_is_known_briefly() -> None:
    other = replace(FOX, name="other")
    brief = replace(BARE, is_partial=True, prompt=None, ids=())
    for of_demo in (BARE, ADAPTED, brief):
        assert conversation.unlike(of_demo, other, {}).startswith("This answer was written by demo, and other is open")


def test_where_a_run_had_no_adapter_one_that_is_open_now_does_not_count() -> None:
    prompt = ExactPrompt("Hello", (1, 2), ((0, 2), (2, 5)), ())
    asked = replace(BARE.request, sampling=Sampling(adapter_strength=0.5))
    assert conversation.replay_of(asked, prompt).sampling.adapter_strength == 0.0
    assert conversation.replay_of(asked, prompt, adapter=ADAPTED.adapter).sampling.adapter_strength == 0.5


def test_a_look_is_at_the_model_as_it_was_and_a_fork_goes_on_with_what_is_open() -> None:
    def strength_of(of: Run) -> float | None:
        read = looking([of], 0, FOX, {})
        return None if isinstance(read, Failure) else read.run.request.sampling.adapter_strength

    assert (strength_of(BARE), strength_of(ADAPTED)) == (0.0, 1.0)
    refused = looking([ADAPTED], 0, OWL, {})
    assert isinstance(refused, Failure) and refused.sentence == FOX_FIRST
    answer = Turn(Role.ASSISTANT, "An answer.", runs=(ADAPTED,))
    assert isinstance(forking(answer, [ADAPTED], 0, Choice(ids=(4,)), OWL, None), Forking)


@pytest.fixture
def talked(qtbot: QtBot, tmp_path: Path) -> Iterator[Player]:
    """An answer without an adapter, one with, and one with it at no strength."""
    with keeping(qtbot, tmp_path) as player:
        player.send("One")
        adapted(player, "fox")
        player.send("Two")
        controls = player.state.controls
        player.playground.set_controls(replace(controls, sampling=replace(controls.sampling, adapter_strength=0.0)))
        player.send("Three")
        yield player


def test_a_run_knows_what_was_on_its_model_also_when_it_is_read_back(talked: Player) -> None:
    fox = FilesRef("fox", "/adapters/fox")
    runs = [each.runs[0] for each in talked.state.turns[1::2]]
    assert [each.adapter for each in runs] == [None, fox, None]
    session, playground = talked.state.session, talked.playground
    playground.new_session()
    assert playground.open_session(session)
    talked.until(lambda: len(talked.state.turns) == 6)
    briefly = [each.runs[0] for each in talked.state.turns[1::2]]
    assert [each.is_partial for each in briefly] == [True, True, False]
    for read in (briefly, list(map(playground.load_full, briefly))):
        assert [each.adapter and replace(each.adapter, digest="") for each in read] == [None, fox, None]


def test_a_look_at_a_run_without_an_adapter_is_one_without(qtbot: QtBot) -> None:
    with playing(qtbot, factory=lambda _collect: Attending(QUICK)) as player:
        player.load()
        told: list[object] = []
        player.playground.inspected.connect(told.append)
        player.send("One")
        adapted(player, "fox")
        player.send("Two")
        for index in (1, 3):
            assert player.playground.read_attention(index, 2) is not None
            player.until_phase(Phase.READY)
        player.until(lambda: len(told) == 2)
        assert told == [Failure("0.0", ""), Failure("1.0", "")]
        adapted(player, "")
        assert player.playground.read_attention(1, 2) is not None
        player.until_phase(Phase.READY)
        assert player.playground.read_attention(3, 2) is None
        assert player.state.failure is not None and player.state.failure.what.endswith(
            "with the adapter fox first: this run had it."
        )
