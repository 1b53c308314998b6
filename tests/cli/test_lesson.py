import json
from pathlib import Path

import pytest

from app.cli.lesson import main
from app.lessons.progress import write_progress
from app.lessons.types import LessonPrediction, LessonProgress
from tests.cli.command import NO_ENGINES
from tests.conftest import PROJECT

TEMPLATE = PROJECT / "resources" / "lessons" / "template"


def test_lesson_check_counts_the_steps(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(TEMPLATE), "--json"], NO_ENGINES, Path()) == 0
    assert [each["kind"] for each in json.loads(capsys.readouterr().out)["steps"]][:2] == ["text", "predict"]
    assert main(["check", str(TEMPLATE)], NO_ENGINES, Path()) == 0
    assert capsys.readouterr().out == "Title of your lesson: 5 steps\n"


def test_lesson_check_of_a_wrong_lesson_has_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "en.md").write_text("# A\n\n## B\nstep: text\n\n<script>\n")
    assert main(["check", str(tmp_path)], NO_ENGINES, Path()) == 1
    assert capsys.readouterr().err.startswith("sluice lesson: en.md, line 6: HTML isn't allowed.")
    with pytest.raises(SystemExit):
        main(["check", str(tmp_path / "none")], NO_ENGINES, Path())


def test_lesson_sheet_prints_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_progress(tmp_path, LessonProgress("ann").predict(LessonPrediction("a", "Why?", "Because")))
    assert main(["sheet", str(tmp_path)], NO_ENGINES, Path()) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("ann,ann,,,False,a,Why?,Because,")
