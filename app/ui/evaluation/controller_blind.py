"""Votes without names: which two answers come next, how far it is, and what came of it."""

from collections.abc import Callable
from dataclasses import replace

from app.bridge.tasks import Tasks
from app.evaluation.blind import LEAST_VOTES, NARROW, Blind, is_conclusive, next_blind
from app.evaluation.paired_tests import preferences
from app.evaluation.templates import filled
from app.evaluation.types import Outcome, Preference, Vote
from app.evaluation.verdict import of_votes
from app.i18n import tr
from app.ui.evaluation.blind_page import BlindPage

TURNED = {
    Preference.LEFT: Preference.RIGHT,
    Preference.SAME: Preference.SAME,
    Preference.RIGHT: Preference.LEFT,
}
NONE_YET = tr("Two answers to one row stand here as soon as there are any.")
ENOUGH = tr("That is enough: the range is narrow. Reveal tells whose they were.")
NONE_LEFT = tr("No two answers are left to judge. Reveal tells whose they were.")
HUNDRED = 100
NEXT = "next blind"


class BlindController:
    """`keep` gets each Vote."""

    def __init__(self, page: BlindPage, tasks: Tasks, keep: Callable[[Vote], None]) -> None:
        self._page, self._tasks, self._keep = page, tasks, keep
        self._outcome: Outcome | None = None
        self._now: Blind | None = None
        self.revealed = False
        """The names are told: nobody votes blindly any more, so nobody votes."""
        page.voted.connect(self._vote)
        page.reveal_wanted.connect(self._reveal)

    def begin(self, outcome: Outcome) -> None:
        """Another study."""
        self._outcome, self._now, self.revealed = outcome, None, False
        self._page.show_result("")
        self._tasks.cancel(NEXT)
        self._show_pair(None)

    def show(self, outcome: Outcome) -> None:
        """More answers may have come; the two that are being looked at stay."""
        self._outcome = outcome
        if self._now is None and not self.revealed and not self._tasks.waiting(NEXT):
            self._tasks.start(self._find(outcome), NEXT)

    def _vote(self, preference: Preference) -> None:
        outcome, now = self._outcome, self._now
        if outcome is None or now is None:
            return
        vote = Vote(now.first, now.second, now.row, TURNED[preference] if now.turned else preference, blind=True)
        self._outcome, self._now = replace(outcome, votes=(*outcome.votes, vote)), None
        self._tasks.start(self._find(self._outcome), NEXT)
        self._keep(vote)

    async def _find(self, outcome: Outcome) -> None:
        """Among ten thousand rows that takes longer than the window can wait."""
        found = await self._tasks.in_thread(_next, outcome)
        while found is None and self._outcome is not None and self._outcome is not outcome:
            outcome = self._outcome
            found = await self._tasks.in_thread(_next, outcome)
        self._show_pair(found)

    def _show_pair(self, found: tuple[Blind, str, str] | None) -> None:
        outcome = self._outcome
        self._now = now = found[0] if found is not None else None
        if found is None or now is None or outcome is None:
            self._page.show_pair(self._why_none(), None)
        else:
            asked = filled(outcome.study.template.prompt, outcome.study.prompts.values(now.row))
            self._page.show_pair(asked, found[1:])
        self._show_progress()

    def _why_none(self) -> str:
        votes = self._outcome.votes if self._outcome is not None else ()
        if self.revealed or not votes:
            return "" if self.revealed else NONE_YET
        return ENOUGH if all(map(is_conclusive, preferences(votes))) else NONE_LEFT

    def _show_progress(self) -> None:
        votes = self._outcome.votes if self._outcome is not None else ()
        words = tr("%n votes", "%n vote", len(votes)) if votes else ""
        done = total = 0
        if found := preferences(votes):
            widest = max((each.high - each.low) / 4 for each in found)
            told = tr("{votes}; ±{now} points, enough at ±{enough} and {least} votes a pair")
            points = {"now": f"{HUNDRED * widest:.0f}", "enough": f"{HUNDRED * NARROW:.0f}"}
            words = told.format(votes=words, least=LEAST_VOTES, **points)
            share = min((NARROW / widest) ** 2 if widest else 1.0, min(each.n for each in found) / LEAST_VOTES)
            done, total = round(HUNDRED * share), HUNDRED
        self._page.show_progress(words, done, total, may_reveal=bool(votes) and not self.revealed)

    def _reveal(self) -> None:
        if (outcome := self._outcome) is not None:
            self.revealed, found = True, preferences(outcome.votes)
            self._tasks.cancel(NEXT)
            self._show_pair(None)
            self._page.show_result(" ".join(of_votes(outcome, each, len(found)) for each in found))


def _next(outcome: Outcome) -> tuple[Blind, str, str] | None:
    """Two answers to judge, left and right."""
    now = next_blind(outcome)
    if now is None:
        return None
    texts = {it.place.arm: it.text for it in outcome.answers if it.place.row == now.row and not it.place.repeat}
    left, right = (now.second, now.first) if now.turned else (now.first, now.second)
    return now, texts[left], texts[right]
