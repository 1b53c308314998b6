"""The columns of the two tables of the servers' page: the servers, and the models of one of them."""

from app.engine.types import Server
from app.i18n import tr
from app.number_format import DASH
from app.ui.picker.columns import UNKNOWN, column


def called(server: Server) -> str:
    """Its name; of one that has none, what tells its address from others."""
    return server.called or short(server.address)


def short(address: str) -> str:
    """An address as people type it: only what is not usual is told."""
    return address.removeprefix("http://").removesuffix("/v1")


SERVERS = (
    column(tr("Server"), 0, called, number=False),
    column(tr("Address"), 150, lambda server: short(server.address), number=False),
)
SERVER_MODELS = (
    column(tr("Model"), 0, lambda model: model.name, number=False),
    column(
        tr("Context"),
        86,
        lambda model: f"{model.context:,}" if model.context else DASH,
        lambda model: float(model.context or UNKNOWN),
    ),
)
