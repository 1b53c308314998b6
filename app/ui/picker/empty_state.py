"""The empty state of a page of the picker: explanation, cost and examples."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QStackedWidget, QWidget

from app.ui.look import GAP_PX, MARGIN_PX, Size, Theme, scaled
from app.ui.widgets import in_column, in_grid, in_row, layout_widget, named, plain_label, push_button, scrolling

WIDTH_PX = 560
Example = tuple[str, str, str]
"""Label of the button, cost or place, and the argument for `act`."""


class EmptyState(QStackedWidget):
    """A placeholder, shown in place of `rest` while the page is empty."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        title: str,
        sentences: Sequence[str],
        examples: Sequence[Example],
        act: Callable[[str], object],
        rest: QWidget,
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        column = named(QWidget(), f"{name}_column")
        scaled(theme, column, QWidget.setMaximumWidth, WIDTH_PX)
        inner = in_column(..., on=column, gap=GAP_PX, margins=MARGIN_PX)
        inner.addWidget(plain_label("", title, font=theme.font(Size.LARGE, bold=True), wraps=True))
        for each in sentences:
            inner.addWidget(plain_label("", each, wraps=True))
        inner.addSpacing(GAP_PX)
        buttons = [
            push_button(f"{name}_{number}", text, cost, press=lambda _=False, value=argument: act(value))
            for number, (text, cost, argument) in enumerate(examples)
        ]
        costs = [plain_label("", cost, muted=True, wraps=True) for _, cost, _ in examples]
        inner.addLayout(in_grid(*([*pair] for pair in zip(buttons, costs, strict=True)), wide={1: 1}))
        inner.addStretch(2)
        steps = layout_widget(in_row(..., (column, WIDTH_PX), ...))
        self.addWidget(scrolling(f"{name}_steps", title, steps, description=" ".join(sentences)))
        self.addWidget(rest)

    def show_rest(self, wanted: bool) -> None:
        self.setCurrentIndex(int(wanted))
