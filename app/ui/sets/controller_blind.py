"""Votes without names: which two answers come next, how far it is, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from app.sets.blind import NARROW, Blind, next_blind
from app.sets.pairs import preferences
from app.sets.templates import filled
from app.sets.types import Outcome, Place, Preference, Vote
from app.sets.verdict import of_votes
from app.ui.sets.blind_page import BlindPage
from app.words import tr

TURNED = {
    Preference.LEFT: Preference.RIGHT,
    Preference.SAME: Preference.SAME,
    Preference.RIGHT: Preference.LEFT,
}
NONE_YET = tr("Two answers to one row stand here as soon as there are any.")
ENOUGH = tr("That is enough: the range is narrow, or no two answers are left. Reveal tells whose they were.")
HUNDRED = 100


class BlindController:
    """`keep` gets each Vote."""

    def __init__(self, page: BlindPage, keep: Callable[[Vote], None]) -> None:
        self._page, self._keep = page, keep
        self._outcome: Outcome | None = None
        self._now: Blind | None = None
        page.voted.connect(self._vote)
        page.reveal_wanted.connect(self._reveal)

    def begin(self, outcome: Outcome) -> None:
        """Another study."""
        self._outcome, self._now = outcome, None
        self._page.show_result("")
        self._show_next()

    def show(self, outcome: Outcome) -> None:
        """More answers may have come; the two that are being looked at stay."""
        self._outcome = outcome
        if self._now is None:
            self._show_next()

    def _vote(self, preference: Preference) -> None:
        outcome, now = self._outcome, self._now
        if outcome is None or now is None:
            return
        vote = Vote(now.first, now.second, now.row, TURNED[preference] if now.turned else preference, blind=True)
        self._outcome = replace(outcome, votes=(*outcome.votes, vote))
        self._show_next()
        self._keep(vote)

    def _show_next(self) -> None:
        outcome = self._outcome
        self._now = now = next_blind(outcome) if outcome is not None else None
        if outcome is None or now is None:
            self._page.show_pair(ENOUGH if outcome is not None and outcome.votes else NONE_YET, None)
        else:
            arms = (now.second, now.first) if now.turned else (now.first, now.second)
            texts = [_text(outcome, arm, now.row) for arm in arms]
            asked = filled(outcome.study.template.prompt, outcome.study.prompts.values(now.row))
            self._page.show_pair(asked, (texts[0], texts[1]))
        self._show_progress()

    def _show_progress(self) -> None:
        votes = self._outcome.votes if self._outcome is not None else ()
        words = tr("%n votes", "%n vote", len(votes)) if votes else ""
        done = total = 0
        if found := preferences(votes):
            widest = max((each.high - each.low) / 4 for each in found)
            told = tr("{votes}; ±{now} points, enough at ±{enough}")
            words = told.format(votes=words, now=f"{HUNDRED * widest:.0f}", enough=f"{HUNDRED * NARROW:.0f}")
            done, total = round(HUNDRED * (NARROW / widest) ** 2) if widest else HUNDRED, HUNDRED
        self._page.show_progress(words, done, total, may_reveal=bool(votes))

    def _reveal(self) -> None:
        if (outcome := self._outcome) is not None:
            found = preferences(outcome.votes)
            self._page.show_result(" ".join(of_votes(outcome, each, len(found)) for each in found))


def _text(outcome: Outcome, arm: int, row: int) -> str:
    return next(each.text for each in outcome.answers if each.place == Place(arm, row))
