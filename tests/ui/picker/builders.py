"""Models, files and downloads made by hand, and a picker that only records what a page asks of it."""

from collections.abc import Coroutine, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from PySide6.QtCore import QObject

from app.bridge.model_sources import ModelFolders, Servers
from app.engine.types import Failure, LoadRequest
from app.library.keychain import ServerKeys
from app.library.types import (
    Device,
    DownloadJob,
    DownloadState,
    FileProgress,
    HubDetails,
    HubFile,
    HubModel,
    LocalModel,
    ModelLocation,
)
from app.state import State
from app.ui.picker.controller import PickerController
from app.ui.picker.models_table import LocalRow

GB = 10**9

SMALL = LocalModel(
    "mlx-community/small",
    Path("/cache/small"),
    ModelLocation.CACHE,
    size=400_000_000,
    weights=390_000_000,
    parameters=600_000_000,
    bits=4,
    model_type="qwen3",
    context=40_960,
    vocabulary=151_936,
    chat=True,
    last_used=0.0,
)
LARGE = replace(
    SMALL, name="big/large", folder=Path("/cache/large"), size=9 * GB, parameters=70 * GB, bits=None, last_used=None
)
BROKEN = replace(
    SMALL,
    name="broken",
    folder=Path("/mine/broken"),
    source=ModelLocation.FOLDER,
    size=7,
    parameters=None,
    unusable=Failure("It has no weights.", "Choose another."),
)
ROWS = (LocalRow(LARGE), LocalRow(BROKEN, "It has no weights."), LocalRow(SMALL, is_open=True))

FIRST = HubModel(
    "mlx-community/first", "mlx-community", 1_234_567, 12, 0.0, mlx=True, gated=False, license="mit", bits=4
)
GATED = replace(FIRST, id="big/gated", author="big", downloads=9, gated=True, mlx=False)
DETAILS = HubDetails(FIRST, (HubFile("model.safetensors", 5_000_000, "b" * 64),), 5_000_000, "# A card\n\nWords.")


def job(state: DownloadState, **changes: Any) -> DownloadJob:
    """A download of two files, one of them whole."""
    files = (FileProgress("config.json", 1_000, 1_000), FileProgress("model.safetensors", 500_000, 2_000_000))
    return replace(DownloadJob("mlx-community/first", state, files, rate=250_000.0, left_s=6.0), **changes)


class IdleTasks:
    """Starts nothing."""

    def __init__(self) -> None:
        self.started: list[str] = []

    def start(self, coroutine: Coroutine[Any, Any, None], kind: str = "") -> None:
        coroutine.close()
        self.started.append(kind)

    def cancel(self, kind: str) -> None:
        pass


class RecordingPicker(QObject):
    """A controller without a model, which scans nothing."""

    def __init__(self, tasks: object = None) -> None:
        super().__init__()
        self.playground = SimpleNamespace(state=State())
        self.idle = IdleTasks()
        self.tasks = tasks or self.idle
        self.device = Device()
        self.folders = ModelFolders((), self)
        self.servers = Servers((), ServerKeys(), self)
        self.loaded: list[LoadRequest] = []
        self.downloaded: list[str] = []
        self.dropped: list[Sequence[Path]] = []
        self.opened: list[HubModel] = []
        self.load = self.loaded.append
        self.download = self.downloaded.append
        self.drop = self.dropped.append
        self.open_from_hub = self.opened.append

    def show_present(self) -> None:
        pass

    @property
    def as_controller(self) -> PickerController:
        return cast(PickerController, self)
