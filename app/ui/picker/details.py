"""The details in the picker: facts about the chosen model, why it can't be opened, and whether it fits in memory."""

import re
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.definitions import of_name
from app.i18n import tr
from app.library.types import Fit, HubDetails, HubModel, LocalModel, ModelLocation
from app.number_format import parameters, size
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Size, Theme, scaled
from app.ui.picker.columns import day, rough
from app.ui.picker.fit_box import FitBox
from app.ui.widgets import ScrollColumn, SmallPrint, as_tip, caption, in_column, in_grid, plain_label

WIDTH_PX = 284
LONG_WORD = re.compile(r"(/|\S{16})")
MAY_BREAK = "\\1\u200b"


class FactGrid(QWidget):
    """A grid of names and values, which may have several lines."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._labels: list[tuple[QLabel, QLabel]] = []
        self._grid = in_grid(on=self, gap=(MARGIN_PX, GRID_PX // 2), wide={1: 1})

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
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


PLACES = {
    ModelLocation.BUNDLED: tr("bundled with Sluice"),
    ModelLocation.CACHE: tr("Hugging Face cache"),
    ModelLocation.FOLDER: tr("your folder"),
}

Facts = tuple[tuple[str, str], ...]


def local_facts(model: LocalModel) -> Facts:
    """Return the known facts about a model on this machine."""
    known = (
        (tr("Parameters"), parameters(model.parameters) if model.parameters else ""),
        (tr("Precision"), precision(model)),
        (tr("Architecture"), model.model_type),
        (tr("Context"), tr("%n tokens", "%n token", model.context) if model.context else ""),
        (tr("Vocabulary"), tr("%n tokens", "%n token", model.vocabulary) if model.vocabulary else ""),
        (tr("Chat template"), tr("yes") if model.chat else tr("none: use Raw mode")),
        (tr("On disk"), size(model.size)),
        (tr("Last used"), day(model.last_used) if model.last_used else tr("not in Sluice yet")),
        (tr("From"), PLACES[model.source]),
        (tr("Folder"), str(model.folder)),
    )
    return tuple((name, value) for name, value in known if value)


def hub_facts(model: HubModel, details: HubDetails | None) -> Facts:
    """Return the facts from the search and, once loaded, from the model's files."""
    closer = (
        (tr("Architecture"), details.model_type if details else model.model_type),
        (tr("Context"), tr("%n tokens", "%n token", details.context) if details and details.context else ""),
        (tr("Download size"), _to_download(details) if details else ""),
    )
    known = (
        (tr("Author"), model.author),
        (tr("Parameters"), parameters(model.parameters) if model.parameters else ""),
        (tr("Precision"), precision(model)),
        *closer,
        (tr("License"), model.licence or tr("not specified")),
        (tr("Gated"), tr("yes: requires a login and the owner's consent") if model.gated else tr("no")),
        (tr("MLX format"), tr("yes") if model.mlx else tr("no; mlx-lm may still be able to load it")),
        (tr("Likes"), rough(model.likes)),
        (tr("Changed"), day(model.changed)),
    )
    return tuple((name, value) for name, value in known if value)


def precision(model: LocalModel | HubModel) -> str:
    """Format the weights' type: 4-bit (group 64), float16; empty if unknown."""
    if not model.bits:
        return model.dtype
    if model.group_size is None:
        return tr("{bits}-bit").format(bits=model.bits)
    return tr("{bits}-bit (group {size})").format(bits=model.bits, size=model.group_size)


def _to_download(details: HubDetails) -> str:
    return tr("{size} in %n files", "{size} in %n file", len(details.files)).format(size=size(details.size))


class Details(ScrollColumn):
    """Shows a model of any page; each page adds its own widgets."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, tr("Details"), tr("Details of the selected model"), parent)
        scaled(theme, self, QWidget.setMaximumWidth, WIDTH_PX)
        self._name = plain_label(f"{name}_name", font=theme.font(Size.PROSE, bold=True), wraps=True, selectable=True)
        self._reason = SmallPrint(theme, f"{name}_reason", "warning")
        for each in (self._name, self._reason):  # a word that is too long doesn't widen the other lines
            each.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._facts = FactGrid(theme)
        self.fit = FitBox(theme)
        inside = QWidget()
        # Set while it is empty: otherwise Qt would polish each widget in it again.
        self.setWidget(inside)
        parts = (self._name, self._reason, self._facts, self.fit)
        self._column = in_column(*parts, ..., on=inside, gap=MARGIN_PX, margins=(MARGIN_PX, 0, MARGIN_PX, GAP_PX))
        self.clear()

    def show_model(self, name: str, facts: Sequence[tuple[str, str]], reason: str = "") -> None:
        """Show a model; `reason` says why it can't be opened."""
        self._name.setText(name)
        self._name.setToolTip(as_tip(name))
        self._name.setAccessibleName(name)
        self._facts.show_facts(facts)
        self._reason.say(reason)
        self._reason.setToolTip(as_tip(reason))

    def show_fit(self, fit: Fit | None) -> None:
        """Show the memory estimate; None: there is none."""
        self.fit.setVisible(fit is not None)
        if fit is not None:
            self.fit.show_fit(fit)

    def add(self, widget: QWidget, below_name: bool = False) -> None:
        """Add a widget of the page, at the end or above the facts."""
        self._column.insertWidget(2 if below_name else self._column.count() - 1, widget)

    def clear(self) -> None:
        self.show_model("", ())
        self.show_fit(None)
