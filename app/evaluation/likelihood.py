"""Multiple choice by log-likelihood: the choices of a row for the engine, and the answer that their scores give.

Also the probability of a generated answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, isfinite
from statistics import fmean

from app.engine.jobs import Choice
from app.engine.types import ChatPrompt, ChoiceScore, PromptSource, RawPrompt, Token
from app.evaluation.checks import Judged
from app.evaluation.templates import choices_of
from app.evaluation.types import Scoring
from app.files import json_values
from app.i18n import tr
from app.records.types import TokenRecord

CONTINUATION = "continuation"
"""Column with a text that is scored after each choice, in place of the choice."""
LEAST = 2
NO_CHOICES = tr("This row has fewer than two choices.")


@dataclass(frozen=True, slots=True)
class ChoiceScores:
    """The scores of a row, as the session database stores them."""

    choices: tuple[ChoiceScore, ...]


def choices_to_score(source: PromptSource, values: Mapping[str, str]) -> tuple[Choice, ...]:
    """Return the choices of a row with the texts to score; empty for fewer than two choices.

    A raw prompt and a choice are separated by a space, unless one of them has whitespace there.
    """
    choices, ending = choices_of(values), values.get(CONTINUATION, "").strip()
    if len(choices) < LEAST:
        return ()
    if not ending:
        return tuple(Choice(each, source, _separator(source, each) + each) for each in choices)
    extended = ((each, _extended(source, each)) for each in choices)
    return tuple(Choice(each, longer, f" {ending}") for each, longer in extended)


def as_text(scores: Sequence[ChoiceScore]) -> str:
    """Return the scores as the text of a recorded run."""
    return json_values.dumps(ChoiceScores, ChoiceScores(tuple(scores)))


def from_text(text: str) -> tuple[ChoiceScore, ...]:
    """Read the scores from the text of a recorded run; empty if it has none."""
    try:
        return json_values.loads(ChoiceScores, text).choices
    except ValueError:
        return ()


def likeliest(scores: Sequence[ChoiceScore], scoring: Scoring, values: Mapping[str, str]) -> ChoiceScore | None:
    """Return the choice with the highest score, the first one of equal ones; None if a score is missing."""
    found = [_score(each, scoring, values) for each in scores]
    known = [each for each in found if each is not None and isfinite(each)]
    return scores[known.index(max(known))] if known and len(known) == len(found) else None


def judge_scores(scores: Sequence[ChoiceScore], scoring: Scoring, values: Mapping[str, str], expected: str) -> Judged:
    """Return whether the likeliest choice is the expected one, and the reason if not."""
    if not scores:
        return None, NO_CHOICES
    if not expected.strip():
        return None, tr("This row has no expected answer.")
    if expected.strip() not in {each.text.strip() for each in scores}:
        return None, tr("The expected answer of this row isn't one of its choices.")
    chosen = likeliest(scores, scoring, values)
    if chosen is None:
        return None, tr("A score is missing or isn't a finite number. Run the evaluation again.")
    is_right = chosen.text.strip() == expected.strip()
    return is_right, "" if is_right else tr("It chose {choice}.").format(choice=chosen.text[:80])


def probabilities(scores: Sequence[ChoiceScore]) -> tuple[float, ...]:
    """Return the probability of each choice, given that the answer is one of them: a softmax of log-likelihoods."""
    highest = max(each.logprob for each in scores)
    weights = [exp(each.logprob - highest) for each in scores]
    return tuple(each / sum(weights) for each in weights)


def confidence_of(tokens: Sequence[Token | TokenRecord], answer: str, stop_strings: Sequence[str] = ()) -> float | None:
    """Return the geometric mean of the probabilities of an answer's tokens; None if they aren't known.

    The tokens of the answer are those that have a part of it: without reasoning, EOS, stop string, and whitespace
    around the answer.
    """
    answer, whole = answer.strip(), _before_stop("".join(each.text for each in tokens), tokens, stop_strings)
    if answer not in whole and answer.endswith(whole.strip()):  # it begins with a reply prefix
        answer = whole.strip()
    start = whole.rfind(answer) if answer else -1
    if start < 0:
        return None
    end, at, logprobs = start + len(answer), 0, []
    for each in tokens:
        before, at = at, at + len(each.text)
        # A token with a part of a character has no text: it belongs to the token that completes the character.
        if (at > start and before < end) or (not each.text and start <= at < end):
            if each.observed is None:
                return None
            logprobs.append(each.observed.chosen.logprob)
    return exp(fmean(logprobs))


def _before_stop(whole: str, tokens: Sequence[Token | TokenRecord], stop_strings: Sequence[str]) -> str:
    """Return the text up to the stop string that the last token completes, which may contain the answer."""
    end = len(whole) - len(tokens[-1].text) if tokens else 0
    found = [at for stop in stop_strings if (at := whole.find(stop, max(0, end - len(stop) + 1))) >= 0]
    return whole[: min(found, default=len(whole))]


def _score(each: ChoiceScore, scoring: Scoring, values: Mapping[str, str]) -> float | None:
    text = values.get(CONTINUATION, "").strip() or each.text
    match scoring:
        case Scoring.CHARACTERS:
            return each.logprob / max(1, len(text))
        case Scoring.BYTES:
            return each.logprob / max(1, len(text.encode("utf-8", "replace")))
        case Scoring.UNCONDITIONAL:
            return None if each.unconditional is None else each.logprob - each.unconditional
    return each.logprob


def _separator(source: PromptSource, choice: str) -> str:
    has_space = not isinstance(source, RawPrompt) or source.text[-1:].isspace() or choice[:1].isspace()
    return "" if has_space else " "


def _extended(source: PromptSource, choice: str) -> PromptSource:
    if isinstance(source, ChatPrompt):
        return replace(source, reply_start=source.reply_start + choice)
    return RawPrompt(source.text + choice) if isinstance(source, RawPrompt) else source
