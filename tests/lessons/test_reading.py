"""Lesson folders: the shipped ones are valid; an error is refused with its file and line."""

import os
from pathlib import Path

import pytest

from app.engine.types import Failure
from app.i18n import LANGUAGES
from app.lessons.reading import LARGEST_BYTES, LONGEST_BODY, LONGEST_LINE, MOST_STEPS, read_lesson
from app.lessons.types import AnswerKind, Lesson, LessonStepKind
from tests.conftest import PROJECT

LESSONS = PROJECT / "resources" / "lessons"
HEAD = "# Title\n\nSummary.\n\n"
RUN = "## Run\nstep: run\nid: first\nprompt: Hello\nshow: first.tokens\n\n"


def write(folder: Path, text: str, language: str = "en") -> Path:
    (folder / f"{language}.md").write_text(text, "utf-8")
    return folder


def read(folder: Path, language: str = "en") -> Lesson:
    lesson = read_lesson(folder, language)
    assert isinstance(lesson, Lesson), lesson
    return lesson


def refused(folder: Path) -> str:
    failure = read_lesson(folder)
    assert isinstance(failure, Failure)
    return failure.what


@pytest.mark.parametrize("folder", sorted(LESSONS.iterdir()), ids=lambda folder: folder.name)
def test_shipped_lesson_is_valid_in_each_language(folder: Path) -> None:
    assert folder.name == "template" or all((folder / f"{code}.md").is_file() for code in LANGUAGES)
    for language in LANGUAGES:
        lesson = read(folder, language)
        assert lesson.title and lesson.summary
        assert any(step.measures for step in lesson.steps)


def test_lesson_has_settings_options_and_figures(tmp_path: Path) -> None:
    lesson = read(write(tmp_path, (LESSONS / "template" / "en.md").read_text("utf-8")))
    choice, number, run = lesson.steps[1:4]
    assert [option.key for option in choice.options] == ["stop", "length"]
    assert (number.answer, number.compare) == (AnswerKind.NUMBER, "first.tokens")
    assert (run.kind, run.controls().limits.max_tokens, run.controls().sampling.temperature) == (
        LessonStepKind.RUN,
        200,
        0,
    )
    assert run.show[1].label == "Speed of the answer"


ERRORS = {
    "no title": ("Title\n", 1),
    "no step": (HEAD, 1),
    "no kind": (HEAD + "## A\n\nText.\n", 5),
    "unknown kind": (HEAD + "## A\nstep: code\n", 6),
    "unknown key": (HEAD + "## A\nstep: text\nscript: x\n", 7),
    "unknown setting": (HEAD + "## A\nstep: run\nprompt: a\nheat: 1\n", 8),
    "bad number": (HEAD + "## A\nstep: run\nprompt: a\ntemperature: warm\n", 8),
    "out of range": (HEAD + "## A\nstep: run\nprompt: a\ntemperature: 1000\n", 8),
    "no prompt": (HEAD + "## A\nstep: run\n", 6),
    "unknown experiment": (HEAD + "## A\nstep: experiment\nexperiment: rm\nprompt: a\n", 7),
    "too many rounds": (HEAD + "## A\nstep: experiment\nexperiment: cache\nprompt: a\nrounds: 100000\n", 9),
    "unknown view": (HEAD + "## A\nstep: run\nprompt: a\ninside: soul\n", 8),
    "token without a view": (HEAD + "## A\nstep: run\nprompt: a\ntoken: b\n", 8),
    "view in an experiment": (HEAD + "## A\nstep: experiment\nexperiment: cache\nprompt: a\ninside: lens\n", 9),
    "figure of another view": (HEAD + RUN + "## B\nstep: text\n\n{first.layers}\n", 11),
    "comparison without a text": (HEAD + "## A\nstep: comparison\nbits: 4\n", 7),
    "unknown bits": (HEAD + "## A\nstep: comparison\nprompt: a\nbits: 1\n", 8),
    "setting of a comparison": (HEAD + "## A\nstep: comparison\nprompt: a\ntemperature: 0\n", 8),
    "figure of a third model": (HEAD + "## A\nstep: comparison\nid: a\nprompt: a\nshow: a.3.size\n", 5),
    "one option": (HEAD + "## A\nstep: predict\nanswer: choice\noption: a | b\n", 8),
    "same id": (HEAD + RUN + RUN, 11),
    "unknown figure": (HEAD + RUN + "## B\nstep: text\n\nIt is {first.happiness}.\n", 11),
    "unknown figure in a condition": (HEAD + RUN + "## B\nstep: text\n\n[second.tokens = 1..] Text.\n", 11),
    "unknown prediction": (HEAD + RUN + "## B\nstep: text\n\n{answer.nothing}\n", 11),
    "HTML": (HEAD + RUN + "Look: <img src='file:///etc/passwd'>\n", 11),
    "picture": (HEAD + RUN + "![a](/dev/zero)\n", 11),
    "link": (HEAD + RUN + "[a](https://example.org)\n", 11),
    "reference link": (HEAD + RUN + "[a]: https://example.org\n", 11),
    "bidirectional text": (HEAD + RUN + "a \u202e b\n", 11),
    "long line": (HEAD + RUN + "x" * (LONGEST_LINE + 1) + "\n", 11),
    "long text": (HEAD + "## A\nstep: text\n\n" + "x\n" * LONGEST_BODY, 6),
    "many steps": (HEAD + "## A\nstep: text\n" * (MOST_STEPS + 1), 5 + 2 * MOST_STEPS),
}


@pytest.mark.parametrize("name", ERRORS)
def test_wrong_lesson_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    text, line = ERRORS[name]
    assert refused(write(tmp_path, text)).startswith(f"en.md, line {line}: ")


def test_code_block_may_contain_headings(tmp_path: Path) -> None:
    lesson = read(write(tmp_path, HEAD + "## A\nstep: text\n\n```\n## not a step\n```\n"))
    assert lesson.steps[0].body == "```\n## not a step\n```"


@pytest.mark.parametrize("change", [("prompt: Hello", "prompt: Bye"), ("id: first\n", ""), ("step: run", "step: text")])
def test_translation_with_other_settings_is_refused(change: tuple[str, str], tmp_path: Path) -> None:
    write(tmp_path, HEAD + RUN)
    translated = (HEAD + RUN).replace("Run", "실행")
    assert read(write(tmp_path, translated, "ko"), "ko").steps[0].title == "실행"
    write(tmp_path, translated.replace(*change), "ko")
    assert refused(tmp_path).startswith("ko.md, line ")


def test_unreadable_lesson_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path) == "en.md can't be read (No such file or directory)."
    os.mkfifo(tmp_path / "en.md")
    assert "not a regular file" in refused(tmp_path)
    (tmp_path / "en.md").unlink()
    write(tmp_path, "x" * (LARGEST_BYTES + 1))
    assert "too large" in refused(tmp_path)
    (tmp_path / "en.md").write_bytes(b"# \xff")
    assert refused(tmp_path).startswith("en.md can't be read")
