"""The columns of a comparison: one for each run, or for each variant of an experiment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, log
from statistics import fmean

from app.engine.catalogue import setting_name
from app.engine.meter.meter import Summary
from app.engine.meter.speeds import Point, recorded_curve
from app.engine.types import Finish, Request
from app.experiments.types import ExperimentOutcome, RunResult
from app.i18n import tr
from app.number_format import DASH, computed_format
from app.records.receipt import MODES, question_of
from app.records.run_environment import seed_of
from app.records.run_settings import SEED, flatten_settings, words_of
from app.records.types import Plain, TokenRecord, WholeRun

Figures = Mapping[str, float]
"""The numbers of one run, by key."""
NEAR = 8
"""Number of tokens on either side of a token, over which a curve of surprisal is averaged."""


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One column. Of a variant with several rounds, the text and the tokens are those of the round `shown`."""

    name: str
    settings: Mapping[str, str]
    """Texts by the settings' labels."""
    rounds: Mapping[int, Figures]
    finish: str
    prompt: str
    prompt_ids: tuple[int, ...]
    tokens: tuple[TokenRecord, ...]
    text: str
    reasoning: str
    shown: int = 1
    has_pieces: bool = False
    """Whether `tokens` are pieces of text from a server that doesn't report tokens."""

    @property
    def words(self) -> str:
        return "\n\n".join(part for part in (self.reasoning, self.text) if part)

    def mean(self, key: str) -> float | None:
        """Return a number of the shown round."""
        return self.rounds.get(self.shown, {}).get(key)


def column_of_run(whole: WholeRun, name: str) -> ComparedRun:
    run = whole.run
    adapter = run.model.adapter.name if run.model.adapter else ""
    models = run.model.name, adapter, run.draft.name if run.draft else "", computed_format(run.model.format)
    return ComparedRun(
        name,
        _settings(models, run.request, MODES.get(run.mode, run.mode), seed_of(run)),
        {1: _figures(run.summary, run.finish, run.prompt_tokens, whole.tokens)},
        run.finish.reason.plain_words if run.finish is not None else DASH,
        question_of(run),
        run.prompt.ids if run.prompt is not None else (),
        whole.tokens,
        run.text,
        run.reasoning,
        has_pieces=run.summary is not None and run.summary.figures.pieces,
    )


def columns_of_experiment(outcome: ExperimentOutcome) -> tuple[ComparedRun, ...]:
    """Return a column for each variant. All show the first round that all of them have, where there is one."""
    runs = {arm: {run.round: run for run in outcome.of(arm)} for arm in outcome.measured()}
    common = set.intersection(*(set(each) for each in runs.values())) if runs else set()
    return tuple(
        _column_of_variant(outcome.plan.arms[arm].name, rounds, min(common or rounds)) for arm, rounds in runs.items()
    )


def speed_points(column: ComparedRun) -> tuple[Point, ...]:
    tokens = column.tokens
    return tuple(recorded_curve((token.at for token in tokens), (token.from_draft for token in tokens)).points)


def surprisal_points(column: ComparedRun) -> tuple[Point, ...]:
    """Return the surprisal in bits at each token with a recorded probability, as the mean of the tokens around it.

    A point's `speed` is the surprisal.
    """
    known = [(token, nats) for token in column.tokens if (nats := surprisal_of(token)) is not None]
    values = [nats / log(2) for _, nats in known]
    return tuple(
        Point(token.at, token.index + 1, fmean(values[max(0, at - NEAR) : at + NEAR + 1]))
        for at, (token, _) in enumerate(known)
    )


def surprisal_of(token: TokenRecord) -> float | None:
    """Return −ln of the token's probability; None where it wasn't recorded."""
    if token.observed is None or not isfinite(token.observed.chosen.logprob):
        return None
    return max(0.0, -token.observed.chosen.logprob)


def _column_of_variant(name: str, rounds: Mapping[int, RunResult], shown: int) -> ComparedRun:
    run, tokens = rounds[shown], {at: _records(each) for at, each in rounds.items()}
    model, request = run.model, run.request
    adapter = model.adapter.name if model.adapter and request.sampling.adapter_strength else ""
    draft = model.draft.name if model.draft and request.draft_tokens and not request.looks_up else ""
    return ComparedRun(
        name,
        _settings((model.name, adapter, draft, computed_format(model.format)), request, "", request.sampling.seed),
        {at: _figures(each.summary, each.finish, _prompt_tokens(each), tokens[at]) for at, each in rounds.items()},
        ", ".join(sorted({each.finish.reason.plain_words for each in rounds.values()})),
        run.prompt.text if run.prompt is not None else "",
        run.prompt.ids if run.prompt is not None else (),
        tokens[shown],
        run.text,
        run.reasoning,
        shown,
        run.summary.figures.pieces,
    )


def _prompt_tokens(run: RunResult) -> int | None:
    return len(run.prompt.ids) or run.finish.prompt_known if run.prompt is not None else None


def _records(run: RunResult) -> tuple[TokenRecord, ...]:
    pairs = zip(run.tokens, run.arrivals, strict=True)
    return tuple(
        TokenRecord(token.index, token.id, token.text, at, token.from_draft, token.observed) for token, at in pairs
    )


def _settings(models: Sequence[str], request: Request, mode: str, seed: int | None) -> dict[str, str]:
    titles = tr("Model"), tr("Adapter"), tr("Draft model"), tr("Precision")
    known = dict(zip(titles, models, strict=True)) | {tr("Mode"): mode}
    # Without random sampling the seed has no effect. It is usually random, and would always be a difference.
    values: dict[str, Plain] = dict(flatten_settings(request)) | {SEED: seed if request.sampling.temperature else None}
    known |= {setting_name(name): words_of(name, value) for name, value in values.items()}
    return {name: words for name, words in known.items() if words}


def _figures(
    summary: Summary | None, finish: Finish | None, prompt_tokens: int | None, tokens: Sequence[TokenRecord]
) -> Figures:
    conditions = finish.conditions if finish is not None else None
    names = ("prompt_speed", "speed_mean", "end_to_end", "first_token", "elapsed")
    nats = [each for each in map(surprisal_of, tokens) if each is not None]
    has_pieces = summary is not None and summary.figures.pieces
    found: dict[str, float | None] = {
        **{name: getattr(summary.figures, name) if summary is not None else None for name in names},
        **{name: getattr(conditions, name, 0) or None for name in ("weights", "kv")},
        "prompt_tokens": prompt_tokens,
        "reused": finish.reused_known if finish is not None else None,
        "tokens": None if has_pieces else len(tokens),
        "surprisal": fmean(nats) if nats else None,
    }
    return {name: value for name, value in found.items() if value is not None}
