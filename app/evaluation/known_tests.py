"""Known tests in the formats in which they are distributed: recognized by their columns, converted to prompt sets.

Prompts, choices and scored texts are those of lm-evaluation-harness. No test is included.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from app.engine.types import Failure
from app.evaluation.choice_columns import ChoiceColumns, with_choices
from app.evaluation.likelihood import CONTINUATION
from app.evaluation.reading import digest_of, open_set
from app.evaluation.templates import CHOICES, EXAMPLES, expected_of, filled
from app.evaluation.types import (
    EXPECTED,
    PROMPT,
    Check,
    CheckKind,
    FewShotExamples,
    PromptSet,
    Scoring,
    Template,
)
from app.files import json_reader, regular_files
from app.files.json_values import clean
from app.i18n import tr

SOLUTION = "solution"
"""Column with the whole answer of an example, whose end is the expected one."""
DESCRIPTION = "description"
"""Column with a line that precedes examples and prompt."""
COLUMNS = (DESCRIPTION, PROMPT, CHOICES, EXPECTED, CONTINUATION, SOLUTION)
OPENING = f"{{{DESCRIPTION}}}{{{EXAMPLES}}}"
SUBJECT = "subject"
MMLU_FILE = re.compile(r"(?!mmlu|all)([a-z_]+)_(?:dev|test|val)")
"""The name of a CSV file of one subject of MMLU, with which it begins."""
LETTERS = "ABCDEFGHIJ"
LARGEST_LABELS = 4_000_000
MOST_SHOTS = 100
Values = Mapping[str, str]


class ConvertedRow(NamedTuple):
    prompt: str
    choices: Sequence[str]
    expected: str
    continuation: str = ""
    solution: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class KnownTest:
    name: str
    needs: frozenset[str]
    """Columns by which it is recognized."""
    convert: Callable[[Values], ConvertedRow]
    """Convert a row. Raises ValueError, LookupError or TypeError for a row of another form."""
    check: Check


def _arc(values: Values) -> ConvertedRow:
    question, choices = _json(values["question"]), _json(values.get("choices", ""))
    if isinstance(question, dict):  # the form of the Allen Institute
        question, choices = question["stem"], question["choices"]
    if isinstance(choices, dict):  # the form of the Hugging Face hub
        choices = [
            {"label": label, "text": text} for label, text in zip(choices["label"], choices["text"], strict=True)
        ]
    texts = [str(each["text"]) for each in choices]
    labels = [str(each["label"]) for each in choices]
    return ConvertedRow(f"Question: {question}\nAnswer:", texts, texts[labels.index(values["answerKey"].strip())])


def _hellaswag(values: Values) -> ConvertedRow:
    begun = f"{values['ctx_a']} {values['ctx_b'].capitalize()}"
    endings = [_plain(str(each)) for each in _json(values["endings"])]
    expected = endings[_place(values["label"], endings)]
    return ConvertedRow(_plain(f"{values['activity_label']}: {begun}"), endings, expected)


def _plain(text: str) -> str:
    """Remove the bracketed marks of WikiHow."""
    text = re.sub(r"\[.*?\]", "", text.strip().replace(" [title]", ". "))
    return text.replace("  ", " ")


def _mmlu(values: Values) -> ConvertedRow:
    listed = _json(values.get("choices", ""))
    choices = [str(each) for each in listed] if isinstance(listed, list) else [values[letter] for letter in "ABCD"]
    letters = LETTERS[: len(choices)]
    lines = (f"{letter}. {choice}" for letter, choice in zip(letters, choices, strict=True))
    answer = values["answer"].strip()
    expected = answer if answer in list(letters) else letters[_place(answer, letters)]
    subject = values.get(SUBJECT, "").replace("_", " ")
    about = f"The following are multiple choice questions (with answers) about {subject}.\n\n" if subject else ""
    prompt = "\n".join((values["question"].strip(), *lines, "Answer:"))
    return ConvertedRow(prompt, list(letters), expected, description=about)


def _piqa(values: Values) -> ConvertedRow:
    choices = [values["sol1"], values["sol2"]]
    return ConvertedRow(f"Question: {values['goal']}\nAnswer:", choices, choices[_place(values["label"], choices)])


def _winogrande(values: Values) -> ConvertedRow:
    before, _, after = values["sentence"].partition("_")
    choices = [values["option1"], values["option2"]]
    if not after.strip():
        raise ValueError
    return ConvertedRow(before, choices, choices[_place(values["answer"], choices, first=1)], after.strip())


def _boolq(values: Values) -> ConvertedRow:
    answer = values["answer"] if "answer" in values else values["label"]
    expected = {"true": "yes", "1": "yes", "false": "no", "0": "no"}[answer.strip().lower()]
    question = values["question"].strip().removesuffix("?")
    title = f"{values['title']} -- " if values.get("title") else ""  # as in SuperGLUE, which the harness uses
    return ConvertedRow(f"{title}{values['passage']}\nQuestion: {question}?\nAnswer:", ["no", "yes"], expected)


def _gsm8k(values: Values) -> ConvertedRow:
    solution = values["answer"]
    expected = solution.rpartition("####")[2].strip()
    return ConvertedRow(f"Question: {values['question']}\nAnswer:", (), expected, solution=solution)


BY_SUM, BY_CHARACTER = Check(CheckKind.LIKELIHOOD, Scoring.SUM), Check(CheckKind.LIKELIHOOD, Scoring.CHARACTERS)
KNOWN_MMLU = KnownTest("MMLU", frozenset({"question", "A", "B", "C", "D", "answer"}), _mmlu, BY_SUM)
KNOWN = (
    KnownTest("ARC", frozenset({"question", "answerKey"}), _arc, BY_CHARACTER),
    KnownTest("HellaSwag", frozenset({"ctx_a", "ctx_b", "endings", "label"}), _hellaswag, BY_CHARACTER),
    KnownTest("WinoGrande", frozenset({"sentence", "option1", "option2", "answer"}), _winogrande, BY_SUM),
    KnownTest("PIQA", frozenset({"goal", "sol1", "sol2", "label"}), _piqa, BY_CHARACTER),
    KnownTest("BoolQ", frozenset({"passage", "question", "answer"}), _boolq, BY_SUM),
    KnownTest("BoolQ", frozenset({"passage", "question", "label"}), _boolq, BY_SUM),
    KNOWN_MMLU,
    KnownTest("MMLU", frozenset({"question", "choices", "answer", "subject"}), _mmlu, BY_SUM),
)
GSM8K = KnownTest("GSM8K", frozenset({"question", "answer"}), _gsm8k, Check(CheckKind.NUMBER))


def recognized(prompts: PromptSet) -> KnownTest | None:
    """Return the test of which this is the file; None if it is another set."""
    columns = frozenset(prompts.columns)
    found = next((each for each in KNOWN if each.needs <= columns), None)
    if found is None and columns == GSM8K.needs and "####" in prompts.values(0)["answer"]:
        return GSM8K
    return found


class HubTest(NamedTuple):
    """A known test on the Hugging Face hub, with the license that its authors state."""

    title: str
    dataset: str
    license: str
    split: str
    """Beginning of the name of the file with the rows to run: the test split if it has answers."""


HUB_TESTS = (
    HubTest("ARC Challenge", "allenai/ai2_arc", "CC BY-SA 4.0", "ARC-Challenge/test"),
    HubTest("ARC Easy", "allenai/ai2_arc", "CC BY-SA 4.0", "ARC-Easy/test"),
    HubTest("HellaSwag", "Rowan/hellaswag", "MIT", "data/validation"),
    HubTest("MMLU", "cais/mmlu", "MIT", "all/test"),
    HubTest("PIQA", "baber/piqa", "AFL 3.0", "piqa_validation"),
    HubTest("WinoGrande", "allenai/winogrande", "CC BY", "winogrande_xl/validation"),
    HubTest("BoolQ", "aps/super_glue", "CC BY-SA 3.0", "boolq/validation"),
    HubTest("GSM8K", "openai/gsm8k", "MIT", "main/test"),
)

NOTE = tr("Recognized as {test}. Prompts as in lm-evaluation-harness, without the chat template.")
NO_TITLES = tr("lm-evaluation-harness puts a title before each passage. This file has no titles.")
NO_SUBJECT = tr("lm-evaluation-harness begins with a line about the subject. This file has no subject.")
STOPS = tr("Set the stop string “Question:”: without the chat template the model may continue with more questions.")


def open_test(path: Path, title: str = "") -> tuple[PromptSet, Check | None] | Failure:
    """Read a prompt set. The file of a known test is converted, and its check is returned too."""
    found = open_set(path, title)
    if isinstance(found, Failure):
        return found
    found = _completed(found, path)
    test = recognized(found)
    if test is None:
        return found, None
    converted = _converted(found, test)
    return converted, None if converted.columns == found.columns else test.check


def _converted(prompts: PromptSet, test: KnownTest) -> PromptSet:
    """Convert all rows. If one has another form, the set stays as it is, with a note."""
    rows = []
    for row in range(len(prompts.rows)):
        try:
            one = test.convert(prompts.values(row))
        except (ValueError, LookupError, TypeError, AttributeError):
            note = tr("Row {row} doesn't have the form of {test}, so the columns are used as they are.")
            return replace(prompts, notes=(note.format(row=f"{row + 1:,}", test=test.name), *prompts.notes))
        listed = json.dumps(list(one.choices), ensure_ascii=False) if one.choices else ""
        rows.append((one.description, one.prompt, listed, one.expected, one.continuation, one.solution))
    used = [at for at in range(len(COLUMNS)) if any(row[at] for row in rows)]
    columns = tuple(COLUMNS[at] for at in used)
    cells = [tuple(row[at] for at in used) for row in rows]
    opening = OPENING if DESCRIPTION in columns else ""
    template = Template(f"{opening}{{prompt}}", expected="{expected}", raw=True)
    return PromptSet(prompts.title, columns, cells, template, digest_of(columns, cells), _notes(prompts, test))


def _notes(prompts: PromptSet, test: KnownTest) -> tuple[str, ...]:
    columns = {*prompts.columns}
    notes = [NOTE.format(test=test.name)]
    if test is GSM8K:
        notes.append(STOPS)
    elif test.convert is _boolq and columns.isdisjoint({"title", "label"}):
        notes.append(NO_TITLES)
    elif test.convert is _mmlu and SUBJECT not in columns:
        notes.append(NO_SUBJECT)
    return (*notes, *prompts.notes)


def _completed(prompts: PromptSet, path: Path) -> PromptSet:
    """Add the answers of PIQA, which are in a second file, and the subject of MMLU, which is in the file's name."""
    columns = {*prompts.columns}
    if {"goal", "sol1", "sol2"} <= columns and "label" not in columns:
        try:
            text = regular_files.read(path.with_name(f"{path.stem}-labels.lst"), LARGEST_LABELS).decode("ascii")
        except (OSError, ValueError):
            return prompts
        return _with_column(prompts, "label", text.split())
    if KNOWN_MMLU.needs <= columns and SUBJECT not in columns and (found := MMLU_FILE.fullmatch(path.stem)):
        return _with_column(prompts, SUBJECT, [found[1]] * len(prompts.rows))
    return prompts


