"""Servers, their models and network timing."""

from dataclasses import dataclass, field

from app.engine.types.form import LATER
from app.i18n import tr


@dataclass(frozen=True, slots=True)
class Server:
    """An OpenAI-compatible server. `address` is its base URL, normalized by `tidy` in `engine/remote/address`."""

    address: str
    name: str = ""
    """Name given by the user."""
    accepted: bool = False
    """Whether the user accepted unencrypted traffic."""
    own: bool = False
    """Whether it was added by the window that serves models."""

    @property
    def called(self) -> str:
        """Displayed name; empty if only its address identifies it."""
        return self.name or (tr("Served here") if self.own else "")


@dataclass(frozen=True, slots=True)
class ServerModel:
    """A model on a server."""

    address: str
    id: str
    """The server's id for it."""
    context: int | None = None
    """Context window in tokens; None if the server doesn't report it."""

    @property
    def name(self) -> str:
        """Displayed name. Some servers use whole paths as ids."""
        return self.id.rstrip("/").rpartition("/")[2] if self.id.startswith("/") else self.id


@dataclass(frozen=True, slots=True)
class ReachedServer:
    """A server that answered a test request."""

    models: tuple[ServerModel, ...]
    connect: float
    """Seconds to connect."""
    first_byte: float
    """Seconds from the connection to the first byte."""


@dataclass(frozen=True, slots=True)
class NetworkTiming:
    """Network timing of a run and what the server reported; all times are measured on this side."""

    connect: float = 0.0
    """Seconds to connect, including TLS."""
    first_byte: float = 0.0
    """Seconds from the connection to the first byte: network latency and the server's work."""
    pieces: int = 0
    """Number of pieces of text: often one per token, without a guarantee."""
    counted: bool = False
    """Whether the server reported token counts; otherwise pieces are counted."""
    whole: bool = False
    """Whether the answer came in one piece, so that token times are unknown."""
    cached: bool = False
    """Whether the server reported its cache hits."""
    seeded: bool = False
    """Whether the seed was sent."""
    ended: bool = False
    """Whether the server reported the end. Otherwise it notices a closed connection only at its next write."""
    disobeyed: bool = field(default=False, metadata=LATER)
    """Whether the answer ended normally but doesn't have the requested output format."""
