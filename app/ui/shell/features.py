"""All features of the window, created with their widgets and the playground, and connected."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QMainWindow

from app.bridge.model_sources import ModelFolders, Servers
from app.bridge.playground import Playground
from app.files.settings import Settings, user_folder
from app.i18n import tr
from app.library import cached
from app.library.keychain import ServerKeys
from app.platform import log_file
from app.ui.code.controller import CodeController
from app.ui.commands.controller import CommandsController
from app.ui.comparison.controller import ComparisonController
from app.ui.controls.controller import ControlsController
from app.ui.conversation.controller import ConversationController
from app.ui.conversation.controller_queue import QueueController
from app.ui.conversation.first_prompts import Bundled
from app.ui.evaluation.controller import EvaluationController
from app.ui.experiments.controller import ExperimentsController
from app.ui.feature import Feature
from app.ui.guide.controller import GuideController
from app.ui.guide.controller_help import HelpController
from app.ui.inspector.controller import InspectorController
from app.ui.instruments.controller import InstrumentsController
from app.ui.interpretability import ATTENTION, LADDER, WORDS
from app.ui.interpretability.controller import InterpretabilityController
from app.ui.look import Theme
from app.ui.perplexity.controller import PerplexityController
from app.ui.picker.controller import PickerController
from app.ui.profiler.controller import ProfilerController
from app.ui.prompt.controller import RENDERED, PromptController
from app.ui.runs.controller import RunsController
from app.ui.serving.controller import ServingController
from app.ui.sessions.controller import SessionsController
from app.ui.sessions.controller_files import SessionFilesController
from app.ui.settings.appearance import AppearanceController
from app.ui.settings.controller import SettingsController
from app.ui.shell.last_server_model import LastServerModel
from app.ui.shell.layout import MainLayout
from app.ui.shell.title import Title
from app.ui.shell.window_state import WindowState
from app.ui.stop_trace.controller import StopTraceController
from app.ui.widgets import NoticeBar

INSIDE_TABS = {"lens": LADDER, "attention": ATTENTION, "attribution": WORDS}
"""The tabs of Inside by their names in lessons."""


@dataclass(frozen=True, slots=True)
class DataPaths:
    """The program's data, the bundled models, and the keys of servers."""

    data: Path = field(default_factory=user_folder)
    bundled: Path | None = None
    keys: ServerKeys = field(default_factory=ServerKeys)
    usual_cache: Path = field(default_factory=cached.folder_of_cache)
    """The Hugging Face cache if the settings name no other folder."""

    @property
    def logs(self) -> Path:
        return log_file.folder_beside(self.data, user_folder())

    @property
    def resources(self) -> Path | None:
        return self.bundled.parent if self.bundled is not None else None

    @property
    def models(self) -> Path:
        """The folder of the bundled models; one without models if there are none."""
        return self.bundled or self.data

    @property
    def demo(self) -> str:
        """The folder of the bundled demo model; empty if there is none."""
        folder = self.bundled / "demo" if self.bundled is not None else None
        return str(folder) if folder is not None and (folder / "config.json").is_file() else ""


