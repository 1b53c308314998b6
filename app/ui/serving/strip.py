"""The strip of a running server in the main window: its model, address and memory, and a button to stop it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.number_format import size
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Theme
from app.ui.widgets import SmallPrint, in_row, push_button


class ServerStrip(QWidget):
    """The strip, hidden while no server runs."""

    show_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("server_strip")
        self._words = SmallPrint(theme, "server_words")
        tip = tr("Show the window of the server")
        show = push_button("server_show", tr("Show"), tip, tr("Show the server"), kind="small", press=self.show_wanted)
        tip = tr("Stop the server and free its memory")
        stop = push_button("server_stop", tr("Stop server"), tip, kind="small", press=self.stop_wanted)
        in_row((self._words, 1), show, stop, on=self, gap=GAP_PX, margins=(MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX))
        self.hide()

    def show_server(self, model: str, address: str, memory: int) -> None:
        """Show a server; `memory` in bytes, 0 if unknown. Without a `model`, no server runs."""
        words = tr("Serving {model} at {address}").format(model=model, address=address)
        if memory:
            words = tr("{server} · {size} in its own process").format(server=words, size=size(memory))
        self._words.say(words if model else "")
        self.setVisible(bool(model))
