"""Forks: an answer goes on from one of its tokens with another one in its place, or with the user's own words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.bridge.conversation import Known, asked_again, foreign, unlike
from app.controls import Mode
from app.engine.meter.trace import Trace
from app.engine.types import ExactPrompt, Failure, Model, ReplyPrefix, Sampling, TokenPrompt
from app.i18n import tr
from app.records.types import Fork
from app.state import Run, Turn

KIND = "no fork"
NOTHING_WRITTEN = Failure(
    tr("This answer has no recorded run, so its token ids are unknown."), tr("Regenerate it."), kind=KIND
)
TEXT_ALONE = Failure(
    tr("A server returned this answer as text, so its token ids are unknown."),
    tr("Open the model on this computer and regenerate the answer."),
    kind=KIND,
)
NO_TOKEN = Failure(tr("The answer has no such token."), tr("Choose another token."), kind=KIND)
NO_WORDS = Failure(
    tr("No replacement for the token was given."), tr("Choose an alternative, or type some text."), kind=KIND
)
ENDS = Failure(
    tr("The EOS token ends the answer, so nothing can follow it."), tr("Choose another alternative."), kind=KIND
)


@dataclass(frozen=True, slots=True)
class Choice:
    """What is put in the place of a token: other tokens, or else words."""

    ids: tuple[int, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Forking:
    """What to send, how to sample, and what to remember of where it came from."""

    prompt: TokenPrompt
    sampling: Sampling
    fork: Fork


@dataclass(frozen=True, slots=True)
class Reading:
    """The ids of the run that wrote a token, from the conversation's beginning on."""

    ids: tuple[int, ...]
    start: int
    """Which of them is the answer's first."""
    run: Run
    prompt: ExactPrompt
    """As the first run sent it."""
    raw: bool

    @property
    def answer(self) -> tuple[int, ...]:
        return self.ids[self.start :]

    def until(self, place: int) -> TokenPrompt:
        """What the model had read when it came to this token of the answer."""
        return TokenPrompt(self.ids[: max(1, self.start + place)])


def forking(
    answer: Turn, runs: Sequence[Run], place: int, choice: Choice, model: Model, trace: Trace | None
) -> Forking | Failure:
    """The answer up to its token `place`, and the choice behind it. Its runs are whole; so the same seed goes on."""
    read = reading(runs, place, model)
    if isinstance(read, Failure):
        return read
    if (refusal := _refusal(choice, model)) is not None:
        return refusal
    start = read.start
    begun = ReplyPrefix(start, read.prompt.opens_reasoning, choice.text)
    prompt = TokenPrompt(read.ids[: start + place] + choice.ids, begun, read.raw)
    chosen = choice.text or _text_of(choice.ids, place, trace)
    return Forking(prompt, read.run.request.sampling, Fork(answer.id, place, chosen, _instead(place, trace)))


def reading(runs: Sequence[Run], place: int, model: Model) -> Reading | Failure:
    """All that this model has read when it comes to the token `place` of an answer, and what followed in that run."""
    runs = [run for run in runs if run.prompt is not None]
    if not runs:
        return NOTHING_WRITTEN
    if any(run.prompt is not None and not run.prompt.ids for run in runs):
        return TEXT_ALONE
    if what := foreign(runs[-1], model):
        return Failure(what, tr("Open {writer} first.").format(writer=runs[-1].model), kind=KIND)
    first = runs[0].prompt
    assert first is not None
    start = len(first.ids) - len(first.begun)
    run = _run_of(runs, start + place)
    assert run.prompt is not None
    ids = run.prompt.ids + run.ids
    if not start <= start + place < len(ids):
        return NO_TOKEN
    return Reading(ids, start, run, first, runs[0].mode is Mode.RAW)


def looking(runs: Sequence[Run], place: int, model: Model, known: Known) -> Reading | Failure:
    """The same for a look at the model as it was when it wrote this token."""
    read = reading(runs, place, model)
    if isinstance(read, Failure):
        return read
    if what := unlike(read.run, model, known):
        return Failure(what, "", kind=KIND)
    return replace(read, run=replace(read.run, request=asked_again(read.run.request, read.run.adapter)))


def _refusal(choice: Choice, model: Model) -> Failure | None:
    """Ids mean something in their own model's vocabulary alone."""
    if not choice.ids and not choice.text:
        return NO_WORDS
    return ENDS if {end for end, _ in model.eos}.intersection(choice.ids) else None


def _run_of(runs: Sequence[Run], at: int) -> Run:
    """The run that wrote the token at this place of all ids; one that the prompt had belongs to the first."""
    wrote = [run for run in runs if run.prompt is not None and len(run.prompt.ids) <= at]
    return wrote[-1] if wrote else runs[0]


def _text_of(ids: tuple[int, ...], place: int, trace: Trace | None) -> str:
    """What the candidates say of it."""
    observed = trace.observed_at(place) if trace is not None and place < len(trace) else None
    if observed is None or len(ids) != 1:
        return ""
    return next((each.text for each in (observed.chosen, *observed.top) if each.id == ids[0]), "")


def _instead(place: int, trace: Trace | None) -> str:
    if trace is None or place >= len(trace):
        return ""
    return trace.token(place).name
