"""A study: begun, paused, gone on with, and what came of it so far."""

import time
from collections import defaultdict
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QGuiApplication

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure, Reason
from app.evaluation import export, html_report
from app.evaluation.checks import FORMED, complaint
from app.evaluation.conclusion_text import EVERYWHERE
from app.evaluation.disagreement import disagreements
from app.evaluation.journal_entries import StudyKeeper
from app.evaluation.power import power_told
from app.evaluation.templates import missing, why_missing
from app.evaluation.time_needed import Speeds, time_told
from app.evaluation.types import (
    AnswerKey,
    Check,
    CheckKind,
    Evaluation,
    EvaluationAnswer,
    Outcome,
    Progress,
    PromptSet,
    Vote,
)
from app.evaluation.verdict import verdict
from app.i18n import tr
from app.number_format import duration
from app.records.journal import Journal
from app.records.types import RunId
from app.records.word_diff import word_diff
from app.state import Phase, Run
from app.ui.evaluation.command import command_of
from app.ui.evaluation.controller_blind import BlindController
from app.ui.evaluation.controller_variants import ArmsController
from app.ui.evaluation.values import EvaluationResult
from app.ui.evaluation.view import RESULTS, SetsView
from app.ui.widgets import file_saving

KINDS = {
    ".html": tr("A page for any browser"),
    ".csv": tr("A line for each answer"),
    ".jsonl": tr("An object for each answer"),
    ".md": tr("Report to read"),
}
SHOWN_EVERY_MS = 400
LEAST_TOKENS = 16
REST_S = 0.3
"""So long nothing may be typed until a pattern is tried."""
REST = 20
"""So many times as long as working it out has taken nothing is worked out."""
BUSY, NO_MODEL = tr("Wait until the model is free."), tr("Open a model first.")
PAUSING = tr("Finishing the rows in hand…")
EXPECTS = frozenset({CheckKind.EQUAL, CheckKind.CONTAINS, CheckKind.NUMBER, CheckKind.CHOICE})


