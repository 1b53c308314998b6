"""Recording of measured runs in the session database, in one session per experiment."""

import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from app.controls import Controls, Mode
from app.engine.types import ChatPrompt, Model, Request, Role
from app.experiments.requests import words_of
from app.i18n import tr
from app.records.journal import Journal
from app.records.recording import RunRecorder
from app.records.run_environment import model_ref, run_start
from app.records.types import ModelRef, SessionId

EXPERIMENT = tr("Experiment: {title}")
"""The title of the session."""
NONE_KNOWN: Mapping[Path, ModelRef] = MappingProxyType({})


class JournalRecorder:
    """A RecorderFactory whose session is created with the first run."""

    def __init__(
        self, journal: Journal, title: str, known: Mapping[Path, ModelRef] = NONE_KNOWN, kind: str = EXPERIMENT
    ) -> None:
        self._journal = journal
        self._name = kind.format(title=title)
        self.session: SessionId = 0
        """Id of the session; 0 before the first run."""
        self._known = dict(known)

    def ready(self, request: Request, model: Model) -> None:
        """Read the model's files and the libraries' versions, which are cached."""
        run_start(_mode(request), request, model, 0.0, self._ref)

    def __call__(self, request: Request, model: Model, sent: float) -> RunRecorder:
        start = run_start(_mode(request), request, model, sent, self._ref)
        if not self.session:
            self.session = self._journal.sessions.new(_settings(request), experiment=self._name)
        question = words_of(request.prompt)
        self._journal.sessions.add_turn(self.session, Role.USER, question if isinstance(question, str) else "")
        turn = self._journal.sessions.add_turn(self.session, Role.ASSISTANT, "")
        begun = time.time() - (time.monotonic() - start.sent)
        return self._journal.begin(self.session, turn, start, begun)

    def _ref(self, name: str, folder: Path) -> ModelRef:
        if folder not in self._known:
            self._known[folder] = model_ref(name, folder)
        return self._known[folder]


def _mode(request: Request) -> Mode:
    return Mode.CHAT if isinstance(request.prompt, ChatPrompt) else Mode.RAW


def _settings(request: Request) -> Controls:
    """Return the settings of the first run, which become the session's settings."""
    chat = request.prompt if isinstance(request.prompt, ChatPrompt) else ChatPrompt(())
    return Controls(
        mode=_mode(request),
        system="\n".join(message.text for message in chat.messages if message.role is Role.SYSTEM),
        reply_start=chat.reply_start,
        arguments=chat.arguments,
        sampling=request.sampling,
        limits=request.limits,
        kv=request.kv,
        seed=request.sampling.seed,
        draft_tokens=request.draft_tokens,
        lookup_tokens=request.lookup_tokens,
    )
