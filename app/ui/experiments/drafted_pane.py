"""The text of a run, and on request whose word each stretch of it is: the model's, a draft taken, a draft in vain."""

from collections.abc import Sequence

from PySide6.QtCore import Slot

from app.experiments.drafted_text import Stretch, Whose, stretches
from app.experiments.types import Result
from app.i18n import tr
from app.ui.look import Colour, Theme
from app.ui.widgets.diff_view import MarkedText

ROLES = {Whose.DRAFT: Colour.DRAFT_ACCEPTED, Whose.REJECTED: Colour.DRAFT_REJECTED}


class DraftedPane(MarkedText):
    """`words` is the text itself, whatever else is shown."""

    def __init__(self, theme: Theme, name: str, spoken: str) -> None:
        super().__init__(theme, name, spoken, spoken)
        self._run: Result | None = None
        self._drafts = False
        self._shown: object = None
        self.words = ""
        theme.changed.connect(self._wear)

    def show_run(self, run: Result | None, drafts: bool) -> None:
        """The text stays where it was scrolled to if it is the same."""
        self._run, self._drafts = run, drafts
        self.words = _words(run) if run is not None else ""
        shown = stretches(run) if run is not None and drafts and has_drafts(run) else self.words
        if shown != self._shown:
            self._shown = shown
            if isinstance(shown, str):
                self.setPlainText(shown)
            else:
                self._write(shown)

    def _write(self, pieces: Sequence[Stretch]) -> None:
        self.write((each.text, ROLES.get(each.whose), each.whose is Whose.REJECTED) for each in pieces)
        drafted, vain = (sum(len(each.text.split()) for each in pieces if each.whose is whose) for whose in ROLES)
        words = tr("{taken} words proposed and taken, {vain} proposed in vain.")
        self.setAccessibleDescription(words.format(taken=f"{drafted:,}", vain=f"{vain:,}"))

    @Slot()
    def _wear(self) -> None:
        self._shown = None
        self.show_run(self._run, self._drafts)


def has_drafts(run: Result) -> bool:
    """Whether a draft model had a hand in it."""
    return bool(run.rejected) or any(token.from_draft for token in run.tokens)


def _words(run: Result) -> str:
    """A run that failed has its sentence in place of a text."""
    failure = run.finish.failure
    parts = (run.reasoning, run.text, failure.sentence if failure else "")
    return "\n\n".join(part for part in parts if part)
