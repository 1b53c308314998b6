"""`sluice lesson`: checks a lesson folder, and makes the sheet of a class."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from app.cli import verbs
from app.cli.arguments import VerbParser, refuse
from app.cli.verbs import DONE, FAILED, Engines
from app.engine.types import Failure
from app.files.regular_files import expand_home, is_folder
from app.lessons.progress import class_sheet
from app.lessons.reading import read_lesson

LESSON, CHECK, SHEET = "lesson", "check", "sheet"


def main(arguments: Sequence[str], engines: Engines, resources: Path) -> int:
    """Return the exit code: 0 done, 1 the lesson or an answer file is wrong, 2 bad arguments."""
    about = "Check a lesson folder, or print the answers and figures of a class as CSV."
    parser = VerbParser(LESSON, about, model="", json="print JSON")
    parser.add_argument("action", choices=(CHECK, SHEET), help="check a lesson, or print the sheet of a class")
    parser.add_argument("folder", metavar="FOLDER", help="the folder")
    options = parser.parse_args(arguments)
    folder = expand_home(options.folder).absolute()
    if not is_folder(folder):
        refuse(f"There is no folder {options.folder}")
    made = _check(folder, options.json) if options.action == CHECK else class_sheet(folder)
    if isinstance(made, Failure):
        verbs.warn(LESSON, made.sentence)
        return FAILED
    if options.action == SHEET and options.json:
        made = json.dumps({"csv": made}) + "\n"
    sys.stdout.write(made)
    return DONE


def _check(folder: Path, as_json: bool) -> str | Failure:
    lesson = read_lesson(folder)
    if isinstance(lesson, Failure):
        return lesson
    if as_json:
        facts = {"title": lesson.title, "steps": [{"id": each.id, "kind": each.kind.value} for each in lesson.steps]}
        return json.dumps(facts) + "\n"
    return f"{lesson.title}: {len(lesson.steps)} steps\n"
