import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import pytest
from PySide6.QtWidgets import QComboBox, QLineEdit

from app.experiments.questions import EXPERIMENTS
from app.experiments.types import ExperimentOutcome
from app.records.journal import Journal
from app.records.types import RunRecord
from app.ui.widgets.plots.speed_curve import CURVES
from tests.journeys.asking import Asking, records
from tests.journeys.journey import Journey

pytestmark = pytest.mark.slow


@dataclass(frozen=True, slots=True)
class Case:
    """The smallest budget that shows something, and what the sentence has to say then."""

    tokens: int
    arms: int
    said: str
    rounds: int = 1
    axes: tuple[str, ...] = ()
    """Values for those that stand there."""
    model: str = ""
    """The box that must have found one."""


CASES = {
    "cache": Case(12, 2, r"over the last 11 tokens\. The tokens are the same in 2 rounds;", rounds=2),
    "length": Case(24, 2, r"last 20 of 24\b"),
    "template": Case(40, 2, r"^No: .*\. With the template it ended at an EOS token .* limit of 40 tokens\."),
    "draft": Case(12, 11, r"with (\d|automatic) draft token|with prompt lookup", model="draft"),
    "sampling": Case(6, 4, r"(bigrams are distinct|bigram is repeated).*[Bb]atches of 2 ", axes=("0.7, 1.5", "0.8, 1")),
    "form": Case(40, 2, r"0 of 1 free answers were valid, and [01] of 1 constrained ones"),
    "reuse": Case(
        6, 2, r"first token .*; \d+ of \d+ prompt tokens were in the cache; the tokens are the same in 1 round\."
    ),
    "kv-bits": Case(6, 3, r"^8 bits (save|take) .*KV cache.*\. 4 bits (save|take)"),
    "models": Case(6, 2, r"demo.*\. Peak memory was .* with demo-draft, .* with demo\.", model="other"),
    "stops": Case(64, 2, r"tokens were parts of a character and showed no text at first.*stop string “"),
    "determinism": Case(8, 24, r"^(None|\d+ of 29)\b.* For the same tokens, .*the same tokens: once more, "),
    "sweep": Case(6, 3, r"variety|most varied|bigram is repeated", axes=("0, 0.7, 1",)),
}
UNITS = {"ms": 0.001, "s": 1.0, "": 1.0}


def test_experiment_figures_equal_those_of_the_session_database(demo: Journey) -> None:
    """One window for all of them: it takes longer to build than most of them take."""
    assert list(CASES) == [each.name for each in EXPERIMENTS]
    for name, case in CASES.items():
        asking = Asking(demo, name)
        fill_in(asking, case)
        asking.press()
        outcome = asking.finish()
        assert re.search(case.said, asking.conclusion), asking.conclusion
        assert not outcome.stopped and len(outcome.results) == case.arms * case.rounds, name
        arms = outcome.plan.arms
        letters = CURVES if len(arms) <= len(CURVES) else " " * len(arms)
        assert [row[:2] for row in asking.metrics] == [
            [f"{letter}  {arm.name}".strip(), str(case.rounds)] for letter, arm in zip(letters, arms, strict=False)
        ]
        told_truly(asking, outcome)


def fill_in(asking: Asking, case: Case) -> None:
    asking.set("max_tokens", case.tokens)
    asking.set("repeats", case.rounds)
    for position, values in enumerate(case.axes):
        asking.journey.find(QLineEdit, f"experiment_values_{position}").setText(values)
    if case.model:
        box = asking.journey.find(QComboBox, f"experiment_{case.model}")
        asking.journey.until(lambda: bool(box.currentData()))


def told_truly(asking: Asking, outcome: ExperimentOutcome) -> None:
    """All runs are recorded in a session of the experiment, and the figures are those of the times in there."""
    journal = asking.journey.journal
    kept = records(asking.journey, outcome)
    assert [record.ids for record in kept] == [run.ids for run in outcome.results]
    titles = {info.id: info.title for info in journal.sessions.rows()}
    assert [titles[session] for session in {record.session for record in kept}] == [f"Experiment: {outcome.plan.title}"]
    head = asking.head()
    for arm, row in enumerate(asking.metrics):
        runs = [record for run, record in zip(outcome.results, kept, strict=True) if run.arm == arm]
        for title, found in recomputed(journal, runs).items():
            shown = numbers(row[head.index(title)])
            assert shown == pytest.approx([median(found), min(found), max(found)], rel=0.01), (title, row)


def recomputed(journal: Journal, runs: Sequence[RunRecord]) -> dict[str, list[float]]:
    """From nothing but when each token came."""
    arrivals = [journal.runs.arrivals(run.id) for run in runs]
    return {
        "Mean speed (tok/s)": [(len(at) - 1) / (at[-1] - at[0]) for at in arrivals],
        "Time to first token": [at[0] for at in arrivals],
        "End to end (tok/s)": [len(at) / at[-1] for at in arrivals],
        "Tokens": [float(len(run.ids)) for run in runs],
    }


def numbers(cell: str) -> list[float]:
    """The median, the least and the most, as `12.5 (11.0–13.0) ms` and `1.01 s (990 ms–1.02 s)` have them."""
    common = cell.rpartition(") ")[2] if ") " in cell else ""
    said = re.findall(r"([\d.,]+)(?: (ms|s))?", cell)
    found = [float(number.replace(",", "")) * UNITS[unit or common] for number, unit in said]
    return found if len(found) == 3 else found * 3
