"""Blind A/B: the user chooses the better of two answers whose variants are hidden."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.bridge.tasks import Tasks
from app.evaluation.blind import LEAST_VOTES, NARROW, Blind, is_conclusive, next_blind
from app.evaluation.paired_tests import preferences
from app.evaluation.templates import filled
from app.evaluation.types import EvaluationOutcome, Preference, Vote
from app.evaluation.verdict import of_votes
from app.i18n import tr
from app.ui.evaluation.rows import seen
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.look.sizes import show_lines
from app.ui.widgets import PlainText, SmallPrint, ThinBar, held, in_column, in_row, named, plain_label, push_button

KEYS = {
    Qt.Key.Key_Left: Preference.LEFT,
    Qt.Key.Key_Equal: Preference.SAME,
    Qt.Key.Key_Down: Preference.SAME,
    Qt.Key.Key_Right: Preference.RIGHT,
}
BUTTONS = {
    Preference.LEFT: (tr("← Left is better"), tr("Key: ←")),
    Preference.SAME: (tr("= Equal"), tr("Key: = or ↓")),
    Preference.RIGHT: (tr("Right is better →"), tr("Key: →")),
}
SWAPPED = {
    Preference.LEFT: Preference.RIGHT,
    Preference.SAME: Preference.SAME,
    Preference.RIGHT: Preference.LEFT,
}
PANES = (tr("Answer on the left, variant hidden"), tr("Answer on the right, variant hidden"))
PROMPT_LINES = 4
NAMES_HIDDEN = tr("The variants are revealed at the end.")
NONE_YET = tr("Two answers to a row appear here as soon as there are any.")
ENOUGH = tr("The confidence interval is narrow enough. Reveal shows the variants.")
NONE_LEFT = tr("All pairs of answers are judged. Reveal shows the variants.")
PERCENT = 100
NEXT = "next blind"

Pair = tuple[Blind, str, str]
"""The next pair, and its answers on the left and on the right."""


class BlindPage(QWidget):
    """The page. `keep` receives each `Vote`; `on_reveal` is called after the variants are shown."""

    def __init__(
        self, theme: Theme, tasks: Tasks, keep: Callable[[Vote], None], on_reveal: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__()
        self._tasks, self._keep, self._on_reveal = tasks, keep, on_reveal
        self._outcome: EvaluationOutcome | None = None
        self._now: Blind | None = None
        self.is_revealed = False
        """The variants are shown, so there are no more blind votes."""
        named(self, "sets_blind", tr("Blind A/B"), told=tr("The arrow keys choose the better answer; = means equal"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._none = plain_label("sets_blind_none", wraps=True)
        self._prompt = _pane(theme, "sets_blind_asked", tr("Prompt of both answers"), tr("Prompt of both answers"))
        show_lines(theme, self._prompt, PROMPT_LINES)
        self._texts = [_pane(theme, f"sets_blind_text_{at}", PANES[at], NAMES_HIDDEN) for at in range(2)]
        self._buttons = {
            key: push_button(f"sets_blind_{key.value}", words, tip, press=lambda _=False, key=key: self._vote(key))
            for key, (words, tip) in BUTTONS.items()
        }
        self._words = SmallPrint(theme, "sets_blind_progress", "text")
        self._bar = ThinBar(theme, "sets_blind_bar")
        tip = tr("Show the variants and which was preferred")
        self._reveal = push_button("sets_blind_reveal", tr("Reveal"), tip, press=self._show_names)
        self._result = plain_label("sets_blind_result", font=theme.font(Size.PROSE, bold=True), wraps=True)
        sides = in_row(*((text, 1) for text in self._texts))
        self._choice = held(in_row(..., *self._buttons.values(), ...))
        foot = in_row((in_column(self._words, self._bar, gap=GRID_PX), 1), self._reveal)
        parts = (self._result, self._none, self._prompt, (sides, 1), self._choice, foot)
        in_column(*parts, on=self, margins=(0, GAP_PX, 0, 0))
        self.show_pair("", None)
        self._show_progress()
        self._show_result("")

    def begin(self, outcome: EvaluationOutcome) -> None:
        """Begin with another evaluation."""
        self._outcome, self._now, self.is_revealed = outcome, None, False
        self._show_result("")
        self._tasks.cancel(NEXT)
        self._show_next(None)

    def show_outcome(self, outcome: EvaluationOutcome) -> None:
        """Take in more answers; the current pair stays."""
        self._outcome = outcome
        if self._now is None and not self.is_revealed and not self._tasks.is_running(NEXT):
            self._tasks.start(self._find(outcome), NEXT)

    def show_pair(self, prompt: str, texts: tuple[str, str] | None) -> None:
        """Show two answers; if there are none, `prompt` is the reason."""
        self._none.setText(prompt if texts is None else "")
        self._none.setVisible(texts is None)
        contents = (seen(prompt), *texts) if texts is not None else ("", "", "")
        for pane, text in zip((self._prompt, *self._texts), contents, strict=True):
            pane.setPlainText(text)
            pane.setVisible(texts is not None)
        self._choice.setVisible(texts is not None)

    def _vote(self, preference: Preference) -> None:
        outcome, now = self._outcome, self._now
        if outcome is None or now is None:
            return
        vote = Vote(now.first, now.second, now.row, SWAPPED[preference] if now.turned else preference, blind=True)
        self._outcome, self._now = replace(outcome, votes=(*outcome.votes, vote)), None
        self._tasks.start(self._find(self._outcome), NEXT)
        self._keep(vote)

    async def _find(self, outcome: EvaluationOutcome) -> None:
        """Find the next pair on a thread, since ten thousand rows take a while."""
        found = await self._tasks.in_thread(_next, outcome)
        while found is None and self._outcome is not None and self._outcome is not outcome:
            outcome = self._outcome
            found = await self._tasks.in_thread(_next, outcome)
        self._show_next(found)

    def _show_next(self, found: Pair | None) -> None:
        outcome = self._outcome
        self._now = now = found[0] if found is not None else None
        if found is None or now is None or outcome is None:
            self.show_pair(self._why_none(), None)
        else:
            prompt = filled(outcome.study.template.prompt, outcome.study.prompts.values(now.row))
            self.show_pair(prompt, found[1:])
        self._show_progress()

    def _why_none(self) -> str:
        votes = self._outcome.votes if self._outcome is not None else ()
        if self.is_revealed or not votes:
            return "" if self.is_revealed else NONE_YET
        return ENOUGH if all(map(is_conclusive, preferences(votes))) else NONE_LEFT

    def _show_progress(self) -> None:
        votes = self._outcome.votes if self._outcome is not None else ()
        words = tr("%n votes", "%n vote", len(votes)) if votes else ""
        done = total = 0
        if found := preferences(votes):
            widest = max((each.high - each.low) / 4 for each in found)
            full = tr("{votes}; ±{now} percentage points. Enough: ±{enough}, and {least} votes per pair")
            points = {"now": f"{PERCENT * widest:.0f}", "enough": f"{PERCENT * NARROW:.0f}"}
            words = full.format(votes=words, least=LEAST_VOTES, **points)
            share = min((NARROW / widest) ** 2 if widest else 1.0, min(each.n for each in found) / LEAST_VOTES)
            done, total = round(PERCENT * share), PERCENT
        self._words.say(words)
        self._bar.setVisible(bool(total))
        self._bar.show_share(min(done, total), total, words)
        self._reveal.setVisible(bool(votes) and not self.is_revealed)

    def _show_names(self) -> None:
        if (outcome := self._outcome) is not None:
            self.is_revealed, found = True, preferences(outcome.votes)
            self._tasks.cancel(NEXT)
            self._show_next(None)
            self._show_result(" ".join(of_votes(outcome, each, len(found)) for each in found))
            self._on_reveal()

    def _show_result(self, sentence: str) -> None:
        self._result.setText(sentence)
        self._result.setVisible(bool(sentence))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        preference = KEYS.get(Qt.Key(event.key()))
        if preference is None:
            super().keyPressEvent(event)
        else:
            self._vote(preference)


class _Pane(PlainText):
    """Selectable text that leaves the arrow keys to the page."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in KEYS and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)


def _pane(theme: Theme, name: str, spoken: str, tip: str = "") -> PlainText:
    pane = _Pane(readOnly=True, tabChangesFocus=True)
    return named(pane, name, spoken, tip, font=theme.font(Size.NORMAL))


def _next(outcome: EvaluationOutcome) -> Pair | None:
    now = next_blind(outcome)
    if now is None:
        return None
    texts = {it.place.arm: it.text for it in outcome.answers if it.place.row == now.row and not it.place.repeat}
    left, right = (now.second, now.first) if now.turned else (now.first, now.second)
    return now, texts[left], texts[right]
