"""Presets to and from a file that the user chooses."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from app.engine.types import Failure
from app.presets import file as preset_file
from app.ui.controls import ControlsPanel
from app.ui.controls.controller_presets import PresetsController
from app.ui.widgets import file_opening, file_saving, files
from app.words import tr

KINDS = {".json": tr("Presets")}
OPENED = f"{tr('Presets')} (*.json)"


class PresetFilesController(QObject):
    """What went wrong is said in the panel, where the wish was made."""

    def __init__(self, keeper: PresetsController, panel: ControlsPanel, parent: QWidget) -> None:
        super().__init__(parent)
        self._keeper = keeper
        self._bar = panel.presets
        self._window = parent
        self._bar.import_wanted.connect(self._choose_import)
        self._bar.export_wanted.connect(self._choose_export)

    @Slot(str)
    def read(self, name: str) -> None:
        """Take in the presets of a file; no more of it is read than presets can be long."""
        content = files.read(Path(name), preset_file.LARGEST_BYTES, preset_file.TOO_LARGE)
        if isinstance(content, Failure):
            self._bar.complain(content.what)
        else:
            self._keeper.take_in(content)

    @Slot(str)
    def write(self, name: str) -> None:
        """Write the user's own presets."""
        path = Path(name)
        failure = files.write(path, preset_file.written(self._keeper.shelf.own))
        if failure is not None:
            self._bar.complain(failure.sentence)
        else:
            self._bar.tell(tr("Exported to “{name}”.").format(name=path.name))

    @Slot()
    def _choose_import(self) -> None:
        file_opening.ask_file(self._window, tr("Import Presets"), OPENED, self.read)

    @Slot()
    def _choose_export(self) -> None:
        if not self._keeper.shelf.own:
            self._bar.complain(tr("There are no presets of your own yet: save one first."))
            return
        file_saving.ask(self._window, tr("Export Your Presets"), tr("Presets"), KINDS, self._write_to)

    def _write_to(self, path: Path) -> None:
        self.write(str(path))
