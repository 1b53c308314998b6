"""Makes sessions and runs as the program would."""

import time
from collections.abc import Sequence
from dataclasses import replace

from app.engine.types import (
    Alternative,
    CacheMissReason,
    Channel,
    ChatPrompt,
    Conditions,
    ExactPrompt,
    Finish,
    Message,
    PromptEvent,
    PromptPart,
    PromptSpan,
    Reason,
    Request,
    Role,
    Sampling,
    SamplingStats,
    Times,
    Token,
    TokenLogprobs,
    VisibleText,
)
from app.records.journal import Journal
from app.records.recording import RunRecorder
from app.records.types import ModelRef, RunId, RunRecord, RunStart, SessionId, TurnId, Versions, WholeSession

PROMPT = ExactPrompt("Tell me.", (5, 6, 7), ((0, 4), (4, 7), (7, 8)), (PromptSpan(PromptPart.USER, 0, 8),), ("folded",))
VERSIONS = Versions("0.1.0", "0.32.4", "0.32.2", "3.11.7", "Linux", "a chip")
MODEL = ModelRef("demo", "/models/demo", digest="abc")
QUESTION = "Tell me about rivers, please."
WORDS = ("The", " river", " is", " wide", ".")


def request(seed: int = 7, observe: int = 0, temperature: float = 0.7) -> Request:
    messages = (Message(Role.SYSTEM, "Be brief."), Message(Role.USER, QUESTION))
    return Request(ChatPrompt(messages), Sampling(temperature=temperature, seed=seed), observe=observe)


def start(sent: float | None = None, asked: Request | None = None, model: ModelRef = MODEL) -> RunStart:
    sent = time.monotonic() if sent is None else sent
    return RunStart("chat", asked or request(), model, sent, None, VERSIONS, 2048)


def observation(number: int) -> TokenLogprobs:
    top = tuple(Alternative(number + rank, f"w{rank}", -0.5 - rank, 9.0 - rank) for rank in range(2))
    return TokenLogprobs(top[0], 1, top, 1.25, 0.01, 0.2, SamplingStats(0.61, 40, 0.31, -0.2, (top[1].id,)))


def token(index: int, text: str, at: float, voice: Channel = Channel.NORMAL, observed: bool = False) -> Token:
    seen = observation(100 + index) if observed else None
    return Token(index, 100 + index, text, (VisibleText(voice, text),), at, index % 2 == 1, seen)


def tokens(sent: float, texts: Sequence[str] = WORDS, observed: bool = False) -> list[Token]:
    return [token(index, text, sent + 0.5 + 0.1 * index, observed=observed) for index, text in enumerate(texts)]


def finish(sent: float, count: int = len(WORDS), reason: Reason = Reason.STOP) -> Finish:
    last = sent + 0.5 + 0.1 * (count - 1)
    times = Times(sent, sent + 0.1, sent + 0.4, sent + 0.5, last, 0.0, last + 0.01)
    beside = Conditions(0.25, True, 3, 400, 50, 0.125, 6, CacheMissReason.DIFFERS, 7)
    stop_id = 2 if reason is Reason.STOP else None
    return Finish(reason, "stop", count, times, reused=1, new=2, stop_id=stop_id, conditions=beside)


def conversation(journal: Journal, question: str = QUESTION) -> tuple[SessionId, TurnId]:
    """A session with a question and an answer to be written."""
    session = journal.sessions.new()
    journal.sessions.add_turn(session, Role.USER, question)
    return session, journal.sessions.add_turn(session, Role.ASSISTANT, "")


def begin(journal: Journal, begun: RunStart | None = None) -> tuple[SessionId, RunRecorder, float]:
    """A session whose answer is being written, its recorder, and when its prompt was sent."""
    session, turn = conversation(journal)
    begun = begun or start()
    return session, journal.begin(session, turn, begun), begun.sent


def stream(recorder: RunRecorder, sent: float, texts: Sequence[str] = WORDS, observed: bool = False) -> None:
    recorder.put(PromptEvent(PROMPT, 1, 2))
    for one in tokens(sent, texts, observed):
        recorder.put(one)


def answered(
    journal: Journal, question: str = QUESTION, texts: Sequence[str] = WORDS, begun: RunStart | None = None
) -> tuple[SessionId, TurnId, RunId]:
    """A session with one whole run."""
    session, turn = conversation(journal, question)
    begun = begun or start()
    recorder = journal.begin(session, turn, begun)
    stream(recorder, begun.sent, texts, begun.request.observe > 0)
    recorder.finish(finish(begun.sent, len(texts)))
    assert journal.flush()
    return session, turn, recorder.run


def record_of(journal: Journal, run: RunId) -> RunRecord:
    record = journal.runs.get(run)
    assert record is not None
    return record


def whole_of(journal: Journal, session: SessionId) -> WholeSession:
    whole = journal.sessions.whole(session)
    assert whole is not None
    return whole


def without_numbers(whole: WholeSession | None) -> WholeSession:
    """The session without the numbers that a journal gave to its runs."""
    assert whole is not None
    return replace(
        whole,
        turns=tuple(
            replace(turn, runs=tuple(replace(one, run=replace(one.run, id=0, session=0, turn=0)) for one in turn.runs))
            for turn in whole.turns
        ),
    )
