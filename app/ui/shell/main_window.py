"""The window: puts the parts together, keeps its place, and leaves cleanly in every phase."""

from __future__ import annotations

from collections.abc import Callable
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
from app.ui.controls.controller_draft import DraftController
from app.ui.controls.controller_preset_files import PresetFilesController
from app.ui.controls.controller_presets import PresetsController
from app.ui.controls.controller_token_lookup import TokenLookupController
from app.ui.conversation.controller_branches import BranchesController
from app.ui.conversation.controller_ending import EndingController
from app.ui.conversation.controller_tokens import TokensController
from app.ui.conversation.first_prompts import FirstPrompt
from app.ui.conversation.view_choice import VIEWS, ViewChoice
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
from app.ui.prompt.controller_light_actions import LightActionsController
from app.ui.prompt.controller_next_prompt import NextPromptController
from app.ui.prompt.controller_surprise import SurpriseController
from app.ui.runs.controller import RunsController
from app.ui.serving.controller import ServingController
from app.ui.sessions.controller import SessionsController
from app.ui.sessions.controller_files import SessionFilesController
from app.ui.sessions.controller_journal import JournalController
from app.ui.settings.controller import SettingsController
from app.ui.shell import drops
from app.ui.shell.announcements import Announcements
from app.ui.shell.appearance import SCHEMES, Appearance
from app.ui.shell.application import Application
from app.ui.shell.intents import Intents
from app.ui.shell.kept_settings import KeptSettings
from app.ui.shell.layout import Layout
from app.ui.shell.places import Places
from app.ui.shell.reopening import Reopening
from app.ui.shell.start import Start
from app.ui.shell.state_view import StateView
from app.ui.shell.window_state import WindowState
from app.ui.stop_steps.controller import StopStepsController

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
        self._closed = False
        self.starts_again = False
        """Once it is closed the program is to be started anew."""
        places = places or Places()
        self._appearance = Appearance(theme, settings, self)
        self._parts = Layout(theme, tuple(Offer(each.title, each.prompt, each.shows) for each in first_prompts), self)
        self._wishes = Intents(playground, self._parts, first_prompts, self)
        self._coding = CodeController(playground, self._parts, theme, self)
        self._runs = RunsController(playground, self._parts, theme, self)
        self._branching = BranchesController(playground, self._parts, theme, self)
        self._exchange = SessionFilesController(playground, self._parts.notice, self)
        self._servers = Servers(settings.servers, places.keys, self)
        self._picking = PickerController(playground, self._parts, theme, settings.folders, places, self._servers, self)
        self._serving = ServingController(playground, theme, places, self._servers, self)
        self._serving.opening.connect(self._picking.open_named)
        self._returning = Reopening(playground, self._servers, self._parts, places, self)
        self._starting = Start(playground, self._parts, self._wishes, self._returning, settings, start, notice)
        self._place = WindowState(self, self._parts)
        self._views = ViewChoice(self._parts.transcript, self)
        self._help = HelpController(playground, theme, places.resources, self)
        known = (places, self._model_folders, self._servers)
        self._experiments = ExperimentsController(playground, self._parts, theme, *known, self)
        self._runs.basis_picked.connect(self._experiments.begin_from)
        self._guiding = GuideController(playground, self._parts, theme, self._wishes, places, settings.toured, self)
        around = (places, self._picking, self._wishes)
        self._preferring = SettingsController(playground, self._parts, theme, settings, *around, self)
        self._stop_stepping = StopStepsController(playground, self._parts, theme, self)
        self._commanding = CommandsController(self._parts, theme, settings, self)
        parts = self._parts
        instruments = (parts.graph, parts.cards, parts.memory, parts.context)
        inspector = InspectorController(playground, parts.transcript, parts.graph, parts.inspector, self)
        parts.transcript.token_pointed.connect(inspector.point_in_text)
        parts.transcript.token_picked.connect(inspector.pick_in_text)
        parts.graph.token_pointed.connect(inspector.point_on_graph)
        parts.graph.token_clicked.connect(inspector.click_on_graph)
        parts.graph.stretch_chosen.connect(inspector.mark_stretch)
        self._features: list[Feature] = [InstrumentsController(playground, *instruments, theme, self), inspector]
        intents = self._intents()
        for feature in self._features:
            intents |= feature.actions()
        self._acts = self._commanding.create(intents)
        for feature in self._features:
            feature.join(self._acts)
        self._place.join(self._acts)
        self._views.join(self._acts)
        self._appearance.join(self._acts)
        self._branching.join(self._acts)
        self._guiding.join(self._acts)
        self._showing = StateView(playground, self._parts, self._acts, self._servers, self)
        self._foreseeing = NextPromptController(playground, self._parts, self._wishes, self)
        self._ways_on = LightActionsController(playground, self._parts, self._acts, self)
        self._presets = PresetsController(playground, self._parts.controls, settings.presets, settings.model, self)
        PresetFilesController(self._presets, self._parts.controls, self)
        ControlsController(playground, self._parts.controls, self)
        EndingController(playground, self._parts.ending, self)
        SurpriseController(playground, self._parts, self)
        self._drafts = DraftController(playground, self._parts.controls, places.bundled, self)
        TokenLookupController(playground, self._parts.controls, self)
        self._sessions = SessionsController(playground, self._parts, self._wishes, settings, self)
        self._preferring.join(self._acts, self._appearance, self._sessions)
        JournalController(playground, self._parts, self)
        self._put_together()
        # After the transcript's own feed: what has been taken off the page has no tokens any more.
        self._views.changed.connect(TokensController(playground, self._parts, settings.colouring, self).sync)
        Announcements(playground, self._parts, self)
        told = (self._place, self._appearance, self._preferring, self._returning, self._servers)
        self._remembering = KeptSettings(
            settings, save, self._parts, *told, self._presets, self._commanding, self._guiding, self._features
        )
        self._restore(settings)
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
        wishes = self._wishes
        return {
            "new_session": self._begin_session,
            "open_model": self._picking.choose_model,
            "export_session": self._exchange.export,
            "import_session": self._exchange.ask,
            "close_window": self._close_front,
            "quit": self.close,
            "undo": wishes.undo,
            "copy_answer": wishes.copy_answer,
            "enter_sends": self._set_enter_sends,
            "settings": self._preferring.open,
            "stop": wishes.stop,
            "continue_run": wishes.continue_run,
            "regenerate": wishes.regenerate,
            "previous_branch": self._branching.previous,
            "next_branch": self._branching.following,
            "show_branches": self._branching.show_tree,
            "replay": self._runs.replay_last,
            "view_code": self._coding.view,
            "copy_python": self._coding.copy_python,
            "copy_command": self._coding.copy_command,
            **self._serving.intents,
            **self._experiments.intents,
            "stop_steps": self._stop_stepping.view,
            **dict.fromkeys(VIEWS, self._views.follow),
            "show_runs": self._runs.show,
            "toggle_sessions": self._place.show_sessions,
            "search_sessions": self._place.search_sessions,
            "toggle_controls": self._place.show_controls,
            "toggle_inspector": self._place.show_inspector,
            "toggle_exact_prompt": self._place.show_exact_prompt,
            "focus_prompt": self._parts.prompt.setFocus,
            **dict.fromkeys((*SCHEMES, "high_contrast"), self._appearance.follow),
            "larger_text": self._appearance.enlarge,
            "smaller_text": self._appearance.reduce,
            "usual_text": self._appearance.take_usual,
            "full_screen": self._place.toggle_full_screen,
            "minimise": self.showMinimized,
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
        self._parts.model_button.clicked.connect(self._picking.choose_model)
        self._parts.welcome.open_requested.connect(self._picking.choose_model)
        self._foreseeing.way_on_taken.connect(self._ways_on.go)
        self._parts.transcript.link_requested.connect(self._open_link)
        self._showing.listen()
        self._preferring.changed.connect(self._keep)
        self._preferring.restart_wanted.connect(self._restart)

    def _restore(self, settings: Settings) -> None:
        """Everything where it was left."""
        self.playground.set_controls(settings.controls)
        self._showing.begin()
        self._place.restore(settings.layout)
        self._acts["enter_sends"].setChecked(settings.enter_sends)
        self._parts.prompt.set_enter_sends(settings.enter_sends)
        self._views.restore(settings.view)
        for feature in self._features:
            feature.restore(settings)

    @Slot()
    def _keep(self) -> None:
        self._remembering.keep(self.playground.state, self._acts["enter_sends"].isChecked())

    @Slot()
    def _set_enter_sends(self) -> None:
        self._parts.prompt.set_enter_sends(self._acts["enter_sends"].isChecked())

    @Slot()
    def _close_front(self) -> None:
        """A Mac has one menu bar for all windows: what stands in front of this one is closed first."""
        (QApplication.activeWindow() or self).close()

    @Slot()
    def _restart(self) -> None:
        self.starts_again = True
        self.close()

    @Slot()
    def _begin_session(self) -> None:
        self._sessions.begin()

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
            self._drafts.close()
            self._runs.close()
            self._experiments.close()
            self._exchange.close()
            self._picking.close()
            self._returning.close()
            self._serving.close()
            self._help.close()
            self._preferring.close()
            for feature in self._features:
                feature.close()
            self.playground.close()
            # What was recorded on the way out is no sign of a crash at the next start.
            self._keep()
        super().closeEvent(event)
