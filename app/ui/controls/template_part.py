"""The section of the chat template: reply prefix and template arguments."""

from collections.abc import Callable
from contextlib import suppress

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QDoubleValidator, QValidator
from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QWidget

from app.engine.catalogue import SETTINGS
from app.engine.types import Argument, ArgumentKind, TemplateArgument
from app.files.json_values import LARGEST_SAID
from app.i18n import tr
from app.ui.look import GAP_PX, Theme
from app.ui.widgets import ProseField, SmallPrint, as_tip, field_label, in_column, named
from app.ui.widgets.number_field import ENGLISH
from app.ui.widgets.plain_text import keep_byte_order_mark
from app.ui.widgets.rows import WheelGuard

Arguments = tuple[tuple[str, Argument], ...]
DEFAULT = tr("Default")
REPLY = SETTINGS["reply_start"]
LINES_SHOWN = 2
BEGINNING = tr("The first words of the answer")


class NumberValidator(QDoubleValidator):
    """Accepts decimal numbers; a typed comma becomes a decimal point.

    It also refuses numbers that the program's file formats can't store.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setLocale(ENGLISH)

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        text = text.replace(",", ".")
        value = _read(text, number=True)
        if isinstance(value, int | float) and abs(value) > LARGEST_SAID:
            return QValidator.State.Invalid, text, position
        return super().validate(text, position)  # type: ignore[return-value]


class TemplatePart(QWidget):
    """The section of the chat template. `edited` carries the reply prefix and all arguments after each change."""

    edited = Signal(str, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._arguments: dict[str, Argument] = {}
        self._shown_arguments: tuple[TemplateArgument, ...] | None = None
        self._inputs: dict[str, Callable[[], None]] = {}
        self._wheel_guard = WheelGuard(self)
        self._reply = ProseField(theme, "reply_start", LINES_SHOWN, REPLY.words, REPLY.meaning, hint=BEGINNING)
        self._reply.textChanged.connect(self._emit)
        self._form = QFormLayout()
        self._form.setSpacing(GAP_PX)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._note = SmallPrint(theme, "template_note")
        in_column(field_label(theme, REPLY.words, self._reply), self._reply, self._form, self._note, on=self)

    def show_values(self, reply_start: str, arguments: Arguments) -> None:
        """Set all values without a signal."""
        self._reply.show_text(reply_start)
        self._arguments = dict(arguments)
        for show in self._inputs.values():
            show()

    def show_arguments(self, arguments: tuple[TemplateArgument, ...], chat: bool, why_not: str = "") -> None:
        """Show the arguments that this model's template reads; `why_not`: why the template can't be changed."""
        self._note.say(why_not or (_note(arguments) if chat else ""))
        self._reply.setEnabled(not why_not)
        self._reply.setToolTip(why_not or REPLY.meaning)
        if arguments == self._shown_arguments:
            return
        self._shown_arguments = arguments
        while self._form.rowCount():
            self._form.removeRow(0)
        self._inputs.clear()
        for argument in arguments:
            if argument.kind is not ArgumentKind.STRUCTURE:
                self._add(argument)

    def _add(self, argument: TemplateArgument) -> None:
        choices = _choices(argument)
        field = self._make_box(argument.name, choices) if choices else self._make_line(argument)
        words = tr("The chat template reads “{name}”. Default: the template decides.")
        named(field, f"argument_{argument.name}", argument.name, as_tip(words.format(name=argument.name)))
        self._wheel_guard.watch(field)
        self._form.addRow(field_label(self._theme, argument.name, field), field)
        self._inputs[argument.name]()

    def _make_box(self, name: str, choices: dict[str, Argument]) -> QComboBox:
        box = QComboBox()
        box.setMinimumContentsLength(8)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.addItem(DEFAULT)
        values = [None, *choices.values()]
        box.addItems(list(choices))

        def show() -> None:
            value = self._arguments.get(name)
            with QSignalBlocker(box):
                box.setCurrentIndex(values.index(value) if value in values else 0)

        box.activated.connect(lambda index: self._set(name, values[index]))
        self._inputs[name] = show
        return box

    def _make_line(self, argument: TemplateArgument) -> QLineEdit:
        line = QLineEdit()
        number = argument.kind is ArgumentKind.NUMBER
        line.setPlaceholderText(tr("Default (a number)") if number else DEFAULT)
        if number:
            line.setValidator(NumberValidator(line))

        def show() -> None:
            value = self._arguments.get(argument.name)
            if _read(line.text(), number) != value:
                with QSignalBlocker(line):
                    line.setText("" if value is None else str(value))

        line.textChanged.connect(lambda text: self._set(argument.name, _read(text, number)))
        self._inputs[argument.name] = show
        return line

    def _set(self, name: str, value: Argument) -> None:
        self._arguments.pop(name, None)
        if value is not None:
            self._arguments[name] = value
        self._emit()

    def _emit(self) -> None:
        self.edited.emit(keep_byte_order_mark(self._reply.toPlainText()), tuple(sorted(self._arguments.items())))


def _choices(argument: TemplateArgument) -> dict[str, Argument]:
    if argument.kind is ArgumentKind.SWITCH:
        return {tr("On"): True, tr("Off"): False}
    return {word: word for word in argument.choices}


def _read(text: str, number: bool) -> Argument:
    """Return the typed value; None if the field is empty, so that the template's default applies."""
    if not number:
        return text or None
    with suppress(ValueError):
        return int(text)  # a float may lack the precision
    with suppress(ValueError):
        value = float(text)
        return int(value) if value.is_integer() else value
    return None


def _note(arguments: tuple[TemplateArgument, ...]) -> str:
    if not arguments:
        return tr("This model's template reads no arguments.")
    structures = [argument.name for argument in arguments if argument.kind is ArgumentKind.STRUCTURE]
    words = tr("Lists and mappings can't be set here: {names}.")
    return words.format(names=", ".join(structures)) if structures else ""
