"""Downloads as they are shown: in the picker's list, and in the window's line."""

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QProgressBar, QWidget
from pytestqt.qtbot import QtBot

from app.engine.types import Failure
from app.library.types import DownloadJob, FileProgress
from app.library.types import DownloadState as S
from app.ui.look.theme import Theme
from app.ui.picker.download_strip import DownloadMilestones, DownloadStrip, status_text, summary
from app.ui.picker.downloads import DownloadsList
from tests.ui.desk import named
from tests.ui.picker.builders import GB, job

FAILED = Failure("The disk is full.", "Make room, then go on.")


@pytest.mark.parametrize(
    ("state", "changes", "words"),
    [
        (S.DOWNLOADING, {}, "25 % of 2.00 MB · 250 kB/s · 6.00 s left"),
        (S.DOWNLOADING, {"stalled": True}, "25 % of 2.00 MB · 0 B/s: stalled"),
        (S.DOWNLOADING, {"rate": 0.0, "left_s": None}, "25 % of 2.00 MB · 0 bytes/s"),
        (S.WAITING, {"note": "The connection broke."}, "25 % of 2.00 MB · The connection broke."),
        (S.PAUSED, {}, "paused · 25 % of 2.00 MB"),
        (S.FAILED, {"failure": FAILED}, "The disk is full. Make room, then go on."),
        (S.DONE, {}, "2.00 MB, complete and verified"),
        (S.QUEUED, {"files": ()}, "queued"),
        (S.ASKING, {}, "contacting the hub"),
        (S.CHECKING, {}, "verifying"),
        (S.QUANTISING, {"made": True}, "quantizing · 25 % of 2.00 MB"),
        (S.COMPARING, {"made": True}, "comparing with the original"),
        (S.DONE, {"made": True, "note": "3.1 times smaller."}, "3.1 times smaller."),
    ],
)
def test_words(state: S, changes: dict[str, object], words: str) -> None:
    assert status_text(job(state, **changes)) == words


def test_several_at_once_in_one_line() -> None:
    both = (job(S.DOWNLOADING), job(S.DOWNLOADING, model_id="other"), job(S.PAUSED, model_id="third"))
    assert summary(both) == "2 downloads: 25 % of 4.00 MB · 500 kB/s"


@pytest.fixture
def shown(qtbot: QtBot, theme: Theme) -> DownloadsList:
    made = DownloadsList(theme)
    qtbot.addWidget(made)
    made.resize(700, 100)
    return made


@pytest.mark.parametrize(
    ("state", "go", "wish", "leave", "end"),
    [
        (S.DOWNLOADING, "Pause", "pause_wanted", "Cancel", "cancel_wanted"),
        (S.PAUSED, "Resume", "resume_wanted", "Cancel", "cancel_wanted"),
        (S.FAILED, "Resume", "resume_wanted", "Cancel", "cancel_wanted"),
        (S.DONE, "Open", "open_wanted", "Dismiss", "dismiss_wanted"),
    ],
)
def test_what_can_be_done(
    shown: DownloadsList, qtbot: QtBot, state: S, go: str, wish: str, leave: str, end: str
) -> None:
    shown.show_jobs([job(state, folder=Path("/cache/first"))])
    buttons = [named(shown, QAbstractButton, name) for name in ("download_go", "download_leave")]
    assert [button.text() for button in buttons] == [go, leave]
    for button, signal in zip(buttons, (wish, end), strict=True):
        with qtbot.waitSignal(getattr(shown, signal)) as told:
            button.click()
        expected = Path("/cache/first") if signal == "open_wanted" else "mlx-community/first"
        assert told.args == [expected]


def much(state: S, gigabytes: int = 4) -> DownloadJob:
    return job(state, files=(FileProgress("model.safetensors", gigabytes * GB, 5 * GB),))


