"""The window: puts the parts together, keeps its place, and leaves cleanly in every phase."""

from __future__ import annotations

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
from app.ui.controls.controller_draft import DraftController
from app.ui.controls.controller_preset_files import PresetFilesController
from app.ui.controls.controller_presets import PresetsController
from app.ui.controls.controller_token_lookup import TokenLookupController
from app.ui.controls.conversion import controls_of
from app.ui.conversation.controller_branches import BranchesController
from app.ui.conversation.controller_ending import EndingController
from app.ui.conversation.controller_tokens import TokensController
from app.ui.conversation.first_prompts import FirstPrompt
from app.ui.conversation.next_step import Step
from app.ui.conversation.view_choice import VIEWS, ViewChoice
from app.ui.conversation.welcome import Offer
from app.ui.experiments.controller import ExperimentsController
from app.ui.feature import Feature
from app.ui.guide import boxes
from app.ui.guide.controller import GuideController
from app.ui.guide.controller_help import HelpController
from app.ui.inspector.controller import InspectorController
from app.ui.instruments.controller_tables import TablesController
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
from app.ui.settings.controller_appearance import AppearanceController
from app.ui.shell import drops
from app.ui.shell.announcements import Announcements
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
        self._appearance = AppearanceController(theme, settings, self)
        self._parts = Layout(theme, tuple(Offer(each.title, each.prompt, each.shows) for each in first_prompts), self)
        self._wishes = Intents(playground, self._parts, first_prompts, self)
        parts = self._parts
        self._coding = CodeController(playground, parts.prompt.text, parts.notice, theme, self)
        self._runs = RunsController(playground, parts.notice, theme, self)
        self._branching = BranchesController(playground, self._parts, theme, self)
        self._exchange = SessionFilesController(playground, self._parts.notice, self)
        self._servers = Servers(settings.servers, places.keys, self)
        about = (parts.prompt, lambda: self._wishes.editing is not None, parts.notice, settings)
        self._sessions = SessionsController(playground, parts.sessions, *about, self)
        self._folders = ModelFolders(settings.folders, self)
        known = (places.models, self._folders, self._servers)
        self._picking = PickerController(playground, parts.downloads, theme, places.data, *known, self)
        self._serving = ServingController(playground, theme, places.data, self._servers, self)
        self._serving.opening.connect(self._picking.open_named)
        self._returning = Reopening(playground, self._servers, self._parts, places, self)
        self._starting = Start(playground, self._parts, self._wishes, self._returning, settings, start, notice)
        self._place = WindowState(self, self._parts)
        self._views = ViewChoice(self._parts.transcript, self)
        self._help = HelpController(playground, theme, places.resources, self)
        self._experiments = ExperimentsController(playground, theme, *known, self)
        self._runs.basis_picked.connect(self._experiments.begin_from)
        stops, lies = (parts, parts.tour_stops), (places.resources, places.data)
        self._guiding = GuideController(playground, parts.prompt, parts.try_hint, *stops, theme, *lies, self)
        shown = (self._appearance, self._folders, parts.notice, theme, settings)
        lie = (places.data, places.logs, places.usual_cache)
        self._preferring = SettingsController(playground, *shown, *lie, self)
        self._tables = TablesController(parts.graph, parts.cards, parts.memory, parts.context, theme, self)
        self._stop_stepping = StopStepsController(playground, theme, self)
        self._commanding = CommandsController(self._parts, theme, settings, self)
        self._features: list[Feature] = [
            self._appearance,
            self._sessions,
            self._exchange,
            self._picking,
            self._coding,
            self._runs,
            self._serving,
            self._help,
            self._experiments,
            self._guiding,
            self._tables,
            self._stop_stepping,
            self._preferring,
        ]
        intents = self._intents()
        for feature in self._features:
            intents |= feature.actions()
        self._acts = self._commanding.create(intents)
        for feature in self._features:
            feature.join(self._acts)
        self._place.join(self._acts)
        self._views.join(self._acts)
        self._branching.join(self._acts)
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
        JournalController(playground, parts.notice, self)
        self._put_together()
        # After the transcript's own feed: what has been taken off the page has no tokens any more.
        self._views.changed.connect(TokensController(playground, self._parts, settings.colouring, self).sync)
        # Hears of a run after the graph has begun its curve.
        InspectorController(playground, self._parts, self._acts, self)
        Announcements(playground, self._parts, self)
        told = (self._place, self._returning, self._servers)
        self._remembering = KeptSettings(
            settings, save, self._parts, *told, self._presets, self._commanding, self._features
        )
        self._restore(settings)
        if isinstance(system := QApplication.instance(), Application):
            system.file_opened.connect(self.open_path)

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
            "close_window": self._close_front,
            "quit": self.close,
            "undo": wishes.undo,
            "copy_answer": wishes.copy_answer,
            "enter_sends": self._set_enter_sends,
            "stop": wishes.stop,
            "continue_run": wishes.continue_run,
            "regenerate": wishes.regenerate,
            "previous_branch": self._branching.previous,
            "next_branch": self._branching.following,
            "show_branches": self._branching.show_tree,
            **dict.fromkeys(VIEWS, self._views.follow),
            "toggle_sessions": self._place.show_sessions,
            "search_sessions": self._place.search_sessions,
            "toggle_controls": self._place.show_controls,
            "toggle_inspector": self._place.show_inspector,
            "toggle_exact_prompt": self._place.show_exact_prompt,
            "focus_prompt": self._parts.prompt.setFocus,
            "full_screen": self._place.toggle_full_screen,
            "minimise": self.showMinimized,
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
        self._connect_windows()
        self._connect_sessions()
        self._showing.listen()
        self._preferring.changed.connect(self._keep)
        self._preferring.restart_wanted.connect(self._restart)

    def _connect_windows(self) -> None:
        """What the conversation and the prompt ask of the other features, and these of them."""
        parts, guide, laboratory = self._parts, self._guiding, self._experiments
        parts.transcript.wanted.connect(self._coding.take_wish)
        parts.ending.code_wanted.connect(self._coding.view)
        parts.ending.stepped.connect(self._take_step)
        parts.transcript.wanted.connect(laboratory.take_wish)
        parts.ending.trying_wanted.connect(laboratory.try_last)
        parts.exact_prompt.measure_wanted.connect(laboratory.measure_reuse)
        laboratory.measured.connect(parts.memory.show_memory)
        laboratory.progressed.connect(parts.progress.show_experiment)
        laboratory.loading.connect(parts.progress.show_loading)
        parts.controls.draft.browse_wanted.connect(self._picking.choose_draft)
        parts.runs_button.clicked.connect(self._runs.show)
        parts.ending.receipt_wanted.connect(self._runs.show_last)
        parts.ending.tokens_wanted.connect(self._runs.export_last_tokens)
        parts.welcome.gallery_requested.connect(guide.show_gallery)
        parts.welcome.tour_requested.connect(guide.take_tour)
        guide.tour_offered.connect(parts.welcome.offer_tour)
        guide.leaving.connect(self._wishes.leave_editing)
        guide.mode_wanted.connect(self._wishes.set_mode)

    def _connect_sessions(self) -> None:
        """What is typed belongs to the session that is open."""
        parts, sessions, settings = self._parts, self._sessions, self._preferring
        parts.prompt.edited.connect(sessions.note_typing)
        self._wishes.switching.connect(sessions.keep_draft)
        sessions.leaving.connect(self._wishes.leave_editing)
        sessions.came.connect(parts.transcript.scroll_to_latest)
        sessions.begun.connect(settings.begin_session)
        settings.erasing.connect(self._wishes.leave_editing)
        settings.erased.connect(sessions.forget_all)

    def _restore(self, settings: Settings) -> None:
        """Everything where it was left."""
        self.playground.set_controls(controls_of(settings))
        self._showing.begin()
        self._place.restore(settings.layout)
        self._acts["enter_sends"].setChecked(settings.enter_sends)
        self._parts.prompt.set_enter_sends(settings.enter_sends)
        self._views.restore(settings.view)
        for feature in self._features:
            feature.restore(settings)

    @Slot(str)
    def _take_step(self, step: str) -> None:
        if step == Step.STEPS:
            self._stop_stepping.view()

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
            self._parts.graph.leave()
            self._drafts.close()
            self._returning.close()
            for feature in self._features:
                feature.close()
            self.playground.close()
            # What was recorded on the way out is no sign of a crash at the next start.
            self._keep()
        super().closeEvent(event)
