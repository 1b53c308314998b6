"""Checks of answers, in a time that is bounded by the answer's length."""

import re
from collections.abc import Sequence
from fractions import Fraction

from app.engine.structured_output.grammar import format_mismatch, why_not
from app.engine.types import FormatKind, OutputFormat, Reason
from app.evaluation.templates import choices_of, expected_of
from app.evaluation.types import Check, CheckKind, PromptSet, Scoring
from app.i18n import tr

Judged = tuple[bool | None, str]
"""True: right; False: wrong; None: unchecked. Then the reason, if it isn't right."""
NUMBERS = re.compile(
    r"(?:(?<![\w.)])[-−+])?(?:\d{1,3}(?:,\d{3}(?!\d))+|\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,3}(?!\d))?|"
    r"(?:(?<![\w.)])[-−+])?(?<![\d.])\.\d+",
    re.ASCII,
)
"""Numbers in a text. A minus after an operand is an operator, not a sign."""
FORMED = frozenset({CheckKind.REGEX, CheckKind.SCHEMA})
"""Checks whose argument is compiled in a child process first, to find whether any text can match."""
OF_ROW = frozenset({CheckKind.NUMBER, CheckKind.CHOICE, CheckKind.LIKELIHOOD})
"""Checks whose argument is not the expected value."""
LONGEST_NUMBER = 1_000
LONGEST_TEXT = 1_000_000
"""The longest answer, in characters, that is checked by a pattern, a schema or choices."""
BRACKETED, INNERMOST = re.compile(r"\\.|\[(?:\\.|[^]\\])*\]", re.DOTALL), re.compile(r"\([^()]*\)")
"""Escapes and character classes of a pattern; then its innermost groups."""
LOOSE_ANCHOR = tr("Put parentheses around the alternatives: otherwise ^ and $ apply to only one of them.")
SAMPLE = 200
"""Number of rows from which the suggested check is inferred."""


def judge(check: Check, text: str, expected: str, tokens: int, reason: Reason, choices: Sequence[str] = ()) -> Judged:
    """Return whether an answer is right, and the reason if not. `text` is without reasoning."""
    if check.kind is CheckKind.BY_HAND:
        return None, ""
    if reason is Reason.STOPPED:
        return None, tr("It was stopped.")
    if reason in (Reason.ERROR, Reason.DEAD_END):
        return False, tr("It failed.")
    if check.kind is CheckKind.ENDED:
        return _judged(
            reason is Reason.STOP, tr("Its finish reason is {reason}, not EOS.").format(reason=reason.plain_words)
        )
    wanted = expected if check.kind in OF_ROW else check.argument or expected
    if not wanted.strip():
        return None, tr("This row has no expected answer.")
    if len(text) > LONGEST_TEXT:
        return None, tr("It is too long to check.")
    match check.kind:
        case CheckKind.SHORTER:
            return _shorter(tokens, _value(wanted))
        case CheckKind.EQUAL:
            return _equal(text.strip(), wanted.strip())
        case CheckKind.CONTAINS:
            return _judged(wanted.strip() in text, tr("It doesn't contain the expected text."))
        case CheckKind.NUMBER:
            return _number(text, wanted, check.argument)
        case CheckKind.CHOICE | CheckKind.LIKELIHOOD:
            return _choice(text, wanted.strip(), choices or choices_of({"choices": check.argument}))
    if check.kind is CheckKind.REGEX and _has_loose_anchor(wanted):
        return None, LOOSE_ANCHOR
    return _formed(_output_format(check.kind, wanted), text)


def complaint(check: Check) -> str:
    """Return a sentence with the reason why a check can't be used; empty if it can."""
    argument = check.argument.strip()
    if argument and check.kind is CheckKind.LIKELIHOOD:
        known = [each.value for each in Scoring]
        return "" if argument in known else tr("The score is one of {names}.").format(names=", ".join(known))
    if argument and check.kind in (CheckKind.NUMBER, CheckKind.SHORTER):
        return (
            ""
            if (number := _value(argument)) is not None and number >= 0
            else tr("The value must be a number, 0 or more.")
        )
    if check.kind is CheckKind.REGEX and _has_loose_anchor(argument):
        return LOOSE_ANCHOR
    if argument and check.kind is CheckKind.REGEX:  # also by itself, since its brackets may close ours
        return why_not(OutputFormat().put(FormatKind.REGEX, _split_anchors(argument)[1])) or why_not(
            _output_format(check.kind, argument)
        )
    return why_not(_output_format(check.kind, argument)) if argument and check.kind is CheckKind.SCHEMA else ""


