"""What a prompt set and its study are, as frozen values: rows, arms, answers, and what may be said of them.

Nothing here knows an engine, so a widget may take any of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.engine.types import LoadRequest, Model, Reason, Request
from app.i18n import WordedEnum, tr
from app.records.types import RunId

PROMPT, SYSTEM, EXPECTED = "prompt", "system", "expected"
"""Columns that are known by their names."""


@dataclass(frozen=True, slots=True)
class Template:
    """How a row becomes a prompt: texts with variables such as `{question}`, one for each column."""

    prompt: str = "{prompt}"
    system: str = ""
    expected: str = ""
    """What the check holds an answer to; empty: nothing is expected."""
    raw: bool = False
    """The prompt goes to the model as it stands, without the chat template."""


@dataclass(frozen=True, slots=True)
class PromptSet:
    """A table of texts. Every row has as many values as there are columns."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    template: Template
    """The one that its columns suggest."""
    digest: str
    """Of the content: whether it is the same set that a study began with."""
    notes: tuple[str, ...] = ()
    """What was left out or changed in reading it, in sentences."""

    def values(self, row: int) -> Mapping[str, str]:
        """What stands in a row, by column."""
        return dict(zip(self.columns, self.rows[row], strict=True))


class Wording(WordedEnum):
    """The same row, said a little differently: how much of a verdict is the wording."""

    AS_WRITTEN = "as written", tr("as written")
    TRAILING_SPACE = "trailing space", tr("a trailing space")
    LOWER_CASE = "lower case", tr("lower case")
    UPPER_CASE = "upper case", tr("upper case")
    OTHER_ORDER = "other order", tr("another order")
    """The choices that the prompt lists, the other way round."""


@dataclass(frozen=True, slots=True)
class EvaluationVariant:
    """One way to answer all rows. `request` has every setting and the form; its prompt is replaced by each row's."""

    name: str
    request: Request
    load: LoadRequest | None = None
    """What must be open; None: whatever is."""
    wording: Wording = Wording.AS_WRITTEN


class CheckKind(StrEnum):
    """How an answer is judged."""

    EQUAL = "equal"
    CONTAINS = "contains"
    NUMBER = "number"
    """The last number of the answer is within `argument` of the expected one."""
    REGEX = "regex"
    SCHEMA = "schema"
    CHOICE = "choice"
    SHORTER = "shorter"
    """It has fewer tokens than `argument`."""
    ENDED = "ended"
    """It ended by itself."""
    BY_HAND = "by hand"
    """By whoever looks at two answers side by side."""


@dataclass(frozen=True, slots=True)
class Check:
    """`argument`: a pattern, a schema, a tolerance, a number of tokens; where it is empty the expected value counts."""

    kind: CheckKind
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What is to be asked: every row of every arm, so many times."""

    title: str
    prompts: PromptSet
    template: Template
    arms: tuple[EvaluationVariant, ...]
    check: Check
    repeats: int = 1
    together: int = 16
    """So many rows at once, where the answers are proven the same; 1: one by one."""


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """Which answer of a study; each counts from 0."""

    arm: int
    row: int
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class EvaluationAnswer:
    """What came of one place."""

    place: AnswerKey
    text: str
    """Without what was thought."""
    reason: Reason
    tokens: int
    seconds: float
    """From Send to the end; of a row that was read together with others, its batch's."""
    right: bool | None
    """None: it could not be judged, or is judged by hand."""
    why: str = ""
    """In a sentence, where it is not right or failed."""
    run: RunId | None = None
    """Its number in the session database."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a study has come, in answers."""

    done: int
    total: int
    left_s: float | None = None
    """None: nothing has ended yet that could tell."""


class Preference(StrEnum):
    """Which of two answers somebody liked better."""

    LEFT = "left"
    SAME = "same"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Vote:
    """One judgement by hand: of `first` and `second`, two arms, at a row."""

    first: int
    second: int
    row: int
    preference: Preference
    """LEFT means `first`, whichever side it was shown on."""
    blind: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a study so far. One that was stopped keeps every answer that had ended."""

    study: Evaluation
    answers: tuple[EvaluationAnswer, ...] = ()
    votes: tuple[Vote, ...] = ()
    stopped: bool = False
    why: str = ""
    """Why it ended early."""
    model: Model | None = None
    """The one that is open at its end."""


@dataclass(frozen=True, slots=True)
class EvaluationSummary:
    """A study as a list tells of it."""

    number: int
    """The journal's."""
    title: str
    created: float
    arms: tuple[str, ...]
    answers: int
    total: int
    """0: not known."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Of so many rows of an arm, so many right, and the 95 % interval (Wilson) of the rate."""

    arm: int
    n: int
    right: float
    """A whole number but where rows were asked more than once: a row counts as the share of its repeats."""
    rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two arms on the rows that both have answered. `difference` is `second` less `first`, in rates."""

    first: int
    second: int
    n: int
    difference: float
    low: float
    high: float
    """Of Agresti and Min, and of Bonett and Price, 95 %: see `pairs.interval`."""
    chance: float
    """The two-sided p-value: McNemar's exact test, or sign flips where rows have several answers."""
    corrected: float
    """The same with Holm's correction for all pairs of the study."""
    only_first: int
    only_second: int
    """Rows that only one of them had right."""


@dataclass(frozen=True, slots=True)
class EvaluationVerdict:
    """What a study says: rates of the arms, pairs of them, sentences. Never a ranking without its uncertainty."""

    rates: tuple[Rate, ...]
    pairs: tuple[PairedComparison, ...]
    sentences: tuple[str, ...]
    """The first answers the question; the others say what it rests on."""
