"""Import and export of presets."""

from functools import partial
from pathlib import Path
from typing import BinaryIO

from PySide6.QtCore import QObject

from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.i18n import tr
from app.presets import Preset
from app.presets import file as preset_file
from app.ui.controls import ControlsPanel
from app.ui.controls.controller_presets import PresetsController
from app.ui.widgets import file_opening, file_saving, files

KINDS = {".json": tr("Presets")}
OPENED = tr("Presets") + " (*.json)"


class PresetFilesController(QObject):
    """Errors are shown in the panel."""

    def __init__(self, keeper: PresetsController, panel: ControlsPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._keeper = keeper
        self._bar = panel.presets
        self._tasks = Tasks(self)
        self._bar.import_wanted.connect(self._choose_import)
        self._bar.export_wanted.connect(self._choose_export)

    def read(self, path: Path) -> None:
        """Import the presets of a file; it reads no more than the size limit."""
        self._tasks.start(self._read(path))

    def write(self, path: Path) -> None:
        """Export the user's own presets."""
        self._tasks.start(self._write(path))

    async def _read(self, path: Path) -> None:
        found = await self._tasks.in_thread(_presets_of, path)
        if isinstance(found, Failure):
            self._bar.complain(found.what)
        else:
            self._keeper.take_in(found)

    async def _write(self, path: Path) -> None:
        failure = await self._tasks.complete(partial(_write, path, self._keeper.shelf.own))
        if failure is not None:
            self._bar.complain(failure.sentence)
        else:
            self._bar.tell(tr("Exported to “{name}”.").format(name=path.name))

    def _choose_import(self) -> None:
        file_opening.ask_file(self._bar.window(), tr("Import Presets"), OPENED, self.read)

    def _choose_export(self) -> None:
        if not self._keeper.shelf.own:
            self._bar.complain(tr("There are no presets of your own yet: save one first."))
            return
        file_saving.ask(self._bar.window(), tr("Export Your Presets"), tr("Presets"), KINDS, self.write)


# On a thread.


def _write(path: Path, presets: tuple[Preset, ...]) -> Failure | None:
    """Write the file, unless it could not be imported again."""
    text = preset_file.written(presets)
    if why := preset_file.refusal(text):
        return Failure(tr("Nothing was exported, since Import would refuse it:"), why, kind="not saved")
    return files.write(path, text)


def _presets_of(path: Path) -> tuple[Preset, ...] | str | Failure:
    def read(file: BinaryIO) -> tuple[Preset, ...] | str:
        return preset_file.read(file.read(preset_file.LARGEST_BYTES + 1))

    return files.read(path, preset_file.LARGEST_BYTES, read, preset_file.TOO_LARGE)
