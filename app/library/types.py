"""Types of the library: local models, hub models, memory estimates, downloads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.engine.types import Failure


class ModelLocation(StrEnum):
    BUNDLED = "bundled"
    CACHE = "cache"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Layer:
    """Layers of one kind: values per token, and the window in tokens."""

    count: int
    values_per_token: int
    window: int | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """Values of a model's config that determine the sizes of the KV cache and of a pass."""

    layers: tuple[Layer, ...]
    plain: bool = True
    """Whether every layer stores all tokens, so that the cache can be trimmed."""
    heads: int = 0
    width: int = 0
    """Values per token that a layer holds during a pass, without attention scores; 0: unknown."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What determines a model's memory."""

    weights: int
    """Bytes of the weight files."""
    parameters: int | None = None
    bits: int | None = None
    group_size: int | None = None
    dtype: str = ""
    """The floating-point type of most unquantized weights; empty: unknown."""
    shape: Shape | None = None


@dataclass(frozen=True, slots=True)
class Device:
    """What computes a model. `limit`: memory in bytes; 0: unknown."""

    limit: int = 0
    on_cpu: bool = False
    keeps_packed: bool = False
    """Whether the CPU backend computes with packed quantized weights, as in `Tuning`."""
    name: str = ""
    prefill_chunk: int = 0
    """Tokens of a prefill step, as in `Tuning`; 0: the measured speed decides."""


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A local model. Unknown values are None."""

    name: str
    """Model id, or the folder's name."""
    folder: Path
    source: ModelLocation
    size: int
    """Bytes on disk."""
    weights: int = 0
    """Bytes of the weights."""
    parameters: int | None = None
    bits: int | None = None
    group_size: int | None = None
    """Group size: number of quantized weights that share a scale."""
    dtype: str = ""
    """The floating-point type of most unquantized weights."""
    model_type: str = ""
    context: int | None = None
    vocabulary: int | None = None
    chat: bool = False
    """Whether the tokenizer has a chat template."""
    last_used: float | None = None
    """Time in seconds since 1970; None: unknown."""
    shape: Shape | None = None
    unusable: Failure | None = None
    """The reason why mlx-lm can't open it; None: it can."""

    @property
    def sizes(self) -> Sizes:
        return Sizes(self.weights, self.parameters, self.bits, self.group_size, self.dtype, self.shape)

    @property
    def why_not(self) -> str:
        """Return `unusable` as a sentence; empty: it can be opened."""
        return self.unusable.what if self.unusable is not None else ""


@dataclass(frozen=True, slots=True)
class Removal:
    """Preview of deleting a model."""

    name: str
    folder: Path
    freed: int
    """Bytes of disk space that deletion frees."""


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
    """Time in seconds since 1970; None: unknown."""
    mlx: bool
    """Whether it has the tag for MLX."""
    gated: bool
    """Whether it needs a login and accepted terms."""
    license: str = ""
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
    """SHA-256 of a large file, or git's SHA-1 of a small one; the name of its blob in the cache."""


@dataclass(frozen=True, slots=True)
class HubDetails:
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
        return sum(file.size for file in self.files)

    @property
    def sizes(self) -> Sizes:
        model = self.model
        return Sizes(self.weights, model.parameters, model.bits, model.group_size, model.dtype, self.shape)


class FitVerdict(StrEnum):
    FITS = "Fits"
    TIGHT = "Tight"
    WONT_FIT = "Won't fit"


@dataclass(frozen=True, slots=True)
class FitLine:
    label: str
    bytes: int
    note: str = ""
    """How the value is computed."""
    shows_note: bool = False
    """Whether the note is shown, not only in a tooltip."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A memory estimate; `total` is the sum of its lines."""

    verdict: FitVerdict
    lines: tuple[FitLine, ...]
    total: int
    limit: int
    sentence: str
    device: str = ""
    """Name of the device that has the limit; empty if unknown."""


@dataclass(frozen=True, slots=True)
class DraftChoice:
    """A local model as a draft model; `why_not`: the reason against it; empty: it fits."""

    model: LocalModel
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class FolderChoice:
    """A local adapter or draft model for a model; `why_not`: the reason against it; empty: it fits."""

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
    """Remaining seconds at this rate; None: unknown."""
    stalled: bool = False
    """Whether no data has arrived for some seconds."""
    note: str = ""
    """The reason for waiting."""
    failure: Failure | None = None
    folder: Path | None = None
    """The complete model's folder."""
    made: bool = False
    """Whether it is a local quantization of a model; then `note` has its result."""

    @property
    def done(self) -> int:
        return sum(file.done for file in self.files)

    @property
    def size(self) -> int:
        """Return the total number of bytes; 0: not known yet."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Timeouts of a download, and the number of retries without progress."""

    silence_s: float = 10.0
    """Timeout in seconds between two bytes."""
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0
    tries: int = 8
