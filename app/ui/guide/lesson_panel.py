"""The panel of lessons beside the conversation: the list of lessons, and one step of a lesson."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QPlainTextEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.i18n import tr
from app.lessons.texts import LessonTexts, card_words, run_words
from app.lessons.types import AnswerKind, Lesson, LessonProgress, LessonStepKind, Option, Step, StepView
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Color, Size, Theme
from app.ui.widgets import (
    Announcer,
    AnswerField,
    ProseField,
    RoundedFrame,
    ScrollColumn,
    SmallPrint,
    in_column,
    in_grid,
    in_row,
    layout_widget,
    named,
    plain_label,
    push_button,
)

if TYPE_CHECKING:
    from app.ui.guide.controller_lessons import LessonPlayer

LONGEST_WORDS = 2_000
WORDS_LINES, TEXT_LINES = 3, 8
LONGEST_TEXT = 20_000
"""Characters of a student's own text."""


def markdown_label(theme: Theme, text: str) -> QLabel:
    """Return a paragraph of a lesson's Markdown, which was checked: it has no HTML, links or pictures."""
    label = plain_label("", font=theme.font(Size.NORMAL), wraps=True, selectable=True)
    label.setTextFormat(Qt.TextFormat.MarkdownText)
    label.setMinimumWidth(1)  # a long line of code must not widen the panel
    label.setText(text)
    return label


class OptionRow(QWidget):
    """A choice whose text wraps; a click on the text chooses it."""

    def __init__(self, theme: Theme, number: int, option: Option) -> None:
        super().__init__()
        self.button = named(QRadioButton(), f"lesson_option_{number}", option.text)
        words = plain_label("", option.text, font=theme.font(Size.NORMAL), wraps=True)
        in_row((self.button, 0, Qt.AlignmentFlag.AlignTop), (words, 1), on=self, gap=GRID_PX)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.button.isEnabled():
            self.button.setChecked(True)


