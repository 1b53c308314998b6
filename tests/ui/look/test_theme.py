import re
from collections.abc import Callable
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QPalette, QRawFont
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.ui.look import theme
from app.ui.look.palette import DARK, LIGHT, Color
from app.ui.look.style_sheet import ROLES, sheet
from app.ui.look.theme import MOTIONS, Size, Theme
from tests.ui.look.eyes import contrast


def ink(sign: QWidget) -> int:
    """Return the width of what is drawn in the middle of the widget, without its border."""
    sign.resize(sign.sizeHint())
    image, edge = sign.grab().toImage(), 0 if isinstance(sign, QCheckBox) else 4
    middle = range(sign.height() // 2 - 4, sign.height() // 2 + 5)
    ground = image.pixelColor(edge, edge)
    columns = [x for x in range(edge, image.width() - edge) if any(image.pixelColor(x, y) != ground for y in middle)]
    return columns[-1] - columns[0] + 1


def test_theme_prefer_dark_changes_colors_at_once(qtbot: QtBot, qapp: QApplication, theme: Theme) -> None:
    assert theme.hex(Color.TEXT) == LIGHT[Color.TEXT]
    with qtbot.waitSignal(theme.changed):
        theme.prefer(Qt.ColorScheme.Dark)
    assert theme.dark
    assert theme.color(Color.TEXT).name() == DARK[Color.TEXT]
    assert qapp.palette().color(QPalette.ColorRole.Base).name() == DARK[Color.SURFACE]


@pytest.mark.parametrize("scheme", [Qt.ColorScheme.Light, Qt.ColorScheme.Dark])
@pytest.mark.parametrize("contrast", [False, True])
def test_style_sheet_roles_are_in_the_palette(theme: Theme, scheme: Qt.ColorScheme, contrast: bool) -> None:
    """Qt ignores unknown roles of a style sheet."""
    theme.prefer(scheme)
    theme.want_contrast(contrast)
    for color, role in ROLES.items():
        painted = QFrame()
        painted.setStyleSheet(f"QFrame {{ background: palette({role}); }}")
        assert painted.grab().toImage().pixelColor(1, 1).name() == theme.hex(color), role
    theme.want_contrast(False)


def test_theme_high_contrast_follows_the_system(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Mock(contrastPreference=Mock(return_value=Qt.ContrastPreference.HighContrast))
    theme = Theme(qapp)
    monkeypatch.setattr(theme, "_needs", asked)
    with qtbot.waitSignal(theme.changed):
        theme.prefer(Qt.ColorScheme.Light)
    assert theme.high_contrast


def test_theme_on_a_mac_has_the_system_s_accent_color(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's current accent color; the program's own palette doesn't hide it."""
    monkeypatch.setattr("sys.platform", "darwin")
    theme = Theme(qapp)
    theme.prefer(Qt.ColorScheme.Light)
    systems = qapp.style().standardPalette().color(QPalette.ColorRole.Accent)
    assert theme.color(Color.ACCENT).hslHue() == systems.hslHue() != QColor(LIGHT[Color.ACCENT]).hslHue()
    assert qapp.palette().color(QPalette.ColorRole.Accent) == theme.color(Color.ACCENT)
    monkeypatch.setattr("app.ui.look.theme.system_accent", lambda _application: QColor("#a550a7"))
    with qtbot.waitSignal(theme.changed):
        qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert theme.color(Color.ACCENT).hslHue() == QColor("#a550a7").hslHue()
    with qtbot.assertNotEmitted(theme.changed):
        qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    monkeypatch.undo()
    Theme(qapp)


@pytest.mark.parametrize("make", [QCheckBox, lambda: QComboBox()], ids=["check box", "combo box"])
def test_indicators_grow_with_the_text(qtbot: QtBot, theme: Theme, make: Callable[[], QWidget]) -> None:
    sign = make()
    qtbot.addWidget(sign)
    sign.show()
    first = ink(sign)
    theme.resize(200)
    assert 1.7 * first < ink(sign) < 2.3 * first
    theme.resize(100)
    assert ink(sign) == first


def test_fonts_follow_the_text_size(qtbot: QtBot, theme: Theme) -> None:
    label, other = QLabel("12"), QLabel("34")
    for each in (label, other):
        qtbot.addWidget(each)
        each.show()
    label.setFont(theme.font(Size.LARGE, bold=True))
    with qtbot.waitSignals([theme.resized, theme.changed], order="strict"):
        theme.resize(150)
    assert label.font().pixelSize() == theme.font(Size.LARGE).pixelSize() == 30
    assert label.font().weight() == QFont.Weight.DemiBold
    assert other.font().pixelSize() == theme.font(Size.NORMAL).pixelSize(), "in the program's own font"
    theme.prefer(Qt.ColorScheme.Dark)
    assert label.font().pixelSize() == 30
    theme.resize(100)
    assert label.font().pixelSize() == 20


def test_theme_disables_animations(theme: Theme) -> None:
    assert not any(QApplication.isEffectEnabled(effect) for effect in MOTIONS)


@pytest.mark.parametrize("high", [False, True])
@pytest.mark.parametrize("scheme", [Qt.ColorScheme.Light, Qt.ColorScheme.Dark])
def test_check_box_frame_has_contrast(qtbot: QtBot, theme: Theme, scheme: Qt.ColorScheme, high: bool) -> None:
    ground = QWidget()
    qtbot.addWidget(ground)
    box = QCheckBox(ground)
    box.setCheckState(Qt.CheckState.Checked)
    theme.prefer(scheme)
    theme.want_contrast(high)
    ground.resize(60, 40)
    box.resize(box.sizeHint())
    image = ground.grab().toImage()
    across = [image.pixelColor(x, box.height() // 2).name() for x in range(box.width())]
    raised = theme.hex(Color.RAISED)
    assert across[0] == raised, "left of it is the ground"
    edge = next(each for each in across if each != raised)
    assert contrast(edge, raised) >= 3, f"{edge} on {raised}"


@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_theme_sets_fusion_and_the_style_sheet_on_every_system(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    monkeypatch.setattr("sys.platform", system)
    qapp.setStyleSheet("")
    qapp.setStyle("Windows")
    theme = Theme(qapp)
    assert qapp.styleSheet() == sheet()
    assert qapp.font().pixelSize() == theme.scaled(Size.NORMAL)
    qapp.setStyleSheet("")
    assert qapp.style().name() == "fusion"
    Theme(qapp)


def test_theme_native_has_no_style_sheet(qapp: QApplication) -> None:
    qapp.setStyleSheet("")
    qapp.setStyle("Windows")
    Theme(qapp, native=True)
    assert (qapp.style().name(), qapp.styleSheet()) == ("windows", "")
    Theme(qapp)
    assert qapp.styleSheet() == sheet()


@pytest.mark.parametrize("kind", [QComboBox, QLineEdit, QPlainTextEdit, QSpinBox])
def test_disabled_field_has_a_weaker_border(qtbot: QtBot, theme: Theme, kind: type[QWidget]) -> None:
    field = kind()
    qtbot.addWidget(field)
    edges = []
    for usable in (True, False):
        field.setEnabled(usable)
        edges.append(field.grab().toImage().pixelColor(field.width() // 2, 0).name())
    assert edges == [theme.hex(Color.OUTLINE), theme.hex(Color.LINE)]


def test_sheet_has_no_placeholders_or_hex_colors() -> None:
    assert "palette(highlight)" in sheet()
    assert not re.search(r"\{[a-z_]+\}|#[0-9a-f]{3}", sheet())


STOPGAP, CHOSEN = "DejaVu Sans", "DejaVu Serif"


@pytest.fixture
def installed(qapp: QApplication) -> None:
    if any(QFontInfo(QFont(name)).family() != name for name in (STOPGAP, CHOSEN)):
        pytest.skip("this system has no such typefaces")


def interface(name: str, monkeypatch: pytest.MonkeyPatch) -> QFont:
    """Return the interface's font if the system's has this name."""
    monkeypatch.setattr(QFontDatabase, "systemFont", lambda _kind: QFont(name))
    return theme.interface_font()


@pytest.mark.usefixtures("installed")
def test_interface_font_replaces_a_fallback_font(monkeypatch: pytest.MonkeyPatch) -> None:
    assert interface(STOPGAP, monkeypatch).families() == [theme.INTER, STOPGAP]
    assert interface(CHOSEN, monkeypatch).families() == [CHOSEN]


@pytest.mark.usefixtures("installed")
def test_interface_font_without_inter_is_the_system_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(theme, "INTER", "None of that name")
    assert interface(STOPGAP, monkeypatch).families() == [STOPGAP]


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("weight", [QFont.Weight.Normal, QFont.Weight.DemiBold, QFont.Weight.Bold])
def test_interface_font_has_each_weight(monkeypatch: pytest.MonkeyPatch, weight: QFont.Weight) -> None:
    font = interface(STOPGAP, monkeypatch)
    font.setWeight(weight)
    drawn = QRawFont.fromFont(font)
    assert (drawn.familyName().startswith(theme.INTER), drawn.weight()) == (True, weight), "no synthetic weight"
