"""Quantizes models in a child process: the dialog, the progress among the downloads, the comparison afterwards."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from shutil import disk_usage

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.bridge.model_sources import ModelFolders
from app.bridge.tasks import CrossThreadCallback, Tasks
from app.engine.types import Failure
from app.i18n import tr
from app.library.types import DownloadJob, DownloadState, FileProgress, Fit, LocalModel, ModelLocation
from app.quantization.choice import QuantizationOutcome, QuantizationSettings
from app.quantization.convert import Conversion
from app.ui.look import Theme
from app.ui.picker.controller_downloads import DownloadsController
from app.ui.picker.quantize_dialog import QuantizeDialog

S = DownloadState
MODELS = "models"
"""The folder in the program's data for conversions of models outside the user's folders."""


class QuantizeController(QObject):
    """Controls conversions. `text` is the file on which both models are compared."""

    _progressed = Signal(object)
    _compared = Signal(object, object)
    _advanced = Signal(int, int)

    def __init__(
        self, tasks: Tasks, downloading: DownloadsController, folders: ModelFolders, data: Path, text: Path
    ) -> None:
        super().__init__(downloading)
        self._tasks, self._downloading, self._folders = tasks, downloading, folders
        self._data, self._text = data, text
        self._wire = CrossThreadCallback(self._progressed.emit)
        self._progressed.connect(downloading.show_conversion)
        downloading.cancel_wanted.connect(self._cancel)
        self._conversions: dict[str, Conversion] = {}
        """Conversions by the name of the new model. The conversion of the open dialog has an empty name."""

    def ask(self, theme: Theme, model: LocalModel, fits: Callable[[int], Fit | None], over: QWidget) -> None:
        folder = model.folder.parent if model.source is ModelLocation.FOLDER else self._data / MODELS
        dialog = QuantizeDialog(theme, model, folder, fits, over)
        self._conversions[""] = Conversion(model.folder)
        self._compared.connect(dialog.add_result)
        self._advanced.connect(dialog.show_progress)
        dialog.outcome_wanted.connect(lambda: self._tasks.start(self._show_outcome(dialog), "outcome"))
        dialog.comparison_wanted.connect(
            lambda bits: self._tasks.start(self._compare(dialog, model.folder, bits), "comparison")
        )
        dialog.stop_wanted.connect(lambda: self._conversions[""].cancel())
        dialog.accepted.connect(lambda: self._tasks.start(self._make(dialog.choice, dialog.to)))
        dialog.finished.connect(lambda: self._on_finished(dialog))
        dialog.outcome_wanted.emit()
        dialog.open()

    def close(self) -> None:
        """Cancel all conversions, and delete what they wrote."""
        self._wire.cut()
        for conversion in self._conversions.values():
            conversion.close_aside()

    def _on_finished(self, dialog: QuantizeDialog) -> None:
        self._tasks.cancel("outcome")
        self._tasks.cancel("comparison")
        if "" in self._conversions:
            self._conversions.pop("").close_aside()
        dialog.deleteLater()

    async def _show_outcome(self, dialog: QuantizeDialog) -> None:
        near = dialog.to.parent
        answer = await self._tasks.try_in_thread(_estimate, self._conversions[""], dialog.choice, near)
        if (name := dialog.to.name) in self._conversions:
            what = tr("“{name}” is already being created.").format(name=name)
            answer = Failure(what, tr("Wait until it ends, or cancel it."))
        dialog.show_outcome(*((answer, 0) if isinstance(answer, Failure) else answer))

    async def _compare(self, dialog: QuantizeDialog, folder: Path, bits: Sequence[int]) -> None:
        dialog.show_comparing()
        conversion, near = self._conversions[""], dialog.to.parent
        compared, advanced = CrossThreadCallback(self._compared.emit), CrossThreadCallback(self._advanced.emit)
        failure = await self._tasks.complete(
            lambda: conversion.try_bit_widths(bits, near, self._text, compared.send, advanced.send)
        )
        if failure is not None and failure.kind == "cancelled":  # by Stop: the dialog is still open
            conversion.close_aside()  # the child process may have been killed between two requests
            failure, self._conversions[""] = None, Conversion(folder)
        dialog.show_comparing(failure.sentence if failure else "", is_done=True)

    async def _make(self, choice: QuantizationSettings, to: Path) -> None:
        conversion = self._conversions[to.name] = self._conversions.pop("")
        ended = await self._tasks.complete(partial(_make, conversion, choice, to, self._text, self._wire))
        self._conversions.pop(to.name, None)
        if isinstance(ended, Failure):
            ended = DownloadJob(to.name, S.FAILED, failure=ended, made=True)
        self._downloading.show_conversion(ended)
        if ended.folder is not None and not {str(to), str(to.parent)} & set(self._folders.names):
            self._folders.add(to)

    def _cancel(self, name: str) -> None:
        if name in self._conversions:
            self._conversions[name].cancel()


def _estimate(
    conversion: Conversion, choice: QuantizationSettings, folder: Path
) -> tuple[QuantizationOutcome | Failure, int]:
    there = next(each for each in (folder, *folder.parents) if each.is_dir())
    return conversion.predict(choice), disk_usage(there).free


def _make(
    conversion: Conversion, choice: QuantizationSettings, to: Path, text: Path, wire: CrossThreadCallback
) -> DownloadJob:
    """Quantize and compare with the original, in a thread. A cancelled job has no folder."""
    job = DownloadJob(to.name, S.QUANTISING, made=True)

    def report(state: DownloadState, done: int, total: int) -> None:
        wire.send(replace(job, state=state, files=(FileProgress(to.name, done, total),)))

    wire.send(job)
    with closing(conversion):
        made = conversion.convert(choice, to, partial(report, S.QUANTISING))
        if isinstance(made, Failure):
            return replace(job, state=S.DONE if made.kind == "cancelled" else S.FAILED, failure=made)
        report(S.COMPARING, 0, 0)
        cost = conversion.compare(to, text, partial(report, S.COMPARING))
    if isinstance(cost, Failure):
        note = tr("It could not be compared with the original: {what}").format(what=cost.what)
    else:
        note = cost.sentence(made.before / made.bytes)
    return replace(job, state=S.DONE, files=(FileProgress(to.name, made.bytes, made.bytes),), folder=to, note=note)
