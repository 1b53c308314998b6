"""Looks up the tokens of a text and the texts of ids for the panel, with the model's tokenizer."""

import re

from PySide6.QtCore import QObject

from app.bridge.playground import Playground
from app.engine.types import ExactPrompt, Failure, RawPrompt, TokenPrompt
from app.state import State
from app.ui.controls import ControlsPanel
from app.ui.controls.token_list import EndTokens, LogitBias

ID = re.compile(r"#(\d+)")
KIND = "naming tokens"


class TokenLookupController(QObject):
    """Serves both token lists of the panel; each gets only the answers to its own requests."""

    def __init__(self, playground: Playground, panel: ControlsPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._panel = panel
        playground.changed.connect(self._on_changed)
        panel.end.tokens.search.sought.connect(self._seek)
        panel.rare.bias.search.sought.connect(self._seek)

    @property
    def _lists(self) -> tuple[EndTokens | LogitBias, ...]:
        return self._panel.end.tokens, self._panel.rare.bias

    def _seek(self, asked: str) -> None:
        if self._playground.state.model is not None:
            self._playground.tasks.start(self._find(asked))

    async def _find(self, asked: str) -> None:
        number = ID.fullmatch(asked)
        answer = await self._playground.tokenize(TokenPrompt((int(number[1]),)) if number else RawPrompt(asked))
        for tokens in self._lists:
            if isinstance(answer, Failure):
                tokens.search.show_failure(asked, answer.what)
            else:
                tokens.search.show_found(asked, answer.texts("" if number else asked))

    def _on_changed(self, old: State, new: State) -> None:
        """Look up the texts of the ids that are set, with a newly opened model."""
        if new.model is not old.model or _set_ids(new) - _set_ids(old):
            self._name_all(new)

    def _name_all(self, state: State) -> None:
        ids = _set_ids(state)
        if state.model is not None and ids:
            known = tuple(sorted(token for token in ids if token < state.model.vocabulary))
            self._playground.tasks.start(self._name(known), KIND)

    async def _name(self, ids: tuple[int, ...]) -> None:
        answer = await self._playground.tokenize(TokenPrompt(ids)) if ids else None
        if isinstance(answer, ExactPrompt):
            for tokens in self._lists:
                tokens.name_tokens(dict(answer.texts()))


def _set_ids(state: State) -> set[int]:
    controls = state.controls
    return {*controls.limits.stop_ids, *(token for token, _ in controls.sampling.logit_bias)}
