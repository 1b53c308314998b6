"""What is known of a model, a line for each thing."""

import re
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.definitions import of_name
from app.ui.look import GRID_PX, MARGIN_PX, Size, Theme
from app.ui.widgets import as_tip, caption, in_grid, plain_label

LONG_WORD = re.compile(r"(/|\S{16})")
MAY_BREAK = "\\1\u200b"


class Facts(QWidget):
    """Names on the left, values on the right; a value may take several lines."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._labels: list[tuple[QLabel, QLabel]] = []
        self._grid = in_grid(on=self, gap=(MARGIN_PX, GRID_PX // 2), wide={1: 1})

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """These, and no others."""
        for number, (name, value) in enumerate(facts):
            if number == len(self._labels):
                self._add(number)
            title, text = self._labels[number]
            title.setText(name)
            text.setText(LONG_WORD.sub(MAY_BREAK, value))
            text.setToolTip(as_tip("\n".join(filter(None, (value, of_name(name))))))
            text.setAccessibleName(f"{name}: {value}")
        for number, pair in enumerate(self._labels):
            for each in pair:
                each.setVisible(number < len(facts))

    def _add(self, number: int) -> None:
        title = caption(self._theme, "", name=f"fact_name_{number}")
        text = plain_label(f"fact_{number}", font=self._theme.font(Size.SMALL), wraps=True)
        text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._grid.addWidget(title, number, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(text, number, 1)
        self._labels.append((title, text))
