"""The gallery: its items and window; it applies a card's prompt and settings, and restores the previous input."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from app.bridge.playground import Playground
from app.controls import Controls, Mode
from app.engine.catalogue import SETTINGS
from app.engine.types import ANIMAL, Failure, OutputFormat, RawPrompt, Sampling
from app.i18n import tr
from app.records.types import SessionId
from app.state import Phase, State
from app.ui.feature import TypedText
from app.ui.guide.controller import TryHint
from app.ui.look import GAP_PX, MARGIN_PX, Color, Size, Theme
from app.ui.widgets import RoundedFrame, ScrollColumn, begin_window, button_row, plain_label, push_button
from app.ui.widgets.rows import in_column, in_grid, in_row

STORY = "Tell me a short story."
FORBIDDEN = -100.0
RECORDED = 10
FIRST_PX = (860, 640)
SMALLEST_PX = (560, 360)
COLUMNS = 2
KIND = "gallery"


@dataclass(frozen=True, slots=True)
class GalleryItem:
    """An item of the gallery. `then`: the next step and the result. Prompts are English, the demo model's language."""

    name: str
    title: str
    then: str
    prompt: str = ""
    mode: Mode = Mode.CHAT
    temperature: float = 0.0
    max_tokens: int = 120
    top_p: float = 1.0
    frequency_penalty: float = 0.0
    stop_strings: tuple[str, ...] = ()
    seed: int | None = None
    banned: str = ""
    """A text whose tokens get a logit bias of −100."""
    form: OutputFormat = field(default_factory=OutputFormat)
    recorded: bool = False
    actions: tuple[str, ...] = ()
    """Names of actions to trigger."""


ITEMS = (
    GalleryItem(
        "twice",
        tr("Temperature 0, twice"),
        tr(
            "Send it, then choose Run › Regenerate. Temperature 0 always takes the most likely token, so both "
            "answers are the same, up to rounding in half precision."
        ),
        STORY,
    ),
    GalleryItem(
        "seed",
        tr("A fixed seed"),
        tr(
            "Send it, then Regenerate. A fixed seed samples with the same random numbers, so the story is the "
            "same, up to rounding in half precision. A new seed gives another one."
        ),
        STORY,
        temperature=1.0,
        seed=7,
    ),
    GalleryItem(
        "stop",
        tr("A stop string"),
        tr("Send it: the answer ends before the 5. “Step by step” shows the withheld text."),
        "Count 1 to 10",
        stop_strings=("5",),
    ),
    GalleryItem(
        "limit",
        tr("Stopped at max tokens"),
        tr("Send it: the run ends with “length” while counting. Press Continue to resume it."),
        "Count 1 to 10",
        max_tokens=20,
    ),
    GalleryItem(
        "top_p",
        tr("Top-p tames a high temperature"),
        tr("Send it: the story is coherent. Set top-p to 1 and Regenerate: unlikely tokens appear."),
        STORY,
        temperature=1.5,
        top_p=0.3,
    ),
    GalleryItem(
        "penalty",
        tr("A penalty that is too strong"),
        tr(
            "Send it: counting repeats commas and digits, which the frequency penalty suppresses. Set it to 0 "
            "and Regenerate."
        ),
        "Count 1 to 10",
        frequency_penalty=5.0,
    ),
    GalleryItem(
        "bias",
        tr("A forbidden token"),
        tr("Send it: a logit bias rules out the token “5”. See what the model generates instead."),
        "Count 1 to 10",
        banned="5",
    ),
    GalleryItem(
        "pieces",
        tr("Characters in pieces"),
        tr("Send it and point at the tokens: a Korean syllable or an emoji takes several tokens."),
        "Say hello in Korean with emoji.",
        actions=("view_tokens",),
    ),
    GalleryItem(
        "raw",
        tr("Without the chat template"),
        tr("Send it: without the chat template the model doesn't generate EOS. Then press “Use the chat template”."),
        "Count 1 to 5",
        mode=Mode.RAW,
        max_tokens=60,
    ),
    GalleryItem(
        "surprise",
        tr("Surprisal of a prompt"),
        tr("Press “Surprisal” in the exact prompt: the word that doesn't fit has the strongest color."),
        "Count purple to 5",
        actions=("toggle_exact_prompt",),
    ),
    GalleryItem(
        "candidates",
        tr("Alternatives and forks"),
        tr("Send it and step through the tokens in the inspector. Pick an alternative to fork the story there."),
        STORY,
        temperature=0.7,
        recorded=True,
        actions=("toggle_inspector",),
    ),
    GalleryItem(
        "form",
        tr("Structured output: JSON"),
        tr(
            "Send it: constrained decoding makes this model write JSON, which it was never trained on. In the "
            "inspector, ruled-out tokens are struck through."
        ),
        STORY,
        temperature=0.7,
        form=ANIMAL,
        recorded=True,
        actions=("toggle_inspector",),
    ),
    GalleryItem(
        "draft",
        tr("Speculative decoding"),
        tr("Start it: measures whether a draft model speeds up decoding on this computer."),
        actions=("experiment_draft",),
    ),
    GalleryItem(
        "reuse",
        tr("The KV cache in a second turn"),
        tr("Start it: measures how much the KV cache shortens the time to first token."),
        actions=("experiment_reuse",),
    ),
    GalleryItem(
        "sampling",
        tr("A grid of answers"),
        tr("Start it: a grid of two settings, with the text and the diversity of each cell."),
        actions=("experiment_sampling",),
    ),
    GalleryItem(
        "bits",
        tr("Quantize the demo model to 4 bits"),
        tr("Start it: quantizes a copy to 4 bits and compares perplexity and KL divergence on a text."),
        actions=("weigh_demo",),
    ),
)


