"""Controller of the gallery: applies a card's prompt and settings, and restores the previous input."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.bridge.playground import Playground
from app.controls import Controls
from app.engine.catalogue import SETTINGS
from app.engine.types import Failure, RawPrompt, Sampling
from app.i18n import tr
from app.records.types import SessionId
from app.state import Phase, State
from app.ui.feature import TypedText
from app.ui.guide.gallery_dialog import Gallery
from app.ui.guide.gallery_items import FORBIDDEN, ITEMS, RECORDED, Item
from app.ui.guide.try_hint import TryHint
from app.ui.look import Theme
from app.ui.widgets import bring_up

KIND = "gallery"


@dataclass(frozen=True, slots=True)
class SavedInput:
    """The prompt and settings from before a card was used."""

    item: Item
    controls: Controls
    text: str
    """Text of the mode that the card filled in."""
    other: SessionId
    """The session of the other mode, which was shown before the card changed the mode."""


class GalleryController(QObject):
    """Controller that fills in cards without sending them, and saves each session's previous input for “Put back”."""

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
        self._before: dict[SessionId, list[SavedInput]] = {}
        self._offered: SavedInput | None = None
        self._view = Gallery(theme, [(item, sets(item)) for item in ITEMS], window)
        self._view.used.connect(self._use)
        hint.undone.connect(self._put_back)
        hint.left.connect(self._discard)
        playground.changed.connect(self._on_changed)
        self._view.allow(playground.state.phase is Phase.READY)

    def show(self) -> None:
        bring_up(self._view)

    def _use(self, number: int) -> None:
        item = ITEMS[number]
        if item.prompt:
            self._fill(item)
        for name in item.actions:
            if not self._acts[name].isChecked():
                self._acts[name].trigger()

    def forget_all(self) -> None:
        """Drop the saved inputs of deleted sessions."""
        self._before.clear()
        self._offer()

    @property
    def _last(self) -> SavedInput | None:
        """The saved input of this session that can be restored."""
        state = self._playground.state
        befores = self._before.get(state.session)
        if not befores or befores[-1].item.mode is not state.controls.mode:
            return None
        last = befores[-1]
        return last if last.controls.mode is last.item.mode or last.other == state.inactive.session else None

    def _fill(self, item: Item) -> None:
        controls = self._playground.state.controls
        self._prompt.end_editing()
        if item.mode is not controls.mode:
            self.mode_wanted.emit(item.mode.value)
        state, text, last = self._playground.state, self._prompt.text(), self._last
        if last is not None and _is_untouched(last, controls, text):  # unused input of the previous card
            self._before[state.session].pop()
            controls, text = last.controls, last.text
        before = SavedInput(item, controls, text, state.inactive.session)
        self._before.setdefault(state.session, []).append(before)
        self._playground.set_controls(controls_of(item, controls))
        self._playground.tasks.cancel(KIND)
        if item.banned and state.model is not None:
            self._playground.tasks.start(self._forbid(before), KIND)
        else:
            self._prompt.set_text(item.prompt)
        self._prompt.setFocus()
        self._offer()

    async def _forbid(self, before: SavedInput) -> None:
        """Set the logit bias once the open model has tokenized the text, then fill in the prompt."""
        item = before.item
        answer = await self._playground.tokenize(RawPrompt(item.banned))
        if self._last is not before:
            return  # another page is open
        if not isinstance(answer, Failure):
            bias = tuple((token, FORBIDDEN) for token, _ in answer.texts(item.banned))
            controls = self._playground.state.controls
            self._playground.set_controls(replace(controls, sampling=replace(controls.sampling, logit_bias=bias)))
        self._prompt.set_text(item.prompt)

    def _put_back(self) -> None:
        """Restore the typed text and the settings."""
        self._playground.tasks.cancel(KIND)
        before = self._last
        if before is not None:
            self._before[self._playground.state.session].pop()
            self._prompt.set_text(before.text)
            if before.controls.mode is not before.item.mode:
                self.mode_wanted.emit(before.controls.mode.value)
            self._playground.set_controls(before.controls)
            self._prompt.setFocus()
        self._offer()

    def _discard(self) -> None:
        """Discard the saved input."""
        self._before.pop(self._playground.state.session, None)
        self._offer()

    def _offer(self) -> None:
        last = self._last
        if last is None:
            self._hint.hide()
        elif last is not self._offered:
            self._hint.show_words(f"{last.item.then}\n{sets(last.item, last.controls)}")
        self._offered = last

    def _on_changed(self, old: State, new: State) -> None:
        if new.phase is not old.phase:
            self._view.allow(new.phase is Phase.READY)
        same_mode = new.controls.mode is old.controls.mode
        if same_mode and (new.session, new.inactive.session) == (old.session, old.inactive.session):
            return
        if same_mode and not old.session and not old.opening and 0 in self._before:
            self._before[new.session] = self._before.pop(0)  # the page has become a session
        self._offer()


def _is_untouched(before: SavedInput, controls: Controls, text: str) -> bool:
    """Return True if the input is unchanged since the card, or its prompt was sent."""
    item, made = before.item, controls_of(before.item, before.controls)
    if item.banned:  # its tokens depend on the model
        made = replace(made, sampling=replace(made.sampling, logit_bias=controls.sampling.logit_bias))
    return text in ("", item.prompt) and controls == made


def controls_of(item: Item, controls: Controls) -> Controls:
    """Return the controls of an item; other settings stay."""
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
    """Describe the settings of an item; with `before` also those that it clears."""
    named = [*_named(item), *(_emptied(before) if before is not None else ())]
    return tr("Sets: {settings}.").format(settings=" · ".join(named)) if item.prompt else ""


def _emptied(before: Controls) -> Iterator[str]:
    if before.system:
        yield tr("no system prompt")
    if before.reply_start:
        yield tr("no reply prefix")


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
        yield tr("Record alternatives")
