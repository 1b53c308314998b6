"""`sluice run`: every prompt of a set, asked and judged, and the verdict with its uncertainty, with no display."""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from app.cli import runner
from app.cli.arguments import RUN
from app.engine.errors import AbortedError
from app.engine.protocol import Collect, Engine, StopFlag
from app.engine.types import Failure, Model, Reason
from app.evaluation.evaluation_run import Note, run_evaluation
from app.evaluation.export import as_csv, as_json, as_jsonl, as_markdown
from app.evaluation.html_report import as_html
from app.evaluation.journal_entries import StudyKeeper
from app.evaluation.power import power_told
from app.evaluation.switches import FORMATS, Switches, parse
from app.evaluation.types import Evaluation, Outcome, Progress
from app.files.regular_files import expand_home
from app.number_format import duration
from app.records.journal import Journal, open_journal

WRITERS = dict(zip(FORMATS, (as_markdown, as_json, as_csv, as_jsonl, as_html), strict=True))
OTHERS = "Nothing is kept of this study: the set, its template, its models or its arms were others. It begins anew."


def main(arguments: Sequence[str], engines: Mapping[str, Callable[[Collect], Engine]], resources: Path) -> int:
    """The exit code: 0 done, 1 it could not be done, 2 wrong arguments, 130 interrupted, with what was done."""
    given = parse(arguments, tuple(engines), resources)
    return runner.run(f"sluice {RUN}", engines[given.engine], partial(_answer, given))


def _answer(given: Switches, engine: Engine, stop: StopFlag) -> None:
    model = runner.certain(engine.load(given.load, lambda event: None, stop), stop)
    if given.thinking and not model.can.think_budget:
        raise AbortedError(Failure(model.can.refusal("think_budget"), ""))
    for note in given.study.prompts.notes:
        _say(note)
    _look_on(power_told(len(given.study.prompts.rows), given.study.repeats, len(given.study.arms)) + "\n")
    outcome = _conducted(given, engine, model, stop)
    if outcome.answers or not outcome.why:
        sys.stdout.write(WRITERS[given.format](outcome))
    if why := outcome.why or _why_nothing(outcome):
        raise AbortedError(Failure(why, ""))


def _conducted(given: Switches, engine: Engine, model: Model, stop: StopFlag) -> Outcome:
    if given.data_folder is None:
        return run_evaluation(engine, given.study, model, stop, _tell)
    with closing(open_journal(expand_home(given.data_folder))) as journal:
        if journal.failure is not None:
            _say(journal.failure.sentence)
        keeper = _keeper(journal, given.study, model, given.resume)
        return run_evaluation(engine, given.study, model, stop, _tell, keeper, keeper.answers(stop))


def _keeper(journal: Journal, study: Evaluation, model: Model, resume: bool) -> StudyKeeper:
    keeper = StudyKeeper(journal, study, model, anew=not resume)
    if resume and not keeper.found and journal.studies.knows(study.title):
        _say(OTHERS)
    return keeper


def _why_nothing(outcome: Outcome) -> str:
    """Every single one failed: the first reason stands for all."""
    failed = bool(outcome.answers) and all(each.reason is Reason.ERROR for each in outcome.answers)
    return outcome.answers[0].why if failed else ""


def _tell(note: Note) -> None:
    if isinstance(note, Progress):
        left = f", {duration(note.left_s)} left" if note.left_s else ""
        _look_on(f"\r\x1b[K{note.done:,} of {note.total:,} answers{left}" + "\n" * (note.done == note.total))


def _look_on(words: str) -> None:
    """Only where somebody does."""
    if words.strip() and sys.stderr.isatty():
        sys.stderr.write(words)


def _say(sentence: str) -> None:
    sys.stderr.write(f"sluice {RUN}: {sentence}\n")
