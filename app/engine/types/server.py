"""A server that answers over the network, the models on it, and what it was found to be able to, as values."""

from dataclasses import dataclass, field

from app.engine.types.form import LATER
from app.i18n import tr


@dataclass(frozen=True, slots=True)
class Server:
    """`address` is where its interface begins, as `tidy` of `engine/remote/address` writes it."""

    address: str
    name: str = ""
    """What its owner calls it."""
    accepted: bool = False
    """The user was told that what goes there is unencrypted, and wants it all the same."""
    own: bool = False
    """Put on the list by the window that serves models; without a name, that is what it is called."""

    @property
    def called(self) -> str:
        """What people call it; "" where only its address tells it from others."""
        return self.name or (tr("Served here") if self.own else "")


@dataclass(frozen=True, slots=True)
class ServerModel:
    """A model that a server lists."""

    address: str
    id: str
    """As the server calls it."""
    context: int | None = None
    """How many tokens it holds; None where the server does not say."""

    @property
    def name(self) -> str:
        """What people call it: a server on a disk of its own names models by their whole path."""
        return self.id.rstrip("/").rpartition("/")[2] if self.id.startswith("/") else self.id


@dataclass(frozen=True, slots=True)
class ReachedServer:
    """A server that answered when it was tried."""

    models: tuple[ServerModel, ...]
    connect: float
    """Seconds until the connection stood."""
    first_byte: float
    """Seconds from there to the first byte of its answer."""


@dataclass(frozen=True, slots=True)
class NetworkTiming:
    """What the network took of a run, and what the server said of it; all times are measured on this side."""

    connect: float = 0.0
    """Seconds until the connection stood, its encryption included."""
    first_byte: float = 0.0
    """Seconds from there to the first byte of the answer: the way there and back, and the server's own work."""
    pieces: int = 0
    """In so many the text came: often one for each token, but nobody promises that."""
    counted: bool = False
    """The server said how many tokens it wrote and read; else pieces stand for tokens."""
    whole: bool = False
    """The answer came in one piece, so nothing is known of the times between its tokens."""
    cached: bool = False
    """The server said how many tokens of the prompt were in its cache."""
    seeded: bool = False
    """The server was given the seed."""
    ended: bool = False
    """The server said that it had finished. Else it is not known when it stopped: it notices a closed connection
    when it next writes."""
    disobeyed: bool = field(default=False, metadata=LATER)
    """The answer ended by itself, and has not the form that the server was asked for."""
