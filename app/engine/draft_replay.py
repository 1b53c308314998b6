"""Replay of a recorded answer with draft tokens: the steps that it would have taken, and the predicted speed-up.

A replay follows mlx-lm's loop: a step verifies the proposed tokens in one pass. It ends with the target model's own
token, or at the end of the answer. Max tokens cut the proposals of the last step.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from app.engine.lookup import LONGEST, Lookup
from app.engine.meter.speeds import value_range
from app.engine.text import common_prefix
from app.engine.types import StepTimes, ValueRange

MOST = 8
"""Most draft tokens per step."""
NONE = -1
Leads = Sequence[int]
"""For each position of an answer, how many of the tokens proposed there equal the answer's next ones; NONE: nothing is
proposed.
"""


class DraftReplay(NamedTuple):
    """The steps of an answer."""

    tokens: int
    accepted: int
    steps: tuple[int, ...]
    """Number of steps by the number of tokens that they verify beyond the target model's own."""

    @property
    def proposed(self) -> int:
        return sum(count * steps for count, steps in enumerate(self.steps))

    @property
    def step_count(self) -> int:
        return sum(self.steps)


@dataclass(frozen=True, slots=True)
class DraftPrediction:
    """What a draft would have changed; means over the replays of a sampled draft model."""

    longest: int
    """Tokens of the longest n-gram of prompt lookup; 0: a draft model."""
    count: int
    """Draft tokens per step."""
    acceptance: float
    steps: float
    tokens: int
    speedup: ValueRange
    """Decode time without a draft ÷ predicted decode time with it."""

    @property
    def steps_saved(self) -> float:
        """Share of the target model's passes that the draft would have saved."""
        return 1 - self.steps / self.tokens


def lookup_leads(prompt: Iterable[int], answer: Sequence[int], longest: int) -> Leads:
    """Return the leads of prompt lookup with n-grams of up to `longest` tokens."""
    text, leads = Lookup(prompt, longest), []
    for position, token in enumerate(answer):
        proposal = text.propose(MOST)
        leads.append(common_prefix(proposal.ids, answer[position : position + MOST]) if proposal.matched else NONE)
        text.extend((token,))
    return leads


def draft_leads(answer: Sequence[int], proposed: Sequence[int]) -> Leads:
    """Return the leads of a draft model that proposes these tokens after the answer's own ones."""
    leads, lead = [], 0
    for token, other in zip(reversed(answer), reversed(proposed), strict=True):
        lead = min(lead + 1, MOST) if token == other else 0
        leads.append(lead)
    return leads[::-1]


def replay(leads: Leads, count: int, most: int) -> DraftReplay:
    """Replay an answer with `count` draft tokens per step; `most`: its max tokens."""
    position = accepted = 0
    steps = Counter[int]()
    while position < len(leads):
        proposed = min(count, most - position) if leads[position] != NONE else 0
        hits = min(max(0, leads[position]), proposed, len(leads) - position)
        steps[proposed] += 1
        accepted += hits
        position += hits + 1
    return DraftReplay(len(leads), accepted, tuple(steps[number] for number in range(count + 1)))


def predict(
    prompt: Sequence[int],
    answer: Sequence[int],
    proposed: Sequence[Sequence[int]],
    rounds: Sequence[StepTimes],
) -> tuple[DraftPrediction, ...]:
    """Return the predictions of all drafts, the fastest first; `proposed`: the draws of a draft model, if there is one.

    Max tokens is the length of the answer. Of equally fast ones, the smaller number comes first.
    """
    found, most = [], len(answer)
    for longest in range(1, LONGEST + 1):
        lookup = (lookup_leads(prompt, answer, longest),)
        # Prompt lookup doesn't propose the last token of a run.
        found += [_prediction(longest, count, lookup, most - 1, rounds) for count in range(1, MOST + 1)]
    if proposed and all(times.drafted for times in rounds):
        leads = tuple(draft_leads(answer, each) for each in proposed)
        found += [_prediction(0, count, leads, most, rounds) for count in range(1, MOST + 1)]
    return tuple(sorted(found, key=lambda each: (-each.speedup.middle, each.count)))


def _prediction(
    longest: int, count: int, leads: Sequence[Leads], most: int, rounds: Sequence[StepTimes]
) -> DraftPrediction:
    replays = [replay(each, count, most) for each in leads]
    shares = [each.accepted / each.proposed if each.proposed else 0.0 for each in replays]
    steps = fmean(each.step_count for each in replays)
    # Each round is one estimate, so that a drift of the speed during the measurement cancels out.
    speedups = [_speedup(each, times, longest) for each in replays for times in rounds]
    return DraftPrediction(longest, count, fmean(shares), steps, replays[0].tokens, value_range(speedups))


def _speedup(found: DraftReplay, times: StepTimes, longest: int) -> float:
    each = times.lookup if longest else times.drafted
    seconds = sum(steps * each[count] for count, steps in enumerate(found.steps)) + found.accepted * times.accepted
    return found.tokens * times.plain / seconds
