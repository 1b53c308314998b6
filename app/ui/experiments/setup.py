"""The form of an experiment as values, its choices of models, and the `BaseConfig` that it describes. No widgets."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from pathlib import Path

from app.bridge.model_sources import wants_warning
from app.engine.catalogue import setting_name
from app.engine.remote import server_probe
from app.engine.remote.address import host_of, reference
from app.engine.types import (
    ENDLESS,
    ChatPrompt,
    ExactPrompt,
    Failure,
    Message,
    Model,
    PromptSource,
    RawPrompt,
    Request,
    Role,
    Sampling,
    Server,
)
from app.experiments.questions import EXPERIMENTS, draft, length, models, sampling, stops, sweep
from app.experiments.requests import SENSIBLE_TOKENS, chat, describe_setting, format_value, kinds, read_axis, words_of
from app.experiments.types import Axis, BaseConfig, Experiment, Plan
from app.i18n import tr
from app.library import drafts_and_adapters, local
from app.library.keychain import ServerKeys
from app.records.run_settings import DEFAULTS, text_of
from app.records.types import RunRow

Pair = tuple[str, str]
MOST_SWEPT = 3
NOT_SWEPT = frozenset({"observe", "sampling.seed"})
TEMPERATURES = "0, 0.7, 1"
SWEEP_AXES = (("sampling.temperature", TEMPERATURES),)
NO_PROMPT = Failure(tr("The prompt is empty."), tr("Type a prompt."), kind="no prompt")


@dataclass(frozen=True, slots=True)
class ExperimentKind:
    name: str
    title: str
    question: str
    axes: int = 0
    """The number of settings that can be varied."""
    settings: tuple[Pair, ...] = ()
    """Their names and labels."""
    stops: bool = False
    drafts: bool = False
    others: bool = False


@dataclass(frozen=True, slots=True)
class ExperimentSetup:
    """The content of the form. `axes` are names of settings with their values as typed."""

    name: str
    prompt: str
    max_tokens: int
    temperature: float
    repeats: int
    stop_strings: tuple[str, ...] = ()
    axes: tuple[Pair, ...] = ()
    draft: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A draft model or second model; `why_not` says why it can't be used."""

    name: str
    folder: str
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class GridTitles:
    """The titles of a grid: the values of the first setting (rows) and of the second (columns)."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceRun:
    """A run whose prompt and settings an experiment takes over."""

    request: Request
    model: str
    prompt: ExactPrompt | None = None
    axes: tuple[tuple[str, str], ...] = ()
    """Settings in which several chosen runs differ, with their values."""

    @property
    def words(self) -> str:
        """Return the last user message, or the whole prompt if it is no conversation."""
        words = words_of(self.request.prompt)
        if isinstance(words, str):
            return words
        return self.prompt.text if self.prompt is not None else ""


def experiment_kinds() -> tuple[ExperimentKind, ...]:
    return tuple(_experiment_kind(each) for each in EXPERIMENTS)


def first_setup(experiment: Experiment, source: SourceRun | None, prompt: str | None = None) -> ExperimentSetup:
    """Return a setup that can be started at once. `prompt`: one that the user has typed."""
    words = experiment.prompt if source is None else source.words
    axes = _axes(experiment, source)
    own_stops = experiment.stop_strings if source is None else source.request.limits.stop_strings
    return ExperimentSetup(
        name=experiment.name,
        prompt=words if prompt is None else prompt,
        max_tokens=_limit(experiment, source),
        temperature=experiment.temperature if source is None else source.request.sampling.temperature,
        repeats=needed_rounds(experiment, axes),
        stop_strings=own_stops if experiment is stops.EXPERIMENT and prompt in (None, words) else (),
        axes=axes,
    )


def needed_rounds(experiment: Experiment, axes: Sequence[Pair], plan: Plan | None = None) -> int:
    """Return how many rounds a significant result needs. Without a plan, unfinished values count as values."""
    return experiment.rounds(len(plan.arms) if plan is not None else prod(len(values.split(",")) for _, values in axes))


def basis_of(
    setup: ExperimentSetup, experiment: Experiment, source: SourceRun | None, model: Model
) -> BaseConfig | Failure:
    if not setup.prompt.strip():
        return NO_PROMPT
    axes: list[Axis] = []
    for name, values in setup.axes:
        axis = read_axis(f"{name}={values}")
        if isinstance(axis, Failure):
            return axis
        axes.append(axis)
    request = Request(chat(""), Sampling(temperature=0)) if source is None else source.request
    limits = replace(request.limits, max_tokens=setup.max_tokens)
    if experiment is stops.EXPERIMENT:
        limits = replace(limits, stop_strings=setup.stop_strings)
    heat = replace(request.sampling, temperature=setup.temperature)
    request = replace(request, prompt=_prompt(setup.prompt, source, model), sampling=heat, limits=limits)
    return BaseConfig(request, model, setup.repeats, setup.draft, setup.other, tuple(axes))


def titles_of(experiment: Experiment, basis: BaseConfig) -> GridTitles | None:
    if experiment is not sampling.EXPERIMENT or len(basis.axes) != 2:
        return None
    rows, columns = (tuple(describe_setting(axis.name, value) for value in axis.values) for axis in basis.axes)
    return GridTitles(rows, columns)


def about(source: SourceRun | None, model: Model | None) -> str:
    if source is None:
        return ""
    words = tr("From a run on {model}, with its settings.").format(model=source.model)
    if model is not None and model.name != source.model:
        other = tr("From a run on {model}, with its settings. The experiment measures {opened}, which is open now.")
        words = other.format(model=source.model, opened=model.name)
    prompt = source.request.prompt
    before = len(prompt.messages) - 1 if isinstance(prompt, ChatPrompt) else 0
    if before <= 0:
        return words
    along = tr("Includes the earlier messages ({count}).").format(count=before)
    return f"{words} {along}"


def varied(rows: Sequence[RunRow]) -> tuple[tuple[str, str], ...]:
    """Return the settings in which runs differ, with their values, as far as a sweep can take them."""
    known = [DEFAULTS | dict(row.settings) for row in rows]
    found = []
    for name in _swept():
        values = list(dict.fromkeys(text_of(each[name]) for each in known if name in each))
        if len(values) > 1:
            found.append((name, ", ".join("none" if value == text_of(None) else value for value in values)))
    return tuple(found[:MOST_SWEPT])


def _experiment_kind(experiment: Experiment) -> ExperimentKind:
    grid, swept = experiment is sampling.EXPERIMENT, experiment is sweep.EXPERIMENT
    names = tuple(f"sampling.{name}" for name in sampling.GRID) if grid else _swept()
    return ExperimentKind(
        name=experiment.name,
        title=experiment.title,
        question=experiment.question,
        axes=2 if grid else MOST_SWEPT if swept else 0,
        settings=tuple((name, setting_name(name)) for name in names) if grid or swept else (),
        stops=experiment is stops.EXPERIMENT,
        drafts=experiment is draft.EXPERIMENT,
        others=experiment is models.EXPERIMENT,
    )


def _swept() -> tuple[str, ...]:
    return tuple(name for name in kinds() if name not in NOT_SWEPT)


def _limit(experiment: Experiment, source: SourceRun | None) -> int:
    if source is None:
        return experiment.max_tokens
    limit = source.request.limits.max_tokens
    if experiment is length.EXPERIMENT:
        return max(limit, experiment.max_tokens)
    return SENSIBLE_TOKENS if limit == ENDLESS else max(2, limit)


def _axes(experiment: Experiment, source: SourceRun | None) -> tuple[tuple[str, str], ...]:
    if experiment is sweep.EXPERIMENT:
        return (source.axes if source is not None else ()) or SWEEP_AXES
    return tuple((axis.name, ", ".join(map(format_value, axis.values))) for axis in experiment.axes)


def _prompt(words: str, source: SourceRun | None, model: Model) -> PromptSource:
    """Replace the last user message with the edited text. A model without a template gets raw text."""
    prompt = chat(words) if source is None else source.request.prompt
    if source is not None and words != source.words:
        prompt = _replace_question(words, prompt)
    return RawPrompt(words) if isinstance(prompt, ChatPrompt) and not model.can.chat else prompt


def _replace_question(words: str, prompt: PromptSource) -> PromptSource:
    if not isinstance(prompt, ChatPrompt):
        return RawPrompt(words)
    indexes = [index for index, message in enumerate(prompt.messages) if message.role is Role.USER]
    if not indexes:
        return replace(prompt, messages=(*prompt.messages, Message(Role.USER, words)))
    messages = list(prompt.messages)
    messages[indexes[-1]] = Message(Role.USER, words)
    return replace(prompt, messages=tuple(messages))


TIMEOUT_S = 2.0
AT_ONCE = 8
Choices = tuple[ModelChoice, ...]


def find_server_choices(servers: Sequence[Server], keys: ServerKeys) -> Choices:
    """Ask all servers at the same time; one that needs a warning first is not asked."""
    trusted = [server for server in servers if not wants_warning(server)]
    if not trusted:
        return ()
    with ThreadPoolExecutor(min(AT_ONCE, len(trusted))) as pool:
        return tuple(choice for found in pool.map(partial(_list_models, keys), trusted) for choice in found)


def _list_models(keys: ServerKeys, server: Server) -> Choices:
    models = server_probe.list_models(server, keys.of(server.address), TIMEOUT_S)
    if isinstance(models, Failure):
        return ()
    label, name = tr("{model} on {server}"), server.called or host_of(server.address)
    return tuple(
        ModelChoice(label.format(model=each.name, server=name), reference(each.address, each.id)) for each in models
    )


def find_choices(
    model: Model, bundled: Path, folders: Sequence[str], on_servers: Callable[[], Choices]
) -> tuple[Choices, Choices]:
    """Return draft models and second models; none where files can't be read."""
    try:
        helpers = drafts_and_adapters.drafts_around(model.folder, bundled) if model.folder.is_dir() else ()
        found = local.around(model.folder, bundled, [Path(each) for each in folders])
    except Exception:
        return (), ()
    choices = [ModelChoice(each.model.name, str(each.model.folder), each.why_not) for each in helpers]
    if model.draft is not None:
        loaded = ModelChoice(model.draft.name, str(model.draft.folder))
        choices = [loaded, *(each for each in choices if each.folder != loaded.folder)]
    others = [ModelChoice(each.name, str(each.folder), each.why_not) for each in found if each.folder != model.folder]
    remote = [each for each in on_servers() if Path(each.folder) != model.folder]
    return tuple(choices), (*others, *remote)
