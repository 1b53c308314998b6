"""The bar of presets: a box to choose one, and a menu of actions; and the menu of saved system prompts."""

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QLineEdit, QMenu, QPlainTextEdit, QWidget

from app.i18n import tr
from app.presets import LONGEST_NAME, readable, words_of
from app.ui.look import GRID_PX, Theme
from app.ui.widgets import (
    ChoiceBox,
    SmallPrint,
    add_entry,
    as_caption,
    in_grid,
    in_row,
    named,
    opening,
    push_button,
    tool_button,
)
from app.ui.widgets.field_row import back_button
from app.ui.widgets.plain_text import keep_byte_order_mark


class NameLine(QWidget):
    """An inline field for a name. It stays open until it is closed, so that a refused name can be corrected."""

    entered = Signal(str)

    def __init__(self, theme: Theme, name: str = "preset_name") -> None:
        super().__init__()
        self.suggested = ""
        self._line = named(QLineEdit(), name, tr("Name"), tr("A name (Enter: save, Esc: cancel)"))
        self._line.returnPressed.connect(self._emit)
        self._line.textEdited.connect(lambda: self.refuse(""))
        self._reason = SmallPrint(theme, f"{name}_reason", "warning")
        use, cancel = tr("Use this name"), tr("Cancel")
        use_button = tool_button(f"{name}_ok", "✓", use, use, press=self._emit)
        cancel_button = tool_button(f"{name}_cancel", "✕", cancel, cancel, press=self.hide)
        in_grid([self._line, use_button, cancel_button], self._reason, on=self, gap=GRID_PX, wide={})
        self.hide()

    def ask(self, question: str, name: str) -> None:
        self.suggested = name
        self._line.setAccessibleName(question)
        self._line.setPlaceholderText(question)
        self._line.setText(name)
        self._line.selectAll()
        self.refuse("")
        self.show()
        self._line.setFocus()

    def refuse(self, reason: str) -> None:
        self._reason.say(reason)

    def _emit(self) -> None:
        self.entered.emit(readable(self._line.text()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)


class SystemPrompts(QObject):
    """A menu button and a name field, which the panel places beside and below the system prompt.

    `edited` carries a name and its new text; None: delete the prompt.
    """

    edited = Signal(str, object)

    def __init__(self, theme: Theme, field: QPlainTextEdit) -> None:
        super().__init__(field)
        self._field = field
        self._prompts: tuple[tuple[str, str], ...] = ()
        self._text = ""
        """The text to save. It follows the field only while the name is being entered."""
        self._replaced = ""
        """The existing name that the user was warned about; entering it again replaces its text."""
        tip = tr("Choose a saved system prompt, or save this one under a name")
        self.button = tool_button("system_prompts", "⋯", tip, tr("Saved system prompts"), kind="small")
        self._menu = QMenu(self.button)
        self._menu.aboutToShow.connect(self._fill)
        opening(self.button, self._menu)
        self.name = NameLine(theme, "system_name")
        self.name.entered.connect(self._save)
        field.textChanged.connect(self._on_field_changed)

    def show_prompts(self, prompts: tuple[tuple[str, str], ...]) -> None:
        self._prompts = prompts

    def replace_text(self, text: str) -> None:
        """Replace the field's text without a signal; Undo restores the previous text."""
        with QSignalBlocker(self._field):
            self._insert(text)

    def _fill(self) -> None:
        text = self._field.toPlainText()
        current = next((name for name, saved in self._prompts if saved == text), "")
        self._menu.clear()
        for name, saved in self._prompts:
            act = self._menu.addAction(as_caption(name), partial(self._insert, saved))
            act.setCheckable(True)
            act.setChecked(name == current)
        self._menu.addSeparator()
        self._menu.addAction(tr("Save under a Name…"), partial(self._ask_name, current)).setEnabled(bool(text.strip()))
        self._menu.addAction(tr("Delete This One"), partial(self.edited.emit, current, None)).setEnabled(bool(current))

    def _ask_name(self, name: str) -> None:
        self._replaced = ""
        self.name.ask(tr("Name of this system prompt"), name)
        self._on_field_changed()

    def _on_field_changed(self) -> None:
        if not self.name.isHidden():
            self._text = self._field.toPlainText()

    def _insert(self, text: str) -> None:
        cursor = self._field.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(keep_byte_order_mark(text))

    def _save(self, name: str) -> None:
        if not 0 < len(name) <= LONGEST_NAME:
            self.name.refuse(tr("A name has 1 to {most} characters.").format(most=LONGEST_NAME))
        elif name != self._replaced and dict(self._prompts).get(name, self._text) != self._text:
            self._replaced = name
            self.name.refuse(tr("“{name}” exists: enter the name again to replace it.").format(name=name))
        else:
            self.name.hide()
            self.edited.emit(name, self._text)


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
    """A box to choose a preset, a menu to save, rename, delete, import and export it, and a message.

    Each signal is a request; `show_message`, `show_error` and `name` show its outcome.
    """

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
        self._message = SmallPrint(theme, "preset_words")
        tip, spoken = tr("Restore the preset that was just deleted"), tr("Restore the preset")
        self._undo = push_button("preset_undo", tr("Undo"), tip, spoken, kind="small", press=self.delete_undone)
        self._undo.hide()
        self.name = NameLine(theme)
        self.name.entered.connect(self._on_name_entered)
        tip = tr("Save, rename, delete, restore, import, export")
        more = opening(tool_button("preset_menu", "⋯", tip, tr("Actions for presets")), self._menu)
        in_grid(
            (self._choice, self._back, more), self.name, in_row((self._message, 1), self._undo), on=self, gap=GRID_PX
        )

    def show_presets(self, presets: PresetList) -> None:
        """Show the presets without a signal."""
        if presets != self._list:
            self._list = presets
            self._fill()
        if self.name.suggested not in ("", *dict(presets.names)):
            self.name.hide()  # the preset to rename no longer exists
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

    def show_message(self, text: str, undo: bool = False) -> None:
        """Show what was done, with Undo where possible."""
        self._message.say(text, "muted")
        self._undo.setVisible(undo)

    def show_error(self, reason: str) -> None:
        self._message.say(reason, "warning")
        self._undo.hide()

    def _fill(self) -> None:
        with QSignalBlocker(self._choice):
            self._choice.clear()
            for name, why_not in self._list.names:
                add_entry(self._choice, words_of(name), name, why_not, not why_not)
        self._choice.show_value(self._list.chosen)

    def _make_acts(self) -> dict[str, QAction]:
        requests = {
            "restore": (tr("Reset to Preset"), self.restored),
            "save": (tr("Save"), self.saved),
            "save_as": (tr("Save as New…"), self._ask_new_name),
            "rename": (tr("Rename…"), self._ask_other_name),
            "delete": (tr("Delete"), self.deleted),
            "system": (tr("With the System Prompt"), self.system_set),
            "adapter": (tr("With the Adapter"), self.adapter_set),
            "default": (tr("Apply When This Model Is Loaded"), self.default_set),
            "import": (tr("Import…"), self.import_wanted),
            "export": (tr("Export Your Own…"), self.export_wanted),
        }
        acts = {}
        for name, (text, request) in requests.items():
            act = self._menu.addAction(text)
            act.setObjectName(f"preset_{name}")
            act.setCheckable(name in ("default", "system", "adapter"))
            (act.toggled if act.isCheckable() else act.triggered).connect(request)
            acts[name] = act
            if name in ("restore", "delete", "default"):
                self._menu.addSeparator()
        return acts

    def _pick(self) -> None:
        self.show_message("")
        self.picked.emit(self._choice.currentData())

    def _on_name_entered(self, name: str) -> None:
        if old := self.name.suggested:
            self.renamed.emit(old, name)
        else:
            self.saved_as.emit(name)

    def _ask_new_name(self) -> None:
        self.show_message("")
        self.name.ask(tr("Name of the new preset"), "")

    def _ask_other_name(self) -> None:
        self.show_message("")
        self.name.ask(tr("New name"), self._list.chosen)