class StudyController(QObject):
    """One study at a time; of the last one there is all that came of it."""

    def __init__(
        self, playground: Playground, view: SetsView, tasks: Tasks, arms: ArmsController, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground, self._view, self._tasks, self._arms = playground, view, tasks, arms
        self._prompts: PromptSet | None = None
        self._called = ""
        self._outcome: Outcome | None = None
        self._answers: list[EvaluationAnswer] = []
        self._tried: set[AnswerKey] = set()
        """All that had failed, where nothing else was asked by the last Go On."""
        self._tokens: int | None = None
        self._check: Check | None = None
        """The one that was tried last."""
        self._speeds: Speeds | None = None
        self._blind = BlindController(view.results.blind, tasks, self._keep)
        self._later = QTimer(self, singleShot=True, interval=SHOWN_EVERY_MS)
        self._later.timeout.connect(self._show_so_far)
        self._listen()
        if (run := playground.shown.now.run) is not None:
            self._on_finished(run)

    def begin(self, prompts: PromptSet, called: str) -> None:
        """Another set: what was found of the last one is in the journal."""
        self._tasks.cancel("start")
        self._prompts, self._called, self._outcome, self._answers = prompts, called, None, []
        self._clear(by_hand=False)
        self._view.foot.say("")
        self.enable()

    def take_up(self, keeper: StudyKeeper, outcome: Outcome) -> None:
        """An earlier study with what came of it."""
        self._playground.studying.take_up(keeper)
        self._outcome, self._answers = outcome, list(outcome.answers)
        self._clear(by_hand=outcome.study.check.kind is CheckKind.BY_HAND)
        self._blind.begin(outcome)
        self._view.turn_to(RESULTS)
        self._tasks.start(self._show(outcome, over=True), "found")
        self.enable()

    def _clear(self, *, by_hand: bool) -> None:
        """Of the last study nothing comes up any more, not even what is being worked out."""
        self._tried = set()
        self._later.stop()
        self._tasks.cancel("found")
        self._view.results.begin(by_hand=by_hand)

    def close(self) -> None:
        """The window goes."""
        self._later.stop()

    @Slot()
    def enable(self) -> None:
        """What can be done now, and what it would show."""
        foot, phase, prompts = self._view.foot, self._playground.state.phase, self._prompts
        ready = phase is Phase.READY and prompts is not None
        foot.allow(ready, phase is Phase.STOPPING, "" if phase is Phase.READY else BUSY)
        foot.call(tr("Run Again") if self._is_whole() else tr("Go On") if self._is_begun() else tr("Start"))
        found = self._outcome is not None and bool(self._answers) and not foot.going
        self._view.offer(has_set=prompts is not None, found=found)
        if prompts is None or foot.going:
            return
        setup, arms, page = self._view.arms.setup(), len(self._arms.arms), self._view.arms
        page.power.setText(power_told(len(prompts.rows), setup.repeats, arms))
        count = tr("%n answers", "%n answer", len(prompts.rows) * setup.repeats * arms)
        most = max((each.request.limits.max_tokens for each in self._arms.arms), default=0)
        told = tr("{answers} of at most {tokens} tokens each")
        if not all(each.wording in EVERYWHERE for each in self._arms.arms):
            told = tr("Up to {answers} of at most {tokens} tokens each: not every row has each wording")
        told = told.format(answers=count, tokens=f"{most:,}")
        page.foreseen.say("\n".join(each for each in (told, self._time()) if each))
        if setup.check != self._check:
            self._check = setup.check
            self._tasks.start(self._try(setup.check), "check")

    def know_tokens(self, count: int | None) -> None:
        """Of the prompts of all rows together; None: not known yet."""
        self._tokens = count
        self.enable()

    def _time(self) -> str:
        """Empty where it is not known: of a model that has answered nothing since it was opened."""
        model, study, speeds, tokens = self._playground.state.model, self._asked(), self._speeds, self._tokens
        if model is None or isinstance(study, Failure) or speeds is None or tokens is None:
            return ""
        is_left = self._is_begun() and not self._is_whole()
        return time_told(study, model, tokens, speeds, len(self._answers) - len(self._failed) if is_left else 0)

    @Slot(object)
    def _on_finished(self, run: Run) -> None:
        """What it took tells how fast the model is; a few tokens tell little."""
        known = run.summary.figures
        if run.on is not None and known.prompt_speed and known.speed_mean and known.tokens >= LEAST_TOKENS:
            self._speeds = Speeds(run.on.opened_by, known.prompt_speed, known.speed_mean)
            self.enable()

    def _listen(self) -> None:
        view, studying = self._view, self._playground.studying
        view.arms.edited.connect(self.enable)
        view.foot.start_wanted.connect(self._start)
        view.foot.stop_wanted.connect(self._stop)
        view.pause_wanted.connect(self._pause)
        view.export_wanted.connect(self._ask_export)
        view.session_wanted.connect(self._open_runs)
        view.command_wanted.connect(self._copy_command)
        view.results.answers.diff.pair_picked.connect(self._compare)
        view.results.blind.reveal_wanted.connect(self._on_revealed)
        self._playground.finished.connect(self._on_finished)
        studying.begun.connect(self._on_begun)
        studying.answered.connect(self._on_answered)
        studying.progressed.connect(self._on_progressed)
        studying.ended.connect(self._on_ended)

    def _asked(self) -> Evaluation | Failure:
        """What the pages ask for, or why that can't be asked, but for what a child process has to say of the check."""
        prompts, model = self._prompts, self._playground.state.model
        if prompts is None or model is None or not self._arms.arms:
            return Failure(NO_MODEL, "", kind="no model")
        template, setup = self._view.set.template(), self._view.arms.setup()
        if wrong := why_missing(missing(template, prompts.columns)):
            return Failure(wrong, "", kind="template")
        if setup.check.kind in EXPECTS and not template.expected.strip():
            what = tr("This check needs an expected value: name its column on the page “Set”, or choose another check.")
            return Failure(what, "", kind="template")
        arms = self._arms.loaded(model)
        return Evaluation(prompts.title, prompts, template, arms, setup.check, setup.repeats, setup.together)

    async def _study(self) -> Evaluation | Failure:
        """With that."""
        study = self._asked()
        wrong = await self._why_not(study.check) if isinstance(study, Evaluation) else ""
        return Failure(wrong, "", kind="check") if wrong else study

    async def _why_not(self, check: Check) -> str:
        return await self._tasks.in_thread(complaint, check) if check.kind in FORMED else complaint(check)

    async def _try(self, check: Check) -> None:
        """When the keyboard rests."""
        import asyncio  # with the first pattern

        self._view.arms.show_wrong("")
        if check.kind in FORMED:
            await asyncio.sleep(REST_S)
        self._view.arms.show_wrong(await self._why_not(check))

    def _is_begun(self) -> bool:
        """The last study is the one that the pages ask for."""
        return self._outcome is not None and bool(self._answers) and self._asked() == self._outcome.study

    def _is_whole(self) -> bool:
        """And has all its answers, and none failed but those that did twice: to be asked once more means anew."""
        return self._is_ended() and self._failed in (set(), self._tried)

    def _is_ended(self) -> bool:
        """And nothing of it is missing."""
        ended = self._outcome is not None and not (self._outcome.stopped or self._outcome.why)
        return ended and self._is_begun()

    @property
    def _failed(self) -> set[AnswerKey]:
        """These can be asked again."""
        return {each.place for each in self._answers if each.reason is Reason.ERROR}

    @Slot()
    def _start(self) -> None:
        self._tasks.start(self._begin(), "start")

    async def _begin(self) -> None:
        self._view.foot.say(self._view.STARTING, "muted")
        study = await self._study()
        if not self._view.isVisible():
            self._view.foot.say("")
            return
        if isinstance(study, Failure):
            self._view.foot.show_failure(study)
            return
        anew = self._is_whole()
        tried = self._failed if self._is_ended() and not anew else set()
        if not self._view.begin(partial(self._playground.study, study, anew)):
            self._view.foot.say(BUSY)
            return
        self._tasks.cancel("set")  # one that is being read would come up over this
        self._answers, self._outcome = [], Outcome(study)
        self._view.foot.say("")
        self._clear(by_hand=study.check.kind is CheckKind.BY_HAND)
        self._tried = tried
        self._blind.begin(Outcome(study))
        self._view.turn_to(RESULTS)
        self.enable()

    @Slot()
    def _stop(self) -> None:
        self._playground.stop()
        self._view.show_going(self._view.STOPPING)

    @Slot()
    def _pause(self) -> None:
        self._playground.studying.pause()
        self._view.show_going(PAUSING)

    @Slot(object)
    def _on_begun(self, known: Outcome) -> None:
        """What the journal has of it need not be asked again, nor judged."""
        if self._outcome is not None:
            self._answers, self._outcome = list(known.answers), replace(self._outcome, votes=known.votes)
            self._later.start()

    @Slot(object)
    def _on_answered(self, answer: EvaluationAnswer) -> None:
        self._answers.append(answer)
        if not self._later.isActive():
            self._later.start()

    @Slot(object)
    def _on_progressed(self, progress: Progress) -> None:
        if self._playground.state.phase is not Phase.STOPPING:
            words = tr("{done} of {total} answers").format(done=f"{progress.done:,}", total=f"{progress.total:,}")
            if progress.left_s is not None:
                words = tr("{done}, {left} left").format(done=words, left=duration(progress.left_s))
            self._view.show_going(words, progress.done, progress.total)

    @Slot(object)
    def _on_ended(self, ended: Outcome | Failure) -> None:
        self._later.stop()
        self._view.show_going(None)
        if isinstance(ended, Failure):
            self._view.foot.show_failure(ended)
        else:
            ended = self._with_votes(ended)
            self._outcome, self._answers = ended, list(ended.answers)
            self._tasks.start(self._show(ended, over=True), "found")
        self.enable()

    @Slot()
    def _show_so_far(self) -> None:
        """Nothing is worked out for nobody, nor twice at a time."""
        if self._outcome is not None and self._view.isVisible() and not self._tasks.waiting("found"):
            so_far = replace(self._outcome, answers=tuple(self._answers))
            self._tasks.start(self._show(so_far, over=False), "found")

    async def _show(self, outcome: Outcome, *, over: bool) -> None:
        started = time.monotonic()
        told = outcome if self._blind.revealed else replace(outcome, votes=())
        found = await self._tasks.in_thread(_found, told)
        self._later.setInterval(max(SHOWN_EVERY_MS, round(1000 * REST * (time.monotonic() - started))))
        self._view.results.show_found(found, over)
        self._blind.show(self._with_votes(outcome))

    def _with_votes(self, outcome: Outcome) -> Outcome:
        """Meanwhile more may have been said."""
        ours = self._outcome.votes if self._outcome is not None else ()
        votes = {(each.first, each.second, each.row): each for each in (*outcome.votes, *ours)}
        return replace(outcome, votes=tuple(votes.values()))

    def _keep(self, vote: Vote) -> None:
        """Somebody has judged two answers."""
        if self._outcome is not None:
            self._playground.studying.vote(vote)
            self._outcome = replace(self._outcome, votes=(*self._outcome.votes, vote))

    @Slot()
    def _on_revealed(self) -> None:
        """What was liked better is among what is told now."""
        if self._outcome is not None and not self._view.foot.going:
            self._tasks.start(self._show(self._outcome, over=True), "found")

    @Slot()
    def _open_runs(self) -> None:
        """The session in which the chosen row's answers are recorded."""
        journal, run = self._playground.book.journal, self._view.results.answers.run
        if journal is not None and run is not None:
            self._tasks.start(self._open(journal, run))

    async def _open(self, journal: Journal, run: RunId) -> None:
        record = await self._tasks.in_thread(journal.runs.get, run)
        if record is not None:
            self._playground.open_session(record.session)

    @Slot()
    def _copy_command(self) -> None:
        self._tasks.start(self._copy(), "command")

    async def _copy(self) -> None:
        study, model = await self._study(), self._playground.state.model
        if isinstance(study, Failure) or model is None:
            self._view.foot.say(study.sentence if isinstance(study, Failure) else NO_MODEL)
            return
        if not self._called:
            self._view.foot.say(tr("The command needs the file of the set: open that."))
            return
        command = command_of(study, self._called, model)
        if isinstance(command, Failure):
            self._view.foot.show_failure(command)
        else:
            QGuiApplication.clipboard().setText(command)
            self._view.foot.say(tr("The command is on the clipboard."), "muted")

    @Slot(str, str)
    def _compare(self, first: str, second: str) -> None:
        self._tasks.start(self._show_diff(first, second), "diff")

    async def _show_diff(self, first: str, second: str) -> None:
        stretches = await self._tasks.in_thread(word_diff, first, second)
        self._view.results.answers.diff.show_diff((first, second), stretches)

    @Slot()
    def _ask_export(self) -> None:
        if (outcome := self._outcome) is not None:
            save = partial(self._export, outcome)
            file_saving.ask(self._view, tr("Export the Study"), outcome.study.title, KINDS, save)

    def _export(self, outcome: Outcome, path: Path) -> None:
        texts = {
            ".html": partial(html_report.as_html, outcome),
            ".csv": partial(export.as_csv, outcome),
            ".jsonl": partial(export.as_jsonl, outcome),
            ".md": partial(export.as_markdown, outcome),
        }
        self._tasks.start(self._save(path, texts))

    async def _save(self, path: Path, texts: file_saving.Texts) -> None:
        self._view.foot.show_failure(await self._tasks.kept(partial(file_saving.save, path, texts)))


def _found(outcome: Outcome) -> EvaluationResult:
    """On a thread."""
    answers: defaultdict[tuple[int, int], tuple[EvaluationAnswer, ...]] = defaultdict(tuple)
    for each in outcome.answers:
        answers[each.place.arm, each.place.row] += (each,)
    apart = [each.row for each in disagreements(outcome)]
    known = {row for _, row in answers}
    order = (*apart, *sorted(known.difference(apart)))
    return EvaluationResult(outcome, verdict(outcome), order, dict(answers))
