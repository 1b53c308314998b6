"""What an experiment is, as frozen values: its arms and their order, and what came of each run.

Nothing here knows an engine, so a widget may take any of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import TypeAlias

from app.engine.meter.frame import Summary
from app.engine.types import ExactPrompt, Failure, Finish, LoadRequest, Memory, Model, Rejected, Request, Token
from app.experiments.significance import least_rounds

Plain: TypeAlias = str | int | float | bool | None
DETAILS_LEAD = "details"
WARM_UP = 0
"""The round of a run that only warms up; measured rounds count from 1."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One setting by its dotted name, and the values it takes in turn."""

    name: str
    values: tuple[Plain, ...]


@dataclass(frozen=True, slots=True)
class BaseConfig:
    """What an experiment begins from: a prompt with its settings, and the model that is open."""

    request: Request
    model: Model
    repeats: int
    draft: str = ""
    """A draft model, for the experiment that needs one; empty: the one that is open."""
    other: str = ""
    """A second model, for the experiment that needs one."""
    axes: tuple[Axis, ...] = ()
    """What a grid or a sweep goes through."""


@dataclass(frozen=True, slots=True)
class RunContext:
    """What is known when an arm is about to run. `before` is what its preparation wrote."""

    round: int
    model: Model
    before: Result | None = None


Make: TypeAlias = Callable[[RunContext], Request]


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to run the prompt."""

    name: str
    request: Request | Make
    load: LoadRequest | None = None
    """What must be open; None: whatever is. Either all arms of a plan say so or none."""
    before: Request | None = None
    """Run before each run of this arm and not measured: the turn before."""

    def ask(self, given: RunContext) -> Request:
        return self.request if isinstance(self.request, Request) else self.request(given)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is run: each arm once for every round, after a short run of each that is kept apart."""

    name: str
    title: str
    question: str
    arms: tuple[Variant, ...]
    repeats: int
    batches: tuple[tuple[int, ...], ...] = ()
    """Arms that are also run at once, as one batch, in every round."""
    lead: str = ""
    """The key of the number that answers the question; empty: how the speed goes along the text does."""


@dataclass(frozen=True, slots=True)
class ExperimentStep:
    """Where an experiment stands: run `number` of `total` is that of `arm` in this round. Arms count from 0."""

    arm: int
    name: str
    round: int
    number: int
    total: int
    together: tuple[int, ...] = ()
    """The arms of a batch, of which `arm` is the first; empty for a run by itself."""


@dataclass(frozen=True, slots=True)
class Result:
    """One run that has ended, with all that a recorded run has."""

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
    """As it stood at the end; `peak` is that of the run."""
    run: int | None = None
    """Its number in the journal."""
    others: float | None = None
    """Seconds of processors that other programs had meanwhile; None where the system doesn't tell."""

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(token.id for token in self.tokens)

    @property
    def marks(self) -> tuple[int | str, ...]:
        """What its tokens are told apart by: ids, or texts where a server gave those alone."""
        return tuple(token.id if token.id >= 0 else token.text for token in self.tokens)

    @property
    def rejected(self) -> tuple[Rejected, ...]:
        """What the draft model proposed in vain."""
        return self.finish.drafted.rejected if self.finish.drafted is not None else ()

    @property
    def arrivals(self) -> tuple[float, ...]:
        """Seconds from Send to each token."""
        return tuple(token.at - self.finish.times.sent for token in self.tokens)


@dataclass(frozen=True, slots=True)
class Batch:
    """Arms that were run at once. `runs` stand in their order and share the moment of Send and the memory."""

    arms: tuple[int, ...]
    round: int
    runs: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an experiment. One that was stopped keeps every run that had ended."""

    plan: Plan
    model: Model
    """The one that is open now."""
    results: tuple[Result, ...] = ()
    warm_ups: tuple[Result, ...] = ()
    batches: tuple[Batch, ...] = ()
    stopped: bool = False
    failure: Failure | None = None
    """Why it could not go on."""

    def of(self, arm: int) -> tuple[Result, ...]:
        """The measured runs of one arm that went well."""
        return tuple(each for each in self.results if each.arm == arm and each.finish.failure is None)

    def measured(self) -> tuple[int, ...]:
        """The arms that have such runs."""
        return tuple(arm for arm in range(len(self.plan.arms)) if self.of(arm))


@dataclass(frozen=True, slots=True)
class Column:
    """One number of a run: a column of the table."""

    key: str
    title: str
    unit: str
    of: Callable[[Result], float | None]
    definition: str = ""
    """What the number means, for whoever points at it."""


@dataclass(frozen=True, slots=True)
class Detail:
    """What an experiment found out beside the usual numbers, as a small table of its own."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Plain, ...], ...]


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The measured answer in one sentence, and what it rests on."""

    sentence: str
    details: tuple[Detail, ...] = ()


@dataclass(frozen=True, slots=True)
class Experiment:
    """A question, how to ask it and how to read the answer. From `prompt` to `axes`: what it begins from by itself."""

    name: str
    title: str
    question: str
    plan: Callable[[BaseConfig], Plan | Failure]
    conclude: Callable[[Outcome], Conclusion]
    columns: tuple[Column, ...] = ()
    """Beside the usual ones."""
    prompt: str = "Tell me a long story about a fox."
    stop_strings: tuple[str, ...] = ()
    """For that prompt."""
    max_tokens: int = 256
    temperature: float = 0.0
    """Chance would only add to the scatter, except where it is what is asked about."""
    axes: tuple[Axis, ...] = field(default=())
    claims: Callable[[int], int] = lambda arms: 0
    """How many differences it may tell of so many arms. 0: it tells what each run did, which one is enough for."""

    lead: str = ""
    """The key of the number that answers the question, DETAILS_LEAD: what was found out beside the numbers does."""
    keep: Callable[[Path, Model, str], None] | None = None
    """Keeps the answer of a whole one in a folder, where that is told later."""

    def rounds(self, axes: Sequence[Axis]) -> int:
        """In fewer it can tell no difference from noise: how often each arm is run where nobody says."""
        claims = self.claims(prod(len(axis.values) for axis in axes))
        return least_rounds(claims) if claims else 1

    def of(self, arms: tuple[Variant, ...], repeats: int, batches: tuple[tuple[int, ...], ...] = ()) -> Plan:
        """The plan of these arms."""
        return Plan(self.name, self.title, self.question, arms, repeats, batches, self.lead)