class LessonPanel(QWidget):
    """Shows the list of lessons or a step."""

    def __init__(self, theme: Theme, player: LessonPlayer) -> None:
        super().__init__()
        self._player = player
        named(self, "lesson_panel", tr("Lessons"))
        self._theme = theme
        self._announcer = Announcer(self)
        self._shown: tuple[str, int] = ("", -1)
        self._own_texts: dict[tuple[str, str], str] = {}
        """The texts that the student typed, by lesson and step."""
        tip = tr("Show the list of lessons; your progress is saved")
        self._list = push_button("lesson_list", tr("Lessons"), tip, kind="small", press=player.show_list)
        tip = tr("Close the lessons, and restore your prompt, settings and session")
        close = push_button("lesson_close", "✕", tip, tr("Close lessons"), kind="small", press=player.leave)
        self._title = plain_label("lesson_title", font=theme.font(Size.NORMAL, bold=True), wraps=True)
        self._area = ScrollColumn("lesson_page", tr("Lesson"), tr("The text of this step"))
        self._failure = SmallPrint(theme, "lesson_failure", "error")
        self._count = plain_label("lesson_count", font=theme.font(Size.SMALL), muted=True)
        self._back = push_button("lesson_back", tr("Back"), tr("Previous step"), press=lambda: self._go(-1))
        go_on = lambda: self._go(1)  # noqa: E731
        self._next = push_button("lesson_next", tr("Next"), tr("Next step"), kind="primary", press=go_on)
        foot = in_row(self._back, ..., self._count, ..., self._next, gap=GRID_PX)
        head = in_row(self._list, (self._title, 1), (close, 0, Qt.AlignmentFlag.AlignTop), gap=GAP_PX)
        in_column(head, (self._area, 1), self._failure, foot, on=self, margins=MARGIN_PX)

    def show_failure(self, words: str, kind: str = "error") -> None:
        self._failure.say(words, kind)

    def show_list(self, lessons: Sequence[tuple[Lesson, LessonProgress]]) -> None:
        """Show all lessons with the student's progress."""
        self._shown = ("", -1)
        self._title.setText(tr("Lessons"))
        self._show_foot(None)
        tip = tr("Open a lesson from a folder")
        other = push_button("lesson_folder", tr("Open Folder…"), tip, kind="small", press=self._player.open_folder)
        tip = tr("Save a template for a lesson of your own")
        template = push_button(
            "lesson_template", tr("Save Template…"), tip, kind="small", press=self._player.save_template
        )
        tip = tr("Choose the folder with the answers of a class, and save them as a CSV sheet")
        sheet = push_button("lesson_sheet", tr("Class Sheet…"), tip, kind="small", press=self._player.save_sheet)
        cards = [self._card(lesson, progress) for lesson, progress in lessons]
        teachers = plain_label("", tr("For teachers"), font=self._theme.font(Size.SMALL), muted=True)
        self._fill(*cards, GAP_PX, teachers, in_row(other, template, ..., gap=GRID_PX), in_row(sheet, ...))

    def show_step(self, view: StepView) -> None:
        """Show a step. A step that is shown already keeps its scroll position."""
        step, texts = view.step, LessonTexts(view.lesson, view.progress)
        is_same = self._shown == (view.lesson.name, view.number)
        place = self._area.verticalScrollBar().value() if is_same else 0
        self._shown = (view.lesson.name, view.number)
        self._title.setText(view.lesson.title)
        self._show_foot(view)
        parts: list[QWidget | QVBoxLayout] = [
            plain_label("lesson_step", step.title, font=self._theme.font(Size.PROSE, bold=True), wraps=True)
        ]
        if body := [markdown_label(self._theme, text) for text in texts.body(step)]:
            parts.append(named(layout_widget(in_column(*body)), "lesson_text"))
        if step.kind is LessonStepKind.PREDICT:
            parts.append(self._answer_part(step, view.progress))
        if step.kind is LessonStepKind.COMPARISON:
            parts.append(self._text_part(view))
        if step.measures:
            parts.append(self._run_part(view))
            parts += self._results(view, texts)
        if view.is_last:
            tip = tr("Save your predictions and figures as a file for your teacher")
            words, press = tr("Save Answers…"), self._player.save_answers
            button = push_button("lesson_answers", words, tip, kind="small", press=press)
            parts.append(layout_widget(in_row(button, ...)))
        self._fill(*parts)
        self._area.verticalScrollBar().setValue(place)
        if not is_same:
            self._announcer.say(f"{self._count.text()}. {step.title}. {step.body}")

    def focus_next(self) -> None:
        self._next.setFocus()

    def _card(self, lesson: Lesson, progress: LessonProgress) -> QWidget:
        theme, box = self._theme, RoundedFrame(self._theme, Color.SURFACE, Color.LINE)
        words, state = card_words(lesson, progress)
        spoken = tr("{verb}: {title}").format(verb=words, title=lesson.title)
        press = lambda: self._player.begin_bundled(lesson.name)  # noqa: E731
        button = push_button(f"lesson_begin_{lesson.name}", words, lesson.summary, spoken, kind="small", press=press)
        small = plain_label("", state, font=theme.font(Size.SMALL), muted=True)
        in_column(
            plain_label("", lesson.title, font=theme.font(Size.NORMAL, bold=True), wraps=True),
            plain_label("", lesson.summary, font=theme.font(Size.NORMAL), muted=True, wraps=True),
            in_row((small, 1), button),
            on=box,
            gap=GRID_PX,
            margins=MARGIN_PX,
        )
        return box

    def _answer_part(self, step: Step, progress: LessonProgress) -> QWidget:
        known = progress.prediction(step.id)
        answer = known.answer if known is not None else ""
        if step.answer is AnswerKind.CHOICE:
            return self._choice(step.options, answer)
        if step.answer is AnswerKind.WORDS:
            field = ProseField(self._theme, "lesson_words", WORDS_LINES, tr("Your prediction"))
            field.setPlainText(answer)
            return field
        number = AnswerField("lesson_number", tr("Your prediction"))
        with suppress(ValueError):  # the answer may be of an earlier version of the lesson
            number.setValue(float(answer))
        return number

    def _choice(self, options: Sequence[Option], answer: str) -> QWidget:
        rows = [OptionRow(self._theme, number, each) for number, each in enumerate(options, start=1)]
        holder = layout_widget(in_column(*rows, gap=GAP_PX))
        group = QButtonGroup(holder)
        for row, option in zip(rows, options, strict=True):
            group.addButton(row.button)
            row.button.setChecked(option.key == answer)
            row.button.toggled.connect(lambda is_on, key=option.key: self._player.answer(key) if is_on else None)
        return holder

    def own_text(self, lesson: Lesson, step: Step) -> str:
        """Return the text of a comparison: the student's own, or else the lesson's."""
        return self._own_texts.get((lesson.name, step.id), "").strip()[:LONGEST_TEXT] or step.prompt

    def _text_part(self, view: StepView) -> QWidget:
        name, tip = tr("Text"), tr("The text that is measured. Replace it by one of your own")
        field = ProseField(self._theme, "lesson_own_text", TEXT_LINES, name, tip, font=self._theme.font(Size.NORMAL))
        field.setPlainText(self.own_text(view.lesson, view.step))
        field.setReadOnly(view.is_running)
        field.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # the text wraps
        keep = partial(self._own_texts.__setitem__, (view.lesson.name, view.step.id))
        field.textChanged.connect(lambda: keep(field.toPlainText()))
        return field

    def _run_part(self, view: StepView) -> QWidget:
        verb = run_words(view)
        is_comparison = view.step.kind is LessonStepKind.COMPARISON
        tip = tr("Fills in the prompt and the settings of this step, and sends it")
        if is_comparison:
            tip = tr("Creates a quantized copy of the model, and measures both on this text")
        button = push_button("lesson_run", verb, tip, kind="primary", press=self._player.run)
        button.setEnabled(view.is_ready)
        if view.is_running and is_comparison:
            tip = tr("Stop the comparison, and delete the copy")
            button = push_button("lesson_stop", tr("Stop"), tip, press=self._player.stop)
        why = "" if view.is_ready else tr("Open a model, or wait until the run has ended.")
        if view.is_running:
            why = tr("In progress…")
        words = plain_label("lesson_progress", why, font=self._theme.font(Size.SMALL), muted=True, wraps=True)
        return layout_widget(in_row(button, (words, 1)))

    def show_progress(self, words: str) -> None:
        if (label := self._area.findChild(QLabel, "lesson_progress")) is not None:
            label.setText(words)

    def _results(self, view: StepView, texts: LessonTexts) -> Iterable[QWidget]:
        """Yield the predictions about this step beside the measurements, then the other figures."""
        if not view.is_measured or view.is_running:
            return
        for each, rows in texts.results_about(view.step):
            box = RoundedFrame(self._theme, Color.SURFACE, Color.LINE)
            head = plain_label("", each.title, font=self._theme.font(Size.NORMAL, bold=True), wraps=True)
            in_column(head, self._table(rows), on=box, gap=GRID_PX, margins=MARGIN_PX)
            yield named(box, f"lesson_result_{each.id}", f"{each.title}: {texts.measured(each)}")
        if view.step.show:
            yield named(layout_widget(self._table(map(texts.row, view.step.show))), "lesson_figures", tr("Measured"))

    def _table(self, rows: Iterable[tuple[str, str]]) -> QGridLayout:
        font = self._theme.font(Size.NORMAL)
        labels = partial(plain_label, "", font=font, wraps=True, selectable=True)
        return in_grid(*([labels(name, muted=True), labels(words)] for name, words in rows), wide={0: 1, 1: 1})

    def _show_foot(self, view: StepView | None) -> None:
        self._failure.say("")
        for part in (self._list, self._back, self._next, self._count):
            part.setVisible(view is not None)
        if view is None:
            return
        self._back.setEnabled(view.number > 0)
        self._next.setText(tr("Done") if view.is_last else tr("Next"))
        self._next.setAccessibleName(self._next.text())
        self._count.setText(tr("{number} of {count}").format(number=view.number + 1, count=len(view.lesson.steps)))

    def _go(self, by: int) -> None:
        """Take the typed answer, then go to another step."""
        words = self._area.findChild(QPlainTextEdit, "lesson_words")
        number = self._area.findChild(QDoubleSpinBox, "lesson_number")
        if words is not None and words.toPlainText().strip():
            self._player.answer(words.toPlainText().strip()[:LONGEST_WORDS])
        elif number is not None and number.value():
            self._player.answer(f"{number.value():g}")
        self._player.move(by)

    def _fill(self, *parts: object) -> None:
        if (old := self._area.takeWidget()) is not None:  # a button of it may be emitting its signal
            old.deleteLater()
        inside = QWidget()
        in_column(*parts, ..., on=inside, margins=(0, GAP_PX, GAP_PX, GAP_PX), gap=MARGIN_PX)  # type: ignore[arg-type]
        self._area.setWidget(inside)
