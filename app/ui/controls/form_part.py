"""The section of the output format: its kind, and its text with an example."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.engine.catalogue import SETTINGS
from app.engine.forms.grammar import KEYWORDS
from app.engine.types import ANIMAL, WRITTEN, Form, FormKind
from app.i18n import tr
from app.ui.controls.keyword_field import KeywordField
from app.ui.look import GRID_PX, Theme
from app.ui.widgets import SmallPrint, in_column, named, push_button
from app.ui.widgets.choices import ChoiceBox, refuse_entry

LINES_SHOWN = 5
KINDS = {FormKind.NONE: tr("Free"), FormKind.JSON: tr("Any JSON")} | {
    kind: SETTINGS[f"form_{kind.value}"].words for kind in FormKind if kind in WRITTEN
}
EXAMPLES = {
    FormKind.SCHEMA: ANIMAL.schema,
    FormKind.CHOICES: tr("yes\nno\nI don't know"),
    FormKind.REGEX: r"[0-9]{4}-[0-9]{2}-[0-9]{2}",
    FormKind.GRAMMAR: 'start: sum "=" NUMBER\nsum: NUMBER ("+" NUMBER)+\nNUMBER: /[0-9]{1,4}/',
    FormKind.NUMBERS: "1..10",
}


class FormPart(QWidget):
    """`edited` carries the new `Form`."""

    edited = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._form = Form()
        setting = SETTINGS["form_kind"]
        self._kind = ChoiceBox("form_kind", setting.words, setting.text, KINDS, narrow=True)
        self._editor = KeywordField(theme, "form_text", LINES_SHOWN)
        tip = tr("Insert the example into the field")
        self._example = push_button("form_example", tr("Use the example"), tip, kind="small", press=self._use_example)
        self._wrong, self._refused = (SmallPrint(theme, f"form_{name}", "warning") for name in ("wrong", "refused"))
        in_column(self._kind, self._editor, self._example, self._wrong, self._refused, on=self, gap=GRID_PX)
        self._kind.activated.connect(self._tell)
        self._editor.textChanged.connect(self._tell)
        self.show_value(Form())

    def show_value(self, form: Form) -> None:
        """Set the value without a signal."""
        self._form = form
        written = form.kind in WRITTEN
        self._kind.show_value(form.kind)
        if written:
            self._editor.show_text(form.text)
        self._editor.setPlaceholderText(EXAMPLES.get(form.kind, ""))
        self._editor.offer(KEYWORDS.get(form.kind, ()))
        named(self._editor, "", KINDS[form.kind], SETTINGS["form_kind"].text)
        self._editor.setVisible(written)
        self._example.setVisible(written and not form.text)
        if not written:
            self._wrong.say("")

    def grey(self, refusals: Mapping[str, str]) -> None:
        """Gray out the kinds that this model refuses, with the reasons."""
        why = refusals.get("form", "")
        for place, kind in enumerate(KINDS):
            refuse_entry(self._kind, place, refusals.get(f"form_{kind.value}", ""))
        for part in (self._kind, self._editor, self._example):
            part.setEnabled(not why)
        self._kind.setToolTip("\n".join(filter(None, (SETTINGS["form_kind"].text, why))))
        self._refused.say((why or refusals.get(f"form_{self._form.kind.value}", "")) if self._form else "")

    def complain(self, form: Form, why: str) -> None:
        """Show the error in a checked format, unless the format changed since."""
        if form == self._form:
            self._wrong.say(why)

    def _tell(self) -> None:
        kind = FormKind(self._kind.currentData())
        same = kind is self._form.kind
        self.edited.emit(self._form.put(kind, self._editor.toPlainText() if same else getattr(self._form, kind, "")))

    def _use_example(self) -> None:
        self._editor.setPlainText(EXAMPLES[self._form.kind])
        self._editor.setFocus()