def _with_column(prompts: PromptSet, name: str, cells: Sequence[str]) -> PromptSet:
    if len(cells) != len(prompts.rows):
        return prompts
    rows = [(*row, cell) for row, cell in zip(prompts.rows, cells, strict=True)]
    return replace(prompts, columns=(*prompts.columns, name), rows=rows)


def examples_from(
    path: Path, prompts: PromptSet, count: int, seed: int | None, columns: ChoiceColumns | None = None
) -> FewShotExamples | Failure:
    """Choose few-shot examples from a file. They are the same for all rows.

    `seed` None: the first rows of the file, else random ones. Rows that are in `prompts` too are left out. `columns`:
    those that were chosen for `prompts`. Slow: don't call it on the UI thread.
    """
    examples = _examples(path, columns)
    if isinstance(examples, Failure):
        return examples
    own = {_identity(prompts.values(row)) for row in range(len(prompts.rows))}
    rows = [row for row in range(len(examples.rows)) if _identity(examples.values(row)) not in own]
    if len(rows) < count:
        what = tr("{file} has only %n other rows.", "{file} has only %n other row.", len(rows))
        return Failure(what.format(file=path.name), tr("Use fewer examples, or another file."), kind="examples")
    chosen = rows[:count] if seed is None else Random(seed).sample(rows, count)
    text = "".join(f"{_example(examples.template, examples.values(row))}\n\n" for row in chosen)
    return FewShotExamples(text, count, clean(path.name), seed)


