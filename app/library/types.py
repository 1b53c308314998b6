"""Values of the library: local models, hub models, memory estimates, downloads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.engine.types import Failure


class ModelLocation(StrEnum):
    """Where a local model is."""

    BUNDLED = "bundled"
    CACHE = "cache"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A local model. Unknown values are None."""

    name: str
    """Its hub id, or its folder's name."""
    folder: Path
    source: ModelLocation
    size: int
    """Bytes on disk."""
    weights: int = 0
    """Bytes of the weights."""
    parameters: int | None = None
    bits: int | None = None
    group_size: int | None = None
    """Quantized weights that share a scale."""
    dtype: str = ""
    """The floating-point type of most unquantized weights."""
    model_type: str = ""
    context: int | None = None
    vocabulary: int | None = None
    chat: bool = False
    """Its tokenizer has a chat template."""
    last_used: float | None = None
    """Seconds since 1970."""
    shape: Shape | None = None
    unusable: Failure | None = None
    """Why mlx-lm can't open it; None: it can."""

    @property
    def why_not(self) -> str:
        """Return `unusable` as a sentence; empty: none."""
        return self.unusable.what if self.unusable is not None else ""


@dataclass(frozen=True, slots=True)
class Removal:
    """Preview of deleting a model."""

    name: str
    folder: Path
    freed: int
    """Bytes that are freed."""


class Sort(StrEnum):
    """Order of search results; the values are the hub's."""

    DOWNLOADS = "downloads"
    LIKES = "likes"
    DATE = "lastModified"


@dataclass(frozen=True, slots=True)
class HubModel:
    """A model in the hub's search results."""

    id: str
    author: str
    downloads: int
    likes: int
    changed: float | None
    """Seconds since 1970."""
    mlx: bool
    """It has the tag for MLX."""
    gated: bool
    """It needs a login and accepted terms."""
    licence: str = ""
    model_type: str = ""
    bits: int | None = None
    group_size: int | None = None
    dtype: str = ""
    parameters: int | None = None
    weights: int | None = None
    """Bytes of weights."""


@dataclass(frozen=True, slots=True)
class HubFile:
    """One of a hub model's files that MLX needs."""

    name: str
    size: int
    checksum: str
    """sha256 of a large file, git's sha1 of a small one; names its blob in the cache."""


@dataclass(frozen=True, slots=True)
class HubDetails:
    """Details of a hub model."""

    model: HubModel
    files: tuple[HubFile, ...]
    weights: int
    """Bytes of its weights."""
    card: str
    """Its README in Markdown, without the metadata."""
    model_type: str = ""
    context: int | None = None
    shape: Shape | None = None
    unusable: Failure | None = None

    @property
    def size(self) -> int:
        """Return the bytes of all files that MLX needs."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class Layer:
    """Layers of one kind: values per token, and the window in tokens."""

    count: int
    values_per_token: int
    window: int | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """What decides the KV cache's size."""

    layers: tuple[Layer, ...]
    plain: bool = True
    """Every layer keeps all tokens, so that the cache can be trimmed."""


class FitVerdict(StrEnum):
    """Whether a model fits into the memory limit."""

    FITS = "Fits"
    TIGHT = "Tight"
    WONT_FIT = "Won't fit"


@dataclass(frozen=True, slots=True)
class FitLine:
    """One line of the memory estimate."""

    label: str
    bytes: int
    note: str = ""
    """How the value is computed."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A memory estimate; `total` is the sum of its lines."""

    verdict: FitVerdict
    lines: tuple[FitLine, ...]
    total: int
    limit: int
    sentence: str


@dataclass(frozen=True, slots=True)
class DraftChoice:
    """A local model as a draft model; `why_not` empty: it fits."""

    model: LocalModel
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class FolderChoice:
    """A local adapter or draft model for a model; `why_not` empty: it fits."""

    name: str
    folder: Path
    why_not: str = ""


class DownloadState(StrEnum):
    """State of a download or a quantization."""

    QUEUED = "queued"
    ASKING = "asking the hub"
    DOWNLOADING = "downloading"
    WAITING = "waiting to try again"
    CHECKING = "checking"
    QUANTISING = "quantising"
    COMPARING = "comparing with the original"
    PAUSED = "paused"
    FAILED = "failed"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class FileProgress:
    """Progress of one file in bytes."""

    name: str
    done: int
    size: int


@dataclass(frozen=True, slots=True)
class DownloadJob:
    """Snapshot of a download."""

    model_id: str
    state: DownloadState
    files: tuple[FileProgress, ...] = ()
    rate: float = 0.0
    """Bytes per second."""
    left_s: float | None = None
    """Seconds left at this rate; None: unknown."""
    stalled: bool = False
    """Nothing has arrived for some seconds."""
    note: str = ""
    """Why it waits."""
    failure: Failure | None = None
    folder: Path | None = None
    """The complete model's folder."""
    made: bool = False
    """It is a quantization of another model; `note` has its result."""

    @property
    def done(self) -> int:
        """Return the bytes that are here."""
        return sum(file.done for file in self.files)

    @property
    def size(self) -> int:
        """Return the total bytes; 0 until known."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Timeouts of a download, and retries without progress."""

    silence_s: float = 10.0
    """Timeout between two bytes."""
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0
    tries: int = 8