class Features:
    """Holds the features by name, and iterates over them."""

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        settings: Settings,
        *,
        appearance: AppearanceController,
        parts: MainLayout,
        paths: DataPaths,
        first_prompts: Bundled,
        window: QMainWindow,
    ) -> None:
        self._playground = playground
        self._theme = theme
        self._parts = parts
        self._paths = paths
        self._window = window
        self.servers = Servers(settings.servers, paths.keys, window)
        self.folders = ModelFolders(settings.folders, window)
        self.appearance = appearance
        self.commands = CommandsController(theme, parts, window)
        self.window_state = WindowState(window, parts)
        self.title = Title(playground, self.servers, parts.bar, window)
        self._make_models()
        self._make_windows(settings)
        self.sessions = SessionsController(
            playground, settings, column=parts.sessions, prompt=parts.prompt, notice=parts.notice, parent=window
        )
        self.session_files = SessionFilesController(playground, parts.notice, window)
        self._make_conversation(first_prompts)
        self._make_instruments()

    def __iter__(self) -> Iterator[Feature]:
        """Yield all features; windows that are opened most come first, so they are imported first."""
        yield from (
            self.appearance,
            self.window_state,
            self.title,
            self.reopening,
            self.commands,
            self.controls,
            self.prompt,
        )
        yield from (self.settings, self.picker, self.experiments, self.weigh, self.runs, self.comparison, self.code)
        yield from (self.conversation, self.stop_steps, self.instruments, self.inspector, self.serving, self.help)
        yield from (self.inside, self.speed, self.sets, self.sessions, self.session_files)
        yield self.guide  # during a lesson it saves another session than the shown one

    def _make_models(self) -> None:
        """Create the features that open and serve models."""
        playground, theme, parts, paths = self._playground, self._theme, self._parts, self._paths
        self.picker = PickerController(
            playground,
            theme,
            strip=parts.downloads,
            first=parts.first_models,
            notice=parts.notice,
            folders=self.folders,
            servers=self.servers,
            data=paths.data,
            bundled=paths.models,
            parent=self._window,
        )
        self.serving = ServingController(playground, theme, paths.data, self.servers, self._window, strip=parts.server)
        self.reopening = LastServerModel(playground, self.servers, parts, paths.demo, self._window)

    def _make_windows(self, settings: Settings) -> None:
        """Create the features that have windows of their own."""
        playground, theme, window = self._playground, self._theme, self._window
        parts, paths = self._parts, self._paths
        self.code = CodeController(playground, parts.prompt.text, parts.notice, theme, window)
        self.comparison = ComparisonController(playground, theme, window)
        self.runs = RunsController(playground, parts.notice, theme, paths.models, window)
        self.stop_steps = StopTraceController(playground, theme, window)
        self.help = HelpController(playground, theme, paths.resources, window)
        self.experiments = ExperimentsController(playground, theme, paths.models, self.folders, self.servers, window)
        self.weigh = PerplexityController(playground, theme, paths.models, self.folders, window)
        self.sets = EvaluationController(playground, theme, paths.models, paths.resources, self.folders, window)
        self.speed = ProfilerController(playground, theme, paths.data, window)
        self.guide = GuideController(
            playground,
            theme,
            prompt=parts.prompt,
            page=parts,
            room=parts.lesson,
            resources=paths.resources,
            data=paths.data,
            parent=window,
        )
        self.settings = SettingsController(
            playground,
            theme,
            settings,
            appearance=self.appearance,
            folders=self.folders,
            notice=parts.notice,
            data=paths.data,
            logs=paths.logs,
            default_cache=paths.usual_cache,
            parent=window,
        )

    def _make_conversation(self, first_prompts: Bundled) -> None:
        playground, parts, window = self._playground, self._parts, self._window
        self.controls = ControlsController(
            playground,
            self._paths.bundled,
            panel=parts.controls,
            picture=parts.picture,
            parent=window,
        )
        self.prompt = PromptController(
            playground,
            prompt=parts.prompt,
            edit_hint=parts.edit_hint,
            mode=parts.bar.mode,
            lights=parts.lights,
            exact_prompt=parts.exact_prompt,
            parent=window,
        )
        self.conversation = ConversationController(
            playground,
            self._theme,
            first_prompts,
            transcript=parts.transcript,
            find=parts.find_bar,
            legend=parts.token_legend,
            welcome=parts.welcome,
            pages=parts.pages,
            progress=parts.progress,
            ending=parts.ending,
            details=parts.run_details,
            card=parts.call,
            parent=window,
        )

        QueueController(playground, parts.queue, parts.notice, window)

    def _make_instruments(self) -> None:
        playground, parts, window = self._playground, self._parts, self._window
        self.instruments = InstrumentsController(playground, parts.instruments, self._theme, window)
        graph = parts.instruments.graph
        seen = parts.inspector, parts.inside
        self.inspector = InspectorController(playground, parts.transcript, graph, *seen, window)
        self.inside = InterpretabilityController(playground, parts.inside, self._theme, self._paths.models, window)


def connect(parts: MainLayout, features: Features) -> None:
    for each in (_conversation, _turns, _tokens, _sessions, _models, _experiments, _guide):
        each(parts, features)


def _conversation(parts: MainLayout, features: Features) -> None:
    conversation, prompt, controls = features.conversation, features.prompt, features.controls
    conversation.edit_wanted.connect(prompt.edit)
    parts.queue.edit_wanted.connect(prompt.edit_queued)
    conversation.continue_wanted.connect(prompt.continue_run)
    conversation.first_prompt_sent.connect(parts.prompt.setFocus)
    _offer_undo(parts.notice, conversation)
    conversation.tokens_shown.connect(parts.show_tokens)
    conversation.starters_shown.connect(parts.show_starters)
    conversation.stop_steps_wanted.connect(features.stop_steps.view)
    parts.exact_prompt.template_wanted.connect(features.code.view_template)
    prompt.sent.connect(parts.transcript.scroll_to_latest)
    prompt.raw_turned.connect(parts.set_raw)
    _explain_page(parts.notice, prompt, features.sessions)
    prompt.reply_start_wanted.connect(partial(controls.reveal, "reply_start"))
    features.commands.control_wanted.connect(controls.reveal)
    controls.panel_wanted.connect(partial(features.window_state.turn, "controls"))
    parts.run_details.recording_wanted.connect(controls.record)


def _explain_page(notice: NoticeBar, prompt: PromptController, sessions: SessionsController) -> None:
    """Explain a raw page with the prompt of a conversation, until it is sent or left."""

    def empty_page() -> None:
        prompt.begin_raw_page()
        notice.withdraw(RENDERED)

    prompt.page_rendered.connect(lambda: notice.show_remark(RENDERED, tr("Empty Page"), empty_page))
    for signal in (prompt.sent, prompt.raw_turned, sessions.begun, sessions.came):
        signal.connect(lambda *_: notice.withdraw(RENDERED))


