"""The picker's controller in a window of its own, and what a user does in its dialog."""

from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget

from app.bridge.model_sources import ModelFolders, Servers
from app.engine.types import Server
from app.library.keychain import ServerKeys
from app.ui.look.theme import Theme
from app.ui.picker.controller import PickerController
from app.ui.picker.dialog import ModelPicker
from app.ui.picker.download_strip import DownloadStrip
from app.ui.picker.model_suggestions import FirstModels
from app.ui.picker.models_table import ModelTable
from app.ui.widgets.notices import NoticeBar
from tests.ui.alone import Alone
from tests.ui.cells import cells
from tests.ui.desk import button, named, words


def column_of(window: QWidget, table: str, column: int = 0) -> list[str]:
    """Return the texts of a column."""
    return [row[column] for row in cells(named(window, ModelTable, table))]


class Picking:
    """The models of the program are in `bundled`; its own files are in `data`."""

    def __init__(
        self, window: Alone, theme: Theme, data: Path, bundled: Path, servers: tuple[Server, ...] = ()
    ) -> None:
        self.window, self.playground = window, window.playground
        self.folders = ModelFolders((), window)
        self.servers = Servers(servers, ServerKeys(), window)
        strip, self.notice = DownloadStrip(theme), NoticeBar(theme)
        self.first = FirstModels(theme)
        window.put(strip, self.first, self.notice)
        self.controller = window.add(
            PickerController(
                self.playground,
                theme,
                strip=strip,
                first=self.first,
                notice=self.notice,
                folders=self.folders,
                servers=self.servers,
                data=data,
                bundled=bundled,
                parent=window,
            )
        )
        self.until = window.until

    @property
    def dialog(self) -> ModelPicker:
        return named(self.window, ModelPicker, "model_picker")

    def open(self, *expected: str) -> ModelPicker:
        """Open the dialog and wait for these models."""
        self.controller.choose_model()
        self.until(lambda: set(expected) <= set(self.names))
        return self.dialog

    @property
    def names(self) -> list[str]:
        """The models that are listed."""
        return self.cells("local_models") if self.window.findChild(ModelTable, "local_models") is not None else []

    def cells(self, table: str) -> list[str]:
        return column_of(self.window, table)

    def choose(self, name: str) -> None:
        named(self.window, ModelTable, "local_models").selectRow(self.names.index(name))

    @property
    def chosen(self) -> str:
        model = self.dialog.local.model
        return model.name if model is not None else ""

    def button(self, name: str) -> QAbstractButton:
        return button(self.window, name)

    def press(self, name: str) -> None:
        assert self.button(name).isEnabled(), name
        self.button(name).click()

    def words(self, name: str) -> str:
        return words(self.window, name)

    def type(self, field: str, text: str) -> None:
        named(self.window, QLineEdit, field).setText(text)
