"""Storage of evaluations in the session database: answers are runs of sessions; an evaluation can be resumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path

from app.engine.protocol import StopFlag
from app.engine.types import LATER, ChatPrompt, Failure, Model, RawPrompt, Reason, Request
from app.evaluation.evaluation_run import checked, size
from app.evaluation.likelihood import confidence_of
from app.evaluation.types import (
    AnswerKey,
    Check,
    Evaluation,
    EvaluationAnswer,
    EvaluationOutcome,
    EvaluationSummary,
    EvaluationVariant,
    Preference,
    PromptSet,
    Template,
    Vote,
)
from app.experiments.journal_entries import NONE_KNOWN, JournalRecorder
from app.files import json_values
from app.i18n import tr
from app.records.journal import Journal
from app.records.recording import RunRecorder
from app.records.run_environment import model_ref
from app.records.studies import StudyId, StudyRun
from app.records.types import ModelRef

NAME = tr("Prompt set: {title}")
SESSION_ANSWERS = 500
"""The most answers in one session, since a session with thousands of runs opens slowly."""
WAIT_S = 1.0
"""The longest wait for the disk in seconds, once per session, since unwritten answers take memory."""
MOST_TEXTS = 500_000
"""The largest set, in characters, that is stored with its evaluation; a larger one is read from its file."""


@dataclass(frozen=True, slots=True)
class EvaluationDefinition:
    """The identity of an evaluation, which is resumed only if all of this is equal.

    Names of variants, the check and the repeats may change.
    """

    digest: str
    template: Template
    arms: tuple[EvaluationVariant, ...]
    files: tuple[str, ...]
    """The revision or digest of each variant's model and adapter."""


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """The options of an evaluation that may change when it is resumed."""

    names: tuple[str, ...]
    check: Check
    repeats: int
    together: int
    asked: int = 0
    """The planned number of answers."""
    columns: tuple[str, ...] = ()
    texts: tuple[tuple[str, ...], ...] = ()
    """The rows of the set, unless it is too large."""
    notes: tuple[str, ...] = field(default=(), metadata=LATER)
    """The notes of the set."""


def listed(journal: Journal) -> tuple[EvaluationSummary, ...]:
    """Return all stored evaluations, latest first."""
    found = []
    for row in journal.studies.rows():
        try:
            stored = json_values.loads(EvaluationOptions, row.setup)
        except ValueError:  # of another version
            continue
        answers = sum(count for repeat, count in row.answers.items() if repeat < stored.repeats)
        found.append(EvaluationSummary(row.id, row.title, row.created, stored.names, answers, stored.asked))
    return tuple(found)


def reopened(journal: Journal, number: StudyId) -> tuple[StudyKeeper, EvaluationOutcome] | Failure:
    """Return a stored evaluation with its prompt set and answers, which are checked again."""
    title, definition, setup = journal.studies.get(number) or ("", "", "")
    study = _study_of(definition, setup, title)
    if study is None:
        what = tr("The session database has the answers of this evaluation, but not its prompt set.")
        return Failure(what, tr("Open the file of the prompt set: Start then resumes the evaluation."), kind="set")
    keeper = StudyKeeper(journal, study, number)
    answers = keeper.answers(StopFlag(), failed=True)
    return keeper, EvaluationOutcome(study, answers, keeper.votes(), stopped=len(answers) < size(study))


def _study_of(definition: str, setup: str, title: str = "", prompts: PromptSet | None = None) -> Evaluation | None:
    """Build the evaluation from its stored definition; `prompts` None: use the stored set."""
    try:
        known, stored = json_values.loads(EvaluationDefinition, definition), json_values.loads(EvaluationOptions, setup)
    except ValueError:  # of another version
        return None
    if prompts is None and stored.texts and {len(row) for row in stored.texts} == {len(stored.columns)}:
        prompts = PromptSet(title, stored.columns, stored.texts, known.template, known.digest, stored.notes)
    if prompts is None or known.digest != prompts.digest or len(known.arms) != len(stored.names):
        return None
    arms = tuple(replace(arm, name=name) for arm, name in zip(known.arms, stored.names, strict=True))
    return Evaluation(prompts.title, prompts, known.template, arms, stored.check, stored.repeats, stored.together)


def earlier(journal: Journal, prompts: PromptSet) -> Evaluation | None:
    found = (_study_of(*each, prompts=prompts) for each in journal.studies.latest(prompts.digest))
    return next((study for study in found if study is not None), None)


