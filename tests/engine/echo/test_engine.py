import threading
from contextlib import closing
from dataclasses import dataclass, field, replace

import pytest

from app.engine.distributions import Distributions
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.echo.run import PREFILL_STEP
from app.engine.jobs import ScoreTokens
from app.engine.protocol import Engine, StopFlag
from app.engine.types import (
    AT_THE_END,
    ENDLESS,
    KV,
    Cancellation,
    Channel,
    ChatPrompt,
    Event,
    ExactPrompt,
    Failure,
    Finish,
    Limits,
    Loading,
    LoadRequest,
    Message,
    Model,
    Prefill,
    PromptEvent,
    PromptSource,
    RawPrompt,
    Reason,
    Request,
    Role,
    Sampling,
    Token,
    TokenPrompt,
    TokenScore,
    TokenScores,
)

QUICK = EchoOptions(tokens_per_second=0, prefill_per_second=0, load_seconds=0)
HELLO = ChatPrompt((Message(Role.USER, "Hello there"),))


@dataclass
class Events:
    """Collects events, and asks to stop after some of one kind."""

    stop: StopFlag = field(default_factory=StopFlag)
    stop_at: tuple[type, int] | None = None
    all: list[Event] = field(default_factory=list)

    def __call__(self, event: Event) -> None:
        self.all.append(event)
        if self.stop_at and sum(isinstance(each, self.stop_at[0]) for each in self.all) == self.stop_at[1]:
            self.stop.ask()

    @property
    def tokens(self) -> list[Token]:
        return [event for event in self.all if isinstance(event, Token)]

    @property
    def written(self) -> str:
        return "".join(token.text for token in self.tokens)

    @property
    def shown(self) -> str:
        return "".join(shown.text for token in self.tokens for shown in token.shown)


def loaded(knobs: EchoOptions = QUICK) -> EchoEngine:
    engine = EchoEngine(knobs)
    assert isinstance(engine.load(LoadRequest("demo"), lambda event: None, StopFlag()), Model)
    return engine


def run(engine: Engine, prompt: PromptSource = HELLO, **changes: object) -> tuple[Finish, Events]:
    events = changes.pop("events", None) or Events()
    assert isinstance(events, Events)
    request = replace(Request(prompt, limits=Limits(max_tokens=ENDLESS)), **changes)  # type: ignore[arg-type]
    return engine.generate(request, events, events.stop), events


def prompt_ids(events: Events) -> tuple[int, ...]:
    return next(event for event in events.all if isinstance(event, PromptEvent)).prompt.ids


def test_echo_emits_the_script_in_order_and_ends_with_eos() -> None:
    finish, events = run(loaded())
    assert events.written == QUICK.replies[0] == events.shown
    assert (finish.reason, finish.library_reason, finish.stop_text) == (Reason.STOP, "stop", "<|end|>")
    assert finish.tokens == len(events.tokens) and events.tokens[-1].text == ""
    kinds = [type(event).__name__ for event in events.all]
    assert kinds[:3] == ["PromptEvent", "Memory", "Prefill"] and kinds[-1] == "Memory"
    assert [token.index for token in events.tokens] == list(range(len(events.tokens)))
    arrivals = [token.at for token in events.tokens]
    assert arrivals == sorted(arrivals)
    assert all(run(loaded(), interval=each)[1].written == events.written for each in (5, AT_THE_END))


@pytest.mark.parametrize("text", ["a 🌊𝛑 b\n\n  c\té\u200d", "don't—stop_it(1.5)  !", "日本語とEmoji🧪"])
def test_echo_tokens_join_to_the_text(text: str) -> None:
    _, events = run(loaded(replace(QUICK, replies=(text,))))
    assert events.written == text
    wide = sum(ord(character) > 0xFFFF for character in text)
    assert sum(not token.text for token in events.tokens[:-1]) == 2 * wide


def test_echo_run_depends_only_on_the_seed() -> None:
    first, again, other = (run(loaded(), sampling=Sampling(seed=seed))[1].written for seed in (3, 3, 4))
    assert first == again != other
    cold = {run(loaded(), sampling=Sampling(temperature=0, seed=seed))[1].written for seed in range(4)}
    assert len(cold) == 1


