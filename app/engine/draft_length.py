"""Chooses the number of draft tokens of each step from the acceptance so far and the measured cost of a step."""

from collections import deque
from statistics import median

MOST_DRAFTS = 8
"""Maximum of the automatic number: on most devices a step with more tokens costs more than it can gain."""
COST_OF_EACH = 0.15
"""Assumed cost of verifying one more token, relative to a step with one token, until it is measured."""
MEASUREMENTS = 9
BASE_STEPS = 3
"""Measured steps without drafts at the beginning of a run: their time is the unit of all costs."""
BY_MODEL = 4
"""In place of the length of a match: a draft model proposes."""
ASSUMED = {1: 0.2, 2: 0.4, 3: 0.6, BY_MODEL: 0.6}
"""Assumed acceptance rate of a draft token, by the length of the match."""
ASSUMED_WEIGHT = 3.0
DECAY = 0.9
"""Factor on older steps: an answer changes between copying and new text."""
RETRY_STEPS = 32
"""After this many refusals in a row drafts are tried again, so that a slow measurement has no lasting effect.

The number doubles after each retry without effect.
"""
IDLE_STEPS = 4
"""After this many steps without drafts the next pass begins before its token is known."""


class StepCosts:
    """Time of a step that verifies several tokens relative to a step with one, learned on one loaded model."""

    def __init__(self, each: float = COST_OF_EACH) -> None:
        """`each`: the assumed cost of one more token."""
        self._each = each
        self._ratios: dict[int, deque[float]] = {}

    @property
    def is_measured(self) -> bool:
        return bool(self._ratios)

    def learn(self, tokens: int, ratio: float) -> None:
        # Two assumed values, so that a single slow measurement changes nothing.
        assumed = [1 + self._each * (tokens - 1)] * 2
        self._ratios.setdefault(tokens, deque(assumed, maxlen=MEASUREMENTS)).append(ratio)

    def ratio(self, tokens: int) -> float:
        """Return the median of the measurements; between and beyond measured numbers a straight line."""
        known = [(1, 1.0), *sorted((count, median(ratios)) for count, ratios in self._ratios.items())]
        below = max(pair for pair in known if pair[0] <= tokens)
        above = min((pair for pair in known if pair[0] > tokens), default=None)
        if below[0] == tokens:
            return below[1]
        if above is not None:
            return below[1] + (above[1] - below[1]) * (tokens - below[0]) / (above[0] - below[0])
        slope = (below[1] - 1) / (below[0] - 1) if below[0] > 1 else self._each
        return below[1] + max(0.0, slope) * (tokens - below[0])


class DraftLength:
    """The number of draft tokens of a run, for each step. `fixed` 0: the number with the highest expected speed."""

    def __init__(self, costs: StepCosts, fixed: int = 0) -> None:
        self.most = fixed or MOST_DRAFTS
        self._costs, self._fixed = costs, fixed
        self._base: deque[float] = deque(maxlen=MEASUREMENTS)
        self._accepted: dict[int, tuple[float, float]] = {}
        """Accepted and verified draft tokens by the length of the match, older ones with less weight."""
        self._refusals = self._idle = 0
        self._retry_after = RETRY_STEPS
        """Refusals before the next retry."""

    @property
    def is_idle(self) -> bool:
        """Whether drafts are unlikely in the next step, or a step without drafts is to be measured."""
        return not self._fixed and (self._idle >= IDLE_STEPS or not self._has_unit)

    @property
    def _has_unit(self) -> bool:
        return len(self._base) >= BASE_STEPS

    def choose(self, matched: int, has_begun: bool = False) -> int:
        """Return the number of tokens to propose after a match of this length; 0 if the pass `has_begun`."""
        if self._fixed:
            return self._fixed
        best = self._best(matched) if matched and self._has_unit else 0
        is_retry = not best and matched > 0 and self._has_unit and self._refusals >= self._retry_after
        best = best or int(is_retry)
        self._idle = 0 if best else self._idle + 1
        if not best:
            self._refusals += matched > 0
        elif not has_begun:
            self._retry_after = 2 * self._retry_after if is_retry else RETRY_STEPS
            self._refusals = 0
        return 0 if has_begun else best

    def _best(self, matched: int) -> int:
        """Return the number with the highest expected speed."""
        rate = self.rate(matched)
        return max(range(self.most + 1), key=lambda count: _expected(rate, count) / self._costs.ratio(count + 1))

    def rate(self, matched: int) -> float:
        """Return the expected acceptance rate of a draft token after a match of this length."""
        accepted, verified = self._accepted.get(matched, (0.0, 0.0))
        return (accepted + ASSUMED[matched] * ASSUMED_WEIGHT) / (verified + ASSUMED_WEIGHT)

    def cost(self, tokens: int) -> float:
        """Return the time of a step with this many tokens relative to one; 0 if none has been measured."""
        return self._costs.ratio(tokens) if self._costs.is_measured else 0.0

    def learn(self, matched: int, proposed: int, accepted: int, seconds: float | None) -> None:
        """Add a step: its proposal, how many of its tokens were accepted, and its time, if measured."""
        if not proposed:
            self._base.extend(() if seconds is None else (seconds,))
            return
        known = self._accepted.get(matched, (0.0, 0.0))
        tried = accepted + (accepted < proposed)
        self._accepted[matched] = known[0] * DECAY + accepted, known[1] * DECAY + tried
        if seconds is not None and self._has_unit:
            self._costs.learn(proposed + 1, seconds / median(self._base))


def _expected(rate: float, count: int) -> float:
    """Return the expected number of tokens of a step with this many draft tokens, with the target model's own one."""
    return sum(rate**place for place in range(count + 1))
