"""Models that are quantised here: what is asked before, the conversion among the downloads, and what it has cost."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from shutil import disk_usage

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from app.bridge.model_folders import ModelFolders
from app.bridge.tasks import CrossThreadCallback, Tasks
from app.engine.types import Failure
from app.i18n import tr
from app.library.types import DownloadJob, DownloadState, FileProgress, LocalModel, ModelLocation
from app.quantization.choice import Choice, Outcome
from app.quantization.convert import Conversion
from app.ui.look import Theme
from app.ui.picker.controller_downloads import DownloadsController
from app.ui.picker.quantize_dialog import QuantiseDialog

S = DownloadState
MODELS = "models"
"""Of the program's own data: where models go that are made of others than the user's own folders have."""


class QuantiseController(QObject):
    """`text` is the file that both models read when they are compared."""

    _told = Signal(object)
    _compared = Signal(object, object)

    def __init__(
        self, tasks: Tasks, downloading: DownloadsController, folders: ModelFolders, data: Path, text: Path
    ) -> None:
        super().__init__(downloading)
        self._tasks, self._downloading, self._folders = tasks, downloading, folders
        self._data, self._text = data, text
        self._wire = CrossThreadCallback(self._told.emit)
        self._told.connect(downloading.put)
        downloading.cancel_wanted.connect(self._cancel)
        self._going: dict[str, Conversion] = {}
        """By the new model's name; that of the open dialog has none yet."""

    def ask(self, theme: Theme, model: LocalModel, fits: Callable[[int], str], over: QWidget) -> None:
        """How it shall be done."""
        place = model.folder.parent if model.source is ModelLocation.FOLDER else self._data / MODELS
        dialog = QuantiseDialog(theme, model, place, fits, over)
        conversion = self._going[""] = Conversion(model.folder)
        self._compared.connect(dialog.show_rung)
        dialog.asked.connect(lambda: self._tasks.start(self._foresee(dialog, conversion), "foresee"))
        dialog.ladder_wanted.connect(lambda: self._tasks.start(self._climb(dialog, conversion), "ladder"))
        dialog.accepted.connect(lambda: self._tasks.start(self._make(conversion, dialog.choice, dialog.to)))
        dialog.finished.connect(lambda: self._leave(dialog))
        dialog.asked.emit()
        dialog.open()

    def close(self) -> None:
        """What goes on is broken off, and leaves nothing."""
        self._wire.cut()
        for conversion in self._going.values():
            conversion.close_aside()

    def _leave(self, dialog: QuantiseDialog) -> None:
        self._tasks.cancel("foresee")
        self._tasks.cancel("ladder")
        if "" in self._going:
            self._going.pop("").close_aside()
        dialog.deleteLater()

    async def _foresee(self, dialog: QuantiseDialog, conversion: Conversion) -> None:
        answer = await self._tasks.tried(_look, conversion, dialog.choice, dialog.to.parent)
        if (name := dialog.to.name) in self._going:
            what = tr("“{name}” is being made already.").format(name=name)
            answer = Failure(what, tr("Wait for its end, or cancel it."))
        dialog.show_foreseen(*((answer, 0) if isinstance(answer, Failure) else answer))

    async def _climb(self, dialog: QuantiseDialog, conversion: Conversion) -> None:
        dialog.show_trying()
        near, wire = dialog.to.parent, CrossThreadCallback(self._compared.emit)
        failure = await self._tasks.kept(lambda: conversion.ladder(near, self._text, wire.send))
        dialog.show_trying(failure.sentence if failure else "", ended=True)

    async def _make(self, conversion: Conversion, choice: Choice, to: Path) -> None:
        self._going[to.name] = self._going.pop("")
        ended = await self._tasks.kept(partial(_make, conversion, choice, to, self._text, self._wire))
        self._going.pop(to.name, None)
        if isinstance(ended, Failure):
            ended = DownloadJob(to.name, S.FAILED, failure=ended, made=True)
        self._downloading.put(ended)
        if ended.folder is not None and not {str(to), str(to.parent)} & set(self._folders.kept):
            self._folders.add(to)

    @Slot(str)
    def _cancel(self, name: str) -> None:
        if name in self._going:
            self._going[name].cancel()


# Called aside.


def _look(conversion: Conversion, choice: Choice, folder: Path) -> tuple[Outcome | Failure, int]:
    there = next(each for each in (folder, *folder.parents) if each.is_dir())
    return conversion.foresee(choice), disk_usage(there).free


def _make(conversion: Conversion, choice: Choice, to: Path, text: Path, wire: CrossThreadCallback) -> DownloadJob:
    """And compared with the original. A job that was cancelled has no folder."""
    job = DownloadJob(to.name, S.QUANTISING, made=True)

    def tell(state: DownloadState, done: int, total: int) -> None:
        wire.send(replace(job, state=state, files=(FileProgress(to.name, done, total),)))

    wire.send(job)
    with closing(conversion):
        made = conversion.convert(choice, to, partial(tell, S.QUANTISING))
        if isinstance(made, Failure):
            return replace(job, state=S.DONE if made.kind == "cancelled" else S.FAILED, failure=made)
        tell(S.COMPARING, 0, 0)
        cost = conversion.compare(to, text, partial(tell, S.COMPARING))
    if isinstance(cost, Failure):
        note = tr("It could not be compared with the original: {what}").format(what=cost.what)
    else:
        note = cost.sentence(made.before / made.bytes)
    return replace(job, state=S.DONE, files=(FileProgress(to.name, made.bytes, made.bytes),), folder=to, note=note)
