"""With another theme every widget that was shown before is dressed once, where it is."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QTabBar,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.ui.look.palette import Colour
from app.ui.look.style_updates import FocusRing
from app.ui.look.theme import Size, Theme
from app.ui.widgets.labels import SmallPrint


class Counter(QObject):
    """How often a widget is told that it is dressed in another way."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.StyleChange
        return False


@pytest.fixture
def scrolled(qtbot: QtBot, theme: Theme) -> QScrollArea:
    """To its end, which the buttons have to reach: without the sheet they are lower."""
    area, page = QScrollArea(), QWidget()
    qtbot.addWidget(area)
    column = QVBoxLayout(page)
    for number in range(40):
        column.addWidget(QPushButton(str(number)))
    area.setWidget(page)
    area.setWidgetResizable(True)
    area.resize(200, 200)
    area.show()
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    return area


def test_the_end_stays_in_sight(scrolled: QScrollArea, theme: Theme) -> None:
    before = scrolled.verticalScrollBar().value()
    theme.prefer(Qt.ColorScheme.Dark)
    assert scrolled.verticalScrollBar().value() == before


def test_smaller_text_leaves_no_gap(scrolled: QScrollArea, theme: Theme) -> None:
    theme.resize(80)
    bar = scrolled.verticalScrollBar()
    assert bar.value() == bar.maximum()


def form(qtbot: QtBot, theme: Theme) -> QWidget:
    """Some of all that the sheet has rules for, and what takes its colours from elsewhere."""
    window = QWidget()
    window.setAutoFillBackground(True)  # as a window has it anyway
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.setContentsMargins(9, 9, 9, 9)
    first, off, title, edit = QPushButton("Send"), QPushButton("Stop"), QLabel("A title"), QLineEdit()
    first.setProperty("kind", "primary")
    off.setEnabled(False)
    title.setFont(theme.font(Size.LARGE, bold=True))
    edit.setPlaceholderText("Words")
    words = [SmallPrint(theme, kind, kind) for kind in ("text", "muted", "warning", "error")]
    for each in (first, off, title, edit, QSpinBox(), QCheckBox("Keep"), *words):
        column.addWidget(each)
    for each in words:
        each.say(each.objectName())
    window.show()
    # The keyboard is another matter, and is where the window was active last.
    first.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return window


def picture(window: QWidget) -> QImage:
    if (focused := window.focusWidget()) is not None:
        focused.clearFocus()
    return window.grab().toImage()


def change(theme: Theme) -> None:
    theme.prefer(Qt.ColorScheme.Dark)
    theme.resize(150)
    theme.want_contrast(True)


@pytest.fixture
def changed(theme: Theme) -> Iterator[Theme]:
    yield theme
    theme.want_contrast(False)


def test_what_was_hidden_looks_like_what_was_seen_and_what_is_new(qtbot: QtBot, changed: Theme) -> None:
    seen, hidden, part = (form(qtbot, changed) for _ in range(3))
    around = QWidget()
    qtbot.addWidget(around)
    hidden.hide()
    part.hide()
    part.setParent(around)
    around.resize(500, 900)
    around.show()
    change(changed)
    new = form(qtbot, changed)
    for window in (hidden, part):
        window.show()
    for window in (seen, hidden, part, new):
        window.resize(new.sizeHint().expandedTo(seen.sizeHint()))
    looks = [picture(window) for window in (new, seen, hidden, part)]
    assert [look == looks[0] for look in looks] == [True] * 4
    changed.resize(100)
    changed.want_contrast(False)
    changed.prefer(Qt.ColorScheme.Light)
    assert picture(seen) == picture(hidden) == picture(part)


def test_what_the_sheet_makes_bold_is_bold_as_long_as_it_is_of_that_kind(qtbot: QtBot, theme: Theme) -> None:
    """A font that the sheet gave must not become the widget's own."""
    button = QPushButton("Open")
    qtbot.addWidget(button)
    button.setProperty("kind", "primary")
    button.show()
    theme.resize(150)
    assert (button.font().pixelSize(), button.font().weight()) == (theme.scaled(Size.NORMAL), 600)
    theme.prefer(Qt.ColorScheme.Dark)
    assert button.font().weight() == 600
    button.setProperty("kind", "")
    button.style().polish(button)
    assert button.font().weight() == 400


def test_what_a_part_took_over_from_what_is_around_it_stays_so(qtbot: QtBot, theme: Theme) -> None:
    """The editor within a box of numbers had the font of another day."""
    box = QSpinBox()
    qtbot.addWidget(box)
    box.setFont(theme.font(Size.NORMAL))
    box.show()
    box.hide()
    theme.resize(150)
    theme.prefer(Qt.ColorScheme.Dark)
    box.show()
    editor = box.findChild(QLineEdit)
    assert editor is not None
    assert editor.font().pixelSize() == theme.scaled(Size.NORMAL)
    theme.resize(100)
    assert editor.font().pixelSize() == Size.NORMAL


def test_a_box_of_choices_shrinks_with_its_text(qtbot: QtBot, theme: Theme) -> None:
    """Qt keeps the least that it needs, which it has reckoned when it was dressed, whatever becomes of its font."""
    box = QComboBox()
    qtbot.addWidget(box)
    box.show()
    small = box.minimumSizeHint().height()
    theme.resize(200)
    theme.prefer(Qt.ColorScheme.Dark)
    assert box.minimumSizeHint().height() > small
    theme.resize(100)
    assert box.minimumSizeHint().height() == small


def test_a_frame_without_room_keeps_its_margins(qtbot: QtBot, theme: Theme) -> None:
    label = QLabel("A legend")
    qtbot.addWidget(label)
    label.setContentsMargins(12, 0, 12, 0)
    label.show()
    label.resize(20, 20)
    theme.prefer(Qt.ColorScheme.Dark)
    assert label.contentsMargins().left() == 12


def shown_with(qtbot: QtBot, control: QWidget, other: QWidget) -> QWidget:
    """The first of both has the keyboard."""
    window = QWidget()
    column = QVBoxLayout(window)
    column.addWidget(control)
    column.addWidget(other)
    qtbot.addWidget(window)
    control.setFocus()
    window.show()
    window.activateWindow()
    qtbot.waitUntil(control.hasFocus)
    return window


def test_the_edge_of_a_box_shows_the_keyboard(qtbot: QtBot, theme: Theme) -> None:
    box, other = QComboBox(), QLineEdit()
    window = shown_with(qtbot, box, other)
    edge = [box.width() // 2, 0]
    assert box.grab().toImage().pixelColor(*edge).name() == theme.hex(Colour.ACCENT)
    other.setFocus()
    assert window.focusWidget() is other
    assert box.grab().toImage().pixelColor(*edge).name() == theme.hex(Colour.OUTLINE)


def test_the_ring_comes_and_goes_with_the_keyboard(qtbot: QtBot, theme: Theme) -> None:
    control, other = QTabBar(), QLineEdit()
    for name in ("One", "Another one", "Third"):
        control.addTab(name)
    window = shown_with(qtbot, control, other)
    ring = control.findChild(FocusRing)
    assert ring is not None
    assert ring.isVisible()
    assert ring.geometry() == control.tabRect(0) != control.rect(), "around the tab, not around the pane"
    control.setCurrentIndex(1)
    assert ring.geometry() == control.tabRect(1)
    window.resize(600, 300)
    qtbot.waitUntil(lambda: ring.geometry() == control.tabRect(1))
    other.setFocus()
    assert control.findChild(FocusRing) is None
    control.setFocus()
    assert len(control.findChildren(FocusRing)) == 1