def _offer_undo(notice: NoticeBar, conversation: ConversationController) -> None:
    """Show what has changed in the controls, with Undo, until another prompt is sent."""
    shown = ""

    def show(words: str, restore: Callable[[], None] | None) -> None:
        nonlocal shown
        shown = words
        if restore is None:
            notice.show_remark(words)
        else:
            notice.show_remark(words, tr("Undo"), partial(undo, restore))

    def undo(restore: Callable[[], None]) -> None:
        restore()
        notice.withdraw(shown)

    def expire() -> None:
        if shown:
            notice.withdraw(shown)

    conversation.controls_replaced.connect(show)
    conversation.undo_expired.connect(expire)


def _turns(parts: MainLayout, features: Features) -> None:
    """Connect a turn, and the run details below the last run, with other windows."""
    parts.transcript.wanted.connect(features.code.run_turn_action)
    parts.transcript.wanted.connect(features.experiments.run_turn_action)
    parts.transcript.wanted.connect(features.comparison.run_turn_action)
    features.comparison.refused.connect(parts.notice.show_remark)
    parts.run_details.code_wanted.connect(features.code.view)
    parts.run_details.receipt_wanted.connect(features.runs.show_last)
    parts.run_details.tokens_wanted.connect(features.runs.export_last_tokens)
    parts.run_details.experiment_wanted.connect(features.experiments.try_last)


def _tokens(parts: MainLayout, features: Features) -> None:
    parts.transcript.token_pointed.connect(features.inspector.point_in_text)
    parts.transcript.token_picked.connect(features.inspector.pick_in_text)
    parts.transcript.word_clicked.connect(features.inspector.pick_offset)
    graph = parts.instruments.graph
    graph.token_pointed.connect(features.inspector.point_on_graph)
    graph.token_clicked.connect(features.inspector.click_on_graph)
    features.inspector.wanted.connect(features.window_state.show_token)
    features.inspector.marked.connect(features.inside.show_token)
    graph.stretch_chosen.connect(features.inspector.mark_stretch)
    parts.inspector.fork_wanted.connect(features.conversation.fork)
    features.inside.fork_wanted.connect(features.conversation.fork)
    features.inside.token_picked.connect(features.inspector.pick_in_text)
    parts.inspector.text_fork_wanted.connect(features.conversation.fork_with)
    parts.inspector.recording_wanted.connect(features.controls.record)


def _sessions(parts: MainLayout, features: Features) -> None:
    sessions = features.sessions
    parts.prompt.edited.connect(sessions.note_typing)
    parts.queue.session_wanted.connect(sessions.open)
    parts.controls.instructed.connect(sessions.note_instruction)
    features.prompt.mode_left.connect(sessions.keep_draft)
    sessions.came.connect(parts.transcript.scroll_to_latest)
    sessions.found.connect(features.conversation.find.show_in)
    parts.sessions.exported.connect(features.session_files.export_these)
    parts.sessions.list.weighed.connect(features.weigh.take_session)
    sessions.begun.connect(features.settings.begin_session)
    features.sets.session_deleted.connect(sessions.delete)
    for feature in features:
        features.settings.erased.connect(feature.forget_all)


def _models(parts: MainLayout, features: Features) -> None:
    """Connect everything that opens a model."""
    features.title.model_wanted.connect(features.picker.open_named)
    features.title.all_wanted.connect(features.picker.choose_model)
    parts.welcome.open_requested.connect(features.picker.choose_model)
    features.reopening.another_wanted.connect(features.picker.choose_model)
    parts.controls.draft_wanted.connect(features.picker.choose_draft)
    features.serving.open_wanted.connect(features.picker.open_named)
    features.speed.ceiling_known.connect(features.instruments.show_ceiling)
    features.speed.ceiling_known.connect(parts.ending.show_ceiling)


def _experiments(parts: MainLayout, features: Features) -> None:
    """Connect everything that starts or shows experiments."""
    experiments = features.experiments
    features.runs.basis_picked.connect(experiments.begin_from)
    features.runs.comparison_wanted.connect(features.comparison.show_comparison)
    experiments.comparison_wanted.connect(features.comparison.compare_variants)
    experiments.last_run_wanted.connect(features.runs.show_last)
    parts.exact_prompt.measure_wanted.connect(experiments.measure_reuse)
    experiments.measured.connect(parts.instruments.memory.show_memory)
    experiments.progressed.connect(parts.progress.show_words)
    experiments.loading.connect(parts.progress.show_loading)


def _guide(parts: MainLayout, features: Features) -> None:
    guide = features.guide
    parts.welcome.lessons_requested.connect(guide.show_lessons)
    parts.welcome.first_lesson_requested.connect(guide.begin_first_lesson)
    guide.lesson_offered.connect(parts.welcome.offer_lesson)
    guide.mode_wanted.connect(features.prompt.set_mode)
    guide.control_wanted.connect(features.controls.reveal_for_lesson)
    guide.lesson_left.connect(features.controls.restore_view)
    guide.progressed.connect(parts.progress.show_words)
    guide.view_wanted.connect(partial(_look_inside, features))


def _look_inside(features: Features, view: str, index: int, position: int) -> None:
    """Show and compute a view of the tab Inside, at a token of an answer."""
    features.window_state.turn("inside")
    features.inspector.pick_in_text(index, position)
    features.inside.look(INSIDE_TABS[view])
