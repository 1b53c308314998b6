"""Values of evaluations: prompt sets, variants, answers and verdicts. They are independent of engines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.engine.types import LoadRequest, Model, Reason, Request
from app.i18n import WordedEnum, tr
from app.records.types import RunId

PROMPT, SYSTEM, EXPECTED = "prompt", "system", "expected"
"""Columns with known names."""


@dataclass(frozen=True, slots=True)
class Template:
    """The texts of a prompt, with variables such as `{question}`, one for each column."""

    prompt: str = "{prompt}"
    system: str = ""
    expected: str = ""
    """The expected answer of the check; empty for none."""
    raw: bool = False
    """The chat template is left out."""


@dataclass(frozen=True, slots=True)
class PromptSet:
    """A table of texts. Every row has as many values as there are columns."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    template: Template
    """The template that its columns suggest."""
    digest: str
    """Of the content, to resume an evaluation of the same set."""
    notes: tuple[str, ...] = ()
    """What was skipped or changed when it was read, in sentences."""

    def values(self, row: int) -> Mapping[str, str]:
        """Return the values of a row by column."""
        return dict(zip(self.columns, self.rows[row], strict=True))


class Wording(WordedEnum):
    """A wording of the prompts."""

    AS_WRITTEN = "as written", tr("as written")
    TRAILING_SPACE = "trailing space", tr("a trailing space")
    LOWER_CASE = "lower case", tr("lower case")
    UPPER_CASE = "upper case", tr("upper case")
    OTHER_ORDER = "other order", tr("another order")
    """The choices of the prompt in reverse order."""


@dataclass(frozen=True, slots=True)
class EvaluationVariant:
    """One variant. `request` has the settings and the output format; each row's prompt replaces its prompt."""

    name: str
    request: Request
    load: LoadRequest | None = None
    """The model to open; None for the open one."""
    wording: Wording = Wording.AS_WRITTEN


class CheckKind(StrEnum):
    EQUAL = "equal"
    CONTAINS = "contains"
    NUMBER = "number"
    """The last number of the answer differs from the expected one by at most `argument`."""
    REGEX = "regex"
    SCHEMA = "schema"
    CHOICE = "choice"
    SHORTER = "shorter"
    """It has fewer tokens than `argument`."""
    ENDED = "ended"
    """It ended at an EOS token."""
    BY_HAND = "by hand"
    """By votes on two answers side by side."""


@dataclass(frozen=True, slots=True)
class Check:
    """`argument`: a pattern, schema, tolerance or number of tokens; empty for the expected value of each row."""

    kind: CheckKind
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation: every row is answered `repeats` times by every variant."""

    title: str
    prompts: PromptSet
    template: Template
    arms: tuple[EvaluationVariant, ...]
    check: Check
    repeats: int = 1
    together: int = 16
    """Rows of a batch, where batches don't change the answers."""


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """The place of an answer; each counts from 0."""

    arm: int
    row: int
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class EvaluationAnswer:
    """One answer."""

    place: AnswerKey
    text: str
    """Without reasoning."""
    reason: Reason
    tokens: int
    seconds: float
    """From Send to the end of the answer, or of its batch."""
    right: bool | None
    """None for an unchecked answer."""
    why: str = ""
    """A sentence, if it isn't right or failed."""
    run: RunId | None = None
    """Its number in the session database."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress in answers."""

    done: int
    total: int
    left_s: float | None = None
    """None before the first answer."""


class Preference(StrEnum):
    """The preference for one of two answers."""

    LEFT = "left"
    SAME = "same"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Vote:
    """One vote on the answers of two variants to a row."""

    first: int
    second: int
    row: int
    preference: Preference
    """LEFT means `first`, on whichever side it was shown."""
    blind: bool


@dataclass(frozen=True, slots=True)
class EvaluationOutcome:
    """The answers of an evaluation. A stopped one has every answer that had ended."""

    study: Evaluation
    answers: tuple[EvaluationAnswer, ...] = ()
    votes: tuple[Vote, ...] = ()
    stopped: bool = False
    why: str = ""
    """Why it ended early."""
    model: Model | None = None
    """The open model at its end."""


@dataclass(frozen=True, slots=True)
class EvaluationSummary:
    """An evaluation in a list."""

    number: int
    """Its number in the session database."""
    title: str
    created: float
    arms: tuple[str, ...]
    answers: int
    total: int
    """0 for unknown."""


@dataclass(frozen=True, slots=True)
class Rate:
    """The rate of right rows of a variant, with Wilson's 95 % confidence interval."""

    arm: int
    n: int
    right: float
    """With repeats, a row counts as the share of its right answers."""
    rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two variants on their common rows. `difference` is `second` minus `first`, in rates."""

    first: int
    second: int
    n: int
    difference: float
    low: float
    high: float
    """The 95 % confidence interval: see `paired_tests.interval`."""
    chance: float
    """The two-sided p-value: McNemar's exact test, or sign flips where rows have several answers."""
    corrected: float
    """Holm-corrected for all pairs of the evaluation."""
    only_first: int
    only_second: int
    """Rows that only one variant has right."""


@dataclass(frozen=True, slots=True)
class EvaluationVerdict:
    """Rates of the variants, their comparisons, and sentences with confidence intervals."""

    rates: tuple[Rate, ...]
    pairs: tuple[PairedComparison, ...]
    sentences: tuple[str, ...]
    """The first one is the answer; the others have its data."""
