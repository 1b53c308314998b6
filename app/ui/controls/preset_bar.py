"""The bar of presets: a box to choose one, and a menu of actions."""

from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from app.i18n import tr
from app.presets import words_of
from app.ui.controls.name_line import NameLine
from app.ui.look import GRID_PX, Theme
from app.ui.widgets import ChoiceBox, SmallPrint, add_entry, in_grid, in_row, opening, push_button, tool_button
from app.ui.widgets.field_row import back_button


@dataclass(frozen=True, slots=True)
class PresetList:
    """The presets to choose from. A name with a reason can't be chosen now."""

    names: tuple[tuple[str, str], ...] = ()
    chosen: str = ""
    changed: bool = False
    """Some value differs from the preset."""
    own: bool = False
    """The chosen preset is the user's own: it can be renamed and deleted."""
    default: bool = False
    """The chosen preset is applied whenever the open model is loaded."""
    system: bool = False
    """The chosen preset includes a system prompt."""
    adapter: bool = False
    """The chosen preset includes an adapter."""
    has_adapter: bool = False
    """The model has an adapter that could be included."""
    has_model: bool = False


class PresetBar(QWidget):
    """Each signal is a request; `tell`, `complain`, `refuse_name` and `accept_name` show its outcome."""

    picked = Signal(str)
    restored = Signal()
    saved = Signal()
    saved_as = Signal(str)
    renamed = Signal(str, str)
    """The old name, and the new one."""
    deleted = Signal()
    delete_undone = Signal()
    default_set = Signal(bool)
    system_set = Signal(bool)
    adapter_set = Signal(bool)
    import_wanted = Signal()
    export_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._list = PresetList()
        tip = tr("Sets all sampling values at once; your own presets set max tokens and stop strings, too")
        self._choice = ChoiceBox("preset", tr("Preset"), tip, narrow=True)
        self._choice.activated.connect(self._pick)
        self._menu = QMenu(self)
        self._acts = self._make_acts()
        self._back = back_button(theme, "preset", tr("Reset all values to the preset"))
        self._back.setToolTip(tr("Some values differ from the preset. Reset all of them."))
        self._back.clicked.connect(self.restored)
        self._words = SmallPrint(theme, "preset_words")
        tip, spoken = tr("Restore the preset that was just deleted"), tr("Restore the preset")
        self._undo = push_button("preset_undo", tr("Undo"), tip, spoken, kind="small", press=self.delete_undone)
        self._undo.hide()
        self._name = NameLine(theme)
        self._name.named.connect(self._take_name)
        first = (self._choice, self._back, _more(self._menu))
        in_grid(first, self._name, in_row((self._words, 1), self._undo), on=self, gap=GRID_PX)

    def show_presets(self, presets: PresetList) -> None:
        """Show the presets without a signal."""
        if presets != self._list:
            self._list = presets
            self._fill()
        if self._name.began_with not in ("", *dict(presets.names)):
            self._name.hide()  # the preset to rename no longer exists
        self._back.setVisible(presets.changed)
        self._acts["save"].setEnabled(presets.own and presets.changed)
        self._acts["restore"].setEnabled(presets.changed)
        self._acts["rename"].setEnabled(presets.own)
        self._acts["delete"].setEnabled(presets.own)
        self._acts["default"].setEnabled(presets.has_model)
        self._acts["system"].setEnabled(presets.own)
        self._acts["adapter"].setEnabled(presets.own and (presets.adapter or presets.has_adapter))
        for name, checked in (("default", presets.default), ("system", presets.system), ("adapter", presets.adapter)):
            with QSignalBlocker(self._acts[name]):
                self._acts[name].setChecked(checked)

    def tell(self, words: str, undo: bool = False) -> None:
        """Show what was done, with Undo where possible."""
        self._words.say(words, "muted")
        self._undo.setVisible(undo)

    def complain(self, reason: str) -> None:
        """Show why a request failed."""
        self._words.say(reason, "warning")
        self._undo.hide()

    def refuse_name(self, reason: str) -> None:
        """Show why the name is refused; it stays for correction."""
        self._name.refuse(reason)

    def accept_name(self) -> None:
        """Accept the name."""
        self._name.hide()

    def _fill(self) -> None:
        with QSignalBlocker(self._choice):
            self._choice.clear()
            for name, why_not in self._list.names:
                add_entry(self._choice, words_of(name), name, why_not, not why_not)
        self._choice.show_value(self._list.chosen)

    def _make_acts(self) -> dict[str, QAction]:
        wishes = {
            "restore": (tr("Reset to Preset"), self.restored),
            "save": (tr("Save"), self.saved),
            "save_as": (tr("Save as New…"), self._ask_for_new),
            "rename": (tr("Rename…"), self._ask_for_other),
            "delete": (tr("Delete"), self.deleted),
            "system": (tr("With the System Prompt"), self.system_set),
            "adapter": (tr("With the Adapter"), self.adapter_set),
            "default": (tr("Apply When This Model Is Loaded"), self.default_set),
            "import": (tr("Import…"), self.import_wanted),
            "export": (tr("Export Your Own…"), self.export_wanted),
        }
        acts = {}
        for name, (text, wish) in wishes.items():
            act = self._menu.addAction(text)
            act.setObjectName(f"preset_{name}")
            act.setCheckable(name in ("default", "system", "adapter"))
            (act.toggled if act.isCheckable() else act.triggered).connect(wish)
            acts[name] = act
            if name in ("restore", "delete", "default"):
                self._menu.addSeparator()
        return acts

    def _pick(self) -> None:
        self.tell("")
        self.picked.emit(self._choice.currentData())

    def _take_name(self, name: str) -> None:
        if old := self._name.began_with:
            self.renamed.emit(old, name)
        else:
            self.saved_as.emit(name)

    def _ask_for_new(self) -> None:
        self.tell("")
        self._name.ask(tr("Name of the new preset"), "")

    def _ask_for_other(self) -> None:
        self.tell("")
        self._name.ask(tr("New name"), self._list.chosen)


def _more(menu: QMenu) -> QToolButton:
    tip = tr("Save, rename, delete, restore, import, export")
    return opening(tool_button("preset_menu", "⋯", tip, tr("Actions for presets")), menu)
