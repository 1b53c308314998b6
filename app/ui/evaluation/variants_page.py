"""The variants of an evaluation, and the check of their answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QLineEdit, QSizePolicy, QStackedWidget, QWidget

from app.bridge import conversation
from app.bridge.model_sources import ModelFolders
from app.engine.catalogue import setting_name
from app.engine.ranges import LARGEST_SEED, NumberRange
from app.engine.sampling import check
from app.engine.structured_output.grammar import why_not
from app.engine.types import ChatPrompt, Failure, FormatKind, LoadRequest, Model, OutputFormat, RawPrompt, Request
from app.evaluation.evaluation_run import ALIKE, CONFIDENCE, as_taken, settled
from app.evaluation.types import MOST_REPEATS, Check, CheckKind, EvaluationVariant, PromptSet, Scoring, Template
from app.evaluation.wordings import budget_variants, wording_variants
from app.experiments.requests import describe_setting, kinds, read_axis, with_setting
from app.i18n import tr
from app.library.types import LocalModel
from app.ui.evaluation.rows import short
from app.ui.evaluation.variant_texts import TEMPERATURE, identity, model_name, name_of, rebased, settings_of
from app.ui.look import GAP_PX, GRID_PX, Theme
from app.ui.look.sizes import scaled
from app.ui.study_window import StudyWindow
from app.ui.widgets import (
    ChoiceBox,
    FieldRow,
    SmallPrint,
    WholeField,
    add_entry,
    as_tip,
    caption,
    field_label,
    files,
    heading,
    in_column,
    in_row,
    layout_widget,
    named,
    plain_label,
    push_button,
)
from app.ui.widgets.rows import scrolling
from app.ui.widgets.word_table import WordTable

MOST = 12
CHECKS = {
    CheckKind.EQUAL: (tr("Equal to the expected value"), tr("Whitespace around it is ignored. Case matters.")),
    CheckKind.CONTAINS: (tr("Contains the expected value"), tr("Anywhere in the answer.")),
    CheckKind.NUMBER: (tr("The expected number"), tr("Compares the last number of the answer. Tolerance:")),
    CheckKind.REGEX: (tr("Matches a pattern"), tr("A regular expression. Empty: the expected value is the pattern.")),
    CheckKind.SCHEMA: (tr("Valid for a JSON schema"), tr("The schema. Empty: the expected value is the schema.")),
    CheckKind.CHOICE: (
        tr("The expected choice"),
        tr("The answer names one of the row's choices, and it is the expected one."),
    ),
    CheckKind.LIKELIHOOD: (
        tr("Likeliest choice"),
        tr("The log-likelihood of each choice after the prompt is computed. The likeliest choice is the answer."),
    ),
    CheckKind.SHORTER: (tr("Shorter than"), tr("Number of tokens:")),
    CheckKind.ENDED: (tr("Finish reason: stop"), tr("The answer did not reach max tokens.")),
    CheckKind.BY_HAND: (tr("By hand: blind A/B"), tr("You compare two answers without knowing their variants.")),
}
ARGUMENT = frozenset({CheckKind.NUMBER, CheckKind.REGEX, CheckKind.SCHEMA, CheckKind.SHORTER})
MODEL, ADAPTER, FORM = "model", "adapter", "form."
FORM_NAMES = {
    FormatKind.SCHEMA: tr("Output format: JSON schema"),
    FormatKind.REGEX: tr("Output format: pattern"),
    FormatKind.CHOICES: tr("Output format: choices, separated by commas"),
}
WORDINGS, THINKING, GENERATED = "wordings", "thinking", "generated"
READY = {
    WORDINGS: (tr("Other Wordings"), tr("The same rows with a trailing space, and in lower case")),
    THINKING: (tr("Reasoning Budgets"), tr("The same model with other reasoning budgets")),
    GENERATED: (tr("Generated Answer"), tr("The same model generates an answer that must name the expected choice")),
}
FOLLOWS = tr("The variants follow the controls until Start. With a check, they begin at temperature 0.")
FROZEN = tr("The variants are fixed since Start.")
EXISTS = tr("This variant exists already.")
MANY = tr("An evaluation can have at most {most} variants.").format(most=MOST)
REPEATS, TOGETHER = NumberRange(1, MOST_REPEATS, 1, whole=True), NumberRange(1, 64, 16, whole=True)
CHECK_PX = 250
Take: TypeAlias = Callable[[ChatPrompt | RawPrompt], ChatPrompt | RawPrompt]


@dataclass(frozen=True, slots=True)
class VariantSetup:
    """The content of the fields beside the variants."""

    check: Check
    repeats: int
    together: int
    confidence: bool = False


class VariantsPage(QWidget):
    """The page of variants. `template` returns that of the set; `on_edited` is called after every change."""

    def __init__(
        self,
        theme: Theme,
        window: StudyWindow,
        bundled: Path,
        folders: ModelFolders,
        template: Callable[[], Template],
        on_edited: Callable[[], None],
    ) -> None:
        super().__init__()
        self._theme, self._window, self._bundled, self._folders = theme, window, bundled, folders
        self._template, self._on_edited = template, on_edited
        self._prompts: PromptSet | None = None
        self._others: tuple[LocalModel, ...] = ()
        self.variants: tuple[EvaluationVariant, ...] = ()
        """The variants, in the order of the table. One without a name is named by what it is: see `name_of`."""
        self._base: Request | None = None
        """The current settings as the variants have them."""
        self._is_frozen = False
        self._temperature = 0.0
        """The controls' temperature when the set was opened. A check replaces it by 0 until the user changes it."""
        tip = tr("Replace the variants by one with the current settings")
        self._again = push_button("sets_current", tr("Use Current Settings"), tip, kind="small", press=self._start_over)
        self._follows = plain_label("sets_arms_follow", FOLLOWS, muted=True, wraps=True)
        self._table = WordTable(theme, "sets_arms", tr("Variants"))
        self._table.setSelectionBehavior(WordTable.SelectionBehavior.SelectRows)
        tip = tr("The setting in which the new variant differs from the first")
        self._what = ChoiceBox("sets_arm_what", tr("Difference of the variant"), tip, narrow=True)
        self._value = named(QLineEdit(), "sets_arm_value", tr("Its value"), tr("One value, or several: 0, 0.7, 1"))
        self._value.setPlaceholderText("0, 0.7, 1")
        self._model = ChoiceBox("sets_arm_model", tr("Another model"), tr("Models on this computer"), narrow=True)
        self._values = QStackedWidget()
        tip = tr("Add a variant that differs in this setting")
        self._add = push_button("sets_arm_add", tr("Add Variant"), tip, press=self._add_chosen)
        self._remove = push_button("sets_arm_remove", tr("Remove"), tr("Remove the chosen variant"), press=self._drop)
        labels = {kind: words for kind, (words, _) in CHECKS.items()}
        self._kind = ChoiceBox("sets_check", tr("Check"), tr("Check of an answer"), labels, narrow=True)
        tip = tr("The pattern, schema or number that the check uses")
        self._argument = named(QLineEdit(), "sets_check_argument", tr("Argument of the check"), tip)
        tip = tr("The score by which a choice is the likeliest. The results show the rate by each score")
        scores = {each.value: each.words for each in Scoring}
        self._scoring = ChoiceBox("sets_scoring", tr("Score"), tip, scores, narrow=True)
        self._explanation = plain_label("sets_check_told", muted=True, wraps=True)
        self._error = SmallPrint(theme, "sets_check_wrong", "error")
        self._repeats, self._together = WholeField("sets_repeats", REPEATS), WholeField("sets_together", TOGETHER)
        tip = tr("Record the probability of each generated answer, and show the calibration")
        self._confidence = named(QCheckBox(tr("Record confidence")), "sets_confidence_on", tr("Record confidence"), tip)
        self._ready = {
            key: push_button(f"sets_{key}", words, tip, press=lambda _=False, key=key: self._add_ready(key))
            for key, (words, tip) in READY.items()
        }
        self.power = plain_label("sets_power", wraps=True)
        self.estimate = SmallPrint(theme, "sets_foreseen")
        self._lay_out()
        named_settings = [(name, setting_name(name)) for name in kinds() if name not in ALIKE]
        forms = [(f"{FORM}{kind.value}", label) for kind, label in FORM_NAMES.items()]
        self._what.show_entries(dict([(MODEL, tr("Model")), (ADAPTER, tr("Adapter")), *named_settings, *forms]))
        self._listen()

    # The check.

    def setup(self) -> VariantSetup:
        kind = CheckKind(self._kind.currentData())  # Qt returns its text
        argument = self._argument.text().strip() if kind in ARGUMENT else ""
        if kind is CheckKind.LIKELIHOOD:  # a log-likelihood is the same in each repeat
            check, repeats = Check(kind, self._scoring.currentData()), 1
        else:
            check, repeats = Check(kind, argument), self._repeats.value()
        return VariantSetup(check, repeats, self._together.value(), self._confidence.isChecked())

    def show_setup(self, setup: VariantSetup) -> None:
        """Set the fields without signals."""
        self._kind.show_value(setup.check.kind)
        if setup.check.kind is CheckKind.LIKELIHOOD:
            self._scoring.show_value(setup.check.argument)
        else:
            self._argument.setText(setup.check.argument)
        self._repeats.show_value(setup.repeats)
        self._together.show_value(setup.together)
        with QSignalBlocker(self._confidence):
            self._confidence.setChecked(setup.confidence)
        self._fit()
        if not self._is_frozen:
            self._answer_by_check()

    def show_error(self, words: str) -> None:
        """Show why the check can't be used; empty: it can."""
        self._error.say(words)

    # The variants.

    def begin(self, prompts: PromptSet, variants: Sequence[EvaluationVariant] = ()) -> None:
        """Show another set, with the variants of an earlier evaluation or the current settings alone."""
        self._prompts, self.variants = prompts, tuple(variants)
        self._is_frozen, self._base = bool(variants), None
        self._temperature = self._window.playground.state.controls.sampling.temperature
        self.follow()

    def follow(self) -> None:
        """Take the current settings, until the variants are frozen. Each variant keeps its differences from them."""
        state = self._window.playground.state
        model, controls = state.model, state.controls
        if model is not None and not self._is_frozen:
            prompt = conversation.prompt_of((), controls, model)
            request = settled(conversation.request_for(prompt, controls, controls.seed or 0, model))
            observed = CONFIDENCE if self._confidence.isChecked() else 0
            base = replace(request, draft_tokens=0, lookup_tokens=0, interval=1, observe=observed)
            if self._is_judged and controls.sampling.temperature == self._temperature:
                base = with_setting(base, TEMPERATURE, 0.0)
            before = self._base or base
            variants = self.variants or (EvaluationVariant("", base, by_likelihood=self._by_likelihood),)
            self.variants = tuple(replace(it, request=rebased(it.request, before, base)) for it in variants)
            self._base = base
        self._show()

    def _record_confidence(self, is_recorded: bool) -> None:
        """Record the confidence of all variants or of none, also where they are fixed."""
        observed = CONFIDENCE if is_recorded else 0
        self.variants = tuple(replace(it, request=replace(it.request, observe=observed)) for it in self.variants)
        self._base = replace(self._base, observe=observed) if self._base is not None else None
        self._show()

    def _start_over(self) -> None:
        if self._prompts is not None:
            self.begin(self._prompts)

    def freeze(self) -> None:
        """Keep the variants as they are, because the evaluation has begun."""
        self._is_frozen = True
        self._show()

    def loaded(self, model: Model) -> tuple[EvaluationVariant, ...]:
        """Return the variants with names; if one of them loads a model, each names its model."""
        named_ones = tuple(replace(each, name=name_of(each, self.variants, model)) for each in self.variants)
        if not any(each.load for each in self.variants):
            return named_ones
        return tuple(replace(each, load=each.load or model.opened_by) for each in named_ones)

    @property
    def _by_likelihood(self) -> bool:
        return bool(self._kind.currentData() == CheckKind.LIKELIHOOD)

    @property
    def _is_judged(self) -> bool:
        """Whether answers are checked, not compared by hand."""
        return bool(self._kind.currentData() != CheckKind.BY_HAND)

    @property
    def take(self) -> Take:
        """Return a function that maps a row's prompt to the prompt that the first variant sends. For any thread."""
        model = self._window.playground.state.model
        if model is None or not self.variants:
            return lambda prompt: prompt
        return partial(as_taken, self.variants[0].request, model)

    def refresh(self) -> None:
        self.follow()
        self._window.tasks.start(self._find_models(self._window.playground.state.model), "models")

    async def _find_models(self, model: Model | None) -> None:
        found = await self._window.models_around(model, self._bundled, self._folders.names)
        self._others = tuple(each for each in found if model is None or each.folder != model.folder)
        chosen = self._model.currentData()
        self._model.clear()
        for each in self._others:
            tip = as_tip(each.why_not or str(each.folder))
            add_entry(self._model, each.name, str(each.folder), tip, not each.why_not)
        self._model.show_value(chosen)

    def _add_chosen(self) -> None:
        what = self._what.currentData()
        value = (self._model.currentData() if what == MODEL else self._value.text()) or ""
        if not self.variants or not (value or what == ADAPTER):
            return
        self._window.foot.say("")
        base = self.variants[0].request
        if what == ADAPTER:
            files.ask_folder(self._window, tr("The Folder of an Adapter"), self._add_adapter)
        elif what == MODEL:
            name = next((each.name for each in self._others if str(each.folder) == value), Path(value).name)
            self._extend([EvaluationVariant(name, base, LoadRequest(value))])
        elif what.startswith(FORM):
            self._window.tasks.start(self._add_output_format(FormatKind(what.removeprefix(FORM)), value))
        elif isinstance(axis := read_axis(f"{what}={value}"), Failure):
            self._window.foot.show_failure(axis)
        else:
            values = axis.values[: MOST + 1]
            self._extend(
                [EvaluationVariant(describe_setting(what, each), with_setting(base, what, each)) for each in values],
                value,
            )

    def _add_adapter(self, folder: Path) -> None:
        if (model := self._window.playground.state.model) is not None:
            name, load = tr("Adapter {name}").format(name=folder.name), replace(model.opened_by, adapter=str(folder))
            self._extend([EvaluationVariant(name, self.variants[0].request, load)])

    def _add_ready(self, name: str) -> None:
        if self.variants and self._prompts is not None:
            if name == WORDINGS:
                self._window.tasks.start(self._add_wordings(self._prompts))
            elif name == GENERATED:
                self._extend([replace(self.variants[0], name=tr("generated answer"))], generated=True)
            else:
                self._extend(budget_variants(self.variants[0].request))

    async def _add_wordings(self, prompts: PromptSet) -> None:
        """Look for wordings on a thread, since ten thousand rows take a while."""
        base, template = self.variants[0].request, self._template()
        made = await self._window.tasks.in_thread(wording_variants, base, template, prompts)
        if self._may_extend(prompts):
            self._extend([replace(each, request=self.variants[0].request) for each in made])

    async def _add_output_format(self, kind: FormatKind, value: str) -> None:
        """Compile the grammar on a thread; meanwhile the first variant may have changed."""
        prompts = self._prompts
        output_format = OutputFormat().put(
            kind, "\n".join(map(str.strip, value.split(","))) if kind is FormatKind.CHOICES else value
        )
        why = await self._window.tasks.in_thread(why_not, output_format)
        if self._may_extend(prompts) and why:
            self._window.foot.show_failure(Failure(why, ""))
        elif self._may_extend(prompts):
            name = f"{FORM_NAMES[kind]} {short(value)[:40]}"
            self._extend([EvaluationVariant(name, replace(self.variants[0].request, form=output_format))], value)

    def _answer_by_check(self) -> None:
        """Let each variant score choices or generate, as the check demands. Variants that become equal are one."""
        by_likelihood = self._by_likelihood
        changed = {replace(each, name="", by_likelihood=by_likelihood): each.name for each in reversed(self.variants)}
        self.variants = tuple(replace(each, name=name) for each, name in reversed(changed.items()))
        self.follow()

    def _may_extend(self, prompts: PromptSet | None) -> bool:
        """Return whether this set is still open and nothing is running."""
        return self._prompts is prompts and not self._window.foot.is_running

    def _extend(self, variants: Sequence[EvaluationVariant], typed: str = "", *, generated: bool = False) -> None:
        """Add the variants that are valid and new, and remove their `typed` values from the field."""
        by_likelihood = self._by_likelihood and not generated
        variants = [replace(each, by_likelihood=by_likelihood) for each in variants]
        model = self._window.playground.state.model
        most = (model.vocabulary if model is not None else 0) or LARGEST_SEED
        if (wrong := next(filter(None, (check(each.request, most) for each in variants)), None)) is not None:
            self._window.foot.show_failure(wrong)
            return
        opened, before = model.opened_by if model is not None else None, len(self.variants)
        known = {identity(each, opened): each for each in self.variants}
        for each in variants:
            taken = {other.name for other in known.values()}
            names = chain([each.name], (f"{each.name} ({number})" for number in count(2)))
            renamed = replace(each, name=next(name for name in names if name not in taken))
            known.setdefault(identity(each, opened), renamed)
        self.variants = tuple(known.values())[:MOST]
        if self._value.text() == typed:
            self._value.clear()
        self._window.foot.say(MANY if len(known) > MOST else "" if len(known) > before else EXISTS)
        self._show()

    def _drop(self) -> None:
        index = self._table.currentIndex()
        if index.isValid() and len(self.variants) > 1:
            self.variants = (*self.variants[: index.row()], *self.variants[index.row() + 1 :])
            self._show()

    def _show(self) -> None:
        model = self._window.playground.state.model
        head = (tr("Variant"), tr("Model"), tr("Settings"))
        every = self.variants
        rows = [(name_of(it, every, model), model_name(it, model), settings_of(it, every[0])) for it in every]
        self._follows.setText(FROZEN if self._is_frozen else FOLLOWS)
        self._again.setVisible(self._is_frozen)
        self._table.show_rows(head, rows)
        self._remove.setEnabled(len(rows) > 1)
        self._ready[THINKING].setVisible(model is not None and model.can.think_budget)
        self._confidence.setEnabled(self._is_judged and (model is None or model.can.observe))
        self._on_edited()

    def _fit(self) -> None:
        what, kind = self._what.currentData(), self._kind.currentData()
        self._values.setCurrentIndex(1 if what == MODEL else 0)
        self._value.setEnabled(what != ADAPTER)
        self._add.setText(tr("Choose…") if what == ADAPTER else tr("Add Variant"))
        self._argument.setVisible(kind in ARGUMENT)
        self._scoring.setVisible(kind == CheckKind.LIKELIHOOD)
        self._repeats.setEnabled(kind != CheckKind.LIKELIHOOD)
        self._ready[GENERATED].setVisible(kind == CheckKind.LIKELIHOOD)
        self._explanation.setText(CHECKS[kind][1])

    def _listen(self) -> None:
        for box in (self._what, self._kind):
            box.currentIndexChanged.connect(lambda: self._fit())
        self._kind.activated.connect(lambda: self._answer_by_check())
        self._scoring.activated.connect(lambda: self._on_edited())
        self._argument.textEdited.connect(lambda: self._on_edited())
        self._value.returnPressed.connect(self._add_chosen)
        for field in (self._repeats, self._together):
            field.chosen.connect(lambda: self._on_edited())
        self._confidence.toggled.connect(self._record_confidence)
        self._fit()

    def _lay_out(self) -> None:
        theme = self._theme
        for part in (self._value, self._model):
            self._values.addWidget(part)
        self._values.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        left = in_column(
            heading(theme, tr("Variants")),
            (self._table, 1),
            in_row((self._follows, 1), self._again),
            in_row((self._what, 1), (self._values, 1), gap=GRID_PX),
            in_row(self._add, self._remove, ..., gap=GRID_PX),
            caption(theme, tr("Presets:")),
            in_row(self._ready[WORDINGS], ..., gap=GRID_PX),
            in_row(self._ready[THINKING], ..., gap=GRID_PX),
            in_row(self._ready[GENERATED], ..., gap=GRID_PX),
            gap=GAP_PX,
        )
        tip = tr("Runs of each row, each with another seed")
        repeats = FieldRow(theme, tr("Repeats"), tip, self._repeats, below=True)
        tip = tr("Batch size. Rows are batched where the answers stay the same")
        together = FieldRow(theme, tr("Rows at once"), tip, self._together, below=True)
        for field, row in ((self._repeats, repeats), (self._together, together)):
            field.refused.connect(row.refuse)
        self._together.show_value(int(TOGETHER.neutral))
        right = layout_widget(
            in_column(
                heading(theme, tr("Check")),
                field_label(theme, tr("Check of an answer"), self._kind),
                self._kind,
                self._explanation,
                self._argument,
                self._scoring,
                self._error,
                repeats,
                together,
                self._confidence,
                self.power,
                self.estimate,
                ...,
                gap=GAP_PX,
            )
        )
        scaled(theme, right, QWidget.setFixedWidth, CHECK_PX)
        within = layout_widget(in_row((left, 1), right, gap=2 * GAP_PX, margins=(0, GAP_PX, 0, 0)))
        described = tr("The models and settings that are compared, and how an answer is judged")
        room = scrolling("sets_arms_room", tr("Variants and check"), within, description=described)
        room.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab reaches all widgets in it
        in_column((room, 1), on=self)
