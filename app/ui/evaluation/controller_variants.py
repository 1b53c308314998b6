"""The arms of a study: the settings of the window as they are, and what else is added to hold against them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import TypeAlias

from app.bridge import conversation
from app.bridge.model_folders import ModelFolders
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.catalogue import setting_name
from app.engine.forms.grammar import why_not
from app.engine.ranges import LARGEST_SEED
from app.engine.sampling import check
from app.engine.types import ChatPrompt, Failure, Form, FormKind, LoadRequest, Model, RawPrompt
from app.evaluation.evaluation_run import ALIKE, as_taken, settled
from app.evaluation.thinking import arms, sensitivity_arms
from app.evaluation.types import EvaluationVariant, PromptSet
from app.experiments.settings import kinds, put, read_axis, spoken, value_of
from app.i18n import tr
from app.library import local
from app.library.types import LocalModel
from app.ui.evaluation.rows import short
from app.ui.evaluation.values import ArmLine
from app.ui.evaluation.variants_page import ADAPTER, MODEL
from app.ui.evaluation.view import SetsView
from app.ui.evaluation.words import differs
from app.ui.widgets import file_opening

MOST = 12
FORM = "form."
Take: TypeAlias = Callable[[ChatPrompt | RawPrompt], ChatPrompt | RawPrompt]
FORMS = (FormKind.SCHEMA, FormKind.REGEX, FormKind.CHOICES)
FORM_NAMES = {
    FormKind.SCHEMA: tr("Form: JSON schema"),
    FormKind.REGEX: tr("Form: pattern"),
    FormKind.CHOICES: tr("Form: one of these, with commas between"),
}
BASE = tr("As set now")
TOLD = ("sampling.temperature", "limits.max_tokens")
"""What is told of the first arm."""
THERE = tr("There is such a variant already.")
MANY = tr("More than {most} variants can't be told apart in one study.").format(most=MOST)


class ArmsController:
    """`arms` as they would be asked now."""

    def __init__(
        self, playground: Playground, view: SetsView, tasks: Tasks, bundled: Path, folders: ModelFolders
    ) -> None:
        self._playground, self._view, self._tasks = playground, view, tasks
        self._bundled, self._folders = bundled, folders
        self._others: tuple[LocalModel, ...] = ()
        self._prompts: PromptSet | None = None
        self.arms: tuple[EvaluationVariant, ...] = ()
        page = view.arms
        named = [(name, setting_name(name)) for name in kinds() if name not in ALIKE]
        forms = [(f"{FORM}{kind.value}", FORM_NAMES[kind]) for kind in FORMS]
        page.offer([*named, (MODEL, tr("Model")), (ADAPTER, tr("Adapter")), *forms])
        page.add_wanted.connect(self._add)
        page.remove_wanted.connect(self._remove)
        page.ready_wanted.connect(self._take_ready)

    def begin(self, prompts: PromptSet) -> None:
        """Another set: the settings as they are."""
        self._prompts, self.arms = prompts, ()
        self.follow()

    def follow(self) -> None:
        """As long as nothing is held against them, the settings of the window are the one arm."""
        model, controls = self._playground.state.model, self._playground.state.controls
        if model is not None and len(self.arms) < 2:
            said = conversation.prompt_of((), controls, model)
            asked = settled(conversation.request_for(said, controls, controls.seed or 0, model))
            self.arms = (EvaluationVariant(BASE, replace(asked, draft_tokens=0, interval=1)),)
        self._show()

    def show(self, arms: Sequence[EvaluationVariant]) -> None:
        """Those of an earlier study."""
        self.arms = tuple(arms)
        self._show()

    def loaded(self, model: Model) -> tuple[EvaluationVariant, ...]:
        """Where one of them opens a model, each says which is its own."""
        if not any(each.load for each in self.arms):
            return self.arms
        return tuple(replace(each, load=each.load or model.opened_by) for each in self.arms)

    @property
    def take(self) -> Take:
        """How the first arm has a row's prompt for the model that is open."""
        model = self._playground.state.model
        return partial(as_taken, self.arms[0].request, model) if model is not None and self.arms else lambda each: each

    def look(self) -> None:
        """For the models that there are, whenever the window is seen."""
        self.follow()
        self._tasks.start(self._find(self._playground.state.model), "models")

    async def _find(self, model: Model | None) -> None:
        folders = [Path(folder) for folder in self._folders.kept]
        own = model.folder if model is not None else None
        found = await self._tasks.tried(local.around, own, self._bundled, folders)
        self._others = () if isinstance(found, Failure) else tuple(each for each in found if each.folder != own)
        self._view.arms.show_models(self._others)

    def _add(self, what: str, value: str) -> None:
        self._view.foot.say("")
        if not self.arms:
            return
        base = self.arms[0].request
        if what == ADAPTER:
            file_opening.ask_folder(self._view, tr("The Folder of an Adapter"), self._add_adapter)
        elif what == MODEL:
            name = next((each.name for each in self._others if str(each.folder) == value), Path(value).name)
            self._extend([EvaluationVariant(name, base, LoadRequest(value))])
        elif what.startswith(FORM):
            self._tasks.start(self._add_form(FormKind(what.removeprefix(FORM)), value))
        elif isinstance(axis := read_axis(f"{what}={value}"), Failure):
            self._view.foot.show_failure(axis)
        else:
            self._extend(
                [EvaluationVariant(spoken(what, each), put(base, what, each)) for each in axis.values[: MOST + 1]],
                value,
            )

    def _add_adapter(self, folder: Path) -> None:
        model = self._playground.state.model
        if model is not None:
            load = replace(model.opened_by, adapter=str(folder))
            self._extend([EvaluationVariant(tr("Adapter {name}").format(name=folder.name), self.arms[0].request, load)])

    def _take_ready(self, name: str) -> None:
        if self.arms and self._prompts is not None:
            if name == "wordings":
                self._tasks.start(self._add_wordings(self._prompts))
            else:
                self._extend(arms(self.arms[0].request))

    async def _add_wordings(self, prompts: PromptSet) -> None:
        """To look through ten thousand rows takes longer than the window can wait."""
        made = await self._tasks.in_thread(sensitivity_arms, self.arms[0].request, self._view.set.template(), prompts)
        if self._is_open(prompts):
            self._extend([replace(each, request=self.arms[0].request) for each in made])

    async def _add_form(self, kind: FormKind, value: str) -> None:
        """To look at a grammar takes as long; meanwhile the first arm may have become another."""
        prompts = self._prompts
        form = Form().put(kind, "\n".join(map(str.strip, value.split(","))) if kind is FormKind.CHOICES else value)
        why = await self._tasks.in_thread(why_not, form)
        if self._is_open(prompts) and why:
            self._view.foot.show_failure(Failure(why, ""))
        elif self._is_open(prompts):
            name = f"{FORM_NAMES[kind]} {short(value)[:40]}"
            self._extend([EvaluationVariant(name, replace(self.arms[0].request, form=form))], value)

    def _is_open(self, prompts: PromptSet | None) -> bool:
        """Still, and an arm may be added to what it is asked."""
        return self._prompts is prompts and not self._view.foot.going

    def _extend(self, arms: Sequence[EvaluationVariant], typed: str = "") -> None:
        """Two of the same would be compared with chance alone; one that no model takes has no right answer."""
        model = self._playground.state.model
        most = (model.vocabulary if model is not None else 0) or LARGEST_SEED
        if (wrong := next(filter(None, (check(each.request, most) for each in arms)), None)) is not None:
            self._view.foot.show_failure(wrong)
            return
        opened = model.opened_by if model is not None else None
        known, before = {(each.request, each.load or opened, each.wording): each for each in self.arms}, len(self.arms)
        for each in arms:
            taken = {other.name for other in known.values()}
            names = chain([each.name], (f"{each.name} ({number})" for number in count(2)))
            named = replace(each, name=next(name for name in names if name not in taken))
            known.setdefault((each.request, each.load or opened, each.wording), named)
        self.arms = tuple(known.values())[:MOST]
        self._view.arms.clear_value(typed)
        self._view.foot.say(MANY if len(known) > MOST else "" if len(known) > before else THERE)
        self._show()

    def _remove(self, place: int) -> None:
        if len(self.arms) > 1:
            self.arms = (*self.arms[:place], *self.arms[place + 1 :])
            self._show()

    def _show(self) -> None:
        model = self._playground.state.model
        open_now = model.full_name if model is not None else ""
        lines = [ArmLine(each.name, _model_of(each, open_now), self._differs(each)) for each in self.arms]
        self._view.arms.show_arms(lines, model is not None and model.can.think_budget)
        self._view.arms.edited.emit()

    def _differs(self, arm: EvaluationVariant) -> str:
        base = self.arms[0]
        if arm is not base:
            return differs(arm, base)
        return ", ".join(spoken(name, value_of(arm.request, name)) for name in TOLD)


def _model_of(arm: EvaluationVariant, open_now: str) -> str:
    if arm.load is None:
        return open_now
    name = Path(arm.load.model).name
    return f"{name} + {Path(arm.load.adapter).name}" if arm.load.adapter else name
