"""The legend below the exact prompt: its colors, the pointed token, or the surprisal scale."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QStackedWidget, QWidget

from app.engine.types import ExactPrompt, Part, TokenWeights
from app.i18n import tr
from app.ui.look import MARGIN_PX, UNLIMITED_PX, Colour, Size, Theme, scaled
from app.ui.tokens.chip import LOOKS, NAMES, Look, mixed
from app.ui.tokens.colours import DEFINITIONS, Colouring, Scale
from app.ui.tokens.prompt_words import summarize_surprisal
from app.ui.tokens.scale import SWATCH_PX, TokenScale
from app.ui.widgets import in_row, named, plain_label

CACHED = tr("cached")


class PromptLegend(QStackedWidget):
    """The legend, which wraps only between its entries."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._prompt: ExactPrompt | None = None
        self._reused = False
        self._shows_scale = False
        self._words = named(QLabel(self), "exact_prompt_legend", font=theme.font(Size.SMALL))
        self._words.setContentsMargins(MARGIN_PX, 0, MARGIN_PX, 0)
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._key = SurprisalScale(theme, self)
        self.addWidget(self._words)
        self.addWidget(self._key)
        theme.changed.connect(self._show_legend)

    def show_prompt(self, prompt: ExactPrompt | None, reused: bool, scores: TokenWeights | None) -> None:
        """Show the colors of the prompt's parts, or the surprisal scale."""
        self._prompt, self._reused, self._shows_scale = prompt, reused, scores is not None
        if scores is not None:
            self._key.show_token_scores(scores)
        self._show_legend()

    def show_pointed(self, words: str) -> None:
        """Show the description of the pointed token, or the legend."""
        if not words:
            self._show_legend()
            return
        # The height stays, so that the token stays below the pointer.
        self.setFixedHeight(self.height())
        self.setCurrentWidget(self._words)
        self._words.setWordWrap(self.height() >= 2 * self._words.fontMetrics().lineSpacing())
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setText(words)

    def _show_legend(self) -> None:
        self.setMinimumHeight(0)
        self.setMaximumHeight(UNLIMITED_PX)
        self.setCurrentWidget(self._key if self._shows_scale else self._words)
        self._words.setWordWrap(True)
        self._words.setTextFormat(Qt.TextFormat.RichText)
        parts = {span.part for span in self._prompt.spans} if self._prompt is not None else set()
        entries = [self._entry(LOOKS[part], NAMES[part]) for part in Part if part in parts]
        if self._prompt is not None and self._reused:
            mark = f'<u style="color:{self._theme.hex(Colour.REUSED)}">&nbsp;&nbsp;&nbsp;</u>'
            entries.append(f'{mark}<span style="white-space:nowrap"> {CACHED}</span>')
        self._words.setText("&nbsp;&nbsp;&nbsp; ".join(entries) or "&nbsp;")

    def _entry(self, look: Look, name: str) -> str:
        ground = mixed(self._theme.colour(look.ground), self._theme.colour(Colour.RAISED), look.opacity).name()
        style = f"color:{self._theme.hex(look.text)}; background-color:{ground}; white-space:nowrap"
        return f'<span style="{style}">&nbsp;{name}&nbsp;</span>'


class SurprisalScale(QWidget):
    """The color scale of surprisal, with the mean and total of the prompt."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        scale = TokenScale(theme)
        scale.setObjectName("exact_prompt_scale")
        scaled(theme, scale, QWidget.setFixedHeight, SWATCH_PX)
        scale.show_scale(Scale(Colouring.SURPRISE))
        self.setToolTip(DEFINITIONS[Colouring.SURPRISE])
        self._summary = plain_label("exact_prompt_surprise_summary", font=theme.font(Size.SMALL), muted=True)
        in_row((scale, 1), self._summary, on=self, margins=(MARGIN_PX, 0, MARGIN_PX, 0))

    def show_token_scores(self, scores: TokenWeights) -> None:
        words = summarize_surprisal(scores)
        self._summary.setText(words)
        self._summary.setAccessibleName(tr("Surprisal of the prompt: {words}").format(words=words))
