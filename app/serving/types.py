"""Types of the local server: configuration and status."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from app.library import cached

LOOPBACK = "127.0.0.1"
DEFAULT_MODEL = "default_model"
"""mlx_lm.server's name for the model that it was started with."""
KEY_VARIABLE = "SLUICE_SERVER_KEY"
"""Environment variable of the API key, which must not be in a command line."""
PACKED_VARIABLE = "SLUICE_SERVER_KEEPS_PACKED"
"""Environment variable that is set if the CPU computes with quantized weights as they are."""
FIRST_PORT, LAST_PORT = 1024, 65535


@dataclass(frozen=True, slots=True)
class RingHost:
    """A host of a ring. `ssh`: its ssh host name; the loopback address for this computer."""

    ssh: str = LOOPBACK
    ips: tuple[str, ...] = (LOOPBACK,)

    @property
    def is_here(self) -> bool:
        """Return whether it is this computer, for which mlx.launch uses no ssh."""
        return self.ssh == LOOPBACK


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """Configuration of a server. Without hosts it is one process on this computer."""

    folder: str
    """Folder of the open model; its id may now refer to a newer revision."""
    port: int
    hosts: tuple[RingHost, ...] = ()
    ring_port: int = 0
    """First port of the ring; 0: mlx.launch's default."""
    key: str = field(default="", repr=False)
    """API key; empty: none."""
    adapter: str = ""
    """The adapter's folder; empty: none."""
    keeps_packed: bool = False
    """Whether the CPU computes with quantized weights as they are."""

    @property
    def public(self) -> str:
        """Return the id of a cached model, which other computers can use; else the folder."""
        return cached.id_of(self.folder) or self.folder

    @property
    def name(self) -> str:
        """Return the model's name on the server: its id, or its folder's name without the path."""
        return Path(self.public).name if Path(self.public).is_absolute() else self.public

    @property
    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.port}/v1"


class ServerStage(StrEnum):
    STOPPED = "stopped"
    STARTING = "starting"
    READY = "ready"
    SILENT = "silent"
    """The process runs, but doesn't answer."""
    WAITING = "waiting"
    """The process ended, and will be restarted."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """Status of a server. `message`: the last line of its log before it ended."""

    stage: ServerStage = ServerStage.STOPPED
    message: str = ""
    wait_s: float = 0.0
    """Seconds until its restart."""

    @property
    def is_on(self) -> bool:
        return self.stage in (ServerStage.STARTING, ServerStage.READY, ServerStage.SILENT, ServerStage.WAITING)
