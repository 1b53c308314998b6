from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

import icns
import icon

PROJECT = Path(__file__).parents[2]
NEAR = 60


def test_icon_at_16_pixels_shows_water_gate_and_token(qapp: QApplication) -> None:
    image = icon.draw(16, icon.LINUX_BODY)
    colors = [image.pixelColor(x, y) for x in range(16) for y in range(16)]
    for wanted, least in ((icon.WATER[0], 12), (icon.GATE[0], 8), (icon.TOKENS[1], 6)):
        assert sum(_near(QColor(wanted), color) for color in colors) >= least, wanted


def test_icns_file_has_all_sizes_and_no_entry_that_macos_misreads() -> None:
    entries = dict(icns.entries((PROJECT / "packaging" / "icons" / "sluice.icns").read_bytes()))
    assert {kind: QImage.fromData(png).width() for kind, png in entries.items()} == dict(icns.KINDS)
    assert not {b"icp4", b"icp5"} & entries.keys()


def test_damaged_icns_file_is_refused() -> None:
    with pytest.raises(ValueError, match="no icns"):
        list(icns.entries(b"icns\x00\x00\x00\x09"))


def _near(one: QColor, other: QColor) -> bool:
    channels = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return other.alpha() > 200 and all(abs(a - b) < NEAR for a, b in channels)
