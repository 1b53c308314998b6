"""Experiment `stops`: step by step, the characters that tokens complete, and the text held back for stop strings."""

import codecs
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app.engine.stop_strings import NO_MARKERS, Markers, ReplyReader
from app.engine.types import Failure
from app.experiments.conclusion_text import answer
from app.experiments.requests import measured
from app.experiments.types import (
    DETAILS_LEAD,
    BaseConfig,
    Conclusion,
    Detail,
    Experiment,
    ExperimentOutcome,
    Plan,
    RunResult,
    Variant,
)
from app.i18n import tr


@dataclass(frozen=True, slots=True)
class StopTraceStep:
    """The effect of one token on the displayed text."""

    token: int
    """Number of the token, from 1. The end of the reply is a step without `id`."""
    id: int | None
    text: str
    """The characters that the token completed."""
    shown: str
    """The text that is displayed at this step."""
    held: str
    """The text that is held back: it may become a stop string or a marker."""
    unfinished: int
    """Number of tokens of an incomplete character."""
    stop: str
    """The stop string that this token completed."""
    begins: tuple[str, ...] = ()
    """The stop strings that may have begun in `held`."""
    piece: bytes = b""
    """The bytes of the token; empty if unknown."""
    waiting: bytes = b""
    """The bytes of an incomplete character."""


def readings(
    tokens: Iterable[tuple[int, str]], reader: ReplyReader, pieces: Sequence[bytes] = ()
) -> tuple[StopTraceStep, ...]:
    """Return the steps of a reply. `tokens`: id and completed text of each; `pieces`: the bytes of each token."""
    found: list[StopTraceStep] = []
    unfinished = 0
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for at, (token_id, text) in enumerate(tokens):
        own = pieces[at] if at < len(pieces) else b""
        decoder.decode(own)
        unfinished = 0 if text else unfinished + 1
        shown = "".join(piece.text for piece in reader.read(text))
        stop = reader.stopped.text if reader.stopped else ""
        begins, waiting = reader.possible_stops, decoder.getstate()[0]
        found.append(StopTraceStep(at + 1, token_id, text, shown, reader.held, unfinished, stop, begins, own, waiting))
        if reader.stopped:
            return tuple(found)
    rest = "".join(piece.text for piece in reader.finish())
    if rest:
        found.append(StopTraceStep(len(found) + 1, None, "", rest, "", 0, ""))
    return tuple(found)


HEAD = (
    tr("Token", "index"),
    tr("Id"),
    tr("Completed text"),
    tr("Displayed text"),
    tr("Held back"),
    tr("Unfinished tokens"),
    tr("Stop string"),
)


def readings_of(run: RunResult) -> tuple[StopTraceStep, ...]:
    """Return the steps of a run, without the EOS token."""
    markers = Markers.reasoning(*run.model.reasoning) if run.model.reasoning else NO_MARKERS
    strings = run.request.limits.stop_strings
    reader = ReplyReader.behind(run.prompt, strings, markers) if run.prompt is not None else ReplyReader(strings)
    tokens = run.tokens if run.finish.stop_id is None else run.tokens[:-1]
    return readings(((token.id, token.text) for token in tokens), reader)


def plan(basis: BaseConfig) -> Plan | Failure:
    """Plan runs without stop strings, and with them if there are any."""
    if why := basis.model.can.refusal("ids"):
        return Failure(why, tr("Choose a model on this machine."))
    request = measured(basis.request)
    arms = [Variant(tr("without stop strings"), replace(request, limits=replace(request.limits, stop_strings=())))]
    if request.limits.stop_strings:
        arms.append(Variant(tr("with them"), request))
    return EXPERIMENT.of(tuple(arms), basis.repeats)


def conclude(outcome: ExperimentOutcome) -> Conclusion:
    """Count the tokens whose text was delayed, with the reasons. The steps with stop strings come first."""
    if not outcome.measured():
        return answer(outcome, "")
    title = tr("Steps, {arm}")
    details = tuple(
        Detail(title.format(arm=outcome.plan.arms[arm].name), HEAD, tuple(map(_row, readings_of(outcome.of(arm)[0]))))
        for arm in reversed(outcome.measured())
    )
    run, *more = outcome.of(outcome.measured()[-1])
    steps = readings_of(run)
    cut = sum(1 for step in steps if step.unfinished)
    held = sum(1 for step in steps if step.held)
    waited = tr("{count} of {all} tokens were parts of a character and showed no text at first")
    stored = tr("after {count} tokens text was held back, since a stop string might have begun") if held else ""
    others = tr("this is the first round; other rounds have different tokens")
    words = [stored.format(count=held), _stopped(run)]
    words += [others] if any(each.marks != run.marks for each in more) else []
    return answer(outcome, waited.format(count=cut, all=len(run.tokens)), words, details)


def _stopped(run: RunResult) -> str:
    if run.finish.stop_at is None:
        return ""
    words = tr("the stop string “{text}” was complete at token {place} and was not shown")
    return words.format(text=run.finish.stop_text, place=len(run.tokens))


def _row(step: StopTraceStep) -> tuple[str | int | None, ...]:
    return step.token, step.id, step.text, step.shown, step.held, step.unfinished, step.stop


EXPERIMENT = Experiment(
    "stops",
    tr("Stop strings and characters"),
    tr("How do tokens become characters, and which text is held back because a stop string may have begun?"),
    plan,
    conclude,
    prompt="Say hello in Korean with emoji.",
    stop_strings=("반갑다", "! 😊"),
    max_tokens=64,
    lead=DETAILS_LEAD,
)
