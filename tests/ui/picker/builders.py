"""Models, files and downloads made by hand."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from app.engine.types import Failure
from app.library.types import (
    DownloadJob,
    DownloadState,
    FileProgress,
    HubDetails,
    HubFile,
    HubModel,
    LocalModel,
    ModelLocation,
)
from app.ui.picker.columns import LocalRow

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
    "mlx-community/first", "mlx-community", 1_234_567, 12, 0.0, mlx=True, gated=False, licence="mit", bits=4
)
GATED = replace(FIRST, id="big/gated", author="big", downloads=9, gated=True, mlx=False)
DETAILS = HubDetails(FIRST, (HubFile("model.safetensors", 5_000_000, "b" * 64),), 5_000_000, "# A card\n\nWords.")


def job(state: DownloadState, **changes: Any) -> DownloadJob:
    """A download of two files, one of them whole."""
    files = (FileProgress("config.json", 1_000, 1_000), FileProgress("model.safetensors", 500_000, 2_000_000))
    return replace(DownloadJob("mlx-community/first", state, files, rate=250_000.0, left_s=6.0), **changes)
