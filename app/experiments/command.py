"""`sluice experiment`: the same experiments as in the window, for a script, a course or a check, with no display."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from app.cli import runner
from app.engine.errors import AbortedError
from app.engine.protocol import Collect, Engine, StopFlag
from app.engine.types import ChatPrompt, Model, RawPrompt, Request
from app.experiments.cautions import why_nothing
from app.experiments.export import Report, as_json, as_markdown, concluded, runs_csv, table_csv
from app.experiments.journal_entries import JournalRecorder
from app.experiments.questions import EXPERIMENTS
from app.experiments.requests import words_of
from app.experiments.run import Note, RecorderFactory, run_experiment
from app.experiments.switches import Switches, parse
from app.experiments.types import WARM_UP, BaseConfig, Experiment, ExperimentStep, Outcome, Plan
from app.files.settings import user_folder
from app.quantization.command import LADDER, TITLE, ladder
from app.records.journal import open_journal

WRITERS: Mapping[str, Callable[[Report], str]] = {
    "markdown": as_markdown,
    "json": as_json,
    "csv": runs_csv,
    "table-csv": table_csv,
}


def main(arguments: Sequence[str], engines: Mapping[str, Callable[[Collect], Engine]], bundled: Path) -> int:
    """The exit code: 0 done, 1 it could not be done, 2 wrong arguments, 130 interrupted, with what was done."""
    if arguments[:1] == [LADDER]:
        return ladder(arguments[1:], bundled)
    given = parse(arguments, tuple(engines), bundled)
    if given.experiment is None:
        listed = [*((each.name, each.title) for each in EXPERIMENTS), (LADDER, TITLE)]
        sys.stdout.writelines(f"{name:10} {title}\n" for name, title in listed)
        return runner.DONE
    return runner.run("sluice", engines[given.engine], partial(_answer, given, given.experiment))


def _answer(given: Switches, experiment: Experiment, engine: Engine, stop: StopFlag) -> None:
    outcome = _measured(engine, given, experiment, stop)
    if outcome.results or not outcome.failure:
        made = concluded(experiment, outcome, given.data_folder or user_folder())
        sys.stdout.write(WRITERS[given.format](made))
    failure = outcome.failure or (why_nothing(outcome) if outcome.results else None)
    if failure is not None:
        raise AbortedError(failure)


def _measured(engine: Engine, given: Switches, experiment: Experiment, stop: StopFlag) -> Outcome:
    model = runner.certain(engine.load(given.load, lambda event: None, stop), stop)
    basis = BaseConfig(_fitting(given.request, model), model, given.repeats, other=given.other, axes=given.axes)
    plan = runner.certain(experiment.plan(basis), stop)
    needed = experiment.rounds(given.axes)
    if given.repeats < needed:
        _say(f"{given.repeats} rounds can't tell any difference from noise here, whatever they measure; {needed} can.")
    with _kept(given.data_folder, plan) as keep:
        return run_experiment(engine, plan, model, stop, _tell, keep)


def _fitting(request: Request, model: Model) -> Request:
    """A model without a chat template gets the words as they stand."""
    words = words_of(request.prompt)
    if isinstance(request.prompt, ChatPrompt) and not model.can.chat and isinstance(words, str):
        return replace(request, prompt=RawPrompt(words))
    return request


@contextmanager
def _kept(folder: Path | None, plan: Plan) -> Iterator[RecorderFactory | None]:
    """Where the runs are written down, if anybody wants that."""
    if folder is None:
        yield None
        return
    with closing(open_journal(folder)) as journal:
        if journal.failure is not None:
            _say(journal.failure.sentence)
        yield JournalRecorder(journal, plan.title)


def _tell(note: Note) -> None:
    """Only where somebody looks on."""
    if isinstance(note, ExperimentStep) and sys.stderr.isatty():
        at = "warming up" if note.round == WARM_UP else f"round {note.round}"
        _say(f"Run {note.number} of {note.total}: {note.name}, {at}")


def _say(sentence: str) -> None:
    sys.stderr.write(f"sluice: {sentence}\n")
