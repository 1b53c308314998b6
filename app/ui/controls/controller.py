"""The controls: what the next run will be asked, shown as it stands and set as the user wants it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from app.bridge.playground import Playground
from app.controls import Mode
from app.engine.forms.grammar import why_not
from app.engine.types import Argument, Form
from app.settings import Settings
from app.state import State
from app.ui.controls import WITHOUT_TEMPLATE, ControlsPanel
from app.ui.controls.controller_capacity import CapacityController
from app.ui.controls.controller_draft import DraftController
from app.ui.controls.controller_picture import PictureController
from app.ui.controls.controller_preset_files import PresetFilesController
from app.ui.controls.controller_presets import PresetsController
from app.ui.controls.controller_token_lookup import TokenLookupController
from app.ui.controls.sampling_picture import SamplingPicture
from app.ui.controls.template_part import TemplatePart
from app.ui.feature import Feature
from app.words import tr

FORM = "the form"
PAUSE_S = 0.3
"""So long nothing may be typed before a form is looked at."""


class ControlsController(Feature):
    """The playground has the values; every edit is a new value of them. `bundled` holds the program's own models."""

    brought = Signal()
    """Somebody wants to see a control."""

    def __init__(
        self,
        playground: Playground,
        bundled: Path | None,
        *,
        panel: ControlsPanel,
        template: TemplatePart,
        picture: SamplingPicture,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._panel = panel
        self._template = template
        self._presets = PresetsController(playground, panel, self)
        self._preset_files = PresetFilesController(self._presets, panel, self)
        CapacityController(playground, panel, self)
        PictureController(playground, picture, self)
        TokenLookupController(playground, panel, self)
        DraftController(playground, panel, bundled, self)
        panel.edited.connect(playground.set_controls)
        template.edited.connect(self._set_template)
        picture.recording_wanted.connect(self.record)
        playground.changed.connect(self._on_changed)
        self._show(playground.state)

    def restore(self, settings: Settings) -> None:
        self._presets.restore(settings.presets, settings.model)
        self._playground.set_controls(settings.controls)

    def kept(self, settings: Settings) -> Settings:
        return replace(settings, controls=self._playground.state.controls, presets=self._presets.shelf)

    def wait(self, until: float) -> bool:
        return self._preset_files.wait(until)

    @Slot()
    @Slot(bool)
    def record(self, wanted: bool = True) -> None:
        """Whether candidates are recorded from the next run on."""
        self._playground.observe(wanted)

    @Slot(str)
    def reveal(self, setting: str) -> None:
        """Bring the control of a setting in sight, wherever it is."""
        self.brought.emit()
        self._panel.reveal(setting)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.controls != old.controls:
            self._show(new)
        if new.controls.form != old.controls.form:
            self._playground.tasks.start(self._look_at(new.controls.form), FORM)
        model = new.model
        if model is not None and model is not old.model:
            out_of_reach = tr("The server has its own chat template, and begins its answers itself.")
            self._template.offer(model.template_arguments, model.can.chat, out_of_reach if model.server else "")

    def _show(self, state: State) -> None:
        raw = state.controls.mode is Mode.RAW
        self._panel.show_values(state.controls)
        self._panel.set_raw(raw)
        self._template.show_values(state.controls.reply_start, state.controls.arguments)
        self._template.setEnabled(not raw)
        self._panel.sections["template"].note(WITHOUT_TEMPLATE if raw else "")

    async def _look_at(self, form: Form) -> None:
        """Aside from the window: it is compiled where it can do no harm."""
        import asyncio  # with the first form

        if form:
            await asyncio.sleep(PAUSE_S)
        why = await self._playground.tasks.in_thread(why_not, form) if form else ""
        self._panel.form.complain(form, why)

    @Slot(str, object)
    def _set_template(self, reply_start: str, arguments: tuple[tuple[str, Argument], ...]) -> None:
        controls = self._playground.state.controls
        self._playground.set_controls(replace(controls, reply_start=reply_start, arguments=arguments))
