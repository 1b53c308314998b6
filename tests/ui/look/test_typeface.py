"""Where the system has a typeface of its own the program wears that; where it has a stopgap, Inter in three weights."""

import pytest
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QRawFont
from PySide6.QtWidgets import QApplication

from app.ui.look import typeface

STOPGAP, CHOSEN = "DejaVu Sans", "DejaVu Serif"


@pytest.fixture(autouse=True)
def installed(qapp: QApplication) -> None:
    if any(QFontInfo(QFont(name)).family() != name for name in (STOPGAP, CHOSEN)):
        pytest.skip("this system has no such typefaces")


def interface(name: str, monkeypatch: pytest.MonkeyPatch) -> QFont:
    """What the interface is written in where the system has this."""
    monkeypatch.setattr(QFontDatabase, "systemFont", lambda _kind: QFont(name))
    return typeface.interface_font()


def test_a_stopgap_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    assert interface(STOPGAP, monkeypatch).families() == [typeface.INTER, STOPGAP], "Korean is the system's"
    assert interface(CHOSEN, monkeypatch).families() == [CHOSEN]


def test_without_its_files_the_system_s_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typeface, "INTER", "None of that name")
    assert interface(STOPGAP, monkeypatch).families() == [STOPGAP]


@pytest.mark.parametrize("weight", [QFont.Weight.Normal, QFont.Weight.DemiBold, QFont.Weight.Bold])
def test_each_weight_is_drawn(monkeypatch: pytest.MonkeyPatch, weight: QFont.Weight) -> None:
    font = interface(STOPGAP, monkeypatch)
    font.setWeight(weight)
    drawn = QRawFont.fromFont(font)
    assert (drawn.familyName().startswith(typeface.INTER), drawn.weight()) == (True, weight), "not made by smearing"