@pytest.mark.parametrize("state", [S.DOWNLOADING, S.PAUSED, S.FAILED])
def test_much_is_deleted_only_after_a_question(shown: DownloadsList, qtbot: QtBot, state: S) -> None:
    go, leave = (partial(named, shown, QAbstractButton, name) for name in ("download_go", "download_leave"))
    shown.show_jobs([much(state)])
    shown.show()
    with qtbot.assertNotEmitted(shown.cancel_wanted):
        leave().click()
    shown.show_jobs([much(state)])
    assert named(shown, QLabel, "download_words").text() == "Stop the download, and delete the 4.00 GB received so far?"
    assert (go().text(), leave().text()) == ("Delete", "Keep")
    with qtbot.assertNotEmitted(shown.cancel_wanted):
        leave().click()
        assert leave().text() == "Cancel"
        leave().click()
        QTest.keyClick(leave(), Qt.Key.Key_Escape)
    assert leave().text() == "Cancel"
    leave().click()
    with qtbot.waitSignal(shown.cancel_wanted) as told:
        go().click()
    assert told.args == ["mlx-community/first"]


def test_what_is_whole_is_no_longer_asked_about(shown: DownloadsList) -> None:
    shown.show_jobs([much(S.DOWNLOADING)])
    leave = named(shown, QAbstractButton, "download_leave")
    leave.click()
    shown.show_jobs([much(S.DONE, 5)])
    assert leave.text() == "Dismiss"
    assert named(shown, QLabel, "download_words").text() == "5.00 GB, complete and verified"


@pytest.mark.parametrize("state", [S.DOWNLOADING, S.FAILED, S.DONE])
def test_a_long_name_leaves_the_buttons_in_sight(shown: DownloadsList, state: S) -> None:
    long = "somebody-with-a-long-name/" + "DeepSeek-R1-Distill-Qwen-" * 4
    shown.show_jobs([job(state, model_id=long, folder=Path("/cache/first"), failure=FAILED)])
    shown.show()
    for name in ("download_go", "download_leave"):
        button = named(shown, QAbstractButton, name)
        assert button.mapTo(shown, QPoint(button.width(), 0)).x() <= shown.width()
    assert named(shown, QLabel, "download_name").toolTip() == long
    assert named(shown, QLabel, "download_words").width() > shown.width() / 4


def test_a_row_lives_on_while_its_figures_change(shown: DownloadsList) -> None:
    shown.show_jobs([job(S.DOWNLOADING)])
    row = named(shown, QWidget, "download")
    bar = named(shown, QProgressBar, "download_bar")
    assert bar.value() == 250
    shown.show_jobs([job(S.DOWNLOADING), job(S.QUEUED, model_id="other", files=())])
    assert named(shown, QWidget, "download") is row
    assert shown.isVisible()
    shown.show_jobs([])
    assert not shown.isVisible()


def test_files_are_told_one_by_one(shown: DownloadsList) -> None:
    shown.show_jobs([job(S.DOWNLOADING)])
    files = named(shown, QLabel, "download_files")
    low = shown.height()
    assert not files.isVisible()
    named(shown, QAbstractButton, "download_fold").click()
    assert files.text() == "config.json: complete\nmodel.safetensors: 25 % of 2.00 MB"
    high = shown.height()
    assert high > low
    shown.show_jobs([job(S.DONE)])
    assert shown.height() < low, "without a bar and files it takes less room"


def test_the_line_says_what_goes_on_and_offers_what_arrived(qtbot: QtBot, theme: Theme) -> None:
    strip = DownloadStrip(theme)
    qtbot.addWidget(strip)
    strip.show_jobs((job(S.PAUSED),))
    assert not strip.isVisible()
    strip.show_jobs((job(S.DOWNLOADING),))
    assert strip.isVisible()
    assert named(strip, QLabel, "strip_words").text().startswith("Downloading mlx-community/first: 25 %")
    with qtbot.waitSignal(strip.show_wanted):
        named(strip, QAbstractButton, "strip_show").click()
    strip.show_jobs((job(S.FAILED, failure=FAILED),))
    assert "failed: The disk is full." in named(strip, QLabel, "strip_words").text()
    strip.show_jobs((job(S.DONE, folder=Path("/cache/first")),))
    assert named(strip, QLabel, "strip_words").text() == "mlx-community/first is ready."
    with qtbot.waitSignal(strip.open_wanted) as wanted:
        named(strip, QAbstractButton, "strip_open").click()
    assert wanted.args == [Path("/cache/first")]
    with qtbot.waitSignal(strip.dismiss_wanted):
        named(strip, QAbstractButton, "strip_dismiss").click()


