"""The frozen values that cross the library's border: models here and on the hub, sums, removals."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.engine.types import Failure


class ModelLocation(StrEnum):
    """Where a model on this machine lies."""

    BUNDLED = "bundled"
    CACHE = "cache"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model on this machine. What could not be found out is None, and an unusable one says why."""

    name: str
    """Its id on the hub where it has one, else its folder's name."""
    folder: Path
    source: ModelLocation
    size: int
    """Bytes on disk."""
    weights: int = 0
    """Bytes of weights among them."""
    parameters: int | None = None
    bits: int | None = None
    group_size: int | None = None
    """How many quantised weights share a scale."""
    dtype: str = ""
    """The floating-point type of most numbers that are not quantised."""
    model_type: str = ""
    context: int | None = None
    vocabulary: int | None = None
    chat: bool = False
    """Whether its tokenizer has a chat template."""
    last_used: float | None = None
    """Seconds since 1970."""
    shape: Shape | None = None
    unusable: Failure | None = None
    """Why mlx-lm can't open it."""

    @property
    def why_not(self) -> str:
        """The same in short; empty: it can."""
        return self.unusable.what if self.unusable is not None else ""


@dataclass(frozen=True, slots=True)
class Removal:
    """What deleting a model would do; nothing has happened yet."""

    name: str
    folder: Path
    freed: int
    """Bytes that become free."""


class Sort(StrEnum):
    """How the hub's answers are ordered; the values are the hub's own words."""

    DOWNLOADS = "downloads"
    LIKES = "likes"
    DATE = "lastModified"


@dataclass(frozen=True, slots=True)
class HubModel:
    """A model as the hub's search tells of it."""

    id: str
    author: str
    downloads: int
    likes: int
    changed: float | None
    """Seconds since 1970."""
    mlx: bool
    """Whether it is tagged as made for MLX."""
    gated: bool
    """Whether its owner wants a login and consent first."""
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
    """sha256 of a large file, git's sha1 of a small one: what the cache calls its blob."""


@dataclass(frozen=True, slots=True)
class HubDetails:
    """A hub model looked at more closely, before any of it is downloaded."""

    model: HubModel
    files: tuple[HubFile, ...]
    weights: int
    """Bytes of its weights."""
    card: str
    """The text of its README, Markdown without the header."""
    model_type: str = ""
    context: int | None = None
    shape: Shape | None = None
    unusable: Failure | None = None

    @property
    def size(self) -> int:
        """Bytes of all files that MLX needs."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class Layer:
    """Layers of one kind: what each keeps for a token, and for how many tokens at most."""

    count: int
    values_per_token: int
    window: int | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """What of a config.json decides how much memory the KV cache takes."""

    layers: tuple[Layer, ...]
    plain: bool = True
    """Whether every layer keeps all tokens, so that the cache can be rolled back token by token."""


class FitVerdict(StrEnum):
    """Whether a model will run within the device's limit."""

    FITS = "Fits"
    TIGHT = "Tight"
    WONT_FIT = "Won't fit"


@dataclass(frozen=True, slots=True)
class FitLine:
    """One line of the sum."""

    label: str
    bytes: int
    note: str = ""
    """How the figure came about."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The verdict, and the sum that it was made from: `total` is what the lines add up to."""

    verdict: FitVerdict
    lines: tuple[FitLine, ...]
    total: int
    limit: int
    sentence: str


@dataclass(frozen=True, slots=True)
class DraftChoice:
    """A model on this machine as a draft model for another; `why_not` empty: it can be."""

    model: LocalModel
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class FolderChoice:
    """An adapter or a draft model of this machine that may go with a model; `why_not` empty: it can."""

    name: str
    folder: Path
    why_not: str = ""


class DownloadState(StrEnum):
    """Where a download stands, or a model that is made here."""

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
    """How far one file is, in bytes."""

    name: str
    done: int
    size: int


@dataclass(frozen=True, slots=True)
class DownloadJob:
    """One download at one moment. A cancelled one is in no list any more."""

    model_id: str
    state: DownloadState
    files: tuple[FileProgress, ...] = ()
    rate: float = 0.0
    """Bytes per second over the last seconds."""
    left_s: float | None = None
    """Seconds to go at this rate; None where nobody can tell."""
    stalled: bool = False
    """Downloading, and nothing has arrived for some seconds."""
    note: str = ""
    """Why it waits, in one sentence."""
    failure: Failure | None = None
    folder: Path | None = None
    """Where the whole model lies, once it is done."""
    made: bool = False
    """Here, of another model; `note` says in the end what that has cost."""

    @property
    def done(self) -> int:
        """Bytes that are here."""
        return sum(file.done for file in self.files)

    @property
    def size(self) -> int:
        """Bytes in all; 0 until the hub has told."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How patient a download is: how long it waits, and how often it tries without getting anywhere."""

    silence_s: float = 10.0
    """Without a byte for so long, a connection counts as cut."""
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0
    tries: int = 8
