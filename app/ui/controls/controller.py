"""Controller of the panel: shows the settings of the next run and applies the user's changes."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.bridge.playground import Playground
from app.engine.forms.grammar import why_not
from app.engine.types import Form
from app.files.settings import Settings
from app.state import State
from app.ui.controls import ControlsPanel
from app.ui.controls.controller_capacity import CapacityController
from app.ui.controls.controller_draft import DraftController
from app.ui.controls.controller_picture import PictureController
from app.ui.controls.controller_preset_files import PresetFilesController
from app.ui.controls.controller_presets import PresetsController
from app.ui.controls.controller_token_lookup import TokenLookupController
from app.ui.controls.form_part import FormPart
from app.ui.controls.sampling_picture import SamplingPicture
from app.ui.feature import Feature

FORM = "the form"
PAUSE_S = 0.3
"""The pause in typing after which an output format is checked."""


class ControlsController(Feature):
    """The playground holds the values; every edit replaces them. `bundled`: the folder of bundled models."""

    brought = Signal()
    """The user asked to see a control."""

    def __init__(
        self,
        playground: Playground,
        bundled: Path | None,
        *,
        panel: ControlsPanel,
        picture: SamplingPicture,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._panel = panel
        self._presets = PresetsController(playground, panel, self)
        self._presets.changed.connect(self.changed)
        self._preset_files = PresetFilesController(self._presets, panel, self)
        CapacityController(playground, panel, self)
        PictureController(playground, picture, self)
        TokenLookupController(playground, panel, self)
        panel.edited.connect(playground.set_controls)
        DraftController(playground, panel, bundled, self)
        picture.recording_wanted.connect(self.record)
        playground.changed.connect(self._on_changed)
        panel.show_values(playground.state.controls)

    def restore(self, settings: Settings) -> None:
        self._presets.restore(settings.presets, settings.model)
        self._playground.set_controls(settings.controls)

    def kept(self, settings: Settings) -> Settings:
        return replace(settings, controls=self._playground.state.controls, presets=self._presets.shelf)

    def record(self, wanted: bool = True) -> None:
        """Record alternatives from the next run on, or stop it."""
        self._playground.observe(wanted)

    def reveal(self, setting: str) -> None:
        """Show the control of a setting, and open the panel and section that contain it."""
        self.brought.emit()
        self._panel.reveal(setting)

    def _on_changed(self, old: State, new: State) -> None:
        self._panel.show_values(new.controls)
        if new.controls.form != old.controls.form:
            self._start_check(new.controls.form)

    def _start_check(self, form: Form) -> None:
        if form:
            self._playground.tasks.start(self._check_form(form, self._panel.rare.form), FORM)

    async def _check_form(self, form: Form, part: FormPart) -> None:
        """Compile an output format in a child process, which may crash or take too much memory, and show errors."""
        import asyncio  # imported at the first output format

        await asyncio.sleep(PAUSE_S)
        part.complain(form, await self._playground.tasks.in_thread(why_not, form))
