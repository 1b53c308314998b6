"""Types of experiments: plans, variants, results and conclusions. They don't depend on engines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from app.engine.meter.meter import Summary
from app.engine.types import ExactPrompt, Failure, Finish, LoadRequest, Memory, Model, RejectedTokens, Request, Token
from app.experiments.significance import least_rounds

Plain: TypeAlias = str | int | float | bool | None
DETAILS_LEAD = "details"
WARM_UP = 0
"""The round of a warm-up; measured rounds count from 1."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A setting by its dotted name, with the values to try."""

    name: str
    values: tuple[Plain, ...]


@dataclass(frozen=True, slots=True)
class BaseConfig:
    """The input of an experiment's plan: a request, the open model, and the user's choices."""

    request: Request
    model: Model
    repeats: int
    """Number of rounds; 0: the fewest that allow a significant difference."""
    draft: str = ""
    """The draft model; empty for the open one."""
    other: str = ""
    """The second model of `models`."""
    axes: tuple[Axis, ...] = ()
    """The settings of a grid or a sweep."""


@dataclass(frozen=True, slots=True)
class RunContext:
    """The input of a variant's request. `before`: the result of its preparation."""

    round: int
    model: Model
    before: RunResult | None = None


Make: TypeAlias = Callable[[RunContext], Request]


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant: a request, and optionally the model that it needs."""

    name: str
    request: Request | Make
    load: LoadRequest | None = None
    """The model to open; None for the open one. Either all variants of a plan have one, or none."""
    before: Request | None = None
    """The preparation: an unmeasured run before each run, such as the previous turn."""

    def ask(self, given: RunContext) -> Request:
        return self.request if isinstance(self.request, Request) else self.request(given)


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of an experiment: each variant once per round, after a warm-up of each."""

    name: str
    title: str
    question: str
    arms: tuple[Variant, ...]
    repeats: int
    batches: tuple[tuple[int, ...], ...] = ()
    """Variants that are also run as one batch in every round."""
    lead: str = ""
    """The key of the column that answers the question; empty: the speed curve."""
    finished: frozenset[tuple[tuple[int, ...], int]] = frozenset()
    """Variants (several: a batch) and rounds that an earlier part has measured."""
    skips_unopened: bool = False
    """Whether the experiment continues if a model can't be opened; the runs of that model fail."""
    is_sample: bool = False
    """Whether variants, rounds or tokens were left out for a sample."""
    shortened_to: int = 0
    """Max tokens of an answer in a quick look with shorter answers; 0: whole answers."""


@dataclass(frozen=True, slots=True)
class ExperimentStep:
    """Progress: run `number` of `total`. Variants are indexed from 0."""

    arm: int
    name: str
    round: int
    number: int
    total: int
    together: tuple[int, ...] = ()
    """Indexes of a batch's variants, `arm` first; empty for a single run."""

    @property
    def arms(self) -> tuple[int, ...]:
        return self.together or (self.arm,)


@dataclass(frozen=True, slots=True)
class RunResult:
    arm: int
    round: int
    request: Request
    model: Model
    prompt: ExactPrompt | None
    tokens: tuple[Token, ...]
    text: str
    reasoning: str
    finish: Finish
    summary: Summary
    memory: Memory | None
    """Memory at the end of the run; `peak` is the peak during the run."""
    run: int | None = None
    """Its number in the session database."""
    others: float | None = None
    """CPU seconds of other programs; None where the system doesn't report them."""

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(token.id for token in self.tokens)

    @property
    def marks(self) -> tuple[int | str, ...]:
        """Token ids, or texts if the server returns no ids."""
        return tuple(token.id if token.id >= 0 else token.text for token in self.tokens)

    @property
    def rejected(self) -> tuple[RejectedTokens, ...]:
        return self.finish.drafted.rejected if self.finish.drafted is not None else ()

    @property
    def arrivals(self) -> tuple[float, ...]:
        """Seconds from Send to each token."""
        return tuple(token.at - self.finish.times.sent for token in self.tokens)


@dataclass(frozen=True, slots=True)
class Batch:
    """Variants that ran as one batch. `runs` has their order, with the same time of Send and the same memory."""

    arms: tuple[int, ...]
    round: int
    runs: tuple[RunResult, ...]


@dataclass(frozen=True, slots=True)
class ExperimentOutcome:
    """The results of an experiment. A stopped experiment has all runs that had ended."""

    plan: Plan
    model: Model
    """The model that is open at the end."""
    results: tuple[RunResult, ...] = ()
    warm_ups: tuple[RunResult, ...] = ()
    batches: tuple[Batch, ...] = ()
    stopped: bool = False
    failure: Failure | None = None
    """The failure that ended the experiment early; None if it was completed or stopped."""

    def of(self, arm: int) -> tuple[RunResult, ...]:
        """Return the measured runs of a variant, without failed ones."""
        return tuple(each for each in self.results if each.arm == arm and each.finish.failure is None)

    def measured(self) -> tuple[int, ...]:
        """Return the indexes of the variants that have measured runs."""
        return tuple(arm for arm in range(len(self.plan.arms)) if self.of(arm))


@dataclass(frozen=True, slots=True)
class MetricColumn:
    """A column of the table: one number of each run."""

    key: str
    title: str
    unit: str
    of: Callable[[RunResult], float | None]
    definition: str = ""
    """The definition of the number, for the tooltip."""


@dataclass(frozen=True, slots=True)
class Detail:
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Plain, ...], ...]


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The answer to an experiment's question in one sentence, further sentences, and tables."""

    headline: str
    further: str = ""
    details: tuple[Detail, ...] = ()

    @property
    def sentence(self) -> str:
        return " ".join(filter(None, (self.headline, self.further)))


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment: a question, its plan and its conclusion. `prompt` to `axes` are default values."""

    name: str
    title: str
    question: str
    plan: Callable[[BaseConfig], Plan | Failure]
    conclude: Callable[[ExperimentOutcome], Conclusion]
    columns: tuple[MetricColumn, ...] = ()
    """Columns in addition to the usual ones."""
    prompt: str = "Tell me a long story about a fox."
    stop_strings: tuple[str, ...] = ()
    """Stop strings of the default prompt."""
    max_tokens: int = 256
    temperature: float = 0.0
    """Default temperature: sampling only adds noise, except if the question is about sampling."""
    axes: tuple[Axis, ...] = field(default=())
    claims: Callable[[int], int] = lambda arms: 0
    """Function of the number of variants: the number of tested differences. 0: none are tested, and one round is
    enough.
    """

    lead: str = ""
    """The key of the column that answers the question; DETAILS_LEAD: the additional tables."""
    keep: Callable[[Path, Model, str], None] | None = None
    """Function that stores the conclusion of a complete experiment in a folder."""

    def rounds(self, arms: int) -> int:
        """Return the default number of rounds: the fewest that allow a significant difference of `arms` variants."""
        claims = self.claims(arms)
        return least_rounds(claims) if claims else 1

    def of(self, arms: tuple[Variant, ...], repeats: int, batches: tuple[tuple[int, ...], ...] = ()) -> Plan:
        rounds = repeats or self.rounds(len(arms))
        return Plan(self.name, self.title, self.question, arms, rounds, batches, self.lead)
