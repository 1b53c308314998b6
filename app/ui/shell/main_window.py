"""The window: puts the parts together, keeps its place, and leaves cleanly in every phase."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from app.actions import Intent
from app.bridge.playground import Playground
from app.bridge.servers import Servers
from app.settings import Settings
from app.ui.code.controller import CodeController
from app.ui.commands.controller import CommandsController
from app.ui.controls.controller import ControlsController
from app.ui.conversation.controller import ConversationController
from app.ui.conversation.first_prompts import FirstPrompt
from app.ui.conversation.welcome import Offer
from app.ui.experiments.controller import ExperimentsController
from app.ui.feature import Feature
from app.ui.guide import boxes
from app.ui.guide.controller import GuideController
from app.ui.guide.controller_help import HelpController
from app.ui.inspector.controller import InspectorController
from app.ui.instruments.controller import InstrumentsController
from app.ui.look.theme import Theme
from app.ui.picker.controller import PickerController
from app.ui.prompt.controller import PromptController
from app.ui.runs.controller import RunsController
from app.ui.serving.controller import ServingController
from app.ui.sessions.controller import SessionsController
from app.ui.sessions.controller_files import SessionFilesController
from app.ui.sessions.controller_journal import JournalController
from app.ui.settings.controller import SettingsController
from app.ui.shell import drops
from app.ui.shell.announcements import Announcements
from app.ui.shell.appearance import Appearance
from app.ui.shell.application import Application
from app.ui.shell.failure_notice import FailureNotice
from app.ui.shell.layout import Layout
from app.ui.shell.model_button import ModelButton
from app.ui.shell.places import Places
from app.ui.shell.reopening import Reopening
from app.ui.shell.start import Start
from app.ui.shell.state_view import StateView
from app.ui.shell.window_state import WindowState
from app.ui.stop_steps.controller import StopStepsController
from app.words import tr

SMALLEST_PX = (900, 600)
FIRST_PX = (1200, 800)


class MainWindow(QMainWindow):
    """What is on the screen. `start` is the model to open when the window is up; `notice` something to say then."""

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        settings: Settings,
        save: Callable[[Settings], None],
        first_prompts: tuple[FirstPrompt, ...] = (),
        start: str = "",
        notice: str = "",
        places: Places | None = None,
    ) -> None:
        super().__init__()
        self.playground = playground
        self._settings = settings
        self._save = save
        self._closed = False
        self.starts_again = False
        """Once it is closed the program is to be started anew."""
        places = places or Places()
        self._appearance = Appearance(theme, settings, self)
        self._parts = parts = Layout(
            theme, tuple(Offer(each.title, each.prompt, each.shows) for each in first_prompts), self
        )
        self._put_together()
        self._coding = CodeController(playground, parts, theme, self)
        self._runs = RunsController(playground, parts, theme, self)
        self._exchange = SessionFilesController(playground, parts.notice, self)
        self._servers = Servers(settings.servers, places.keys, self)
        self._picking = PickerController(playground, parts, theme, settings.folders, places, self._servers, self)
        self._serving = ServingController(playground, theme, places, self._servers, self)
        self._reopening = Reopening(playground, self._servers, parts, places, self)
        self._starting = Start(playground, parts, self._reopening, settings, start, notice)
        self._place = WindowState(self, parts)
        self._help = HelpController(playground, theme, places.resources, self)
        known = (places, self._model_folders, self._servers)
        self._experiments = ExperimentsController(playground, parts, theme, *known, self)
        self._guiding = GuideController(playground, parts, theme, places, settings.toured, self)
        self._preferring = SettingsController(playground, parts, theme, settings, places, self._picking, self)
        self._stop_stepping = StopStepsController(playground, parts, theme, self)
        self._commands = CommandsController(theme, parts, self)
        self._controls = ControlsController(
            playground,
            places.bundled,
            panel=parts.controls,
            template=parts.template,
            picture=parts.picture,
            parent=self,
        )
        self._sessions = SessionsController(playground, parts, settings, self)
        FailureNotice(playground, parts.notice, self)
        JournalController(playground, parts, self)
        self._prompt = PromptController(
            playground,
            prompt=parts.prompt,
            edit_hint=parts.edit_hint,
            mode=parts.mode,
            lights=parts.lights,
            exact_prompt=parts.exact_prompt,
            parent=self,
        )
        self._conversation = ConversationController(
            playground,
            theme,
            first_prompts,
            transcript=parts.transcript,
            legend=parts.token_legend,
            welcome=parts.welcome,
            pages=parts.pages,
            progress=parts.progress,
            ending=parts.ending,
            parent=self,
        )
        instruments = (parts.graph, parts.cards, parts.memory, parts.context)
        self._instruments = InstrumentsController(playground, *instruments, theme, self)
        self._inspector = InspectorController(playground, parts.transcript, parts.graph, parts.inspector, self)
        ModelButton(playground, self._servers, parts.model_button, self)
        self._features: list[Feature] = [
            self._appearance,
            self._place,
            self._reopening,
            self._commands,
            self._controls,
            self._prompt,
            self._conversation,
            self._instruments,
            self._inspector,
        ]
        self._connect()
        intents = self._intents()
        for feature in self._features:
            intents |= feature.actions()
        self._actions = self._commands.create(intents)
        for feature in self._features:
            feature.join(self._actions)
        self._guiding.join(self._actions)
        self._preferring.join(self._actions, self._appearance, self._sessions)
        StateView(playground, self._actions, self)
        Announcements(playground, parts, self)
        for feature in self._features:
            feature.restore(settings)
        if isinstance(system := QApplication.instance(), Application):
            system.file_opened.connect(self.open_path)

    def _model_folders(self) -> tuple[str, ...]:
        return self._picking.folders

    @Slot(str)
    def open_path(self, path: str) -> None:
        """A model's folder or a session's file: dropped, double-clicked or named at the start."""
        if Path(path).is_dir():
            self._picking.take_folder(Path(path))
        else:
            self._exchange.open(path)

    def _intents(self) -> dict[str, Intent]:
        return {
            "new_session": self._sessions.begin,
            "open_model": self._picking.choose_model,
            "export_session": self._exchange.export,
            "import_session": self._exchange.ask,
            "close_window": self._close_front,
            "quit": self.close,
            "settings": self._preferring.open,
            "replay": self._runs.replay_last,
            "view_code": self._coding.view,
            "copy_python": self._coding.copy_python,
            "copy_command": self._coding.copy_command,
            **self._serving.intents,
            **self._experiments.intents,
            "stop_steps": self._stop_stepping.view,
            "show_runs": self._runs.show,
            **self._guiding.intents,
            "check_updates": self._help.check_for_updates,
            "report_problem": self._help.report_problem,
            "licences": self._help.show_licences,
            "about": self._tell_about,
        }

    def _put_together(self) -> None:
        self.setObjectName("main_window")
        self.setWindowTitle("Sluice")
        self.setMinimumSize(*SMALLEST_PX)
        self.setAcceptDrops(True)
        self.resize(*FIRST_PX)
        self.setCentralWidget(self._parts)

    def _connect(self) -> None:
        """What one feature tells another."""
        parts, conversation, prompt, controls = self._parts, self._conversation, self._prompt, self._controls
        conversation.edit_wanted.connect(prompt.edit)
        conversation.continue_wanted.connect(prompt.continue_run)
        conversation.first_prompt_sent.connect(parts.prompt.setFocus)
        conversation.tokens_shown.connect(parts.show_tokens)
        prompt.sent.connect(parts.transcript.scroll_to_latest)
        prompt.raw_turned.connect(parts.set_raw)
        prompt.mode_left.connect(self._sessions.keep_draft)
        prompt.reply_start_wanted.connect(controls.begin_reply_start)
        parts.transcript.token_pointed.connect(self._inspector.point_in_text)
        parts.transcript.token_picked.connect(self._inspector.pick_in_text)
        parts.graph.token_pointed.connect(self._inspector.point_on_graph)
        parts.graph.token_clicked.connect(self._inspector.click_on_graph)
        parts.graph.stretch_chosen.connect(self._inspector.mark_stretch)
        parts.inspector.candidate_taken.connect(conversation.branches.fork)
        parts.inspector.text_taken.connect(conversation.branches.fork_with)
        parts.inspector.recording_wanted.connect(controls.record)
        parts.ending.recording_wanted.connect(controls.record)
        parts.transcript.link_requested.connect(self._open_link)
        parts.model_button.clicked.connect(self._picking.choose_model)
        parts.welcome.open_requested.connect(self._picking.choose_model)
        self._serving.opening.connect(self._picking.open_named)
        self._runs.basis_picked.connect(self._experiments.begin_from)
        self._guiding.mode_wanted.connect(prompt.set_mode)
        self._preferring.changed.connect(self._keep)
        self._preferring.restart_wanted.connect(self._restart)

    @Slot()
    def _keep(self) -> None:
        """The settings as they are now; what no feature tells stays as it was at the start."""
        settings = replace(
            self._preferring.kept(self._settings),
            servers=self._servers.kept,
            toured=self._guiding.toured,
            session=self.playground.state.session,
            closed=time.time(),
        )
        for feature in self._features:
            settings = feature.kept(settings)
        try:
            self._save(settings)
        except OSError as error:
            sys.stderr.write(f"sluice: The settings could not be kept ({error}).\n")
            told = tr("The settings could not be written ({error}); they count until Sluice quits.")
            self._parts.notice.show_remark(told.format(error=error.strerror or error))

    @Slot()
    def _close_front(self) -> None:
        """A Mac has one menu bar for all windows: what stands in front of this one is closed first."""
        (QApplication.activeWindow() or self).close()

    @Slot()
    def _restart(self) -> None:
        self.starts_again = True
        self.close()

    @Slot(str)
    def _open_link(self, address: str) -> None:
        boxes.open_link(self, address)

    @Slot()
    def _tell_about(self) -> None:
        boxes.tell_about(self)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if drops.path_of(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.open_path(drops.path_of(event.mimeData()))
        event.acceptProposedAction()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep the settings, then leave: the window goes at once, the engine's thread is waited for."""
        if not self._closed:
            self._closed = True
            self._starting.leave()
            self._sessions.close()
            self._keep()
            self.hide()
            self._runs.close()
            self._experiments.close()
            self._exchange.close()
            self._picking.close()
            self._serving.close()
            self._help.close()
            self._preferring.close()
            for feature in self._features:
                feature.close()
            self.playground.close()
            # What was recorded on the way out is no sign of a crash at the next start.
            self._keep()
        super().closeEvent(event)
