"""Presets to and from a file that the user chooses."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from app.presets import file as preset_file
from app.ui.controls import ControlsPanel
from app.ui.controls.controller_presets import PresetsController
from app.words import tr

FILTER = tr("Presets (*.json)")


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
        path = Path(name)
        if path.exists() and not path.is_file():
            self._bar.complain(tr("“{name}” is no file.").format(name=path.name))  # a pipe would never come to its end
            return
        try:
            with path.open("rb") as file:
                content = file.read(preset_file.LARGEST_BYTES + 1)
        except OSError as error:
            said = tr("“{name}” could not be read: {why}.")
            self._bar.complain(said.format(name=path.name, why=error.strerror))
        else:
            self._keeper.take_in(content)

    @Slot(str)
    def write(self, name: str) -> None:
        """Write the user's own presets."""
        path = Path(name)
        try:
            path.write_text(preset_file.written(self._keeper.shelf.own), encoding="utf-8")
        except OSError as error:
            said = tr("“{name}” could not be written: {why}.")
            self._bar.complain(said.format(name=path.name, why=error.strerror))
        else:
            self._bar.tell(tr("Exported to “{name}”.").format(name=path.name))

    @Slot()
    def _choose_import(self) -> None:
        dialog = self._dialog(tr("Import Presets"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.read)
        dialog.open()

    @Slot()
    def _choose_export(self) -> None:
        if not self._keeper.shelf.own:
            self._bar.complain(tr("There are no presets of your own yet: save one first."))
            return
        dialog = self._dialog(tr("Export Your Presets"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("json")
        dialog.fileSelected.connect(self.write)
        dialog.open()

    def _dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self._window, title)
        dialog.setNameFilter(FILTER)
        dialog.finished.connect(dialog.deleteLater)
        return dialog
