"""All features of the window, created with their widgets and the playground."""

from collections.abc import Iterator

from PySide6.QtWidgets import QMainWindow

from app.bridge.model_sources import ModelFolders, Servers
from app.bridge.playground import Playground
from app.files.settings import Settings
from app.ui.code.controller import CodeController
from app.ui.commands.controller import CommandsController
from app.ui.controls.controller import ControlsController
from app.ui.conversation.controller import ConversationController
from app.ui.conversation.first_prompts import Bundled
from app.ui.evaluation.controller import EvaluationController
from app.ui.experiments.controller import ExperimentsController
from app.ui.feature import Feature
from app.ui.guide.controller import GuideController
from app.ui.guide.controller_help import HelpController
from app.ui.inspector.controller import InspectorController
from app.ui.instruments.controller import InstrumentsController
from app.ui.interpretability.controller import InterpretabilityController
from app.ui.look import Theme
from app.ui.perplexity.controller import PerplexityController
from app.ui.picker.controller import PickerController
from app.ui.profiler.controller import ProfilerController
from app.ui.prompt.controller import PromptController
from app.ui.runs.controller import RunsController
from app.ui.serving.controller import ServingController
from app.ui.sessions.controller import SessionsController
from app.ui.sessions.controller_files import SessionFilesController
from app.ui.settings.appearance import AppearanceController
from app.ui.settings.controller import SettingsController
from app.ui.shell.data_paths import DataPaths
from app.ui.shell.last_server_model import LastServerModel
from app.ui.shell.layout import MainLayout
from app.ui.shell.title import Title
from app.ui.shell.window_state import WindowState
from app.ui.stop_trace.controller import StopTraceController


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
        places: DataPaths,
        first_prompts: Bundled,
        window: QMainWindow,
    ) -> None:
        self._playground = playground
        self._theme = theme
        self._parts = parts
        self._places = places
        self._window = window
        self.servers = Servers(settings.servers, places.keys, window)
        self.folders = ModelFolders(settings.folders, window)
        self.appearance = appearance
        self.commands = CommandsController(theme, parts, window)
        self.place = WindowState(window, parts)
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
        yield from (self.appearance, self.place, self.title, self.reopening, self.commands, self.controls, self.prompt)
        yield from (self.settings, self.picker, self.experiments, self.weigh, self.runs, self.guide, self.code)
        yield from (self.conversation, self.stop_steps, self.instruments, self.inspector, self.serving, self.help)
        yield from (self.inside, self.speed, self.sets, self.sessions, self.session_files)

    def _make_models(self) -> None:
        """Create the features that open and serve models."""
        playground, theme, parts, places = self._playground, self._theme, self._parts, self._places
        self.picker = PickerController(
            playground,
            theme,
            strip=parts.downloads,
            folders=self.folders,
            servers=self.servers,
            data=places.data,
            bundled=places.models,
            parent=self._window,
        )
        self.serving = ServingController(playground, theme, places.data, self.servers, self._window)
        self.reopening = LastServerModel(playground, self.servers, parts, places, self._window)

    def _make_windows(self, settings: Settings) -> None:
        """Create the features that have windows of their own."""
        playground, theme, window = self._playground, self._theme, self._window
        parts, places = self._parts, self._places
        self.code = CodeController(playground, parts.prompt.text, parts.notice, theme, window)
        self.runs = RunsController(playground, parts.notice, theme, window)
        self.stop_steps = StopTraceController(playground, theme, window)
        self.help = HelpController(playground, theme, places.resources, window)
        self.experiments = ExperimentsController(playground, theme, places.models, self.folders, self.servers, window)
        self.weigh = PerplexityController(playground, theme, places.models, self.folders, window)
        self.sets = EvaluationController(playground, theme, places.models, places.resources, self.folders, window)
        self.speed = ProfilerController(playground, theme, places.data, window)
        self.guide = GuideController(
            playground,
            theme,
            prompt=parts.prompt,
            hint=parts.try_hint,
            page=parts,
            stops=parts.tour_stops,
            resources=places.resources,
            data=places.data,
            parent=window,
        )
        self.settings = SettingsController(
            playground,
            theme,
            settings,
            appearance=self.appearance,
            folders=self.folders,
            notice=parts.notice,
            data=places.data,
            logs=places.logs,
            default_cache=places.usual_cache,
            parent=window,
        )

    def _make_conversation(self, first_prompts: Bundled) -> None:
        """Create the conversation, the prompt and the controls."""
        playground, parts, window = self._playground, self._parts, self._window
        self.controls = ControlsController(
            playground,
            self._places.bundled,
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

    def _make_instruments(self) -> None:
        """Create the instruments and the inspector."""
        playground, parts, window = self._playground, self._parts, self._window
        self.instruments = InstrumentsController(playground, parts.instruments, self._theme, window)
        graph = parts.instruments.graph
        seen = parts.inspector, parts.inside
        self.inspector = InspectorController(playground, parts.transcript, graph, *seen, window)
        self.inside = InterpretabilityController(playground, parts.inside, window)
