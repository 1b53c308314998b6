"""Where the time of a run's tokens goes: every moment belongs to a part, and what is slowed is found in its own."""

import time
from itertools import chain
from pathlib import Path

import mlx.core as mx
import pytest
from mlx_lm.models.llama import TransformerBlock

from app.engine.jobs import MeasureRun
from app.engine.mlx import run
from app.engine.protocol import Emit, StopFlag
from app.engine.types import (
    Event,
    Failure,
    Form,
    FormKind,
    Limits,
    Request,
    Sampling,
    Stopped,
    TimePart,
    Token,
    TokenPrompt,
    Where,
)
from tests.engine.mlx.conftest import Open, Player

SLOW_S = 0.02
"""Far more than a busy machine makes of any other part."""
TRIES = 5
"""Between two looks at the clock another program may have its turn."""


def asked(**changes: object) -> Request:
    usual: dict[str, object] = {"sampling": Sampling(temperature=0), "limits": Limits(12)}
    return Request(TokenPrompt(tuple(range(5, 60))), **usual | changes)  # type: ignore[arg-type]


def unheard(event: Event) -> None:
    pass


def measured(player: Player, request: Request, emit: Emit = unheard, keep: Emit = unheard) -> Where:
    found = player.engine.run_job(MeasureRun(request, keep), emit, StopFlag())
    assert isinstance(found, Where), found
    return found


def busy() -> None:
    began = time.perf_counter()
    while time.perf_counter() - began < SLOW_S:
        pass


@pytest.mark.slow
def test_the_parts_are_the_whole(open_model: Open, demo_model: Path) -> None:
    player = open_model(demo_model)
    request = asked(observe=4, sampling=Sampling(repetition_penalty=1.2), form=Form().put(FormKind.REGEX, "(.|\n)*"))
    usual, held = TransformerBlock.__call__, player.engine.reusable(tuple(range(5, 60)), request)
    found = measured(player, request)
    parts = dict(found.parts)
    assert sum(parts.values()) == pytest.approx(found.observed) and list(parts) == list(TimePart)
    missing = {part for part, seconds in parts.items() if seconds <= 0}
    assert missing <= {TimePart.DRAFT, TimePart.WAITING, TimePart.HANDING, TimePart.JOURNAL}
    assert len(found.layers) == 3 + 2
    assert found.passes < found.layered and found.tokens == 10
    tried = chain([found], (measured(player, request) for _ in range(TRIES)))
    assert any(sum(each.layers) == pytest.approx(each.passes, rel=0.05) for each in tried)
    assert TransformerBlock.__call__ is usual
    assert player.engine.reusable(tuple(range(5, 60)), request) == held, "no cache but its own"


@pytest.mark.slow
def test_an_answer_that_its_form_ends_says_how_many_tokens_were_timed(open_model: Open, demo_model: Path) -> None:
    found = measured(open_model(demo_model), asked(form=Form().put(FormKind.REGEX, "[0-9]{6}"), limits=Limits(40)))
    assert 0 < found.tokens < 10


@pytest.mark.slow
def test_a_slow_layer_is_found(open_model: Open, demo_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    player = open_model(demo_model)
    assert player.engine._main is not None
    second, usual = player.engine._main.module.layers[1], TransformerBlock.__call__

    def slow(layer: TransformerBlock, *given: mx.array, **named: object) -> mx.array:
        if layer is second:
            busy()
        found: mx.array = usual(layer, *given, **named)
        return found

    monkeypatch.setattr(TransformerBlock, "__call__", slow)
    _, *layers, _ = measured(player, asked()).layers
    assert layers[1] > SLOW_S and layers[1] == max(layers)


@pytest.mark.slow
def test_a_slow_processor_and_a_window_that_holds_up_are_found(
    open_model: Open, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(_tokens: mx.array, logits: mx.array) -> mx.array:
        busy()
        return logits

    def hold_up(event: Event) -> None:
        if isinstance(event, Token):
            StopFlag().wait(SLOW_S)

    monkeypatch.setattr(run, "processors_for", lambda *_: [slow])
    parts = dict(measured(open_model(tiny_llama), asked(), hold_up).parts)
    assert parts[TimePart.PROCESSORS] >= SLOW_S and parts[TimePart.WAITING] > SLOW_S / 2
    assert parts[TimePart.HANDING] < SLOW_S / 2


@pytest.mark.slow
def test_what_the_journal_holds_up_is_its_own(open_model: Open, tiny_llama: Path) -> None:
    heard: list[Event] = []

    def keep(event: Event) -> None:
        heard.append(event)
        busy()

    parts = dict(measured(open_model(tiny_llama), asked(), keep=keep).parts)
    assert parts[TimePart.JOURNAL] >= SLOW_S and parts[TimePart.HANDING] < SLOW_S / 2
    assert sum(isinstance(event, Token) for event in heard) == 6 * 12, "all that a journal is told"


@pytest.mark.slow
def test_beside_a_draft_model_both_have_their_time(open_model: Open, tiny_llama: Path) -> None:
    parts = dict(measured(open_model(tiny_llama, tiny_llama), asked(draft_tokens=2)).parts)
    assert parts[TimePart.DRAFT] > 0 and parts[TimePart.MODEL] > 0


def test_what_can_not_be_measured_is_said(open_model: Open, tiny_llama: Path) -> None:
    engine, stop = open_model(tiny_llama).engine, StopFlag()
    short = engine.run_job(MeasureRun(asked(limits=Limits(2)), unheard), unheard, StopFlag())
    assert isinstance(short, Failure) and short.kind == "short"
    assert isinstance(engine.run_job(MeasureRun(asked(), unheard), lambda event: stop.ask(), stop), Stopped)
