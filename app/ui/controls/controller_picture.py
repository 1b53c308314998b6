"""Feeds the sampling picture: the settings, and the token of the last run with the highest entropy."""

import math

from PySide6.QtCore import QObject

from app.bridge.playground import Playground
from app.engine.meter.meter import Frame
from app.engine.meter.speeds import observing_share
from app.engine.types import TokenLogprobs
from app.state import Phase, Run, State
from app.ui.controls.sampling_picture import SamplingPicture


class PictureController(QObject):
    """Chooses the token with the highest entropy: a certain one would show nothing."""

    def __init__(self, playground: Playground, picture: SamplingPicture, parent: QObject) -> None:
        super().__init__(parent)
        self._picture = picture
        self._open_choice: TokenLogprobs | None = None
        playground.changed.connect(self._on_changed)
        playground.advanced.connect(self._on_advanced)
        playground.finished.connect(self._on_finished)
        self._show(playground.state)

    def _on_changed(self, old: State, new: State) -> None:
        if (new.controls, new.model, new.observing) != (old.controls, old.model, old.observing):
            self._show(new)
        if new.phase is Phase.PREFILLING and old.phase is not Phase.PREFILLING and not new.is_background:
            self._open_choice = None

    def _show(self, state: State) -> None:
        self._picture.show_sampling(state.controls.sampling)
        self._picture.show_recording(state.observing)
        self._picture.refuse_recording(state.model.can.refusal("observe") if state.model is not None else "")

    def _on_advanced(self, frame: Frame) -> None:
        seen = [self._open_choice, *(token.observed for token in frame.tokens)]
        self._open_choice = max(filter(None, seen), key=_entropy, default=None)

    def _on_finished(self, run: Run) -> None:
        self._picture.show_cost(observing_share(run.finish))
        if self._open_choice is not None:
            ends = (end for end, _ in run.on.eos) if run.on else ()
            ended_by = frozenset((*ends, *run.request.limits.stop_ids))
            self._picture.show_observed(self._open_choice, ended_by, run.request.sampling)


def _entropy(observed: TokenLogprobs) -> float:
    return 0.0 if math.isnan(observed.entropy) else observed.entropy