@dataclass(frozen=True, slots=True)
class SavedInput:
    """The prompt and settings from before a card was used."""

    item: GalleryItem
    controls: Controls
    text: str
    """Text of the mode that the card filled in."""
    other: SessionId
    """The session of the other mode, which was shown before the card changed the mode."""


class Gallery(QDialog):
    """Cards in two columns. A card is filled in without being sent; each session's previous input can be restored."""

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
        begin_window(theme, self, "gallery", tr("Gallery"), FIRST_PX, SMALLEST_PX)
        self._playground, self._prompt, self._hint, self._acts = playground, prompt, hint, acts
        self._before: dict[SessionId, list[SavedInput]] = {}
        self._offered: SavedInput | None = None
        self._buttons: list[QPushButton] = []
        self._words = plain_label("gallery_words", muted=True, wraps=True)
        self._close = push_button("gallery_close", tr("Close"), tr("Close (Esc)"), press=self.close)
        self._lay_out(theme)
        hint.undone.connect(self._put_back)
        hint.left.connect(self._discard)
        playground.changed.connect(self._on_changed)
        self._allow(playground.state.phase is Phase.READY)

    def _lay_out(self, theme: Theme) -> None:
        # Containers get their parent before their children: Qt polishes all children of a reparented widget again.
        description = tr("Prompts and experiments; the Tab key moves between them")
        area = ScrollColumn("gallery_cards", tr("Things to try"), description, self)
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # all of its buttons may be disabled
        inside = QWidget()
        area.setWidget(inside)
        wide = dict.fromkeys(range(COLUMNS), 1)
        grid = in_grid(on=inside, gap=MARGIN_PX, margins=GAP_PX, wide=wide)
        for number, item in enumerate(ITEMS):
            box = RoundedFrame(theme, Color.SURFACE, Color.LINE)
            grid.addWidget(box, number // COLUMNS, number % COLUMNS)
            self._fill_card(box, theme, item)
        in_column(self._words, (area, 1), button_row(self._close), on=self, margins=MARGIN_PX)

    def _fill_card(self, box: RoundedFrame, theme: Theme, item: GalleryItem) -> None:
        words = tr("Use") if item.prompt else tr("Open")
        spoken = tr("{verb}: {title}").format(verb=words, title=item.title)
        button = push_button(f"use_{item.name}", words, item.then, spoken, press=lambda: self._use(item))
        self._buttons.append(button)
        small, normal, bold = theme.font(Size.SMALL), theme.font(Size.NORMAL), theme.font(Size.NORMAL, bold=True)
        prompt = [plain_label("", f"“{item.prompt}”", font=normal, wraps=True)] if item.prompt else []
        in_column(
            plain_label("", item.title, font=bold, wraps=True),
            *prompt,
            plain_label("", item.then, font=normal, muted=True, wraps=True),
            ...,
            in_row(
                (plain_label("", sets(item), font=small, muted=True, wraps=True), 1),
                (button, 0, Qt.AlignmentFlag.AlignBottom),
            ),
            on=box,
            margins=MARGIN_PX,
        )

    def _allow(self, is_allowed: bool) -> None:
        for button in self._buttons:
            button.setEnabled(is_allowed)
        words = tr("Open a model, or wait until the run has ended.")
        if is_allowed:
            words = tr(
                "“Use” fills in the prompt and the named settings, and resets other sampling settings. It sends "
                "nothing. “Put back” restores yours."
            )
        self._words.setText(words)

    def _use(self, item: GalleryItem) -> None:
        self.close()
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

    def _fill(self, item: GalleryItem) -> None:
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
            self._allow(new.phase is Phase.READY)
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


def controls_of(item: GalleryItem, controls: Controls) -> Controls:
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


def sets(item: GalleryItem, before: Controls | None = None) -> str:
    """Describe the settings of an item; with `before` also those that it clears."""
    named = [*_named(item), *(_emptied(before) if before is not None else ())]
    return tr("Sets: {settings}.").format(settings=" · ".join(named)) if item.prompt else ""


def _emptied(before: Controls) -> Iterator[str]:
    if before.system:
        yield tr("no system prompt")
    if before.reply_start:
        yield tr("no reply prefix")


def _named(item: GalleryItem) -> Iterator[str]:
    usual = {each.name: each.default for each in fields(GalleryItem)}
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