def test_echo_run_at_max_tokens_can_be_continued() -> None:
    engine = loaded()
    whole = run(loaded())[1].written
    finish, events = run(engine, limits=Limits(max_tokens=7))
    assert (finish.reason, finish.library_reason, finish.tokens) == (Reason.LENGTH, "length", 7)
    ids = prompt_ids(events) + tuple(token.id for token in events.tokens)
    more, rest = run(engine, TokenPrompt(ids))
    assert events.written + rest.written == whole
    assert (more.reused, more.new) == (len(ids) - 1, 1)


def test_echo_reuses_the_common_prefix() -> None:
    engine = loaded()
    finish, events = run(engine)
    assert finish.reused == 0
    answer = Message(Role.ASSISTANT, events.written)
    longer = ChatPrompt((*HELLO.messages, answer, Message(Role.USER, "And then?")))
    foreseen = engine.render(longer)
    assert isinstance(foreseen, ExactPrompt)
    expected = engine.reusable(foreseen.ids, Request(longer))
    second, _ = run(engine, longer)
    assert second.reused == expected.count
    assert second.reused > len(prompt_ids(events))
    cold, _ = run(engine, longer, kv=KV(reuse=False))
    assert cold.reused == 0
    assert cold.new == second.new + second.reused


def test_echo_stop_keeps_what_was_done() -> None:
    finish, events = run(loaded(), RawPrompt("word " * 400), events=Events(stop_at=(Prefill, 2)))
    assert (finish.reason, finish.tokens, events.tokens) == (Reason.STOPPED, 0, [])
    assert 0 < finish.new < 400 and finish.times.stop_asked <= finish.times.ended
    finish, events = run(loaded(), events=Events(stop_at=(Token, 5)))
    assert (finish.reason, finish.tokens, len(events.tokens)) == (Reason.STOPPED, 5, 5)


def test_echo_stop_in_the_load_leaves_no_model() -> None:
    engine = EchoEngine(QUICK)
    events = Events(stop_at=(Loading, 3))
    assert engine.load(LoadRequest("demo"), events, events.stop) == Cancellation()
    assert run(engine)[0].reason is Reason.ERROR


def test_echo_waits_only_on_the_stop_flag() -> None:
    engine = loaded(replace(QUICK, tokens_per_second=1 / 86_400))
    events = Events()  # one token a day
    timer = threading.Timer(0.05, events.stop.ask)
    timer.start()
    finish, _ = run(engine, events=events)
    timer.join()
    assert finish.reason is Reason.STOPPED
    assert finish.times.ended - finish.times.stop_asked < 60


def test_echo_run_ends_at_the_context() -> None:
    finish, events = run(loaded(replace(QUICK, context=30)))
    assert finish.reason is Reason.CONTEXT_FULL and len(prompt_ids(events)) + finish.tokens == 30
    finish, events = run(loaded(replace(QUICK, context=5)))
    assert finish.reason is Reason.CONTEXT_FULL and events.all == []
    assert finish.failure is not None and "context window has only 5" in finish.failure.what


def test_echo_failures_are_values() -> None:
    failure = Failure("The disk is gone.", "Plug it in.")
    assert EchoEngine(replace(QUICK, load_failure=failure)).load(LoadRequest("x"), Events(), StopFlag()) is failure
    finish, events = run(loaded(replace(QUICK, run_failure=failure, fails_after=4)))
    assert (finish.reason, finish.failure, len(events.tokens)) == (Reason.ERROR, failure, 4)


def test_echo_reasoning_is_a_channel_without_tags() -> None:
    engine = loaded(replace(QUICK, reasoning="Let me think.", replies=("Yes.",)))
    _, events = run(engine)
    assert events.written == "<think>Let me think.</think>Yes."
    voices = {voice: "".join(s.text for t in events.tokens for s in t.shown if s.voice is voice) for voice in Channel}
    assert (voices[Channel.REASONING], voices[Channel.NORMAL]) == ("Let me think.", "Yes.")
    _, events = run(engine, limits=Limits(max_tokens=3))
    _, rest = run(engine, TokenPrompt(prompt_ids(events) + tuple(token.id for token in events.tokens)))
    assert [rest.tokens[at].shown[0].voice for at in (0, -2)] == [Channel.REASONING, Channel.NORMAL]


