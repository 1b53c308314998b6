"""What a picture must not show: words that are cut off or meet, that are too faint, parts that stick out, odd gaps."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QBoxLayout,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from app.ui.speed_graph.plot import SpeedPlot
from tests.languages.clipping import clipped
from tests.ui.look.eyes import contrast

SLACK_PX = 1
SEEN_CONTRAST = 4.2
"""Of the strongest pixel of thin letters, whose edges are smoothed: their ink is nowhere quite its own color."""
GAPS = frozenset({0, 2, 4, 8, 12, 16, 24})
FEW_PX = 4

Words = tuple[str, QWidget, QRect]
"""A text, whose it is, and where it is seen in the window."""


def faults(window: QWidget, text_percent: int = 100) -> list[str]:
    """All of them in what the window shows now."""
    words = list(texts(window))
    found = [*clipped(window), *meeting(words), *sticking_out(window), *faint(window.grab().toImage(), words)]
    return found + list(odd_gaps(window)) if text_percent == 100 else found


def texts(window: QWidget) -> Iterator[Words]:
    for each in window.findChildren(QWidget):
        if not each.isVisible() or each.window() is not window.window():
            continue
        seen = each.visibleRegion().boundingRect()
        offset = each.mapTo(window, QPoint(0, 0))
        for text, rect in _texts_of(each):
            shown = rect.intersected(seen)
            if text.strip() and shown.width() > FEW_PX and shown.height() > FEW_PX:
                yield text, each, shown.translated(offset)


def _texts_of(each: QWidget) -> Iterator[tuple[str, QRect]]:
    match each:
        case QLabel() if each.wordWrap() or each.textFormat() is Qt.TextFormat.RichText:
            yield each.text(), each.contentsRect()
        case QLabel():
            size = each.fontMetrics().size(Qt.TextFlag.TextSingleLine, each.text())
            place = each.style().alignedRect(each.layoutDirection(), each.alignment(), size, each.contentsRect())
            yield each.text(), place.intersected(each.contentsRect())
        case QAbstractButton() if each.text():
            size = each.fontMetrics().size(Qt.TextFlag.TextSingleLine, each.text())
            middle = QRect(QPoint(0, 0), size)
            middle.moveCenter(each.rect().center())
            yield each.text(), middle.intersected(each.rect())
        case QComboBox():
            yield each.currentText(), each.rect()
        case QAbstractSpinBox() | QLineEdit() if not isinstance(each.parentWidget(), (QComboBox, QAbstractSpinBox)):
            yield each.text() or "placeholder", each.rect()
        case QTextEdit() | QPlainTextEdit():
            yield from _lines(each)
        case SpeedPlot():
            yield from ((label.text, label.rect.toAlignedRect()) for label in each.labels)


def _lines(field: QTextEdit | QPlainTextEdit) -> Iterator[tuple[str, QRect]]:
    """The lines that are in sight, where they stand in the field."""
    within, frame = field.viewport().rect(), field.viewport().pos()
    block = field.document().begin()
    while block.isValid():
        if isinstance(field, QPlainTextEdit):
            place = field.blockBoundingGeometry(block).translated(field.contentOffset()).topLeft()
        else:
            bars = field.horizontalScrollBar().value(), field.verticalScrollBar().value()
            place = field.document().documentLayout().blockBoundingRect(block).topLeft() - QPoint(*bars).toPointF()
        for at in range(block.layout().lineCount() if block.isVisible() else 0):
            line = block.layout().lineAt(at)
            rect = line.naturalTextRect().translated(place).toAlignedRect().intersected(within)
            yield block.text()[line.textStart() :][: line.textLength()], rect.translated(frame)
        block = block.next()


def meeting(words: list[Words]) -> Iterator[str]:
    """Two texts in one place. A line of a text lies over the next one by as much as its letters need."""
    for (text, one, here), (other_text, other, there) in combinations(words, 2):
        both = here.intersected(there)
        if one is not other and both.width() > SLACK_PX and both.height() > SLACK_PX and not _within(one, other):
            yield f"{text[:40]!r} of {_named(one)} meets {other_text[:40]!r} of {_named(other)}"


def _within(one: QWidget, other: QWidget) -> bool:
    return one.isAncestorOf(other) or other.isAncestorOf(one)


def faint(image: QImage, words: list[Words]) -> Iterator[str]:
    """By what is seen: the strongest color of a text's place against its commonest. What is off may be faint.

    Of less than half a line, at the edge of what scrolls, there may be no stroke to see.
    """
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = memoryview(image.constBits()).cast("I")
    for text, each, rect in words:
        place = rect.intersected(image.rect())
        if (
            not any(map(str.isalnum, text))
            or not each.isEnabled()
            or isinstance(each, (QComboBox, QLineEdit, QAbstractSpinBox))
            or place.height() < each.fontMetrics().height() / 2
        ):
            continue
        colors: Counter[int] = Counter()
        for y in range(place.top(), place.bottom() + 1):
            colors.update(pixels[y * image.width() + place.left() : y * image.width() + place.right()])
        if len(colors) < 2:
            continue
        ground, *others = (f"#{color & 0xFFFFFF:06x}" for color, _ in colors.most_common())
        if (strongest := max(contrast(ground, color) for color in others)) < SEEN_CONTRAST:
            yield f"{text[:40]!r} of {_named(each)} is faint: {strongest:.1f} on {ground}"


def sticking_out(window: QWidget) -> Iterator[str]:
    for each in window.findChildren(QWidget):
        parent = each.parentWidget()
        if not each.isVisible() or each.isWindow() or parent is None or _scrolls(parent) or _of_qt(each):
            continue
        within = parent.rect().adjusted(-SLACK_PX, -SLACK_PX, SLACK_PX, SLACK_PX)
        if not within.contains(each.geometry()) and not each.geometry().isEmpty():
            yield f"{_named(each)} sticks out of {_named(parent)}: {each.geometry()} of {parent.rect()}"


def odd_gaps(window: QWidget) -> Iterator[str]:
    for layout in window.findChildren(QLayout):
        owner = layout.parentWidget()
        placed = isinstance(layout, (QBoxLayout, QGridLayout, QFormLayout))
        if not placed or owner is None or not owner.isVisible() or _of_qt(owner):
            continue
        margins = layout.contentsMargins()
        gaps = {margins.left(), margins.top(), margins.right(), margins.bottom(), *_spacings(layout)}
        if odd := sorted(gaps - GAPS):
            yield f"{type(layout).__name__} of {_named(owner)} has gaps of {odd}"


def _spacings(layout: QLayout) -> set[int]:
    match layout:
        case QGridLayout() | QFormLayout():
            return {layout.horizontalSpacing(), layout.verticalSpacing()}
        case QBoxLayout():
            return {layout.spacing()}
    return set()


def _scrolls(parent: QWidget) -> bool:
    above = parent.parentWidget()
    return isinstance(above, QAbstractScrollArea) and above.viewport() is parent


def _of_qt(each: QWidget) -> bool:
    """What Qt makes by itself within another widget, and places."""
    return each.objectName().startswith("qt_") or isinstance(each.parentWidget(), (QComboBox, QAbstractSpinBox))


def _named(each: QWidget) -> str:
    name, above = each.objectName(), each.parentWidget()
    while not name and above is not None:
        name, above = above.objectName() and f"in {above.objectName()}", above.parentWidget()
    return f"{type(each).__name__} {name}"
