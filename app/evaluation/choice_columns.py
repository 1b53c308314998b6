"""Multiple choice from the columns of any table, which the user names."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.engine.types import Failure
from app.evaluation.reading import digest_of
from app.evaluation.templates import ANSWERS, CHOICES, PROMPTS, choices_of
from app.evaluation.types import EXPECTED, PROMPT, Check, CheckKind, PromptSet, Scoring
from app.files import json_reader
from app.i18n import WordedEnum, tr

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LISTS = (CHOICES, "options", "endings", "answers", "candidates")
"""Names of columns with a list of choices."""
SERIES = (("A", "B", "C", "D", "E"), *(tuple(f"{name}{at}" for at in range(6)) for name in ("option", "choice", "sol")))
"""Names of columns with one choice each."""
KEYS = (*ANSWERS, "answerkey", "answer_key", "key", "correct", "gold", "correct_answer")
"""Names of columns with the answer."""
SAMPLE = 50
"""Number of rows from which the form of the answer is inferred."""
LEAST = 2
CHECK = Check(CheckKind.LIKELIHOOD, Scoring.SUM)


class AnswerForm(WordedEnum):
    """The form in which a column names the right choice."""

    TEXT = "text", tr("the text of the choice")
    LETTER = "letter", tr("a letter: A is the first choice")
    INDEX = "index", tr("a number: 0 is the first choice")
    NUMBER = "number", tr("a number: 1 is the first choice")


@dataclass(frozen=True, slots=True)
class ChoiceColumns:
    prompt: str
    choices: tuple[str, ...]
    """One column with a list, or several with a choice each."""
    answer: str
    form: AnswerForm


AMBIGUOUS = tr("The answers fit numbers from 0 and from 1; they are read as “{form}”.")
NUMBERS = (AnswerForm.INDEX, AnswerForm.NUMBER)


class RowError(ValueError):
    """A sentence about a row that doesn't fit the columns."""


def with_choices(prompts: PromptSet, columns: ChoiceColumns) -> PromptSet | Failure:
    """Return the set with the columns prompt, choices and expected; other columns stay."""
    used = (PROMPT, CHOICES, EXPECTED)
    others = [at for at, name in enumerate(prompts.columns) if name not in used]
    rows = []
    for row, cells in enumerate(prompts.rows):
        try:
            choices, expected = choices_in(prompts.values(row), columns)
        except RowError as error:
            what = tr("Row {row}: {reason}").format(row=f"{row + 1:,}", reason=error)
            return Failure(what, tr("Choose other columns."), kind="columns")
        prompt = cells[prompts.columns.index(columns.prompt)]
        rows.append((prompt, json.dumps(choices, ensure_ascii=False), expected, *(cells[at] for at in others)))
    names = (*used, *(prompts.columns[at] for at in others))
    template = replace(prompts.template, prompt=f"{{{PROMPT}}}", expected=f"{{{EXPECTED}}}")
    notes = (*prompts.notes, *filter(None, [why_ambiguous(prompts, columns, len(rows))]))
    return PromptSet(prompts.title, names, rows, template, digest_of(names, rows), notes)


def choices_in(values: Mapping[str, str], columns: ChoiceColumns) -> tuple[list[str], str]:
    """Return the choices of a row and the right one. Raise RowError if the columns don't give them."""
    first, *others = (values[name].strip() for name in columns.choices) if columns.choices else [""]
    choices = [first, *others] if others else _listed(first)
    while choices and not choices[-1]:  # rows may have fewer choices than columns
        choices.pop()
    if len(choices) < LEAST or not all(choices):
        raise RowError(tr("it needs at least two choices, and none may be empty."))
    answer = values[columns.answer].strip()
    place = _place(answer, choices, columns.form)
    if place is None:
        words = tr("the answer “{answer}” names none of its {count} choices.")
        raise RowError(words.format(answer=answer[:40], count=len(choices)))
    return choices, choices[place]


def suggested_columns(prompts: PromptSet, prompt: str = "", choices: tuple[str, ...] = ()) -> ChoiceColumns:
    """Return the columns that the names and the first rows suggest, with these ones if they are given."""
    known = {name.lower(): name for name in reversed(prompts.columns)}
    prompt = prompt or next((known[name] for name in PROMPTS if name in known), prompts.columns[0])
    listed = tuple(known[name] for name in LISTS if name in known)[:1]
    series = next((found for names in SERIES if len(found := _present(names, known)) >= LEAST), ())
    choices = choices or listed or series
    free = [name for name in prompts.columns if name not in (prompt, *choices)]
    named = [known[name] for name in KEYS if known.get(name) in free]
    answers = list(dict.fromkeys((*named, *free))) or [prompt]
    every = [with_form(prompts, ChoiceColumns(prompt, choices, name, AnswerForm.TEXT)) for name in answers]
    return next((each for each in every if fits(prompts, each)), every[0])


def with_form(prompts: PromptSet, columns: ChoiceColumns) -> ChoiceColumns:
    """Return the columns with the first form of the answer that fits the first rows."""
    forms = (replace(columns, form=form) for form in AnswerForm)
    return next((each for each in forms if fits(prompts, each)), columns)


def fits(prompts: PromptSet, columns: ChoiceColumns, sample: int = SAMPLE) -> bool:
    """Return whether the first rows have these choices and answers."""
    try:
        return all(choices_in(prompts.values(row), columns) for row in range(min(sample, len(prompts.rows))))
    except RowError:
        return False


def why_ambiguous(prompts: PromptSet, columns: ChoiceColumns, sample: int = SAMPLE) -> str:
    """Return a sentence if the numbers of the first rows fit from 0 and from 1; empty if not."""
    both = columns.form in NUMBERS and all(fits(prompts, replace(columns, form=form), sample) for form in NUMBERS)
    return AMBIGUOUS.format(form=columns.form.words) if both else ""


def _present(names: tuple[str, ...], known: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(known[name.lower()] for name in names if name.lower() in known)


def _listed(text: str) -> list[str]:
    """Return the choices of one column: a JSON list of texts or of objects with `text`, or separated by |."""
    if text[:1] not in ("{", "["):
        return list(choices_of({CHOICES: text}))
    try:
        found = json_reader.parse(text)
        items = found["text"] if isinstance(found, dict) else found
        return [_text(each).strip() for each in items]
    except (ValueError, LookupError, TypeError):
        return []


def _text(item: Any) -> str:  # noqa: ANN401
    return str(item["text"] if isinstance(item, dict) else item)


def _place(answer: str, choices: list[str], form: AnswerForm) -> int | None:
    """Return the index of the choice that an answer names; None: none."""
    if form is AnswerForm.TEXT:
        return choices.index(answer) if answer in choices else None
    if form is AnswerForm.LETTER:
        place = LETTERS.find(answer.upper()) if len(answer) == 1 else -1
    else:
        place = int(answer) - (form is AnswerForm.NUMBER) if answer.isdecimal() and len(answer) < 4 else -1
    return place if 0 <= place < len(choices) else None
