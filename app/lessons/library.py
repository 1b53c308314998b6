"""The bundled lessons and lessons of other folders, with the student's progress in them."""

import shutil
from dataclasses import replace
from pathlib import Path

from app.engine.types import Failure
from app.i18n import tr
from app.lessons.progress import FOLDER, SUFFIX, read_progress
from app.lessons.reading import read_lesson
from app.lessons.types import Lesson, LessonProgress

FIRST, TEMPLATE = "01-streaming", "template"
"""Folders of the first lesson, and of the template for teachers."""
BUNDLED = "[0-9][0-9]-*"
"""Pattern of the folders of bundled lessons."""
OWN = "own-{name}"
"""Name of a lesson from another folder, so that its progress has its own file."""
LONGEST_NAME = 80

Opened = tuple[Lesson, LessonProgress]


class LessonLibrary:
    """Reads lessons in a language. `bundled` is the folder of the bundled ones, `data` that of the progress files."""

    def __init__(self, bundled: Path, data: Path) -> None:
        self.bundled, self.progress_folder = bundled, data / FOLDER

    def open_all(self, language: str) -> list[Opened]:
        """Return the bundled lessons in order, without damaged ones."""
        found = (self.open(folder, language) for folder in sorted(self.bundled.glob(BUNDLED)))
        return [each for each in found if not isinstance(each, Failure)]

    def open(self, folder: Path, language: str) -> Opened | Failure:
        lesson = read_lesson(folder, language)
        if isinstance(lesson, Failure):
            return lesson
        if folder.parent != self.bundled:
            lesson = replace(lesson, name=OWN.format(name=lesson.name[:LONGEST_NAME]))
        file = self.progress_folder / f"{lesson.name}{SUFFIX}"
        known = read_progress(file) if file.is_file() else None
        progress = known if isinstance(known, LessonProgress) else LessonProgress(lesson.name)
        last = len(lesson.steps) - 1
        at = 0 if progress.is_done and progress.step >= last else min(progress.step, last)
        return lesson, replace(progress, title=lesson.title, step=max(0, at))

    def copy_template(self, folder: Path) -> Failure | None:
        """Copy the template for teachers into a folder."""
        try:
            shutil.copytree(self.bundled / TEMPLATE, folder / TEMPLATE)
        except OSError:
            what = tr("The template can't be saved.")
            return Failure(what, tr("Choose a folder without “{name}”.").format(name=TEMPLATE))
        return None
