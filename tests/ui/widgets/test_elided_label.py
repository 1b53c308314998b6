"""A line that gives way: no window is wider for it, and what it says stays whole."""

from pytestqt.qtbot import QtBot

from app.ui.widgets.elided_label import OneLine


def test_it_takes_no_room_and_ends_with_dots(qtbot: QtBot) -> None:
    line = OneLine()
    qtbot.addWidget(line)
    line.setText("Far more words than there is room for")
    assert line.minimumSizeHint().width() == 0
    line.resize(line.sizeHint())
    line.show()
    whole = line.grab().toImage()
    line.resize(whole.width() // 2, line.height())
    half = line.grab().toImage()
    assert half != whole.copy(half.rect())
    assert line.text() == "Far more words than there is room for"
