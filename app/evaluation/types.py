"""Types of evaluations: prompt sets, variants, answers and verdicts. They don't depend on engines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from app.engine.types import LATER, ChoiceScore, LoadRequest, Model, Reason, Request
from app.i18n import WordedEnum, tr
from app.records.types import RunId

PROMPT, SYSTEM, EXPECTED = "prompt", "system", "expected"
"""Columns with a fixed meaning."""


@dataclass(frozen=True, slots=True)
class FewShotExamples:
    """Examples from a file, which precede each prompt."""

    text: str
    """The examples as they are, with the line that separates them from the prompt."""
    count: int
    file: str
    """The file's name."""
    seed: int | None = None
    """None: the first rows of the file."""

    @property
    def note(self) -> str:
        way = tr("its first rows") if self.seed is None else tr("seed {seed}").format(seed=self.seed)
        note = tr(
            "%n examples from {file} ({way}) precede each prompt.",
            "%n example from {file} ({way}) precedes each prompt.",
            self.count,
        )
        return note.format(file=self.file, way=way)


@dataclass(frozen=True, slots=True)
class Template:
    """Prompt, system prompt and expected answer with variables such as `{question}`, one for each column."""

    prompt: str = "{prompt}"
    system: str = ""
    expected: str = ""
    """The expected answer of the check; empty for none."""
    raw: bool = False
    """Send the prompt without the chat template."""
    examples: FewShotExamples | None = field(default=None, metadata=LATER)


@dataclass(frozen=True, slots=True)
class PromptSet:
    """A table of texts. Every row has one value per column."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    template: Template
    """The template that its columns suggest."""
    digest: str
    """Hash of the content, to resume an evaluation of the same set."""
    notes: tuple[str, ...] = ()
    """Sentences about skipped or changed content of the file."""

    def values(self, row: int) -> Mapping[str, str]:
        return dict(zip(self.columns, self.rows[row], strict=True))


MOST_REPEATS, MOST_TOGETHER = 100, 256


class Wording(WordedEnum):
    AS_WRITTEN = "as written", tr("as written")
    TRAILING_SPACE = "trailing space", tr("a trailing space")
    LOWER_CASE = "lower case", tr("lower case")
    UPPER_CASE = "upper case", tr("upper case")
    OTHER_ORDER = "other order", tr("another order")
    """The choices of the prompt in reverse order."""


@dataclass(frozen=True, slots=True)
class EvaluationVariant:
    """One variant. `request` has settings and output format; each row's prompt replaces its prompt."""

    name: str
    request: Request
    load: LoadRequest | None = None
    """The model to open; None for the open one."""
    wording: Wording = Wording.AS_WRITTEN
    by_likelihood: bool = field(default=False, metadata=LATER)
    """The answer is the likeliest of the row's choices. Nothing is generated."""


class Scoring(WordedEnum):
    """The score by which a choice is the likeliest. The names in lm-evaluation-harness are in docs/statistics.md."""

    SUM = "sum", tr("log-likelihood")
    CHARACTERS = "characters", tr("log-likelihood per character")
    BYTES = "bytes", tr("log-likelihood per byte")
    UNCONDITIONAL = "unconditional", tr("log-likelihood minus the unconditional one")


class CheckKind(StrEnum):
    EQUAL = "equal"
    CONTAINS = "contains"
    NUMBER = "number"
    """The last number of the answer differs from the expected one by at most `argument`."""
    REGEX = "regex"
    SCHEMA = "schema"
    CHOICE = "choice"
    LIKELIHOOD = "likelihood"
    """The likeliest choice is the expected one; `argument` is a Scoring. Generated answers are checked as by CHOICE."""
    SHORTER = "shorter"
    """The answer has fewer tokens than `argument`."""
    ENDED = "ended"
    """The answer ended at an EOS token."""
    BY_HAND = "by hand"
    """The user votes on two answers side by side."""