def _examples(path: Path, columns: ChoiceColumns | None) -> PromptSet | Failure:
    if columns is None:
        opened = open_test(path)
        return opened if isinstance(opened, Failure) else opened[0]
    found = open_set(path)
    if isinstance(found, Failure):
        return found
    for name in (columns.prompt, *columns.choices, columns.answer):
        if name not in found.columns:
            what = tr("{file} has no column “{name}”, which was chosen for the set.")
            return Failure(what.format(file=path.name, name=name), tr("Use another file."), kind="examples")
    return with_choices(found, columns)


def _identity(values: Values) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(values.items()))


def _example(template: Template, values: Values) -> str:
    prompt, expected = filled(template.prompt.removeprefix(OPENING), values), expected_of(template, values)
    if ending := values.get(CONTINUATION, ""):
        return f"{prompt}{expected} {ending}"
    return f"{prompt.rstrip()} {values.get(SOLUTION) or expected}"


def _json(text: str) -> Any:  # noqa: ANN401
    """Return the value of a JSON text; another text is itself."""
    try:
        return json_reader.parse(text) if text[:1] in ("{", "[") else text
    except ValueError:
        return text


def _place(text: str, choices: Sequence[str], first: int = 0) -> int:
    """Return the index that a label names; `first`: the label of the first choice."""
    place = int(text) - first
    if not 0 <= place < len(choices):
        raise ValueError
    return place
