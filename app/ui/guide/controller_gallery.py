"""The gallery's cards become prompts, settings and open windows; what was there before can be put back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.bridge.playground import Playground
from app.controls import Controls
from app.engine.catalogue import SETTINGS
from app.engine.types import Failure, RawPrompt, Sampling
from app.state import Phase, State
from app.ui.guide.gallery_dialog import Gallery
from app.ui.guide.gallery_items import FORBIDDEN, ITEMS, RECORDED, Item
from app.ui.guide.try_hint import TryHint
from app.ui.look import Theme
from app.ui.widgets import bring_up
from app.ui.widgets.typed_text import TypedText
from app.words import tr

KIND = "gallery"


class GalleryController(QObject):
    """Nothing is sent, and nothing that was typed is lost."""

    mode_wanted = Signal(str)

    def __init__(
        self,
        playground: Playground,
        prompt: TypedText,
        hint: TryHint,
        theme: Theme,
        acts: Mapping[str, QAction],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._playground = playground
        self._prompt = prompt
        self._hint = hint
        self._acts = acts
        self._before: tuple[Controls, str] | None = None
        self._view = Gallery(theme, [(item, sets(item)) for item in ITEMS], window)
        self._view.used.connect(self._use)
        hint.undone.connect(self._put_back)
        playground.changed.connect(self._on_changed)
        self._view.allow(playground.state.phase is Phase.READY)

    def show(self) -> None:
        bring_up(self._view)

    @Slot(int)
    def _use(self, number: int) -> None:
        item = ITEMS[number]
        if item.prompt:
            self._fill(item)
        for name in item.actions:
            if not self._acts[name].isChecked():
                self._acts[name].trigger()

    def _fill(self, item: Item) -> None:
        controls, text = self._playground.state.controls, self._prompt.text()
        self._prompt.leave_editing()
        if item.mode is not controls.mode:
            self.mode_wanted.emit(item.mode.value)
        self._before = controls, text if item.mode is controls.mode else self._prompt.text()
        self._playground.set_controls(controls_of(item, controls))
        self._playground.tasks.drop(KIND)
        if item.banned and self._playground.state.model is not None:
            self._playground.tasks.start(self._forbid(item), KIND)
        else:
            self._prompt.set_text(item.prompt)
        self._prompt.setFocus()
        self._hint.show_words(f"{item.then}\n{sets(item, controls)}")

    async def _forbid(self, item: Item) -> None:
        """Only the model that is open knows which tokens a text is; the prompt comes when they are forbidden."""
        answer = await self._playground.spelled(RawPrompt(item.banned))
        if not isinstance(answer, Failure):
            bias = tuple((token, FORBIDDEN) for token, _ in answer.texts(item.banned))
            controls = self._playground.state.controls
            self._playground.set_controls(replace(controls, sampling=replace(controls.sampling, logit_bias=bias)))
        self._prompt.set_text(item.prompt)

    @Slot()
    def _put_back(self) -> None:
        """What was typed, and all settings that came along; the prompt that was sent meanwhile stays sent."""
        self._hint.hide()
        self._playground.tasks.drop(KIND)
        if self._before is None:
            return
        (controls, text), self._before = self._before, None
        self._prompt.set_text(text)
        if controls.mode is not self._playground.state.controls.mode:
            self.mode_wanted.emit(controls.mode.value)
        self._playground.set_controls(controls)
        self._prompt.setFocus()

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.phase is not old.phase:
            self._view.allow(new.phase is Phase.READY)


def controls_of(item: Item, controls: Controls) -> Controls:
    """Everything that decides how the text becomes what it shall show; the rest stays."""
    return replace(
        controls,
        mode=item.mode,
        system="",
        reply_start="",
        sampling=Sampling(temperature=item.temperature, top_p=item.top_p, frequency_penalty=item.frequency_penalty),
        limits=replace(controls.limits, max_tokens=item.max_tokens, stop_strings=item.stop_strings, stop_ids=()),
        seed=item.seed,
        form=controls.form.put(item.form.kind, item.form.text),
        observe=RECORDED if item.recorded else controls.observe,
    )


def sets(item: Item, before: Controls | None = None) -> str:
    """The settings by name; with those before, also what has to make room."""
    named = [*_named(item), *(_emptied(before) if before is not None else ())]
    return tr("Sets: {settings}.").format(settings=" · ".join(named)) if item.prompt else ""


def _emptied(before: Controls) -> Iterator[str]:
    if before.system:
        yield tr("no system prompt")
    if before.reply_start:
        yield tr("no start of the reply")


def _named(item: Item) -> Iterator[str]:
    usual = {each.name: each.default for each in fields(Item)}
    if item.mode is not usual["mode"]:
        yield tr("Raw")
    yield tr("Temperature {value}").format(value=f"{item.temperature:g}")
    yield tr("Max tokens {value}").format(value=item.max_tokens)
    if item.top_p != usual["top_p"]:
        yield tr("Top-p {value}").format(value=f"{item.top_p:g}")
    if item.frequency_penalty != usual["frequency_penalty"]:
        yield tr("Frequency penalty {value}").format(value=f"{item.frequency_penalty:g}")
    if item.stop_strings:
        yield tr("Stop string “{text}”").format(text=item.stop_strings[0])
    if item.seed is not None:
        yield tr("Seed {value}").format(value=item.seed)
    if item.form:
        yield SETTINGS[f"form_{item.form.kind.value}"].words
    if item.banned:
        yield tr("Logit bias against “{text}”").format(text=item.banned)
    if item.recorded:
        yield tr("Record candidates")