class StudyKeeper:
    """An AnswerRecorder that stores answers in the session database, from the first answer on."""

    def __init__(
        self,
        journal: Journal,
        study: Evaluation,
        of: Model | StudyId,
        known: Mapping[Path, ModelRef] = NONE_KNOWN,
        from_start: bool = False,
    ) -> None:
        """`of`: the open model, used by variants that name no model; or the number of a stored evaluation."""
        self._journal, self._studies, self._study = journal, journal.studies, study
        asked = _definition(study, of) if isinstance(of, Model) else None
        self._definition = json_values.dumps(EvaluationDefinition, asked) if asked is not None else ""
        self._number = of if isinstance(of, int) else 0 if from_start or asked is None else self._find(asked)
        self._keeper = JournalRecorder(journal, study.title, known, NAME)
        self._begun = 0
        if self._number and isinstance(of, Model):
            stored, setup = self._studies.get(self._number), _options_json(study)
            if stored is not None and stored[2] != setup:
                self._studies.change(self._number, setup)

    @property
    def found(self) -> bool:
        return bool(self._number)

    def ready(self, request: Request, model: Model) -> None:
        if not self._number:
            self._number = self._studies.new(self._study.title, self._definition, _options_json(self._study))
        if self._begun % SESSION_ANSWERS == 0:
            self._keeper.session = 0
            self._journal.flush(WAIT_S)
        self._keeper.ready(request, model)

    def __call__(self, key: AnswerKey, request: Request, model: Model, sent: float) -> RunRecorder:
        self._begun += 1
        recorder = self._keeper(request, model, sent)
        self._studies.add_run(self._number, (key.arm, key.row, key.repeat), recorder.run)
        return recorder

    def answers(self, stop: StopFlag, failed: bool = False) -> tuple[EvaluationAnswer, ...]:
        """Return the latest stored answer of each place, checked again; end early when `stop` is asked.

        `failed`: include failed answers, which a resumed evaluation asks again.
        """
        if self._number:
            self._journal.flush(WAIT_S)  # the last answers may not be written yet
        ended = self._studies.ended(self._number) if self._number else ()
        undone = {Reason.STOPPED} if failed else {Reason.STOPPED, Reason.ERROR}
        found = {each.key: each for each in ended if each.reason not in undone}
        rows, repeats = len(self._study.prompts.rows), self._study.repeats
        asked = (each for (_, row, repeat), each in sorted(found.items()) if row < rows and repeat < repeats)
        return tuple(self._answer(each) for each in takewhile(lambda _: not stop.asked, asked))

    def vote(self, vote: Vote) -> None:
        """Store a vote; ignored while the evaluation has no stored answers."""
        if self._number:
            row = (vote.first, vote.second, vote.row, vote.preference.value, vote.blind)
            self._studies.vote(self._number, row)

    def votes(self) -> tuple[Vote, ...]:
        stored = self._studies.votes(self._number) if self._number else ()
        return tuple(Vote(*vote[:3], Preference(vote[3]), vote[4]) for vote in stored)

    def _find(self, asked: EvaluationDefinition) -> StudyId:
        """Return the number of the stored evaluation with this definition; 0 if there is none.

        Earlier versions stored a variant without its own prompt as a raw prompt, so that form is tried too.
        """
        arms = tuple(
            replace(arm, request=replace(arm.request, prompt=RawPrompt("")))
            if arm.request.prompt == ChatPrompt(())
            else arm
            for arm in asked.arms
        )
        once = json_values.dumps(EvaluationDefinition, replace(asked, arms=arms))
        return self._studies.find(self._definition) or self._studies.find(once)

    def _answer(self, ended: StudyRun) -> EvaluationAnswer:
        key = AnswerKey(*ended.key)
        answer = checked(self._study, key, ended.text, ended.reason, ended.tokens, ended.seconds, ended.run)
        request = self._study.arms[key.arm].request
        if not request.observe:
            return answer
        tokens = self._journal.runs.tokens(ended.run, count=ended.tokens)
        return replace(answer, confidence=confidence_of(tokens, ended.text, request.limits.stop_strings))


def _definition(study: Evaluation, model: Model) -> EvaluationDefinition:
    arms = tuple(replace(arm, name="", load=replace(arm.load or model.opened_by, anyway=False)) for arm in study.arms)
    digests: dict[str, str] = {}
    for path in {path for arm in arms if arm.load for path in (arm.load.model, arm.load.adapter) if path}:
        ref = model_ref(path, Path(path))
        digests[path] = ref.revision or ref.digest
    files = tuple(
        " ".join(digests[path] for path in (arm.load.model, arm.load.adapter) if path) for arm in arms if arm.load
    )
    return EvaluationDefinition(study.prompts.digest, study.template, arms, files)


def _options_json(study: Evaluation) -> str:
    names, prompts = tuple(arm.name for arm in study.arms), study.prompts
    stored = EvaluationOptions(names, study.check, study.repeats, study.together, size(study), prompts.columns)
    if sum(len(text) for row in prompts.rows for text in row) <= MOST_TEXTS:
        stored = replace(stored, texts=tuple(prompts.rows), notes=prompts.notes)
    return json_values.dumps(EvaluationOptions, stored)