def test_echo_stop_string_ends_the_run_and_is_hidden() -> None:
    finish, events = run(loaded(), limits=Limits(ENDLESS, stop_strings=("loaded",)))
    assert (finish.reason, finish.stop_text) == (Reason.STOP_STRING, "loaded")
    assert events.shown == QUICK.replies[0].split("loaded")[0]
    assert finish.stop_at == len(events.shown) and events.written.endswith(finish.hidden)
    finish, events = run(loaded(replace(QUICK, replies=("Tell me",))), limits=Limits(ENDLESS, stop_strings=("me!",)))
    assert finish.released and events.shown + "".join(shown.text for shown in finish.released) == "Tell me"


def test_echo_draft_tokens_are_flagged_and_rejected_ones_counted() -> None:
    engine = loaded(replace(QUICK, draft_every=3, draft_misses=2))
    finish, events = run(engine, limits=Limits(9), draft_tokens=4)
    assert [token.from_draft for token in events.tokens[:6]] == [True, True, False, True, True, False]
    drafted = finish.drafted
    assert drafted is not None and drafted.accepted == sum(token.from_draft for token in events.tokens)
    assert [each.index for each in drafted.rejected] == [2, 5, 8]
    assert drafted.proposed - drafted.accepted == sum(len(each.ids) for each in drafted.rejected) == 6
    assert run(engine)[0].drafted is None


def test_echo_observe_records_logprobs() -> None:
    _, events = run(loaded(), observe=4)
    for token in events.tokens:
        assert token.observed is not None
        assert token.observed.chosen.id == token.id
        assert len(token.observed.top) == 4
    assert run(loaded())[1].tokens[0].observed is None


def test_echo_prompt_spans_cover_the_text() -> None:
    prompt = loaded().render(ChatPrompt((Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "Hi 🌊"))))
    assert isinstance(prompt, ExactPrompt)
    assert [span.start for span in prompt.spans[1:]] == [span.end for span in prompt.spans[:-1]]
    assert prompt.spans[-1].end == len(prompt.text)
    assert len(prompt.offsets) == len(prompt.ids)
    assert "".join(prompt.text[start:end] for start, end in prompt.offsets) == prompt.text


def test_echo_memory_has_weights_and_a_growing_cache() -> None:
    engine = loaded()
    before = engine.memory()
    run(engine)
    after = engine.memory()
    assert before.kv == 0 < after.kv
    assert after.weights + after.kv <= after.active <= after.peak <= after.limit
    engine.close()
    assert engine.memory().active == 0


def test_echo_score_tokens_with_distributions_is_a_failure() -> None:
    with closing(Distributions(1, 2)) as kept:
        outcome = loaded().run_job(ScoreTokens(RawPrompt("Hi"), kept=kept), Events(), StopFlag())
    assert isinstance(outcome, Failure) and outcome.kind == "logits"


def test_echo_score_tokens_is_deterministic_and_stops() -> None:
    engine, events = loaded(), Events()
    engine.generate(Request(HELLO), Events(), StopFlag())
    prompt = engine.render(HELLO)
    assert isinstance(prompt, ExactPrompt)
    kept = engine.reusable(prompt.ids, Request(HELLO))
    long = RawPrompt("a long word " * 100)
    found = engine.run_job(ScoreTokens(long), events, events.stop)
    assert isinstance(found, TokenScores)
    assert found == engine.run_job(ScoreTokens(long), Events(), StopFlag())
    assert [weight is None for weight in found.weights[:2]] == [True, False]
    assert max(weight.rank for weight in found.weights[1:] if weight) > 1
    assert [event.done for event in events.all if isinstance(event, Prefill)][-1] == len(found.ids)
    assert engine.reusable(prompt.ids, Request(HELLO)) == kept
    early, begun = Events(stop_at=(Prefill, 2)), list[TokenScore | None]()
    assert isinstance(engine.run_job(ScoreTokens(long, begun=begun), early, early.stop), Cancellation)
    assert tuple(begun) == found.weights[:PREFILL_STEP]
    assert engine.run_job(ScoreTokens(long, begun=begun), Events(), StopFlag()) == found
    assert tuple(begun) == found.weights


def test_echo_token_texts_have_their_bytes() -> None:
    found = loaded().token_texts(RawPrompt("Hi 🌊"))
    assert isinstance(found, tuple)
    assert [each.text for each in found] == ["Hi", " ", "", "", "🌊"]
    assert b"".join(each.piece for each in found) == "Hi 🌊".encode()
    assert isinstance(loaded().token_texts(RawPrompt("")), Failure)
