"""The columns of the two tables of the servers' page: the servers, and the models of one of them."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.types import Server, ServerModel
from app.figures import DASH
from app.ui.picker.columns import UNKNOWN, column
from app.words import tr


@dataclass(frozen=True, slots=True)
class ServerRow:
    """A server of the list. `is_open`: the open model runs there."""

    server: Server
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class ServerModelRow:
    """A model that a server lists."""

    model: ServerModel
    is_open: bool = False


def called(server: Server) -> str:
    """Its name; of one that has none, what tells its address from others."""
    return server.called or short(server.address)


def short(address: str) -> str:
    """An address as people type it: only what is not usual is told."""
    return address.removeprefix("http://").removesuffix("/v1")


SERVERS = (
    column(tr("Server"), 0, lambda row: called(row.server), number=False),
    column(tr("Address"), 150, lambda row: short(row.server.address), number=False),
)
SERVER_MODELS = (
    column(tr("Model"), 0, lambda row: row.model.name, number=False),
    column(
        tr("Context"),
        86,
        lambda row: f"{row.model.context:,}" if row.model.context else DASH,
        lambda row: float(row.model.context or UNKNOWN),
    ),
)
