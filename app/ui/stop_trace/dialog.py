"""The window in which a reply is gone through token by token."""

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QDialog, QSizePolicy, QWidget

from app.definitions import meaning, meanings
from app.experiments.stop_trace import Reading
from app.i18n import tr
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Measured, Size, Theme
from app.ui.stop_trace.output_so_far import SoFar
from app.ui.stop_trace.steps_model import COLUMNS, StepsModel
from app.ui.stop_trace.words import RUN, TEXT, told
from app.ui.widgets import SegmentedChoice, SmallPrint, Table, begin_window, caption, plain_label, push_button
from app.ui.widgets.escapes import read_lines, written_lines
from app.ui.widgets.plain_text import to_the_letter
from app.ui.widgets.prose_field import ProseField
from app.ui.widgets.rows import held, in_column, in_row

SOURCES = {RUN: tr("Last run"), TEXT: tr("A text")}
TIPS = {RUN: tr("The tokens of the last answer"), TEXT: tr("A text of your own, cut by the model's tokenizer")}
FIRST_PX = (880, 640)
SMALLEST_PX = (560, 440)
FIELD_LINES = 2
PADDING_PX = 3 * GRID_PX


class StopStepsDialog(QDialog):
    """Takes steps and shows one of them; tells which reply, which text and which stop strings are wanted."""

    source_chosen = Signal(str)
    text_edited = Signal(str)
    strings_edited = Signal(object)
    """tuple[str, ...]"""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title, spoken = tr("Stop Strings and Characters, Step by Step"), tr("Stop strings and characters, step by step")
        begin_window(theme, self, "stop_steps", title, FIRST_PX, SMALLEST_PX, spoken)
        self._theme = theme
        self._source = SegmentedChoice("steps_source", tr("What is gone through"), SOURCES, TIPS)
        tip, font = tr("A text to be cut into tokens"), theme.font(Size.NORMAL, mono=True)
        self._text = ProseField(theme, "steps_text", FIELD_LINES, tr("Text"), tip, font=font)
        tip = tr("One to a line; \\n stands for a newline. Changing them changes no run")
        self._strings = ProseField(theme, "steps_strings", FIELD_LINES, tr("Stop strings"), tip, font=font)
        self._typed = _under(theme, tr("Text"), self._text)
        self._so_far = SoFar(theme)
        self._step = SmallPrint(theme, "steps_words", "text")
        self._step.setToolTip(meanings("number", "id"))
        self._step.setFont(theme.font(Size.NORMAL))
        self._model = StepsModel(theme)
        self._table = Table(theme, self._model, "steps_table", tr("Steps"), tr("Arrow keys go from step to step"))
        self._table.horizontalHeader().setStretchLastSection(True)
        Measured(theme, self._table, partial(_give_room, theme))
        self._where = plain_label("steps_where", tip=meaning("number"))
        self._previous = push_button("steps_previous", tr("‹ &Previous"), tr("The step before"))
        self._next = push_button("steps_next", tr("&Next ›"), tr("The next step"))
        tip = tr("The next step at which something is held back")
        self._next_held = push_button("steps_next_held", tr("Next &held back"), tip)
        self._close = push_button("steps_close", tr("Close"), tr("Close (Esc)"), press=self.close)
        self._lay_out()
        self._listen()
        self.show_source(RUN)
        self.show_steps((), "")

    def allow_run(self, allowed: bool) -> None:
        """Whether there is a run to go through."""
        self._source.allow(RUN, allowed)

    def show_source(self, source: str) -> None:
        """Which reply it is; a text has a field of its own."""
        self._source.show_choice(source)
        self._typed.setVisible(source == TEXT)

    def show_strings(self, strings: tuple[str, ...]) -> None:
        """Put these stop strings into the field, telling nobody."""
        self._strings.show_text(written_lines(strings))

    def show_steps(self, steps: tuple[Reading, ...], words: str) -> None:
        """These steps, beginning where something waits; `words` stand where there is none."""
        at = self._table.currentIndex().row()
        same = [step.id for step in steps] == [step.id for step in self._model.rows]
        self._model.show_rows(steps)
        self._step.say(words)
        first = next((place for place, step in enumerate(steps) if step.held or step.waiting), 0)
        self._go(at if same and at >= 0 else first)

    def text(self) -> str:
        return self._text.toPlainText()

    def strings(self) -> tuple[str, ...]:
        return read_lines(self._strings.toPlainText())

    def _lay_out(self) -> None:
        self._where.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        strings = _under(self._theme, tr("Stop strings, one to a line"), self._strings)
        in_column(
            (self._source, 0, Qt.AlignmentFlag.AlignLeft),
            in_row((self._typed, 1), (strings, 1), gap=MARGIN_PX),
            self._so_far,
            self._step,
            (self._table, 1),
            in_row(self._previous, self._next, self._next_held, self._where, self._close),
            on=self,
            margins=MARGIN_PX,
        )

    def _listen(self) -> None:
        self._source.chosen.connect(self._choose)
        self._text.textChanged.connect(lambda: self.text_edited.emit(to_the_letter(self.text())))
        self._strings.textChanged.connect(lambda: self.strings_edited.emit(self.strings()))
        self._table.selectionModel().currentRowChanged.connect(self._show_step)
        self._previous.clicked.connect(lambda: self._go(self._at() - 1))
        self._next.clicked.connect(lambda: self._go(self._at() + 1))
        self._next_held.clicked.connect(lambda: self._go(self._after(self._at())))

    def _at(self) -> int:
        return self._table.currentIndex().row()

    def _after(self, at: int) -> int:
        """The next step at which something is held back; this one where there is none."""
        steps = self._model.rows
        return next((place for place in range(at + 1, len(steps)) if steps[place].held or steps[place].stop), at)

    def _go(self, at: int) -> None:
        if 0 <= at < len(self._model.rows):
            self._table.selectRow(at)
            self._table.scrollTo(self._model.index(at, 0))
        self._show_step()

    @Slot()
    def _show_step(self) -> None:
        steps, at = self._model.rows, self._at()
        there = 0 <= at < len(steps)
        self._so_far.show_steps(steps[: at + 1] if there else ())
        if there:
            self._step.say(told(steps[at]))
        where = tr("Step {step} of {all}").format(step=f"{at + 1:,}", all=f"{len(steps):,}")
        self._where.setText(where if there else "")
        self._where.setAccessibleName(self._where.text())
        self._previous.setEnabled(there and at > 0)
        self._next.setEnabled(there and at < len(steps) - 1)
        self._next_held.setEnabled(there and self._after(at) != at)

    @Slot(str)
    def _choose(self, source: str) -> None:
        self.show_source(source)
        self.source_chosen.emit(source)


def _under(theme: Theme, text: str, field: QWidget) -> QWidget:
    """A field under its name."""
    return held(in_column(caption(theme, text, field), field, gap=GRID_PX))


def _give_room(theme: Theme, table: Table[StepsModel]) -> None:
    """As wide as the samples are in the letters of the cells, and as the titles are in theirs."""
    titles, cells = table.fontMetrics(), QFontMetrics(theme.font(Size.NORMAL, mono=True))
    table.verticalHeader().setDefaultSectionSize(titles.height() + GAP_PX)
    widths = {}
    for column in COLUMNS:
        wide = max(cells.horizontalAdvance(column.sample), titles.horizontalAdvance(column.title))
        widths[column.name] = wide + PADDING_PX
    table.set_widths(widths)
