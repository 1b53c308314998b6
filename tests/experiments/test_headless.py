"""The command of an experiment asks for the very same, or says where it can't."""

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli.experiment import ExperimentSwitches, parse
from app.engine.types import (
    ENDLESS,
    KV,
    ChatPrompt,
    DraftModel,
    Limits,
    Message,
    Model,
    RawPrompt,
    Request,
    Role,
    Sampling,
    TokenPrompt,
)
from app.experiments.headless import command_of
from app.experiments.questions import EXPERIMENTS, cache
from app.experiments.requests import chat
from app.experiments.types import Axis, BaseConfig, Experiment
from tests.experiments.builders import MODEL, experiment_named

ASKED = Request(
    chat('Say "it\'s —dear";\n$HOME'),
    Sampling(temperature=0.35, top_k=40, seed=7),
    Limits(48, ("END", "\n\n")),
    KV(bits=8, quantized_start=3),
)


@pytest.fixture
def model(tmp_path: Path) -> Model:
    folder = tmp_path / "a model"
    folder.mkdir()
    return replace(MODEL, folder=folder)


def parsed(experiment: Experiment, basis: BaseConfig) -> ExperimentSwitches:
    program, word, *rest = shlex.split(command_of(experiment, basis).line)
    assert (program, word) == ("sluice", "experiment")
    return parse(rest, ("mlx",), Path("/nowhere"))


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_command_of_each_experiment_parses_to_the_same_request(experiment: Experiment, model: Model) -> None:
    axes = (Axis("sampling.temperature", (0.0, 0.5)), Axis("sampling.top_k", (0, 5)))
    varied = axes if experiment.name in ("sampling", "sweep") else ()
    other = str(model.folder) if experiment.name == "models" else ""
    basis = BaseConfig(ASKED, model, 4, draft=str(model.folder), other=other, axes=varied)
    found = parsed(experiment, basis)
    assert found.experiment is experiment
    assert (found.request, found.repeats, found.axes or ()) == (ASKED, 4, varied)
    assert (found.load.model, found.other) == (str(model.folder), other)
    assert found.load.draft == (str(model.folder) if experiment.name == "draft" else None)
    assert command_of(experiment, basis).remarks == ()


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_command_of_an_open_draft_model_includes_it(experiment: Experiment, model: Model, tmp_path: Path) -> None:
    """The same variants, and the same in memory; two models are opened alone."""
    folder = tmp_path / "small"
    folder.mkdir()
    drafted = replace(model, draft=DraftModel("small", folder, 1, 1))
    axes = (Axis("draft_tokens", (0, 3)),) if experiment.name == "sweep" else experiment.axes
    other = str(folder) if experiment.name == "models" else ""
    basis = BaseConfig(ASKED, drafted, 1, other=other, axes=axes)
    assert parsed(experiment, basis).load.draft == (None if other else str(folder))


def test_command_of_a_sweep_includes_draft_tokens(model: Model) -> None:
    for name, drafts in (("sweep", 3), ("cache", 0)):
        asked = replace(ASKED, draft_tokens=3)
        axes = (Axis("sampling.top_k", (0, 5)),) if name == "sweep" else ()
        assert parsed(experiment_named(name), BaseConfig(asked, model, 1, axes=axes)).request.draft_tokens == drafts


def test_command_of_a_raw_unlimited_request_parses_to_raw_with_a_limit(model: Model) -> None:
    asked = replace(ASKED, prompt=RawPrompt("Once"), limits=Limits(ENDLESS), kv=KV(max_size=None))
    found = parsed(cache.EXPERIMENT, BaseConfig(asked, model, 1))
    assert (found.request.prompt, found.request.limits.max_tokens) == (RawPrompt("Once"), 256)


def test_command_of_a_prompt_with_control_characters_drops_them_with_a_remark(model: Model) -> None:
    made = command_of(EXPERIMENTS[0], BaseConfig(Request(RawPrompt("a\x1b[201~\n\x03b")), model, 1))
    assert "--prompt=a[201~\nb" in shlex.split(made.line)
    assert any("control characters" in remark for remark in made.remarks)


def test_command_of_unsupported_settings_has_a_remark_for_each(model: Model) -> None:
    talk = ChatPrompt((Message(Role.SYSTEM, "Be kind."), Message(Role.USER, "Hello")), "Well", (("thinking", True),))
    for prompt, count in ((talk, 2), (replace(talk, tools="[]"), 3), (TokenPrompt((1, 2)), 1)):
        asked = replace(ASKED, prompt=prompt, sampling=replace(ASKED.sampling, logit_bias=((1, 2.0),)))
        assert len(command_of(cache.EXPERIMENT, BaseConfig(asked, model, 1)).remarks) == count + 1
