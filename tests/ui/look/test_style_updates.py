import pytest
from PySide6.QtCore import Qt
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

from app.ui.look.palette import Color
from app.ui.look.style_updates import FocusRing
from app.ui.look.theme import Size, Theme
from app.ui.widgets.labels import SmallPrint


@pytest.fixture
def scrolled(qtbot: QtBot, theme: Theme) -> QScrollArea:
    """A scroll area at its end, with buttons, whose height depends on the style sheet."""
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


def test_scroll_area_stays_at_its_end(scrolled: QScrollArea, theme: Theme) -> None:
    bar = scrolled.verticalScrollBar()
    before = bar.value()
    theme.prefer(Qt.ColorScheme.Dark)
    assert bar.value() == before
    theme.resize(80)
    assert bar.value() == bar.maximum()


def form(qtbot: QtBot, theme: Theme) -> QWidget:
    """A window with widgets that the style sheet has rules for, and some that have colors of their own."""
    window = QWidget()
    window.setAutoFillBackground(True)
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
    first.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return window


def picture(window: QWidget) -> QImage:
    if (focused := window.focusWidget()) is not None:
        focused.clearFocus()
    return window.grab().toImage()


def test_hidden_visible_and_new_widgets_look_the_same_after_a_change(qtbot: QtBot, theme: Theme) -> None:
    seen, hidden, part = (form(qtbot, theme) for _ in range(3))
    around = QWidget()
    qtbot.addWidget(around)
    hidden.hide()
    part.hide()
    part.setParent(around)
    around.resize(500, 900)
    around.show()
    theme.prefer(Qt.ColorScheme.Dark)
    theme.resize(150)
    theme.want_contrast(True)
    new = form(qtbot, theme)
    for window in (hidden, part):
        window.show()
    for window in (seen, hidden, part, new):
        window.resize(new.sizeHint().expandedTo(seen.sizeHint()))
    looks = [picture(window) for window in (new, seen, hidden, part)]
    assert [look == looks[0] for look in looks] == [True] * 4
    theme.resize(100)
    theme.want_contrast(False)
    theme.prefer(Qt.ColorScheme.Light)
    assert picture(seen) == picture(hidden) == picture(part)


def test_bold_font_of_the_style_sheet_ends_with_its_kind(qtbot: QtBot, theme: Theme) -> None:
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


def test_inherited_font_follows_the_text_size(qtbot: QtBot, theme: Theme) -> None:
    """The line edit of a spin box had its former font."""
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


def test_combo_box_shrinks_with_the_text(qtbot: QtBot, theme: Theme) -> None:
    """Qt caches the minimum size of the first style, whatever the font is."""
    box = QComboBox()
    qtbot.addWidget(box)
    box.show()
    small = box.minimumSizeHint().height()
    theme.resize(200)
    theme.prefer(Qt.ColorScheme.Dark)
    assert box.minimumSizeHint().height() > small
    theme.resize(100)
    assert box.minimumSizeHint().height() == small


def test_frame_smaller_than_its_margins_keeps_them(qtbot: QtBot, theme: Theme) -> None:
    label = QLabel("A legend")
    qtbot.addWidget(label)
    label.setContentsMargins(12, 0, 12, 0)
    label.show()
    label.resize(20, 20)
    theme.prefer(Qt.ColorScheme.Dark)
    assert label.contentsMargins().left() == 12


def shown_with(qtbot: QtBot, control: QWidget, other: QWidget) -> QWidget:
    """Show both in a window; the first one has the focus."""
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


def test_combo_box_border_shows_the_focus(qtbot: QtBot, theme: Theme) -> None:
    box, other = QComboBox(), QLineEdit()
    window = shown_with(qtbot, box, other)
    edge = [box.width() // 2, 0]
    assert box.grab().toImage().pixelColor(*edge).name() == theme.hex(Color.ACCENT)
    other.setFocus()
    assert window.focusWidget() is other
    assert box.grab().toImage().pixelColor(*edge).name() == theme.hex(Color.OUTLINE)


def test_focus_ring_follows_the_focused_tab(qtbot: QtBot, theme: Theme) -> None:
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
