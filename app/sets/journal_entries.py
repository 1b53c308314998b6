"""A study in the journal: its answers are ordinary runs of sessions named after it, and can be gone on from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

from app import json_values
from app.engine.protocol import StopFlag
from app.engine.types import Model, Reason, Request
from app.experiments.journal_entries import NONE_KNOWN, Keeper
from app.records.journal import Journal
from app.records.recording import RunRecorder
from app.records.studies import Ended
from app.records.surroundings import model_ref
from app.records.types import ModelRef, SessionId
from app.sets.study import judged
from app.sets.types import Answer, Arm, Check, Place, Preference, PromptSet, Study, Template, Vote
from app.words import tr

NAME = tr("Prompt set: {title}")
SESSION_ANSWERS = 500
"""A session of thousands would take long to open."""
WAIT_S = 1.0
"""So long, once a session, it is waited for the disk: what is not written yet stands in memory."""
UNDONE = (Reason.STOPPED, Reason.ERROR)
"""Whoever goes on asks these anew."""


@dataclass(frozen=True, slots=True)
class Definition:
    """What must be the same for a study to be gone on with; names of arms, the check and the repeats may change."""

    digest: str
    template: Template
    arms: tuple[Arm, ...]
    files: tuple[str, ...]
    """Which state of its model's and adapter's files each arm was asked of."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What else a study was: it may change, and stays as it was when it is taken up again."""

    names: tuple[str, ...]
    check: Check
    repeats: int
    together: int


def earlier(journal: Journal, prompts: PromptSet) -> Study | None:
    """What this set was asked last."""
    for definition, setup in journal.studies.latest():
        try:
            known, kept = json_values.loads(Definition, definition), json_values.loads(Kept, setup)
        except ValueError:  # of another version
            continue
        if known.digest == prompts.digest and len(known.arms) == len(kept.names):
            arms = tuple(replace(arm, name=name) for arm, name in zip(known.arms, kept.names, strict=True))
            return Study(prompts.title, prompts, known.template, arms, kept.check, kept.repeats, kept.together)
    return None


class StudyKeeper:
    """A call of it is a `Keep`. Nothing is written before the first answer is begun."""

    def __init__(
        self,
        journal: Journal,
        study: Study,
        model: Model,
        known: Mapping[Path, ModelRef] = NONE_KNOWN,
        anew: bool = False,
    ) -> None:
        """`model` is the one that is open, of which arms without a model of their own are asked."""
        self._journal, self._studies, self._study = journal, journal.studies, study
        self._definition = _definition(study, model)
        self._number = 0 if anew else self._studies.find(self._definition)
        self._keeper = Keeper(journal, study.title, known, NAME)
        self._begun = 0

    @property
    def found(self) -> bool:
        """Whether the journal has some of it."""
        return bool(self._number)

    @property
    def session(self) -> SessionId:
        """Where its answers begin; 0: nowhere yet."""
        return self._studies.session(self._number)

    def __call__(self, place: Place, request: Request, model: Model, sent: float) -> RunRecorder:
        if not self._number:
            self._number = self._studies.new(self._study.title, self._definition, _kept(self._study))
        if self._begun % SESSION_ANSWERS == 0:
            self._keeper.session = 0
            self._journal.flush(WAIT_S)
        self._begun += 1
        recorder = self._keeper(request, model, sent)
        self._studies.add_run(self._number, (place.arm, place.row, place.repeat), recorder.run)
        return recorder

    def answers(self, stop: StopFlag) -> tuple[Answer, ...]:
        """What need not be asked again, judged anew until it is stopped; the latest of each place."""
        ended = self._studies.ended(self._number) if self._number else ()
        found = {each.place: each for each in ended if each.reason not in UNDONE}
        asked = (each for place, each in sorted(found.items()) if self._is_asked(Place(*place)))
        return tuple(self._answer(each) for each in takewhile(lambda _: not stop.asked, asked))

    def vote(self, vote: Vote) -> None:
        """Keep it; of a study of which nothing is kept there is nothing to like."""
        if self._number:
            said = (vote.first, vote.second, vote.row, vote.preference.value, vote.blind)
            self._studies.vote(self._number, said)

    def votes(self) -> tuple[Vote, ...]:
        kept = self._studies.votes(self._number) if self._number else ()
        return tuple(Vote(*vote[:3], Preference(vote[3]), vote[4]) for vote in kept)

    def _is_asked(self, place: Place) -> bool:
        return place.repeat < self._study.repeats and place.row < len(self._study.prompts.rows)

    def _answer(self, ended: Ended) -> Answer:
        place = Place(*ended.place)
        right, why = judged(self._study, place, ended.text, ended.tokens, ended.reason)
        return Answer(place, ended.text, ended.reason, ended.tokens, ended.seconds, right, why, ended.run)


def _definition(study: Study, model: Model) -> str:
    arms = tuple(replace(arm, name="", load=replace(arm.load or model.opened_by, anyway=False)) for arm in study.arms)
    digests: dict[str, str] = {}
    for path in {path for arm in arms if arm.load for path in (arm.load.model, arm.load.adapter) if path}:
        ref = model_ref(path, Path(path))
        digests[path] = ref.revision or ref.digest
    files = tuple(
        " ".join(digests[path] for path in (arm.load.model, arm.load.adapter) if path) for arm in arms if arm.load
    )
    return json_values.dumps(Definition, Definition(study.prompts.digest, study.template, arms, files))


def _kept(study: Study) -> str:
    names = tuple(arm.name for arm in study.arms)
    return json_values.dumps(Kept, Kept(names, study.check, study.repeats, study.together))