def test_what_is_made_here_can_be_called_off_and_not_paused(shown: DownloadsList, qtbot: QtBot) -> None:
    shown.show_jobs((job(S.QUANTISING, made=True),))
    go, leave = named(shown, QAbstractButton, "download_go"), named(shown, QAbstractButton, "download_leave")
    assert go.isHidden() and leave.text() == "Cancel"
    shown.show_jobs((job(S.FAILED, made=True, failure=FAILED),))
    assert go.isHidden() and leave.text() == "Dismiss"
    with qtbot.waitSignal(shown.dismiss_wanted):
        leave.click()
    shown.show_jobs((job(S.DONE, made=True),))
    assert not go.isHidden() and go.text() == "Open"


def test_a_long_name_makes_no_line_wide(qtbot: QtBot, theme: Theme) -> None:
    """It would make the window as wide."""
    strip = DownloadStrip(theme)
    qtbot.addWidget(strip)
    strip.show_jobs((job(S.DOWNLOADING),))
    usual, long = strip.minimumSizeHint().width(), "m" * 40 + "/" + "m" * 55
    strip.show_jobs((job(S.DOWNLOADING, model_id=long),))
    assert strip.minimumSizeHint().width() < 2 * usual
    words = named(strip, QLabel, "strip_words")
    assert long in words.text() and long in words.accessibleName(), "as it is"


def test_the_line_says_what_a_model_that_was_made_here_has_cost(qtbot: QtBot, theme: Theme) -> None:
    strip = DownloadStrip(theme)
    qtbot.addWidget(strip)
    words = named(strip, QLabel, "strip_words")
    strip.show_jobs((job(S.COMPARING, made=True, model_id="small"),))
    assert words.text() == "small: comparing with the original"
    strip.show_jobs((job(S.DONE, made=True, model_id="small", note="3.1 times smaller."),))
    assert words.text() == "small is ready. 3.1 times smaller."
    strip.show_jobs((job(S.FAILED, made=True, model_id="small", failure=FAILED),))
    assert words.text() == "small could not be created: The disk is full."


def moving(state: S, done: int = 0, size: int = 0, note: str = "") -> DownloadJob:
    files = (FileProgress("model.safetensors", done, size),) if size else ()
    return DownloadJob("lab/model", state, files, rate=1000.0, note=note)


def announced(*jobs: DownloadJob) -> list[str]:
    milestones = DownloadMilestones()
    return [news.removeprefix("lab/model: ") for each in jobs for news in milestones.update((each,))]


def test_each_quarter_is_told_once() -> None:
    steps = (moving(S.DOWNLOADING, done, 1000) for done in (0, 100, 250, 260, 499, 500, 900, 1000))
    words = announced(
        moving(S.QUEUED), moving(S.ASKING), *steps, moving(S.CHECKING, 1000, 1000), moving(S.DONE, 1000, 1000)
    )
    assert [each.partition(" of")[0] for each in words] == [
        "0 %",
        "25 %",
        "50 %",
        "90 %",
        "100 %",
        "verifying.",
        "1.00 kB, complete and verified.",
    ]


def test_a_halt_is_told_with_its_reason() -> None:
    words = announced(
        moving(S.DOWNLOADING, 10, 100), moving(S.WAITING, 10, 100, "the network is away"), moving(S.PAUSED, 10, 100)
    )
    assert words[1:] == ["10 % of 100 bytes · the network is away.", "paused · 10 % of 100 bytes."]


def test_what_was_over_before_is_no_news() -> None:
    assert announced(moving(S.DONE, 100, 100), moving(S.DONE, 100, 100)) == []
    assert announced(moving(S.PAUSED, 10, 100)) == []
