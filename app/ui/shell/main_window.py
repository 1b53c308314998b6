"""The window: puts the parts together, keeps its place, and leaves cleanly in every phase."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from app.actions import Intent
from app.bridge.model_folders import ModelFolders
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
from app.ui.settings.controller_appearance import AppearanceController
from app.ui.shell import connections, drops
from app.ui.shell.announcements import Announcements
from app.ui.shell.application import Application
from app.ui.shell.failure_notice import FailureNotice
from app.ui.shell.layout import Layout
from app.ui.shell.model_button import ModelButton
from app.ui.shell.places import Places
from app.ui.shell.reopening import Reopening
from app.ui.shell.start import Start
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
        self._appearance = AppearanceController(theme, settings, self)
        self._parts = parts = Layout(
            theme, tuple(Offer(each.title, each.prompt, each.shows) for each in first_prompts), self
        )
        self._put_together()
        self._code = CodeController(playground, parts.prompt.text, parts.notice, theme, self)
        self._runs = RunsController(playground, parts.notice, theme, self)
        self._session_files = SessionFilesController(playground, parts.notice, self)
        self._servers = servers = Servers(settings.servers, places.keys, self)
        self._folders = folders = ModelFolders(settings.folders, self)
        self._picker = PickerController(
            playground,
            theme,
            strip=parts.downloads,
            folders=folders,
            servers=servers,
            data=places.data,
            bundled=places.models,
            parent=self,
        )
        self._serving = ServingController(playground, theme, places.data, servers, self)
        self._reopening = Reopening(playground, servers, parts, places, self)
        self._place = WindowState(self, parts)
        self._experiments = ExperimentsController(playground, theme, places.models, folders, servers, self)
        self._guide = GuideController(
            playground,
            theme,
            prompt=parts.prompt,
            hint=parts.try_hint,
            page=parts,
            stops=parts.tour_stops,
            resources=places.resources,
            data=places.data,
            parent=self,
        )
        self._settings_pages = SettingsController(
            playground,
            theme,
            settings,
            appearance=self._appearance,
            folders=folders,
            notice=parts.notice,
            data=places.data,
            logs=places.logs,
            usual_cache=places.usual_cache,
            parent=self,
        )
        self._stop_steps = StopStepsController(playground, theme, self)
        self._commands = CommandsController(theme, parts, self)
        self._controls = ControlsController(
            playground,
            places.bundled,
            panel=parts.controls,
            template=parts.template,
            picture=parts.picture,
            parent=self,
        )
        self._sessions = SessionsController(
            playground, settings, column=parts.sessions, prompt=parts.prompt, notice=parts.notice, parent=self
        )
        FailureNotice(playground, parts.notice, self)
        JournalController(playground, parts.notice, self)
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
        inspector = InspectorController(playground, parts.transcript, parts.graph, parts.inspector, self)
        connections.connect_tokens(parts, inspector)
        ModelButton(playground, self._servers, parts.model_button, self)
        self._features: list[Feature] = [
            self._appearance,
            self._place,
            self._reopening,
            self._commands,
            self._controls,
            self._prompt,
            self._conversation,
            self._code,
            self._runs,
            self._sessions,
            self._session_files,
            self._picker,
            self._serving,
            self._experiments,
            self._guide,
            HelpController(playground, theme, places.resources, self),
            self._settings_pages,
            InstrumentsController(playground, parts.graph, parts.cards, parts.memory, parts.context, theme, self),
            inspector,
            self._stop_steps,
        ]
        self._starting = Start(playground, parts, self._reopening, self._features, settings, start, notice)
        self._connect()
        intents: dict[str, Intent] = {"close_window": self._close_front, "quit": self.close, "about": self._tell_about}
        for feature in self._features:
            intents |= feature.actions()
        self._actions = self._commands.create(intents)
        for feature in self._features:
            feature.join(self._actions)
        Announcements(playground, parts, self)
        for feature in self._features:
            feature.restore(settings)
        if isinstance(system := QApplication.instance(), Application):
            system.file_opened.connect(self.open_path)

    @Slot(str)
    def open_path(self, path: str) -> None:
        """A model's folder or a session's file: dropped, double-clicked or named at the start."""
        if Path(path).is_dir():
            self._picker.take_folder(Path(path))
        else:
            self._session_files.open(path)

    def _put_together(self) -> None:
        self.setObjectName("main_window")
        self.setWindowTitle("Sluice")
        self.setMinimumSize(*SMALLEST_PX)
        self.setAcceptDrops(True)
        self.resize(*FIRST_PX)
        self.setCentralWidget(self._parts)

    def _connect(self) -> None:
        """What one feature tells another."""
        parts, prompt, sessions = self._parts, self._prompt, self._sessions
        connections.connect_conversation(parts, self._conversation, prompt, self._controls, self._stop_steps)
        connections.connect_turns(parts, self._code, self._runs, self._experiments)
        connections.connect_sessions(parts, sessions, prompt, self._settings_pages)
        connections.connect_models(parts, self._picker, self._serving)
        connections.connect_experiments(parts, self._experiments, self._runs)
        connections.connect_guide(parts, self._guide, prompt)
        parts.transcript.link_requested.connect(self._open_link)
        self._settings_pages.changed.connect(self._keep)
        self._settings_pages.restart_wanted.connect(self._restart)

    @Slot()
    def _keep(self) -> None:
        """The settings as they are now; what no feature tells stays as it was at the start."""
        settings = self._settings
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
            self._keep()
            self.hide()
            for feature in self._features:
                feature.close()
            self.playground.close()
            # What was recorded on the way out is no sign of a crash at the next start.
            self._keep()
        super().closeEvent(event)
