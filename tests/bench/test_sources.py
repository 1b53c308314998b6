"""The simulated accelerator: its text, its work, and that it obeys the engine's protocol."""

from app.engine.protocol import Engine, StopFlag
from app.engine.types import Event, Limits, LoadRequest, Model, Prefill, Prompted, RawPrompt, Reason, Request, Token
from tests.bench.sources import ANSWER, ONE_LINE, PROSE, Pace, SimulatedEngine, Writer, pieces

QUICK = Pace(tokens_per_second=20_000, python_ms=0.01)


def test_pieces_joined_are_the_text_and_of_a_tokens_size() -> None:
    for text in (ANSWER, PROSE, ONE_LINE):
        assert "".join(pieces(text)) == text
        assert 3 < len(text) / len(pieces(text)) < 5


def test_the_line_without_a_newline_has_none() -> None:
    assert "\n" not in ONE_LINE
    assert len(ONE_LINE) > 1000


def test_a_run_tells_prompt_prefill_and_each_token_once() -> None:
    engine: Engine = SimulatedEngine(QUICK)
    events: list[Event] = []
    assert isinstance(engine.load(LoadRequest("any"), events.append, StopFlag()), Model)
    finish = engine.generate(Request(RawPrompt("Hi"), limits=Limits(50)), events.append, StopFlag())
    tokens = [event for event in events if isinstance(event, Token)]
    assert [type(event) for event in events[:3]] == [Prompted, Prefill, Prefill]
    assert [token.index for token in tokens] == list(range(50))
    assert "".join(token.text for token in tokens) == "".join(pieces(ANSWER)[:50])
    assert (finish.reason, finish.tokens) == (Reason.LENGTH, 50)


def test_a_stopped_run_ends_at_the_next_token() -> None:
    stop = StopFlag()
    seen: list[Event] = []

    def emit(event: Event) -> None:
        seen.append(event)
        if isinstance(event, Token):
            stop.ask()

    finish = SimulatedEngine(QUICK).generate(Request(RawPrompt("Hi")), emit, stop)
    assert (finish.reason, finish.tokens) == (Reason.STOPPED, 1)


def test_observed_tokens_carry_as_many_candidates_as_were_asked_for() -> None:
    token = Writer(PROSE, observe=10).token(0.0)
    assert token.observed is not None
    assert len(token.observed.top) == 10
    assert token.observed.chosen == token.observed.top[0]
