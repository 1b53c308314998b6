"""A profile attributes all time to parts, and a slow part's time to that part."""

import time
from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest
from mlx_lm.models.llama import TransformerBlock

from app.engine.jobs import MeasureRun
from app.engine.mlx import run
from app.engine.protocol import Emit, StopFlag
from app.engine.types import (
    Event,
    Failure,
    FormatKind,
    Limits,
    OutputFormat,
    Request,
    RunProfile,
    Sampling,
    TimePart,
    Token,
    TokenPrompt,
)
from tests.engine.mlx.conftest import Open, Player, ignore

SLOW_S = 0.02
"""Far more than any other part takes on a busy machine."""
TRIES = 5
"""Between two looks at the clock another program may run."""


def ask(**changes: object) -> Request:
    usual: dict[str, object] = {"sampling": Sampling(temperature=0), "limits": Limits(12)}
    return Request(TokenPrompt(tuple(range(5, 60))), **usual | changes)  # type: ignore[arg-type]


def profile(player: Player, request: Request, emit: Emit = ignore, keep: Emit = ignore) -> RunProfile:
    return player.result(MeasureRun(request, keep), emit)


def slowed(work: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function take SLOW_S longer."""

    def call(*given: Any, **named: Any) -> Any:
        began = time.perf_counter()
        while time.perf_counter() - began < SLOW_S:
            pass
        return work(*given, **named)

    return call


@pytest.mark.slow
def test_profile_parts_sum_up_to_the_run(demo: Player) -> None:
    request = ask(
        observe=4, sampling=Sampling(repetition_penalty=1.2), form=OutputFormat().put(FormatKind.REGEX, "(.|\n)*")
    )
    usual, reusable = TransformerBlock.__call__, demo.reusable(request)
    found = profile(demo, request)
    parts = dict(found.parts)
    assert sum(parts.values()) == pytest.approx(found.observed) and list(parts) == list(TimePart)
    missing = {part for part, seconds in parts.items() if seconds <= 0}
    assert missing <= {TimePart.DRAFT, TimePart.WAITING, TimePart.HANDING, TimePart.JOURNAL}
    assert len(found.layers) == 3 + 2
    assert found.passes < found.layered and found.tokens == 10
    tried = chain([found], (profile(demo, request) for _ in range(TRIES)))
    assert any(sum(each.layers) == pytest.approx(each.passes, rel=0.05) for each in tried)
    assert TransformerBlock.__call__ is usual
    assert demo.reusable(request) == reusable, "the conversation's cache is not used"


@pytest.mark.slow
def test_profile_of_an_answer_that_its_format_ends_counts_its_tokens(demo: Player) -> None:
    found = profile(demo, ask(form=OutputFormat().put(FormatKind.REGEX, "[0-9]{6}"), limits=Limits(40)))
    assert 0 < found.tokens < 10


@pytest.mark.slow
def test_profile_finds_a_slow_layer(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    second, usual = demo.main.module.layers[1], TransformerBlock.__call__
    slow = slowed(usual)
    monkeypatch.setattr(
        TransformerBlock,
        "__call__",
        lambda layer, *given, **named: (slow if layer is second else usual)(layer, *given, **named),
    )
    _, *layers, _ = profile(demo, ask()).layers
    assert layers[1] > SLOW_S and layers[1] == max(layers)


@pytest.mark.slow
def test_profile_finds_a_slow_processor_and_a_slow_window(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def block(event: Event) -> None:
        if isinstance(event, Token):
            StopFlag().wait(SLOW_S)

    monkeypatch.setattr(run, "processors_for", lambda *_: [slowed(lambda _tokens, logits: logits)])
    parts = dict(profile(player, ask(), block).parts)
    assert parts[TimePart.PROCESSORS] >= SLOW_S and parts[TimePart.WAITING] > SLOW_S / 2
    assert parts[TimePart.HANDING] < SLOW_S / 2


@pytest.mark.slow
def test_profile_finds_a_slow_journal(player: Player) -> None:
    events: list[Event] = []
    parts = dict(profile(player, ask(), keep=slowed(events.append)).parts)
    assert parts[TimePart.JOURNAL] >= SLOW_S and parts[TimePart.HANDING] < SLOW_S / 2
    assert sum(isinstance(event, Token) for event in events) == 6 * 12


@pytest.mark.slow
def test_profile_with_a_draft_model_has_both_models(open_model: Open, tiny_llama: Any) -> None:
    parts = dict(profile(open_model(tiny_llama, tiny_llama), ask(draft_tokens=2)).parts)
    assert parts[TimePart.DRAFT] > 0 and parts[TimePart.MODEL] > 0


def test_profile_of_a_short_answer_is_a_failure_and_stop_ends_it(player: Player) -> None:
    short = player.do(MeasureRun(ask(limits=Limits(2)), ignore))
    assert isinstance(short, Failure) and short.kind == "short"
    player.cancelled(MeasureRun(ask(), ignore), lambda event: True)