def suggested(prompts: PromptSet) -> Check:
    """Return the check that fits the expected values of a set."""
    rows = [prompts.values(row) for row in range(min(SAMPLE, len(prompts.rows)))]
    wanted = [each for each in (expected_of(prompts.template, values).strip() for values in rows) if each]
    if not wanted:
        return Check(CheckKind.BY_HAND)
    if any(map(choices_of, rows)):
        return Check(CheckKind.CHOICE)
    return Check(CheckKind.NUMBER if all(_value(each) is not None for each in wanted) else CheckKind.EQUAL)


def _judged(right: bool, why: str) -> Judged:
    return right, "" if right else why


def _equal(text: str, wanted: str) -> Judged:
    if text.casefold() == wanted.casefold():
        return _judged(text == wanted, tr("It differs from the expected answer only in upper and lower case."))
    return False, tr("It differs from the expected answer.")


def _number(text: str, wanted: str, tolerance: str) -> Judged:
    right, within = _value(wanted), _value(tolerance) if tolerance.strip() else Fraction(0)
    if right is None or within is None:
        return None, tr("The expected answer of this row isn't a number.")
    found = NUMBERS.findall(text)
    if not found:
        return False, tr("The answer contains no number.")
    value = _value(found[-1])
    words = tr("Its last number is {number}.").format(number=found[-1][:40])
    return _judged(value is not None and abs(value - right) <= within, words)


def _value(text: str) -> Fraction | None:
    """Return the value of a text that consists of a number; None for other texts."""
    text = text.strip()
    if len(text) > LONGEST_NUMBER or NUMBERS.fullmatch(text) is None:
        return None
    return Fraction(text.replace(",", "").replace("−", "-"))


def _shorter(tokens: int, most: Fraction | None) -> Judged:
    if most is None:
        return None, tr("The expected answer of this row isn't a number.")
    return _judged(tokens < most, tr("It has {tokens} tokens.").format(tokens=tokens))


def _choice(text: str, wanted: str, choices: Sequence[str]) -> Judged:
    """Judge an answer as right if it is the expected choice, or names it and no other."""
    known = {each.strip().casefold(): each for each in choices if each.strip()}
    if wanted.casefold() not in known:
        return None, tr("The expected answer of this row isn't one of its choices.")
    answer = text.strip().strip(".!\"'“”()*`").casefold()
    if answer in known:
        named = {answer}
    else:
        longest = sorted(map(re.escape, known), key=len, reverse=True)
        named = set(re.findall(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)", text.casefold()))
    if len(named) != 1:
        return False, tr("It names several choices.") if named else tr("It names none of the choices.")
    return _judged(named == {wanted.casefold()}, tr("It chose {choice}.").format(choice=known[named.pop()][:80]))


def _output_format(kind: CheckKind, wanted: str) -> OutputFormat:
    """Return the form of an answer. A pattern matches anywhere in it, unless it begins with ^ or ends with $."""
    if kind is not CheckKind.REGEX:
        return OutputFormat(FormatKind.SCHEMA, wanted)
    begins, inner, ends = _split_anchors(wanted)
    return OutputFormat().put(FormatKind.REGEX, f"{'' if begins else '(?s:.*)'}(?:{inner}){'' if ends else '(?s:.*)'}")


def _split_anchors(pattern: str) -> tuple[str, str, str]:
    """Split a pattern into a leading ^, the rest, and a trailing $; missing ones are empty."""
    inner = pattern.removeprefix("^")
    slashes = len(inner[:-1]) - len(inner[:-1].rstrip("\\"))
    ends = "$" if inner.endswith("$") and slashes % 2 == 0 else ""
    return pattern[: len(pattern) - len(inner)], inner.removesuffix("$") if ends else inner, ends


def _has_loose_anchor(pattern: str) -> bool:
    """Return whether ^ or $ applies to one alternative only."""
    begins, inner, ends = _split_anchors(pattern)
    outside = BRACKETED.sub("", inner)
    while (less := INNERMOST.sub("", outside)) != outside:
        outside = less
    return bool(begins or ends) and "|" in outside


def _formed(output_format: OutputFormat, text: str) -> Judged:
    if output_format.kind is FormatKind.SCHEMA and (why := why_not(output_format)):
        return None, why
    untold = format_mismatch(output_format, text.strip())
    if untold:
        return None, tr("It can't be checked: {why}.").format(why=untold)
    return _judged(untold == "", tr("It doesn't match the expected format."))
