import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from app.engine.types import Failure
from app.files.settings import Notify, Settings
from app.i18n import tr
from app.library.types import DownloadJob, DownloadState
from app.state import Phase, State
from app.ui.shell import announcements
from app.ui.shell.announcements import Notifications
from app.ui.shell.main_window import MainWindow
from tests.bridge.playing import ENDLESS_TEXT
from tests.ui.desk import Desk, act

pytestmark = pytest.mark.in_korean


class Shown:
    """What the system was asked to show; `front`: whether our window is in front."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.front = False
        self.badges: list[int] = []
        self.messages: list[str] = []
        monkeypatch.setattr(Notifications, "_is_seen", lambda _: self.front)
        monkeypatch.setattr(QApplication, "setBadgeNumber", lambda _, number: self.badges.append(number))
        monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
        monkeypatch.setattr(QSystemTrayIcon, "supportsMessages", staticmethod(lambda: True))
        monkeypatch.setattr(QSystemTrayIcon, "show", lambda _: None)
        monkeypatch.setattr(QSystemTrayIcon, "showMessage", lambda _, title, said, *rest: self.messages.append(said))


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    return Shown(monkeypatch)


def at(window: MainWindow) -> Notifications:
    found = window.findChild(Notifications)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("when", "long_s", "count"),
    [
        (Notify.LONG, 3600.0, 0),
        pytest.param(Notify.LONG, 0.0, 1, marks=pytest.mark.slow),
        pytest.param(Notify.OFF, 0.0, 0, marks=pytest.mark.slow),
        pytest.param(Notify.ALWAYS, 3600.0, 1, marks=pytest.mark.slow),
    ],
)
def test_notification_of_a_run_follows_the_setting(
    desk: Desk, shown: Shown, monkeypatch: pytest.MonkeyPatch, when: Notify, long_s: float, count: int
) -> None:
    monkeypatch.setattr(announcements, "LONG_S", long_s)
    window = desk.ready(Settings(notify=when))
    desk.send(window, "Hello there")
    assert shown.messages == [tr("The answer is complete.")] * count
    assert shown.badges == [1] * count
    shown.front = True
    at(window)._program.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert shown.badges == [1, 0] * count
    desk.send(window, "And again")
    assert len(shown.messages) == count, "it was seen"


@pytest.mark.slow
def test_notification_when_clicked_restores_the_window(desk: Desk, shown: Shown) -> None:
    window = desk.ready(Settings(notify=Notify.ALWAYS))
    window.showMinimized()
    desk.send(window, "Hello there")
    (icon,) = at(window).findChildren(QSystemTrayIcon)
    icon.messageClicked.emit()
    assert not window.isMinimized()


@pytest.mark.slow
def test_notification_of_a_stopped_run_is_not_shown(desk: Desk, shown: Shown) -> None:
    window = desk.ready(Settings(notify=Notify.ALWAYS), ENDLESS_TEXT)
    window.playground.send("Go")
    desk.until(window, Phase.GENERATING)
    act(window, "stop").trigger()
    desk.until(window, Phase.READY)
    assert shown.messages == []


def test_notifications_of_an_experiment_and_a_failure_have_their_own_text(desk: Desk, shown: Shown) -> None:
    window = desk.ready(Settings(notify=Notify.ALWAYS))
    ready, failed = State(phase=Phase.READY), State(phase=Phase.READY, failure=Failure("It failed.", "Try again."))
    for going, end in (
        (State(phase=Phase.PREFILLING, experiment="Cache"), ready),
        (State(phase=Phase.GENERATING), failed),
        (State(phase=Phase.PREFILLING, is_scoring=True), ready),
    ):
        at(window)._on_changed(ready, going)
        at(window)._on_changed(going, end)
    assert shown.messages == [tr("The experiment has ended."), tr("The run has failed.")]


def test_notification_of_a_download_is_shown_at_its_end(desk: Desk, shown: Shown) -> None:
    window = desk.ready(Settings(notify=Notify.ALWAYS))
    for state in (DownloadState.QUEUED, DownloadState.DOWNLOADING, DownloadState.DONE):
        assert shown.messages == []
        window.downloading.jobs = (DownloadJob("author/name", state),)
        window.downloading.changed.emit()
    assert shown.messages == [tr("A download is complete.")]
