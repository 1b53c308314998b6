"""Suggested models to download: in the picker, and on the window's empty page, which also shows their progress."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.library.suggested_models import DOWNLOAD_BITS_PER_S, IDS, SuggestedModel
from app.number_format import size, two_digits
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, MUTED_ROLE, Size, Theme
from app.ui.picker.downloads import DownloadsList
from app.ui.widgets import OneLine, as_tip, caption, heading, in_column, in_grid, in_row, named, push_button

MOST = 3
MINUTE_S = 60
TITLE = tr("Download a model")
TIP = tr("Download this model from Hugging Face, and open it when it is complete")
CONDITIONS = tr("These fit into {limit} of memory. Times at {rate} Mbit/s.")


class ModelSuggestions(QWidget):
    """Up to three models with purpose, size, time and license. `download_wanted` carries a model's id."""

    download_wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "model_suggestions", TITLE)
        self._conditions = _small_line(theme, "suggestion_conditions")
        self._rows = [_SuggestionRow(theme, number) for number in range(MOST)]
        for row in self._rows:
            row.button.clicked.connect(lambda _=False, row=row: self.download_wanted.emit(row.model_id))
        rows = in_grid(*(row.cells for row in self._rows), gap=(MARGIN_PX, GRID_PX), wide={1: 1})
        in_column(
            in_row(heading(theme, TITLE), (self._conditions, 1)), rows, on=self, gap=GRID_PX, margins=(0, GAP_PX, 0, 0)
        )

    def show_models(self, models: Sequence[SuggestedModel], limit: int) -> None:
        """Show the models; they were chosen for `limit` bytes of memory."""
        rate = DOWNLOAD_BITS_PER_S // 1_000_000
        self._conditions.setText(CONDITIONS.format(limit=size(limit), rate=rate))
        for number, row in enumerate(self._rows):
            row.show_model(models[number] if number < len(models) else None)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Hide the licenses where they would be cut off; the descriptions of the buttons have them."""
        columns = zip(*(row.facts for row in self._rows), strict=True)
        needed = sum(max(each.sizeHint().width() for each in column) + MARGIN_PX for column in columns)
        for row in self._rows:
            row.license.setVisible(bool(row.model_id) and needed <= self.width())

    def show_pending(self, pending: Collection[str]) -> None:
        """Disable the buttons of the models that are being downloaded."""
        for row in self._rows:
            row.show_pending(row.model_id in pending)


class _SuggestionRow:
    """The widgets of one model, in the columns of the grid."""

    def __init__(self, theme: Theme, number: int) -> None:
        self.model_id = ""
        self._name = heading(theme, "")
        self._purpose = named(OneLine(), f"suggestion_purpose_{number + 1}")
        self._size, self._time = caption(theme, ""), caption(theme, "")
        self.license = _small_line(theme, f"suggestion_license_{number + 1}")
        self.button = push_button(f"suggestion_{number + 1}", tr("Download"), TIP, kind="small")
        for each in (self._size, self._time):
            each.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.cells = (self._name, self._purpose, self._size, self._time, self.license, self.button)
        self.facts = (self._name, self._size, self._time, self.license, self.button)
        """The cells whose texts must not be cut off."""

    def show_model(self, model: SuggestedModel | None) -> None:
        for each in self.cells:
            each.setVisible(model is not None)
        self.model_id = model.id if model is not None else ""
        if model is None:
            return
        self._name.setText(model.name)
        self._name.setToolTip(as_tip(model.id))
        self._purpose.setText(model.purpose)
        self._purpose.setToolTip(as_tip(model.purpose))
        self._size.setText(tr("about {size}").format(size=size(model.size, two_digits)))
        self._time.setText(tr("{0} min").format(max(1, round(model.download_s / MINUTE_S))))
        self.license.setText(model.license)
        self.license.setToolTip(as_tip(model.license))
        self.button.setAccessibleName(tr("Download {model}").format(model=model.name))
        facts = (model.purpose, self._size.text(), self._time.text(), model.license)
        self.button.setAccessibleDescription(", ".join(facts))
        self.show_pending(False)

    def show_pending(self, is_pending: bool) -> None:
        self.button.setEnabled(not is_pending)
        self.button.setToolTip(as_tip(tr("It is already being downloaded.") if is_pending else TIP))


def _small_line(theme: Theme, name: str) -> OneLine:
    line = named(OneLine(), name, font=theme.font(Size.SMALL))
    line.setForegroundRole(MUTED_ROLE)
    return line


class FirstModels(QWidget):
    """The suggestions on the empty page, replaced by the progress while one of them is downloaded."""

    rearranged = Signal()
    """It was shown, hidden, or has another height."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("first_models")
        self.suggestions = ModelSuggestions(theme)
        self.downloads = DownloadsList(theme, "first_downloads", IDS)
        in_column(self.suggestions, self.downloads, on=self)
        self.hide()

    def show_progress(self) -> None:
        """Show the suggestions if none of them is in the list of downloads."""
        if self.suggestions.isHidden() is self.downloads.isHidden():
            self.suggestions.setVisible(self.downloads.isHidden())
            self.rearranged.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.rearranged.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.rearranged.emit()
