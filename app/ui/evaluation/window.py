"""The window of prompt sets: pages for set, variants, results and history above Start."""

import time
from asyncio import sleep
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QTabWidget, QWidget

from app.bridge.model_sources import ModelFolders
from app.bridge.playground import Playground
from app.engine.types import Failure, PromptSource, Reason
from app.evaluation import export
from app.evaluation.checks import FORMED, complaint, suggested
from app.evaluation.estimates import RecentSpeeds, TokenCounts, power_sentence, time_sentence
from app.evaluation.journal_entries import reopened
from app.evaluation.reading import SHIPPED
from app.evaluation.templates import missing, why_missing
from app.evaluation.types import (
    AnswerKey,
    Check,
    CheckKind,
    Evaluation,
    EvaluationAnswer,
    EvaluationOutcome,
    EvaluationSummary,
    Progress,
    PromptSet,
    Vote,
)
from app.evaluation.wordings import EVERYWHERE
from app.i18n import tr
from app.number_format import duration
from app.records.journal import Journal
from app.records.studies import StudyId
from app.records.types import SessionId
from app.state import Phase, Run, State
from app.ui.evaluation.command import command_of
from app.ui.evaluation.history_page import HistoryPage
from app.ui.evaluation.results_page import BlindPage, ResultsPage, summarize
from app.ui.evaluation.set_opener import SetOpener, SetSource
from app.ui.evaluation.set_page import SetPage
from app.ui.evaluation.variants_page import VariantSetup, VariantsPage
from app.ui.look import GAP_PX, MARGIN_PX, Theme, scaled
from app.ui.study_window import (
    BUSY,
    NO_MODEL,
    SHOWN_EVERY_MS,
    SHOWN_SHARE,
    STARTING,
    STOPPING,
    StudyWindow,
    call_with_model,
)
from app.ui.widgets import in_column, in_row, named, push_button

KINDS = {
    ".html": tr("Web page"),
    ".json": tr("All data, which “sluice eval verify” can check"),
    ".csv": tr("One row per answer"),
    ".jsonl": tr("One object per answer"),
    ".md": tr("Report"),
}
WRITERS = {
    ".html": export.as_html,
    ".json": export.as_json,
    ".csv": export.as_csv,
    ".jsonl": export.as_jsonl,
    ".md": export.as_markdown,
}
SET, VARIANTS, RESULTS, HISTORY = range(4)
FOOT_PX, FOOT_STRETCH = 340, 3
"""The width of the foot if there is room, and its stretch."""
LEAST_TOKENS = 16
"""A shorter run says little about the speed of a model."""
REST_S = 0.3
"""A pattern is compiled after a pause in typing of this length."""
EXPECTS = frozenset({CheckKind.EQUAL, CheckKind.CONTAINS, CheckKind.NUMBER, CheckKind.CHOICE, CheckKind.LIKELIHOOD})


