"""A student's progress as a file, and the sheet with the predictions and figures of a class."""

import json
from collections.abc import Iterator
from pathlib import Path

from app.engine.types import Failure
from app.files import json_reader, json_values, regular_files
from app.files.json_reader import JsonLimits
from app.files.json_values import UNFIT
from app.i18n import tr
from app.lessons.figures import evaluate, names_in
from app.lessons.types import LessonProgress
from app.records.export import as_csv

FOLDER = "lessons"
SUFFIX = ".json"
LARGEST_BYTES = 500_000
MOST_FILES = 2_000
HEAD = (
    *("student", "lesson", "title", "model", "done", "step", "question", "prediction", "figure", "measured"),
    *("words", "result"),  # later columns, so at the end
)


def read_progress(file: Path) -> LessonProgress | Failure:
    try:
        content = json_reader.parse(regular_files.read(file, LARGEST_BYTES), JsonLimits(LARGEST_BYTES))
        return json_values.recall(LessonProgress, content)
    except UNFIT as error:
        words = tr("{file} can't be read ({reason}).").format(file=file.name, reason=error)
        return Failure(words, tr("Choose a file that Sluice has saved for a lesson."), kind="progress")


def as_json(progress: LessonProgress) -> str:
    return json.dumps(json_values.write(LessonProgress, progress), ensure_ascii=False, indent=1) + "\n"


def write_progress(folder: Path, progress: LessonProgress) -> None:
    """Write the file of this lesson; raise OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    regular_files.write_atomically(folder / f"{progress.lesson}{SUFFIX}", as_json(progress).encode())


def class_sheet(folder: Path) -> str | Failure:
    """Return a CSV sheet of all progress files in a folder and in its folders.

    The name of a file in the folder, or of a folder in it, is the student's.
    """
    found = sorted(path for pattern in ("*", "*/*") for path in folder.glob(f"{pattern}{SUFFIX}"))
    if not found:
        words = tr("There is no progress file in {folder}.").format(folder=folder.name)
        return Failure(words, tr("Put the files that the students saved into one folder."), kind="no progress")
    rows: list[tuple[object, ...]] = []
    for path in found[:MOST_FILES]:
        progress = read_progress(path)
        if isinstance(progress, Failure):
            return progress
        rows += _rows(path.stem if path.parent == folder else path.parent.name, progress)
    return as_csv(HEAD, rows)


def _rows(student: str, progress: LessonProgress) -> Iterator[tuple[object, ...]]:
    """Yield a row for each prediction, and for each figure without one."""
    about = student, progress.lesson, progress.title, progress.model, progress.is_done
    values = progress.values
    compared: set[str] = set()
    for each in progress.predictions:
        compared |= set(names_in(each.compare))
        measured = evaluate(each.compare, values)
        yield *about, each.step, each.question, each.answer, each.compare, measured, each.words, each.result
    for name, value in values.items():
        is_of_round = "@" in name and name.partition("@")[0] in values
        if name not in compared and not is_of_round:
            yield *about, name.partition(".")[0], None, None, name, value, None, None
