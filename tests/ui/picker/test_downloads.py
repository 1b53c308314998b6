"""Downloads: their texts, the list in the picker, the strip in the window, and announcements."""

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
from tests.ui.desk import button, named, words
from tests.ui.picker.builders import GB, job

FAILED = Failure("The disk is full.", "Make room, then go on.")
FOLDER = Path("/cache/first")


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
        (S.QUANTISING, {"made": True}, "quantizing · 25 % of 2.00 MB"),
        (S.COMPARING, {"made": True}, "comparing with the original"),
        (S.DONE, {"made": True, "note": "3.1 times smaller."}, "3.1 times smaller."),
    ],
)
def test_status_text_of_each_state(state: S, changes: dict[str, object], words: str) -> None:
    assert status_text(job(state, **changes)) == words


def test_summary_adds_active_downloads() -> None:
    both = (job(S.DOWNLOADING), job(S.DOWNLOADING, model_id="other"), job(S.PAUSED, model_id="third"))
    assert summary(both) == "2 downloads: 25 % of 4.00 MB · 500 kB/s"


@pytest.fixture
def shown(qtbot: QtBot, theme: Theme) -> DownloadsList:
    made = DownloadsList(theme)
    qtbot.addWidget(made)
    made.resize(700, 100)
    return made


def buttons(shown: DownloadsList) -> list[QAbstractButton]:
    return [button(shown, name) for name in ("download_go", "download_leave")]


@pytest.mark.parametrize(
    ("state", "texts", "signals"),
    [
        (S.DOWNLOADING, ["Pause", "Cancel"], ("pause_wanted", "cancel_wanted")),
        (S.PAUSED, ["Resume", "Cancel"], ("resume_wanted", "cancel_wanted")),
        (S.FAILED, ["Resume", "Cancel"], ("resume_wanted", "cancel_wanted")),
        (S.DONE, ["Open", "Dismiss"], ("open_wanted", "dismiss_wanted")),
    ],
)
def test_downloads_buttons_suit_the_state(
    shown: DownloadsList, qtbot: QtBot, state: S, texts: list[str], signals: tuple[str, str]
) -> None:
    shown.show_jobs([job(state, folder=FOLDER)])
    assert [button.text() for button in buttons(shown)] == texts
    assert [button.accessibleName() for button in buttons(shown)] == [f"{text} mlx-community/first" for text in texts]
    for each, signal in zip(buttons(shown), signals, strict=True):
        with qtbot.waitSignal(getattr(shown, signal)) as emitted:
            each.click()
        assert emitted.args == [FOLDER if signal == "open_wanted" else "mlx-community/first"]


def test_downloads_conversion_can_be_cancelled_and_not_paused(shown: DownloadsList, qtbot: QtBot) -> None:
    shown.show_jobs((job(S.QUANTISING, made=True),))
    go, leave = buttons(shown)
    assert go.isHidden() and leave.text() == "Cancel"
    shown.show_jobs((job(S.FAILED, made=True, failure=FAILED),))
    assert go.isHidden() and leave.text() == "Dismiss"
    with qtbot.waitSignal(shown.dismiss_wanted):
        leave.click()
    shown.show_jobs((job(S.DONE, made=True),))
    assert not go.isHidden() and go.text() == "Open"


def large(state: S, gigabytes: int = 4) -> DownloadJob:
    return job(state, files=(FileProgress("model.safetensors", gigabytes * GB, 5 * GB),))


def test_downloads_large_download_is_deleted_after_a_question(shown: DownloadsList, qtbot: QtBot) -> None:
    go, leave = (partial(button, shown, name) for name in ("download_go", "download_leave"))
    shown.show_jobs([large(S.DOWNLOADING)])
    shown.show()
    with qtbot.assertNotEmitted(shown.cancel_wanted):
        leave().click()
        shown.show_jobs([large(S.PAUSED)])
        assert words(shown, "download_words") == "Stop the download, and delete the 4.00 GB received so far?"
        assert (go().text(), leave().text()) == ("Delete", "Keep")
        leave().click()
        assert leave().text() == "Cancel"
        leave().click()
        QTest.keyClick(leave(), Qt.Key.Key_Escape)
        assert leave().text() == "Cancel"
    leave().click()
    with qtbot.waitSignal(shown.cancel_wanted) as cancelled:
        go().click()
    assert cancelled.args == ["mlx-community/first"]
    shown.show_jobs([large(S.DONE, 5)])
    assert leave().text() == "Dismiss", "the question is closed"
    assert words(shown, "download_words") == "5.00 GB, complete and verified"


@pytest.mark.parametrize("state", [S.DOWNLOADING, S.FAILED, S.DONE])
def test_downloads_long_name_leaves_the_buttons_visible(shown: DownloadsList, state: S) -> None:
    long = "somebody-with-a-long-name/" + "DeepSeek-R1-Distill-Qwen-" * 4
    shown.show_jobs([job(state, model_id=long, folder=FOLDER, failure=FAILED)])
    shown.show()
    for each in buttons(shown):
        assert each.mapTo(shown, QPoint(each.width(), 0)).x() <= shown.width()
    assert named(shown, QLabel, "download_name").toolTip() == long
    assert named(shown, QLabel, "download_words").width() > shown.width() / 4


