"""The random user: each step is drawn from the seed and its own number, whatever came of the steps before it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
)

from app.actions import ACTIONS
from app.controls import Mode
from app.engine.types import LoadRequest
from app.state import State
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import TurnAction
from app.ui.experiments.window import ExperimentWindow
from app.ui.prompt.editor import PromptEditor
from app.ui.sessions import SessionsColumn
from app.ui.shell.main_window import MainWindow
from app.ui.widgets.choices import SegmentedChoice
from tests.faults.soak.engines import BROKEN
from tests.faults.soak.monkey import Monkey
from tests.faults.soak.texts import FOUND, NAMES, SAID
from tests.faults.windows import part
from tests.ui.desk import act

LEAVING = {"close_window", "quit", "minimise", "full_screen"}
SIZES_PX = ((900, 600), (1000, 700), (1200, 800), (1600, 1000))


class User:
    """`models` are what can be opened; files go into and come out of `folder`."""

    def __init__(self, window: MainWindow, models: tuple[str, ...], folder: Path) -> None:
        self._window = window
        self._models = models
        self._folder = folder
        self._monkey = Monkey()
        self._monkey.start()
        self._steps: tuple[tuple[int, Callable[[Random], str]], ...] = (
            (14, self._send), (6, self._type), (8, self._stop), (10, self._act), (8, self._wish), (4, self._branch),
            (3, self._fork), (4, self._load), (6, self._sessions), (3, self._search), (3, self._controls),
            (3, self._mode), (2, self._palette), (2, self._experiment), (2, self._export), (2, self._import),
            (2, self._resize), (20, self._monkey.touch), (3, self._close_windows), (1, self._flurry),
            (1, self._language),
        )  # fmt: skip

    def leave(self) -> None:
        self._monkey.stop()

    def step(self, random: Random) -> str:
        """Do one thing, and say what it was."""
        if (done := self._deal_with_box(random)) is not None:
            return done
        weights = [weight for weight, _ in self._steps]
        return random.choices([each for _, each in self._steps], weights)[0](random)

    @property
    def _state(self) -> State:
        return self._window.playground.state

    @property
    def _transcript(self) -> Transcript:
        return part(self._window, Transcript, "transcript")

    def _deal_with_box(self, random: Random) -> str | None:
        """A box that waits for an answer gets one, in the end."""
        front = QApplication.activeModalWidget()
        if isinstance(front, QFileDialog):
            name = random.choice(("picked.sluice", "picked.md", "picked.json", "none", "a/b"))
            if random.random() < 0.5:
                front.reject()
                return "left a file dialog"
            front.done(QFileDialog.DialogCode.Rejected)
            front.fileSelected.emit(str(self._folder / name))
            front.filesSelected.emit([str(self._folder / name)])
            return f"picked {name}"
        if isinstance(front, QMessageBox):
            front.reject()
            return "left a box"
        if front is not None and random.random() < 0.5:
            front.close()
            return f"closed {front.objectName()}"
        return None

    def _send(self, random: Random) -> str:
        text = random.choice(SAID)
        if not part(self._window, QPlainTextEdit, "prompt").isReadOnly():
            part(self._window, PromptEditor).set_text(text)
        send = part(self._window, QPushButton, "send")
        if send.isVisible():
            QTest.mouseClick(send, Qt.MouseButton.LeftButton)
        return f"sent {text[:30]!r}"

    def _type(self, random: Random) -> str:
        field = part(self._window, QPlainTextEdit, "prompt")
        if random.random() < 0.5:
            clip = QApplication.clipboard()
            clip.setText(random.choice(SAID))
            field.paste()
            return "pasted"
        QTest.keyClicks(field, random.choice(("sea", "a b", "?!")))
        if random.random() < 0.3:
            QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        return "typed"

    def _stop(self, random: Random) -> str:
        for _ in range(random.choice((1, 1, 3))):
            if random.random() < 0.5:
                QTest.keyClick(part(self._window, QPlainTextEdit, "prompt"), Qt.Key.Key_Escape)
            else:
                part(self._window, QPushButton, "stop").click()
        return "pressed Stop"

    def _act(self, random: Random) -> str:
        name = random.choice([action.name for action in ACTIONS if action.name not in LEAVING])
        chosen = act(self._window, name)
        if not chosen.isEnabled():
            return f"{name} can't be chosen"
        chosen.trigger()
        return f"chose {name}"

    def _wish(self, random: Random) -> str:
        wish, turns = random.choice(list(TurnAction)), len(self._state.turns)
        index = random.randrange(max(1, turns))
        if index < turns and wish in (TurnAction.REGENERATE, TurnAction.EDIT, TurnAction.DELETE, TurnAction.COPY,
                                      TurnAction.RESEND, TurnAction.CONTINUE):  # fmt: skip
            self._transcript.wanted.emit(wish, index)
        return f"{wish} of turn {index}"

    def _branch(self, random: Random) -> str:
        index, way = random.randrange(max(1, len(self._state.turns))), random.choice((-1, 1))
        self._transcript.branch_wanted.emit(index, way)
        return f"branch {way} at {index}"

    def _fork(self, random: Random) -> str:
        index, place = random.randrange(max(1, len(self._state.turns))), random.randrange(40)
        text = random.choice((None, "No: ", "🌊", ""))
        ids = (random.randrange(20, 400),) if text is None else None
        taken = self._window.playground.fork(index, place, ids, text)
        return f"fork of turn {index} at {place} with {ids or text!r}: {taken}"

    def _load(self, random: Random) -> str:
        model = random.choice((*self._models, BROKEN, "unload"))
        if model == "unload":
            return f"unload: {self._window.playground.unload()}"
        return f"load {model}: {self._window.playground.load(LoadRequest(model))}"

    def _sessions(self, random: Random) -> str:
        column, journal = part(self._window, SessionsColumn, "sessions"), self._window.playground.book.journal
        rows = journal.sessions.rows(0, 20) if journal is not None else ()
        kind = random.choice(("new", "open", "open", "open", "rename", "pin", "duplicate", "delete", "undo"))
        place = random.random()
        if kind == "new":
            part(self._window, QAbstractButton, "new_session").click()
        elif rows:
            session = rows[int(place * len(rows))].id
            if kind == "open":
                column.opened.emit(session)
            elif kind == "rename":
                column.renamed.emit(session, random.choice(NAMES))
            elif kind == "pin":
                column.pinned.emit(session, random.random() < 0.5)
            elif kind == "duplicate" and len(rows) < 12:
                column.duplicated.emit(session)
            elif kind == "delete" and (session != self._state.session or self._state.can_leave):
                column.deleted.emit(session)  # the list offers nothing else
            elif kind == "undo":
                column.restored.emit(session)
        return f"session: {kind}"

    def _search(self, random: Random) -> str:
        words = random.choice(FOUND)
        part(self._window, QLineEdit, "session_search").setText(words)
        return f"searched {words!r}"

    def _controls(self, random: Random) -> str:
        controls = self._state.controls
        limit = random.choice((0, 1, 5, 40, 200))
        changed = replace(
            controls,
            limits=replace(controls.limits, max_tokens=limit or -1),
            sampling=replace(controls.sampling, temperature=random.choice((0.0, 0.7, 1.5))),
            observe=random.choice((0, 10)),
            seed=random.choice((None, 1, 7)),
            draft_tokens=random.choice((0, 3)),
        )
        self._window.playground.set_controls(changed)
        return f"limit {limit}, alternatives {changed.observe}"

    def _mode(self, random: Random) -> str:
        mode = random.choice(list(Mode))
        modes = part(self._window, SegmentedChoice, "mode")
        if modes.isEnabled():
            modes.chosen.emit(mode.value)
        return f"mode {mode.value}: {self._state.controls.mode.value}"

    def _palette(self, random: Random) -> str:
        act(self._window, "command_palette").trigger()
        line = part(self._window, QLineEdit, "command_line")
        line.setText(random.choice(("dark", "run", "zzz", "light", "text", "<b>")))
        QTest.keyClick(line, random.choice((Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Down)))
        return "palette"

    def _experiment(self, random: Random) -> str:
        view = self._window.findChild(ExperimentWindow)
        if view is None or not view.isVisible():
            name = random.choice([each.name for each in ACTIONS if each.name.startswith("experiment_")])
            act(self._window, name).trigger()
            return "opened an experiment"
        part(view, QPushButton, "experiment_start").click()
        return "pressed Start of the experiment"

    def _export(self, random: Random) -> str:
        name = f"out{random.randrange(3)}{random.choice(('.sluice', '.json', '.md', '.txt'))}"
        if self._state.session:
            self._window._features.session_files.save(self._state.session, self._folder / name)
        return f"export {name}"

    def _import(self, random: Random) -> str:
        files = sorted(self._folder.glob("out*"))
        if not files:
            return "nothing to import"
        file = files[int(random.random() * len(files))]
        self._window.open_path(str(file))
        return f"import {file.name}"

    def _resize(self, random: Random) -> str:
        size = random.choice(SIZES_PX)
        self._window.resize(*size)
        return f"size {size}"

    def _language(self, random: Random) -> str:
        """It is spoken from the next start on."""
        act(self._window, "settings").trigger()
        choice = part(self._window, QComboBox, "settings_language")
        choice.setCurrentIndex(random.randrange(choice.count()))
        choice.activated.emit(choice.currentIndex())
        return f"chose the language {choice.currentText()}"

    def _close_windows(self, random: Random) -> str:
        others = [each for each in QApplication.topLevelWidgets() if each.isVisible() and each is not self._window]
        for each in others:
            each.close()
        return f"closed {len(others)} windows"

    def _flurry(self, random: Random) -> str:
        """Everything at once."""
        self._send(random)
        for _ in range(10):
            self._stop(random)
        self._send(random)
        self._load(random)
        return "a flurry"
