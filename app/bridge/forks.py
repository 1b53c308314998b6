"""Forks: an answer continues from one of its tokens with other token ids or a text in its place."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.bridge.conversation import Known, foreign_reason, mismatch_reason, same_adapter_request
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
class TokenReplacement:
    """The replacement of a token: token ids, or else a text."""

    ids: tuple[int, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class ForkStart:
    """The prompt, sampling and origin of a fork."""

    prompt: TokenPrompt
    sampling: Sampling
    fork: Fork


@dataclass(frozen=True, slots=True)
class RunTokens:
    """The ids of the run that generated a token, from the start of the conversation."""

    ids: tuple[int, ...]
    start: int
    """The index of the answer's first id."""
    run: Run
    prompt: ExactPrompt
    """The prompt of the first run."""
    raw: bool

    @property
    def answer(self) -> tuple[int, ...]:
        return self.ids[self.start :]

    def until(self, position: int) -> TokenPrompt:
        return TokenPrompt(self.ids[: max(1, self.start + position)])


def fork_answer(
    answer: Turn, runs: Sequence[Run], position: int, choice: TokenReplacement, model: Model, trace: Trace | None
) -> ForkStart | Failure:
    """Fork an answer at its token `position`. Its runs must be loaded fully. The same seed is used."""
    read = read_ids(runs, position, model)
    if isinstance(read, Failure):
        return read
    if (refusal := _refusal(choice, model)) is not None:
        return refusal
    start = read.start
    begun = ReplyPrefix(start, read.prompt.opens_reasoning, choice.text)
    prompt = TokenPrompt(read.ids[: start + position] + choice.ids, begun, read.raw)
    chosen = choice.text or _text_of(choice.ids, position, trace)
    return ForkStart(
        prompt, read.run.request.sampling, Fork(answer.id, position, chosen, _replaced_text(position, trace))
    )


def read_ids(runs: Sequence[Run], position: int, model: Model) -> RunTokens | Failure:
    """Return all ids before and after the token `position` of an answer, in the run that generated it."""
    runs = [run for run in runs if run.prompt is not None]
    if not runs:
        return NOTHING_WRITTEN
    if any(run.prompt is not None and not run.prompt.ids for run in runs):
        return TEXT_ALONE
    if what := foreign_reason(runs[-1], model):
        return Failure(what, tr("Open {writer} first.").format(writer=runs[-1].model), kind=KIND)
    first = runs[0].prompt
    assert first is not None
    start = len(first.ids) - len(first.begun)
    run = _run_of(runs, start + position)
    assert run.prompt is not None
    ids = run.prompt.ids + run.ids
    if not start <= start + position < len(ids):
        return NO_TOKEN
    return RunTokens(ids, start, run, first, runs[0].mode is Mode.RAW)


def inspection_ids(runs: Sequence[Run], position: int, model: Model, known: Known) -> RunTokens | Failure:
    """Like `read_ids`, for an inspection that needs the model and adapter of the run that generated the token."""
    read = read_ids(runs, position, model)
    if isinstance(read, Failure):
        return read
    if what := mismatch_reason(read.run, model, known):
        return Failure(what, "", kind=KIND)
    return replace(read, run=replace(read.run, request=same_adapter_request(read.run.request, read.run.adapter)))


def _refusal(choice: TokenReplacement, model: Model) -> Failure | None:
    if not choice.ids and not choice.text:
        return NO_WORDS
    return ENDS if {end for end, _ in model.eos}.intersection(choice.ids) else None


def _run_of(runs: Sequence[Run], at: int) -> Run:
    """Return the run that generated the token `position`; tokens of the prompt belong to the first run."""
    wrote = [run for run in runs if run.prompt is not None and len(run.prompt.ids) <= at]
    return wrote[-1] if wrote else runs[0]


def _text_of(ids: tuple[int, ...], position: int, trace: Trace | None) -> str:
    observed = trace.logprobs_at(position) if trace is not None and position < len(trace) else None
    if observed is None or len(ids) != 1:
        return ""
    return next((each.text for each in (observed.chosen, *observed.top) if each.id == ids[0]), "")


def _replaced_text(position: int, trace: Trace | None) -> str:
    if trace is None or position >= len(trace):
        return ""
    return trace.token(position).name
