"""The main window: creates the features, restores its geometry, and shuts down."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow

from app.actions import Intent
from app.bridge.playground import Playground
from app.bridge.tasks import CrossThreadCallback, Tasks
from app.engine.crash_guard import UnfinishedStep
from app.engine.types import Failure
from app.files.regular_files import is_folder
from app.files.settings import Settings, SettingsWriter
from app.i18n import tr
from app.platform.shutdown import SETTINGS_S, deadline, guarded
from app.state import Phase, State
from app.ui.conversation.first_prompts import Bundled
from app.ui.guide import controller_help
from app.ui.look import Theme
from app.ui.picker.controller_downloads import DownloadsController
from app.ui.sessions.controller_journal import JournalController
from app.ui.settings.appearance import AppearanceController
from app.ui.shell.announcements import Announcements, Notifications
from app.ui.shell.application import Application
from app.ui.shell.features import DataPaths, Features, connect
from app.ui.shell.layout import MainLayout
from app.ui.shell.startup_sequence import StartupSequence
from app.ui.widgets import NoticeBar
from app.ui.widgets.drops import FileDrops

SMALLEST_PX = (900, 600)
FIRST_PX = (1200, 800)
NO_FIRST_PROMPTS: Bundled = {}


class FailureNotice(QObject):
    """Shows the playground's failures at the top of the window, until they are dismissed or resolved.

    A run's failure is shown in place of its answer, and not here.
    """

    def __init__(
        self, playground: Playground, notice: NoticeBar, choose_model: Callable[[], object], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._notice = notice
        self._choose_model = choose_model
        playground.changed.connect(self._on_changed)
        notice.dismissed.connect(self._dismiss)

    def _on_changed(self, old: State, new: State) -> None:
        if new.failure is old.failure:
            return
        run = new.last_run
        if new.failure is not None and (run is None or run.finish.failure is not new.failure):
            other = tr("Open Model…") if old.phase is Phase.LOADING else ""
            self._notice.show_failure(new.failure, other, self._choose_model)
        elif old.failure is not None and self._notice.failure is old.failure:
            self._notice.clear()

    def _dismiss(self, failure: Failure | None) -> None:
        if failure is not None and failure is self._playground.state.failure:
            self._playground.dismiss_failure()


class MainWindow(QMainWindow):
    """The main window. `start` is the model to open after the first paint; `notice` a message to show then.

    `unfinished` is the step during which the last start crashed; None: it didn't.
    """

    leaving = Signal()
    """The window was closed; the process has to end within five seconds."""
    _not_saved = Signal(object)

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        settings: Settings,
        save: Callable[[Settings], None],
        first_prompts: Bundled = NO_FIRST_PROMPTS,
        start: str = "",
        notice: str = "",
        paths: DataPaths | None = None,
        unfinished: UnfinishedStep | None = None,
    ) -> None:
        super().__init__()
        self.playground = playground
        self._settings = settings
        self._wire = CrossThreadCallback(self._not_saved.emit)
        self._saving = SettingsWriter(save, self._wire.send)
        self._not_saved.connect(self._show_not_saved)
        self._tasks = Tasks(self)
        self._closed = False
        self.is_hanging = False
        """Whether something was still running when the window stopped waiting for it."""
        self.starts_again = False
        """Whether the program is to be started again after it is closed."""
        appearance = AppearanceController(theme, settings, self)
        self._parts = parts = MainLayout(theme, self)
        self._put_together()
        self._features = features = Features(
            playground,
            theme,
            settings,
            appearance=appearance,
            parts=parts,
            paths=paths or DataPaths(),
            first_prompts=first_prompts,
            window=self,
        )
        FileDrops(theme, self, features.prompt.attachments.take)
        FailureNotice(playground, parts.notice, features.picker.choose_model, self)
        JournalController(playground, parts.notice, parts.not_kept, self)
        Announcements(playground, parts, self)
        Notifications(playground, self.downloading, lambda: features.settings.notify, self)
        self._starting = StartupSequence(playground, parts, features, settings, start, notice, unfinished)
        self._join()
        for feature in features:
            feature.restore(settings)
        if isinstance(system := QApplication.instance(), Application):
            system.file_opened.connect(self.open_path)

    @property
    def downloading(self) -> DownloadsController:
        return self._features.picker.downloading

    def open_path(self, path: str) -> None:
        """Open a model's folder or a session's file, which was dropped, double-clicked or an argument."""
        self.open_paths((Path(path),))

    def open_model(self, name: str) -> None:
        """Open a model by its folder, its id, or its name on a server."""
        picker, folder = self._features.picker, Path(name)
        if folder.is_absolute():
            picker.take_folder(folder)
        else:
            picker.open_named(name)

    def open_paths(self, paths: tuple[Path, ...]) -> None:
        """Open dropped paths, which are inspected in a thread, since a disk may hang."""
        self._tasks.start(self._open(paths))

    async def _open(self, paths: tuple[Path, ...]) -> None:
        if await self._tasks.in_thread(is_folder, paths[0]):
            self._features.picker.take_folder(paths[0])
        else:
            self.open_sessions(paths)

    def open_sessions(self, paths: tuple[Path, ...]) -> None:
        """Import session files once the session database is open."""
        self._features.session_files.take(paths)

    def show_failure(self, failure: Failure) -> None:
        """Show an exception of a task that nothing else handled."""
        self._parts.notice.show_failure(failure)

    def _put_together(self) -> None:
        self.setObjectName("main_window")
        self.setWindowTitle("Sluice")
        self.setMinimumSize(*SMALLEST_PX)
        self.resize(*FIRST_PX)
        self.setCentralWidget(self._parts)

    def _join(self) -> None:
        """Connect the features and register the actions."""
        connect(self._parts, self._features)
        self._parts.transcript.link_requested.connect(lambda address: controller_help.open_link(self, address))
        self._features.prompt.attachments.open_wanted.connect(self.open_paths)
        self._features.settings.restart_wanted.connect(self._restart)
        intents: dict[str, Intent] = {"close_window": self._close_front, "quit": self.close}
        intents |= {"about": self._show_about, "stop_all": self._stop_all}
        for feature in self._features:
            feature.changed.connect(self._keep)
            intents |= feature.actions()
        self._actions = self._features.commands.create(intents)
        for feature in self._features:
            feature.set_actions(self._actions)

    def _show_about(self) -> None:
        controller_help.show_about(self, self._features.picker.device.name)

    def _keep(self) -> None:
        """Return the current settings; fields without a feature keep their first value."""
        settings = self._settings
        for feature in self._features:
            settings = guarded(partial(feature.updated_settings, settings), settings)
        self._saving.keep(settings)

    def _show_not_saved(self, error: Exception) -> None:
        words = tr("The settings could not be saved ({error}); they are used until Sluice quits.")
        self._parts.notice.show_remark(words.format(error=getattr(error, "strerror", None) or error))

    def _leave(self, until: float) -> None:
        """Shut down in steps; a step that fails or hangs doesn't stop the later ones from saving."""
        guarded(self._starting.leave, None)
        guarded(self._tasks.close, None)
        self._keep()
        self.hide()
        # The draft is saved first, before anything that takes time.
        for feature in reversed(tuple(self._features)):
            guarded(feature.close, None)
            for tasks in feature.findChildren(Tasks):
                guarded(tasks.close, None)
        for beside in self.findChildren(QDialog):
            beside.hide()
        written = [guarded(partial(self.playground.close, until), False)]
        # Steps that were recorded during shutdown are no sign of a crash at the next start.
        self._keep()
        for feature in self._features:
            guarded(feature.discard, None)
        written += [guarded(partial(each.wait_for_writes, until), False) for each in self.findChildren(Tasks)]
        written += [guarded(partial(self.downloading.wait, until), False)]
        written += [self._saving.wait(max(until, deadline(SETTINGS_S)))]
        self._wire.cut()
        self.is_hanging = self.playground.stalled or not all(written)

    def _close_front(self) -> None:
        """Close the active window: a Mac has one menu bar for all windows."""
        (QApplication.activeWindow() or self).close()

    def _stop_all(self) -> None:
        self.playground.stop()
        self.downloading.pause_all()

    def _restart(self) -> None:
        self.starts_again = True
        self.close()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.WindowStateChange:
            self._features.window_state.show_full_screen()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save the settings, hide the window at once, and give running work a few seconds."""
        if not self._closed:
            self._closed = True
            self.leaving.emit()
            self._leave(deadline())
        super().closeEvent(event)
