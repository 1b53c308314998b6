"""What a server of one's own shall be, and how it is."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from app.library import cached

LOOPBACK = "127.0.0.1"
DEFAULT_MODEL = "default_model"
"""How mlx_lm.server calls the model that it was started with."""
KEY_VARIABLE = "SLUICE_SERVER_KEY"
"""In the child's environment, and in the line for a terminal: a key stands in no command."""
FIRST_PORT, LAST_PORT = 1024, 65535


@dataclass(frozen=True, slots=True)
class Host:
    """A machine that takes a share. `ssh` is the name by which ssh finds it; this machine's is the loopback address."""

    ssh: str = LOOPBACK
    ips: tuple[str, ...] = (LOOPBACK,)

    @property
    def is_here(self) -> bool:
        """mlx.launch starts what has this very name without ssh."""
        return self.ssh == LOOPBACK


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """Which model shall be served where. No hosts: by one process on this machine."""

    folder: str
    """The very one that is open: by its id a newer revision may have come meanwhile."""
    port: int
    hosts: tuple[Host, ...] = ()
    ring_port: int = 0
    """Where the processes' own connections begin; 0: where mlx.launch has them."""
    key: str = field(default="", repr=False)
    """Whoever asks has to give it; empty: nobody has to."""
    adapter: str = ""
    """The folder of the one that is on it; empty: none."""

    @property
    def public(self) -> str:
        """A model of the cache by its id, which people know and other machines have too."""
        return cached.id_of(self.folder) or self.folder

    @property
    def name(self) -> str:
        """What it is called there: by its id, or as its folder is, wherever that lies."""
        return Path(self.public).name if Path(self.public).is_absolute() else self.public

    @property
    def address(self) -> str:
        """Where it answers, on this machine alone."""
        return f"http://{LOOPBACK}:{self.port}/v1"


class ServerStage(StrEnum):
    """How far a server has come."""

    STOPPED = "stopped"
    STARTING = "starting"
    READY = "ready"
    SILENT = "silent"
    """It runs, and has not answered for a while."""
    WAITING = "waiting"
    """It broke down, and will be started again."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """How it is. `said`: the last line of its log before it broke down."""

    stage: ServerStage = ServerStage.STOPPED
    said: str = ""
    wait_s: float = 0.0
    """Until it is started again."""

    @property
    def is_on(self) -> bool:
        return self.stage in (ServerStage.STARTING, ServerStage.READY, ServerStage.SILENT, ServerStage.WAITING)