def test_downloads_row_stays_the_same_widget(shown: DownloadsList) -> None:
    shown.show_jobs([job(S.DOWNLOADING)])
    row = named(shown, QWidget, "download")
    assert named(shown, QProgressBar, "download_bar").value() == 250
    shown.show_jobs([job(S.DOWNLOADING), job(S.QUEUED, model_id="other", files=())])
    assert named(shown, QWidget, "download") is row
    assert shown.isVisible()
    shown.show_jobs([])
    assert not shown.isVisible()


def test_downloads_files_are_listed_on_demand(shown: DownloadsList) -> None:
    shown.show_jobs([job(S.DOWNLOADING)])
    low = shown.height()
    assert not named(shown, QLabel, "download_files").isVisible()
    named(shown, QAbstractButton, "download_fold").click()
    assert words(shown, "download_files") == "config.json: complete\nmodel.safetensors: 25 % of 2.00 MB"
    assert shown.height() > low
    shown.show_jobs([job(S.DONE)])
    assert shown.height() < low, "without bar and files"


@pytest.fixture
def strip(qtbot: QtBot, theme: Theme) -> DownloadStrip:
    made = DownloadStrip(theme)
    qtbot.addWidget(made)
    return made


def test_strip_shows_active_failed_and_finished_downloads(strip: DownloadStrip, qtbot: QtBot) -> None:
    strip.show_jobs((job(S.PAUSED),))
    assert not strip.isVisible()
    strip.show_jobs((job(S.DOWNLOADING),))
    assert strip.isVisible()
    assert words(strip, "strip_words").startswith("Downloading mlx-community/first: 25 %")
    with qtbot.waitSignal(strip.show_wanted):
        named(strip, QAbstractButton, "strip_show").click()
    strip.show_jobs((job(S.FAILED, failure=FAILED),))
    assert "failed: The disk is full." in words(strip, "strip_words")
    strip.show_jobs((job(S.DONE, folder=FOLDER),))
    assert words(strip, "strip_words") == "mlx-community/first is ready."
    with qtbot.waitSignal(strip.open_wanted) as wanted:
        named(strip, QAbstractButton, "strip_open").click()
    assert wanted.args == [FOLDER]
    with qtbot.waitSignal(strip.dismiss_wanted):
        named(strip, QAbstractButton, "strip_dismiss").click()


@pytest.mark.parametrize(
    ("state", "changes", "text"),
    [
        (S.COMPARING, {}, "small: comparing with the original"),
        (S.DONE, {"note": "3.1 times smaller."}, "small is ready. 3.1 times smaller."),
        (S.FAILED, {"failure": FAILED}, "small could not be created: The disk is full."),
    ],
)
def test_strip_shows_conversions(strip: DownloadStrip, state: S, changes: dict[str, object], text: str) -> None:
    strip.show_jobs((job(state, made=True, model_id="small", **changes),))
    assert words(strip, "strip_words") == text


def test_strip_long_name_does_not_widen_the_window(strip: DownloadStrip) -> None:
    strip.show_jobs((job(S.DOWNLOADING),))
    usual, long = strip.minimumSizeHint().width(), "m" * 40 + "/" + "m" * 55
    strip.show_jobs((job(S.DOWNLOADING, model_id=long),))
    assert strip.minimumSizeHint().width() < 2 * usual
    assert long in words(strip, "strip_words") and long in named(strip, QLabel, "strip_words").accessibleName()


def progress(state: S, done: int = 0, size: int = 0, note: str = "") -> DownloadJob:
    files = (FileProgress("model.safetensors", done, size),) if size else ()
    return DownloadJob("lab/model", state, files, rate=1000.0, note=note)


def announced(*jobs: DownloadJob) -> list[str]:
    milestones = DownloadMilestones()
    return [text.removeprefix("lab/model: ") for each in jobs for text in milestones.update((each,))]


def test_milestones_are_quarters_and_ends() -> None:
    steps = (progress(S.DOWNLOADING, done, 1000) for done in (0, 100, 250, 260, 499, 500, 900, 1000))
    ends = progress(S.CHECKING, 1000, 1000), progress(S.DONE, 1000, 1000)
    texts = announced(progress(S.QUEUED), progress(S.ASKING), *steps, *ends)
    quarters = ["0 %", "25 %", "50 %", "90 %", "100 %"]
    assert [each.partition(" of")[0] for each in texts] == [
        *quarters,
        "verifying.",
        "1.00 kB, complete and verified.",
    ]


def test_milestones_pause_has_its_reason() -> None:
    waiting = progress(S.WAITING, 10, 100, "the network is away")
    texts = announced(progress(S.DOWNLOADING, 10, 100), waiting, progress(S.PAUSED, 10, 100))
    assert texts[1:] == ["10 % of 100 bytes · the network is away.", "paused · 10 % of 100 bytes."]


def test_milestones_exclude_what_ended_before() -> None:
    assert announced(progress(S.DONE, 100, 100), progress(S.DONE, 100, 100)) == []
    assert announced(progress(S.PAUSED, 10, 100)) == []
