"""The row of attached files: name, length and a remove button for each."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.i18n import tr
from app.records.attachments import Attachment
from app.ui.look import GRID_PX, Colour, Size, Theme
from app.ui.widgets import OneLine, RoundedFrame, as_tip, caption, come_after, keep_focus, named, tool_button
from app.ui.widgets.rows import emptied, in_column, in_grid, in_row

COLUMNS = 2
STRETCHES = dict.fromkeys(range(COLUMNS), 1)
EXCERPT = 300
"""Number of characters of a file in its tooltip."""


class AttachmentsRow(QWidget):
    changed = Signal()
    """A file was added or removed."""

    def __init__(self, theme: Theme, below: QWidget) -> None:
        super().__init__()
        named(self, "attachments", tr("Attached files"))
        self._theme = theme
        self._below = below
        """The widget that gets the focus when the last file is removed."""
        self._column = in_column(on=self)
        self._counts: list[QLabel] = []
        self.files: tuple[Attachment, ...] = ()
        self.hide()

    def show_files(self, files: tuple[Attachment, ...]) -> None:
        if files == self.files:
            return
        self.files, self._counts = files, []
        keep_focus(self, self._below)
        emptied(self._column)
        if files:
            chips = [self._chip(number, file) for number, file in enumerate(files)]
            lines = [chips[start : start + COLUMNS] for start in range(0, len(chips), COLUMNS)]
            holder = QWidget()
            in_grid(
                *(line if len(files) > 1 else [*line, None] for line in lines), on=holder, gap=GRID_PX, wide=STRETCHES
            )
            self._column.addWidget(holder)
            come_after(self, holder)
        self.setVisible(bool(files))
        self.changed.emit()

    def show_count(self, file: Attachment, tokens: int) -> None:
        """Show the number of tokens of a file."""
        for each, label in zip(self.files, self._counts, strict=True):
            if each == file:
                label.setText(tr("%n tok", "%n tok", tokens))

    def _chip(self, number: int, file: Attachment) -> QWidget:
        chip = RoundedFrame(self._theme, Colour.RAISED, Colour.LINE)
        name = named(OneLine(), "attachment", file.name, as_tip(file.text[:EXCERPT]), font=self._theme.font(Size.SMALL))
        name.setText(file.name)
        name.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._counts.append(caption(self._theme, tr("%n characters", "%n character", len(file.text))))
        words = tr("Remove {name} from the prompt").format(name=file.name)
        remove = tool_button(f"remove_attachment_{number}", "✕", as_tip(words), words, kind="tiny")
        remove.clicked.connect(partial(self._remove, number))
        in_row((name, 1), self._counts[-1], remove, on=chip, gap=GRID_PX, margins=(GRID_PX * 2, 2, GRID_PX, 2))
        return chip

    def _remove(self, number: int) -> None:
        self.show_files(self.files[:number] + self.files[number + 1 :])
