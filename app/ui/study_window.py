"""The base class of study windows, such as experiments: form, Start and Stop, progress, export and command."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication, QShowEvent
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QStackedWidget, QWidget

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure, Loading, LoadRequest, Model
from app.i18n import tr
from app.library import local
from app.library.types import LocalModel
from app.records.comparison import word_diff
from app.state import Phase, State
from app.ui.look import Color, Theme
from app.ui.widgets import (
    Announcer,
    SmallPrint,
    ThinBar,
    begin_window,
    files,
    in_column,
    push_button,
)
from app.ui.widgets.diff_view import DiffPane
from app.ui.widgets.drops import FileDrops

FIRST_PX, SMALLEST_PX = (1120, 760), (760, 480)
BAR_PX = 6
LOADING_STEPS = 1000
"""A progress bar counts up to 2^31, which is less than the bytes of a model."""
SHOWN_EVERY_MS, SHOWN_SHARE = 400, 20
"""Interim results appear at most this often, and drawing takes at most one part in 20 of the time."""
DEMO = "demo"
"""The folder of the demo model among the bundled models."""
STARTING, STOPPING = tr("Starting…"), tr("Stopping…")
STOP_TIP = tr("Stop (Esc). Finished runs are saved.")
SAMPLE_PROMPT = "My name is Tolin. What is my name?"
BUSY, NO_MODEL = tr("Wait until the model is free."), tr("Open a model first.")


def result_pages(empty: QWidget, results: QWidget) -> QStackedWidget:
    """Return two pages: the empty one, which is shown first, and the results."""
    pages = QStackedWidget()
    for page in (empty, results):
        pages.addWidget(page)
    return pages


def call_with_model(playground: Playground, bundled: Path, then: Callable[[], object]) -> bool:
    """Call `then` once a model is ready: the open one, or else the bundled demo model, which is opened first.

    Return False if the model is busy.
    """

    def wait(_old: State, new: State) -> None:
        if new.phase in (Phase.READY, Phase.EMPTY):
            playground.changed.disconnect(wait)
        if new.phase is Phase.READY:
            then()

    phase = playground.state.phase
    if phase is Phase.READY:
        then()
        return True
    is_coming = phase is Phase.LOADING or (phase is Phase.EMPTY and playground.load(LoadRequest(str(bundled / DEMO))))
    if is_coming:
        playground.changed.connect(wait)
    return is_coming


class StudyFoot(QWidget):
    """Messages, progress, and the button that starts and stops. Object names begin with `name`."""

    def __init__(
        self, theme: Theme, name: str, tip: str, start: Callable[[], object], stop: Callable[[], object]
    ) -> None:
        super().__init__()
        self.is_running = False
        self._start, self._stop = start, stop
        self._tip, self._why_not, self._label, self._details = tip, "", tr("Start"), ""
        self._message = SmallPrint(theme, f"{name}_trouble", "error")
        self._announcer = Announcer(self._message)
        tip_copy = tr("Copy the details of the error")
        copy = self._copy = push_button(
            f"{name}_copy_details", tr("Copy details"), tip_copy, kind="small", press=self._copy_details
        )
        copy.hide()
        self._progress = SmallPrint(theme, f"{name}_progress", "text")
        self._bar = ThinBar(theme, f"{name}_bar", Color.DECODE, BAR_PX)
        self._bar.hide()
        self.button = push_button(f"{name}_start", self._label, tip, kind="primary", press=self._press)
        in_column(self._message, (copy, 0, Qt.AlignmentFlag.AlignLeft), self._progress, self._bar, self.button, on=self)

    def show_progress(self, words: str | None, done: int = 0, total: int = 0) -> None:
        """Show progress. `total` 0: unknown. `words` None: nothing is running."""
        self.is_running = words is not None
        self._progress.say(words or "")
        self._bar.setVisible(self.is_running)
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        self._bar.setAccessibleName(words or "")
        self.label_start(self._label)

    def label_start(self, label: str) -> None:
        """Set the label of the button for when nothing is running."""
        self._label = label
        text = tr("Stop") if self.is_running else label
        self.button.setText(text)
        self.button.setAccessibleName(text)
        self.button.setToolTip(STOP_TIP if self.is_running else self._why_not or self._tip)

    def allow(self, is_ready: bool, is_stopping: bool = False, why_not: str = "") -> None:
        """Enable Start if it is ready, or Stop unless it was pressed."""
        self._why_not = "" if is_ready else why_not
        self.button.setEnabled(not is_stopping if self.is_running else is_ready)
        self.label_start(self._label)

    def show_failure(self, failure: Failure | None) -> None:
        self.say(failure.sentence if failure else "", details=failure.details if failure else "")

    def say(self, words: str, kind: str = "error", details: str = "") -> None:
        """Show and announce a message, or none if it is empty. `details` are for a bug report."""
        self._message.say(words, kind)
        self._details = details
        self._copy.setVisible(bool(details))
        self._announcer.say(words, urgent=kind == "error")

    def _press(self) -> None:
        (self._stop if self.is_running else self._start)()

    def _copy_details(self) -> None:
        QGuiApplication.clipboard().setText(f"{self._message.text()}\n{self._details}")


class StudyWindow(QDialog):
    """Base class of the study windows. A subclass makes its pages and overrides what it needs.

    `fields` are disabled while a study is running.
    """

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        parent: QWidget | None,
        name: str,
        title: str,
        tip: str,
        *,
        takes_files: bool = False,
    ) -> None:
        super().__init__(parent)
        begin_window(theme, self, f"{name}_window", title, FIRST_PX, SMALLEST_PX, is_dialog=False)
        if takes_files:
            FileDrops(theme, self, self._take_first, lambda: not self.foot.is_running)
        self.playground, self.tasks = playground, Tasks(self)
        self.foot = StudyFoot(theme, name, tip, self.start, self.stop)
        self.fields: tuple[QWidget, ...] = ()
        playground.changed.connect(self._follow)

    # Overridden by subclasses.

    def start(self) -> None:
        """Start the study, after the button was pressed."""

    def stop(self) -> None:
        self.playground.stop()

    def refresh(self) -> None:
        """Refresh the window when it appears or another model is open."""

    def enable(self) -> None:
        """Enable and disable the controls after a change of phase, model or session."""

    def take_file(self, path: Path) -> None:
        """Open a dropped file or folder."""

    def show_loading(self, loading: Loading) -> None:
        """Show the progress of a load."""
        share = LOADING_STEPS * loading.done // loading.total if loading.total else 0
        self.show_progress(tr("Loading a model…"), share, LOADING_STEPS if loading.total else 0)

    # Common to all studies.

    def begin(self, ask: Callable[[], bool]) -> bool:
        """Start a study with `ask`, which returns whether the playground accepted it."""
        # Start becomes Stop first: disabled in between, the button would lose the keyboard focus.
        self.show_progress(STARTING)
        has_begun = ask()
        if not has_begun:
            self.show_progress(None)
        self.foot.say("" if has_begun else BUSY)
        return has_begun

    def show_progress(self, words: str | None, done: int = 0, total: int = 0) -> None:
        """Show progress. `total` 0: unknown. `words` None: nothing is running."""
        if self.foot.is_running is (words is None):
            focus = QApplication.focusWidget() or self
            if any(each is focus or each.isAncestorOf(focus) for each in self.fields):
                # A disabled field would move the focus to the window.
                self.foot.button.setFocus()
            self.allow(words is None)
        self.foot.show_progress(words, done, total)

    def allow(self, is_allowed: bool) -> None:
        """Enable the fields, or disable them while a study is running."""
        for each in self.fields:
            each.setEnabled(is_allowed)

    def show_failure(self, failure: Failure) -> None:
        """Show what went wrong in a task."""
        self.foot.show_failure(failure)

    def command_button(self, name: str, copy: Callable[[], object]) -> QPushButton:
        tip = tr("Copy a command for the terminal that does the same")
        return push_button(name, tr("Copy command"), tip, press=copy)

    def copy_command(self, line: str, remarks: Iterable[str] = ()) -> None:
        QGuiApplication.clipboard().setText(line)
        self.foot.say(" ".join((tr("The command was copied."), *remarks)), "muted")

    def export(self, title: str, name: str, kinds: Mapping[str, str], texts: files.Texts) -> None:
        """Ask for a file and save the text of its suffix. `kinds` are the suffixes with their descriptions."""
        files.ask_save(self, title, name, kinds, lambda path: self.tasks.start(self._save(path, texts)))

    async def _save(self, path: Path, texts: files.Texts) -> None:
        failure = await self.tasks.complete(partial(files.save, path, texts))
        if failure is None:
            self.foot.say(files.saved(path), "muted")
        else:
            self.foot.show_failure(failure)

    def serve_diff(self, pane: DiffPane) -> None:
        """Compute the diffs that the pane asks for on a thread."""

        async def show(first: str, second: str) -> None:
            pane.show_diff((first, second), await self.tasks.in_thread(word_diff, first, second))

        pane.pair_picked.connect(lambda first, second: self.tasks.start(show(first, second), "diff"))

    async def models_around(
        self, model: Model | None, bundled: Path, folders: Sequence[str | Path]
    ) -> tuple[LocalModel, ...]:
        """Return all local models; none if a folder can't be read."""
        known = [Path(each) for each in folders]
        found = await self.tasks.try_in_thread(
            local.around, model.folder if model is not None else None, bundled, known
        )
        return () if isinstance(found, Failure) else found

    def leave(self) -> None:
        """Stop running work, since the program ends."""
        self.close()
        self.tasks.close()

    def _follow(self, old: State, new: State) -> None:
        if not (self.isVisible() or self.foot.is_running):
            return
        if self.foot.is_running and new.phase is Phase.STOPPING:
            self.show_progress(STOPPING)
        elif self.foot.is_running and new.loading is not None and new.loading is not old.loading:
            self.show_loading(new.loading)
        if new.model is not old.model and self.isVisible():
            self.refresh()
        if (new.phase, new.model, new.session) != (old.phase, old.model, old.session):
            self.enable()

    def reject(self) -> None:
        """Stop the running study on Esc, else close the window."""
        if self.foot.is_running:
            self.stop()
        else:
            super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Let a running study go on; its window shows the progress when it is opened again."""
        if self.foot.is_running:
            self.hide()
            event.accept()
        else:
            super().closeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
        self.enable()

    def _take_first(self, paths: tuple[Path, ...]) -> None:
        self.take_file(paths[0])