@dataclass(frozen=True, slots=True)
class Check:
    """`argument`: a pattern, schema, tolerance or number of tokens; empty for the expected value of each row."""

    kind: CheckKind
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation: every variant answers every row `repeats` times."""

    title: str
    prompts: PromptSet
    template: Template
    arms: tuple[EvaluationVariant, ...]
    check: Check
    repeats: int = 1
    together: int = 16
    """Number of rows in a batch, where batches don't change the answers."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes of the set and of its few-shot examples."""
        examples = self.template.examples
        return (*self.prompts.notes, *((examples.note,) if examples is not None else ()))

    @property
    def scoring(self) -> Scoring:
        argument = self.check.argument if self.check.kind is CheckKind.LIKELIHOOD else ""
        return Scoring(argument) if argument in {each.value for each in Scoring} else Scoring.SUM


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """Variant, row and repeat of an answer, each from 0."""

    arm: int
    row: int
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class EvaluationAnswer:
    key: AnswerKey
    text: str
    """The answer without reasoning."""
    reason: Reason
    tokens: int
    seconds: float
    """From Send to the end of the answer, or of its batch."""
    right: bool | None
    """None: unchecked."""
    why: str = ""
    """The reason as a sentence, if the answer is wrong or failed."""
    run: RunId | None = None
    """The id in the session database."""
    scores: tuple[ChoiceScore, ...] = ()
    """The log-likelihood of each choice, if the answer is the likeliest one."""
    confidence: float | None = None
    """Geometric mean of the probabilities of a generated answer's tokens; None: not recorded."""


@dataclass(frozen=True, slots=True)
class Progress:
    done: int
    total: int
    left_s: float | None = None
    """Seconds left; None before the first answer."""


class Preference(StrEnum):
    LEFT = "left"
    SAME = "same"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Vote:
    first: int
    second: int
    row: int
    preference: Preference
    """LEFT means `first`, whether it was shown on the left or on the right."""
    blind: bool


@dataclass(frozen=True, slots=True)
class EvaluationOutcome:
    """The answers of an evaluation. A stopped evaluation has all answers that had ended."""

    study: Evaluation
    answers: tuple[EvaluationAnswer, ...] = ()
    votes: tuple[Vote, ...] = ()
    stopped: bool = False
    why: str = ""
    """Why it ended early."""
    model: Model | None = None
    """The model that is open at the end."""
    opened: LoadRequest | None = None
    """The model of the variants that name none."""


@dataclass(frozen=True, slots=True)
class EvaluationSummary:
    number: int
    """The id in the session database."""
    title: str
    created: float
    arms: tuple[str, ...]
    answers: int
    total: int
    """Planned number of answers; 0: unknown."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Rate of right rows of a variant, with Wilson's 95 % confidence interval."""

    arm: int
    n: int
    right: float
    """Number of right rows; with repeats, a row counts as its share of right answers."""
    rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """A comparison of two variants on their common rows."""

    first: int
    second: int
    n: int
    difference: float
    low: float
    high: float
    """Upper bound of the 95 % confidence interval: see `paired_tests.confidence_interval`."""
    chance: float
    """Two-sided p-value: McNemar's exact test, or a sign-flip test if rows have several answers."""
    corrected: float
    """The p-value, Holm-corrected for all pairs of the evaluation."""
    only_first: int
    only_second: int
    """Rows that only the first, and only the second variant has right."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95 % confidence interval."""

    middle: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ScoringRate:
    """Rate of right rows of a variant by one of the scores."""

    scoring: Scoring
    rate: Rate


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The rows whose confidence is from `low` to `high`."""

    low: float
    high: float
    n: int
    confidence: float
    """Mean confidence."""
    accuracy: Interval
    """Share of right rows, with Wilson's interval."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Calibration of a variant: whether its confidence equals its share of right rows."""

    arm: int
    n: int
    confidence: float
    """Mean confidence."""
    accuracy: Interval
    overconfidence: Interval
    """Mean confidence minus accuracy."""
    ece: Interval
    """Expected calibration error."""
    brier: Interval
    chance: float
    """p-value of the expected calibration error: the share of simulated calibrated models with at least this error."""
    bins: tuple[ReliabilityBin, ...]
    """Bins that have rows."""


@dataclass(frozen=True, slots=True)
class CalibrationPair:
    """Differences of two variants on their common rows, the second one's value minus the first one's."""

    first: int
    second: int
    n: int
    ece: Interval
    brier: Interval


@dataclass(frozen=True, slots=True)
class EvaluationVerdict:
    rates: tuple[Rate, ...]
    pairs: tuple[PairedComparison, ...]
    sentences: tuple[str, ...]
    """The first sentence is the conclusion; the others have the data."""
    scorings: tuple[ScoringRate, ...] = ()
    """The rates of variants `by_likelihood` by each score."""
    calibrations: tuple[Calibration, ...] = ()
    calibration_pairs: tuple[CalibrationPair, ...] = ()