class EvaluationWindow(StudyWindow):
    """Runs one evaluation at a time, and shows the last one.

    `bundled` is the folder of the program's own models, `resources` that of its prompt sets.
    """

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        bundled: Path,
        resources: Path | None,
        folders: ModelFolders,
        delete: Callable[[SessionId], None],
        parent: QWidget,
    ) -> None:
        tip = tr("Run every row with every variant")
        super().__init__(playground, theme, parent, "sets", tr("Prompt Sets"), tip, takes_files=True)
        self._prompts: PromptSet | None = None
        self.opener = SetOpener(theme, self, resources)
        self._outcome: EvaluationOutcome | None = None
        self._answers: list[EvaluationAnswer] = []
        self._retried: set[AnswerKey] = set()
        """The failed answers, if the last Resume ran only these again."""
        self._tokens: TokenCounts | None = None
        """The tokens of all rows; None: unknown."""
        self._checked: Check | None = None
        self._speeds: RecentSpeeds | None = None
        self._source: PromptSource | None = None
        """The prompt of the first variant: its system prompt and reply prefix."""
        self._later = QTimer(self, singleShot=True, interval=SHOWN_EVERY_MS)
        self._later.timeout.connect(self._show_interim)
        self.variants = VariantsPage(
            theme, self, bundled, folders, lambda: self.set.template(), self._on_variants_edited
        )
        self.set = SetPage(
            theme,
            self,
            lambda: self.variants.take,
            self._on_set_edited,
            self._on_counted,
            self.opener.open_included,
            self.opener.add_examples,
            self.opener.choose_columns,
            self.opener.find_tests,
        )
        run_sample = partial(call_with_model, playground, bundled, self.opener.run_sample)
        self.set.empty.sample_wanted.connect(lambda: None if run_sample() else self.foot.say(BUSY))
        self.results = ResultsPage(theme, BlindPage(theme, self.tasks, self._keep_vote, self._on_revealed))
        self.history = HistoryPage(theme, self, self._reopen, delete)
        self.fields = (self.variants, self.history)
        self.tabs = named(QTabWidget(), "sets_tabs", tr("Steps"))
        tip = tr("Stop after the current rows; Start resumes the evaluation, also after a restart")
        self._pause = push_button("sets_pause", tr("Pause"), tip, press=self._ask_pause)
        self._command = self.command_button("sets_command", lambda: self.tasks.start(self._copy(), "command"))
        tip = tr("Save the results: JSON, CSV, JSONL, Markdown, or a page for any browser")
        self._export = push_button("sets_export", tr("Export…"), tip, press=self._ask_export)
        tip = tr("Open the session that contains the answers to the chosen row")
        self._session = push_button("sets_session", tr("Open runs"), tip)
        self._session.clicked.connect(lambda: self.tasks.start(self._open_runs()))
        self._lay_out(theme)
        self._listen()
        self.set.show_included(() if resources is None else SHIPPED)
        self.enable()
        self.set.file.setFocus()
        if (run := playground.shown.now.run) is not None:
            self._on_finished(run)

    def refresh(self) -> None:
        self.variants.refresh()
        self.set.renew()
        self.history.refresh()

    def allow(self, is_allowed: bool) -> None:
        super().allow(is_allowed)
        self.set.allow(is_allowed)
        self._pause.setVisible(not is_allowed)

    def leave(self) -> None:
        self._later.stop()
        self.opener.close()
        super().leave()

    def _follow(self, old: State, new: State) -> None:
        super()._follow(old, new)
        if self.isVisible() and new.model is old.model:
            if new.controls != old.controls:
                self.variants.follow()
            elif old.phase is not new.phase is Phase.READY:
                self.set.resume_count()

    def _listen(self) -> None:
        runner = self.playground.evaluation_runner
        self.tabs.currentChanged.connect(lambda: self.history.refresh())
        self.serve_diff(self.results.answers.diff)
        self.playground.finished.connect(self._on_finished)
        runner.begun.connect(self._on_evaluation_started)
        runner.answered.connect(self._on_answered)
        runner.progressed.connect(self._on_progressed)
        runner.ended.connect(self._on_ended)

    # The set.

    @property
    def prompts(self) -> PromptSet | None:
        """The set that is shown."""
        return self._prompts

    def take_file(self, path: Path) -> None:
        self.opener.open_file(path)

    def show_opened(self, prompts: PromptSet, check: Check | None, before: Evaluation | None) -> None:
        """Show a set that was just opened, with its check, or with its earlier evaluation."""
        self._show_set(prompts, before)
        if before is None:
            self.variants.show_setup(replace(self.variants.setup(), check=check or suggested(prompts)))
        else:
            self.foot.say(tr("Loaded with the variants of its last evaluation. Start resumes it."), "muted")
        self.tabs.setCurrentIndex(SET)
        self.set.renew()

    def _show_set(self, prompts: PromptSet, before: Evaluation | None) -> None:
        """Show another set, with template, variants and check of an earlier evaluation."""
        self.set.show_set(prompts, before.template if before else prompts.template)
        self.tasks.cancel("start")
        self._prompts, self._outcome, self._answers = prompts, None, []
        self._clear(by_hand=False)
        self.foot.say("")
        self.variants.begin(prompts, before.arms if before else ())
        if before is not None:
            has_confidence = any(each.request.observe for each in before.arms)
            self.variants.show_setup(VariantSetup(before.check, before.repeats, before.together, has_confidence))
        self.enable()

    def _reopen(self, summary: EvaluationSummary) -> None:
        journal = self.playground.book.journal
        if journal is not None and not self.foot.is_running:
            self.tasks.start(self._show_earlier(journal, summary.number), "set")

    async def _show_earlier(self, journal: Journal, number: StudyId) -> None:
        found = await self.tasks.try_in_thread(reopened, journal, number)
        if isinstance(found, Failure):
            self.foot.show_failure(found)
        elif not self.foot.is_running:
            keeper, outcome = found
            self.opener.source = SetSource()
            self._show_set(outcome.study.prompts, outcome.study)
            self.playground.evaluation_runner.use_keeper(keeper)
            self._outcome, self._answers = outcome, list(outcome.answers)
            self._clear(by_hand=outcome.study.check.kind is CheckKind.BY_HAND)
            self.results.blind.begin(outcome)
            self.tabs.setCurrentIndex(RESULTS)
            self.tasks.start(self._show_outcome(outcome, is_over=True), "found")
            self.enable()
            self.set.renew()

    def _clear(self, *, by_hand: bool, is_running: bool = False) -> None:
        """Clear the results of the last evaluation, and cancel computations."""
        self._retried = set()
        self._later.stop()
        self.tasks.cancel("found")
        self.results.begin(by_hand, is_running=is_running)

    def _on_set_edited(self) -> None:
        self.set.renew()
        self.foot.say("")

    def _on_variants_edited(self) -> None:
        source = self.variants.variants[0].request.prompt if self.variants.variants else None
        if source != self._source:
            self._source = source
            self.set.renew()
        self.enable()

    def _on_counted(self, tokens: TokenCounts | None) -> None:
        self._tokens = tokens
        self.enable()

    # What can be started.

    def enable(self) -> None:
        phase, prompts, has_set = self.playground.state.phase, self._prompts, self._prompts is not None
        is_ready = phase is Phase.READY
        why_not = "" if is_ready else NO_MODEL if phase is Phase.EMPTY else BUSY
        self.foot.allow(is_ready and has_set, phase is Phase.STOPPING, why_not)
        self.foot.label_start(tr("Rerun") if self._is_done() else tr("Resume") if self._is_begun() else tr("Start"))
        for page in (VARIANTS, RESULTS):
            # Enabling a tab also enables its page, which `allow` may have disabled.
            if self.tabs.isTabEnabled(page) is not has_set:
                self.tabs.setTabEnabled(page, has_set)
        has_results = self._outcome is not None and bool(self._answers) and not self.foot.is_running
        self._command.setEnabled(has_set)
        self._export.setEnabled(has_results)
        self._session.setEnabled(has_results)
        if prompts is not None and not self.foot.is_running:
            self._estimate(prompts)

    def _estimate(self, prompts: PromptSet) -> None:
        """Show statistical power and duration, and validate the check."""
        setup, variants = self.variants.setup(), self.variants.variants
        self.variants.power.setText(power_sentence(len(prompts.rows), setup.repeats, len(variants)))
        answers = tr("%n answers", "%n answer", len(prompts.rows) * setup.repeats * len(variants))
        most = max((each.request.limits.max_tokens for each in variants), default=0)
        words = tr("{answers} of at most {tokens} tokens each")
        if all(each.by_likelihood for each in variants):
            words = tr("{answers} by log-likelihood; nothing is generated")
        elif not all(each.wording in EVERYWHERE for each in variants):
            words = tr("At most {answers}, each of at most {tokens} tokens; some rows don't have every wording")
        words = words.format(answers=answers, tokens=f"{most:,}")
        self.variants.estimate.say("\n".join(each for each in (words, self._time()) if each))
        if setup.check != self._checked:
            self._checked = setup.check
            self.tasks.start(self._try_check(setup.check), "check")

    def _time(self) -> str:
        """Estimate the duration; empty where the model has generated nothing yet."""
        model, study, speeds, tokens = self.playground.state.model, self._wanted(), self._speeds, self._tokens
        if model is None or isinstance(study, Failure) or speeds is None or tokens is None:
            return ""
        has_rest = self._is_begun() and not self._is_done()
        return time_sentence(study, model, tokens, speeds, len(self._answers) - len(self._failed) if has_rest else 0)

    def _on_finished(self, run: Run) -> None:
        known = run.summary.figures
        if run.on is not None and known.prompt_speed and known.speed_mean and known.tokens >= LEAST_TOKENS:
            self._speeds = RecentSpeeds(run.on.opened_by, known.prompt_speed, known.speed_mean)
            self.enable()

    def _wanted(self) -> Evaluation | Failure:
        """Return the evaluation that the pages describe. Its check is not validated yet."""
        prompts, model = self._prompts, self.playground.state.model
        if prompts is None or model is None or not self.variants.variants:
            return Failure(NO_MODEL, "", kind="no model")
        template, setup = self.set.template(), self.variants.setup()
        if wrong := why_missing(missing(template, prompts.columns)):
            return Failure(wrong, "", kind="template")
        if setup.check.kind in EXPECTS and not template.expected.strip():
            what = tr("This check needs an expected value: name its column on the page “Set”, or choose another check.")
            return Failure(what, "", kind="template")
        variants = self.variants.loaded(model)
        return Evaluation(prompts.title, prompts, template, variants, setup.check, setup.repeats, setup.together)

    async def _checked_evaluation(self) -> Evaluation | Failure:
        study = self._wanted()
        wrong = await self._why_not(study.check) if isinstance(study, Evaluation) else ""
        return Failure(wrong, "", kind="check") if wrong else study

    async def _why_not(self, check: Check) -> str:
        return await self.tasks.in_thread(complaint, check) if check.kind in FORMED else complaint(check)

    async def _try_check(self, check: Check) -> None:
        self.variants.show_error("")
        if check.kind in FORMED:
            await sleep(REST_S)
        self.variants.show_error(await self._why_not(check))

    def _is_begun(self) -> bool:
        """Return whether the last evaluation is the evaluation that the pages describe."""
        return self._outcome is not None and bool(self._answers) and self._wanted() == self._outcome.study

    def _is_complete(self) -> bool:
        """Return whether the evaluation has begun and no answer is missing."""
        is_over = self._outcome is not None and not (self._outcome.stopped or self._outcome.why)
        return is_over and self._is_begun()

    def _is_done(self) -> bool:
        """Return whether the evaluation is complete and no answer failed, except answers that failed twice."""
        return self._is_complete() and self._failed in (set(), self._retried)

    @property
    def _failed(self) -> set[AnswerKey]:
        return {each.key for each in self._answers if each.reason is Reason.ERROR}

    # Running.

    def start(self) -> None:
        self.tasks.start(self._start(), "start")

    async def _start(self) -> None:
        self.foot.say(STARTING, "muted")
        study = await self._checked_evaluation()
        if not self.isVisible():
            self.foot.say("")
            return
        if isinstance(study, Failure):
            self.foot.show_failure(study)
            return
        is_rerun = self._is_done()
        retried = self._failed if self._is_complete() and not is_rerun else set()
        if self.begin(partial(self.playground.study, study, is_rerun)):
            self.tasks.cancel("set")  # a set that is being read would replace this one
            self.variants.freeze()
            self._answers, self._outcome = [], EvaluationOutcome(study)
            self._clear(by_hand=study.check.kind is CheckKind.BY_HAND, is_running=True)
            self._retried = retried
            self.results.blind.begin(EvaluationOutcome(study))
            self.tabs.setCurrentIndex(RESULTS)
            self.enable()

    def stop(self) -> None:
        super().stop()
        self.show_progress(STOPPING)

    def _ask_pause(self) -> None:
        self.playground.evaluation_runner.pause()
        self.show_progress(tr("Finishing the current rows…"))

    def _on_evaluation_started(self, known: EvaluationOutcome) -> None:
        """Add the answers that are already in the database."""
        if self._outcome is not None:
            self._answers, self._outcome = list(known.answers), replace(self._outcome, votes=known.votes)
            self._later.start()

    def _on_answered(self, answers: tuple[EvaluationAnswer, ...]) -> None:
        self._answers += answers
        if not self._later.isActive():
            self._later.start()

    def _on_progressed(self, progress: Progress) -> None:
        if self.playground.state.phase is not Phase.STOPPING:
            words = tr("{done} of {total} answers").format(done=f"{progress.done:,}", total=f"{progress.total:,}")
            if progress.left_s is not None:
                words = tr("{done}, {left} left").format(done=words, left=duration(progress.left_s))
            self.show_progress(words, progress.done, progress.total)

    def _on_ended(self, ended: EvaluationOutcome | Failure) -> None:
        self._later.stop()
        self.show_progress(None)
        if isinstance(ended, Failure):
            self.foot.show_failure(ended)
        else:
            ended = self._with_votes(ended)
            self._outcome, self._answers = ended, list(ended.answers)
            self.tasks.start(self._show_outcome(ended, is_over=True), "found")
        self.enable()

    # The results.

    def _show_interim(self) -> None:
        if self._outcome is not None and self.isVisible() and not self.tasks.is_running("found"):
            known = replace(self._outcome, answers=tuple(self._answers))
            self.tasks.start(self._show_outcome(known, is_over=False), "found")

    async def _show_outcome(self, outcome: EvaluationOutcome, *, is_over: bool) -> None:
        started = time.monotonic()
        shown = outcome if self.results.blind.is_revealed else replace(outcome, votes=())
        result = await self.tasks.in_thread(summarize, shown, is_over)
        took_ms = 1000 * (time.monotonic() - started)
        self._later.setInterval(max(SHOWN_EVERY_MS, round(took_ms * SHOWN_SHARE)))
        self.results.show_result(result, is_over)
        self.results.blind.show_outcome(self._with_votes(outcome))

    def _with_votes(self, outcome: EvaluationOutcome) -> EvaluationOutcome:
        """Add the votes that were cast meanwhile."""
        ours = self._outcome.votes if self._outcome is not None else ()
        votes = {(each.first, each.second, each.row): each for each in (*outcome.votes, *ours)}
        return replace(outcome, votes=tuple(votes.values()))

    def _keep_vote(self, vote: Vote) -> None:
        if self._outcome is not None:
            self.playground.evaluation_runner.vote(vote)
            self._outcome = replace(self._outcome, votes=(*self._outcome.votes, vote))

    def _on_revealed(self) -> None:
        if self._outcome is not None and not self.foot.is_running:
            self.tasks.start(self._show_outcome(self._outcome, is_over=True), "found")

    async def _open_runs(self) -> None:
        journal, run = self.playground.book.journal, self.results.answers.run
        record = await self.tasks.in_thread(journal.runs.get, run) if journal is not None and run is not None else None
        if record is not None:
            self.playground.open_session(record.session)

    async def _copy(self) -> None:
        study, model = await self._checked_evaluation(), self.playground.state.model
        if isinstance(study, Failure) or model is None:
            self.foot.say(study.sentence if isinstance(study, Failure) else NO_MODEL)
        elif not (source := self.opener.source).path:
            self.foot.say(tr("The command needs a file: open the set from its file."))
        else:
            command = command_of(study, source.path, model, source.switches, source.examples)
            if isinstance(command, Failure):
                self.foot.show_failure(command)
            else:
                self.copy_command(command)

    def _ask_export(self) -> None:
        if (outcome := self._outcome) is not None:
            texts = {suffix: partial(write, outcome) for suffix, write in WRITERS.items()}
            self.export(tr("Export the Evaluation"), outcome.study.title, KINDS, texts)

    def _lay_out(self, theme: Theme) -> None:
        titles = tr("Set"), tr("Variants and check"), tr("Results"), tr("Earlier evaluations")
        for title, page in zip(titles, (self.set, self.variants, self.results, self.history), strict=True):
            self.tabs.addTab(page, title)
        self.tabs.setDocumentMode(True)
        self._pause.hide()
        scaled(theme, self.foot, QWidget.setMaximumWidth, FOOT_PX)
        buttons = in_column(..., in_row(self._command, self._session, self._export, ..., self._pause))
        foot = in_row((buttons, 1), (self.foot, FOOT_STRETCH, Qt.AlignmentFlag.AlignBottom))
        in_column((self.tabs, 1), foot, on=self, gap=GAP_PX, margins=MARGIN_PX)
