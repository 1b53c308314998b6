"""Setups of an experiment and the configs that they describe."""

from dataclasses import replace

import pytest

from app.engine.types import (
    ENDLESS,
    ChatPrompt,
    ExactPrompt,
    Failure,
    Limits,
    Message,
    RawPrompt,
    Request,
    Role,
    Sampling,
    TokenPrompt,
)
from app.experiments.duration import progress_words
from app.experiments.questions import EXPERIMENTS, find_experiment
from app.experiments.types import WARM_UP, Axis, BaseConfig, Experiment, ExperimentStep, Plan
from app.records.run_settings import flatten_settings
from app.ui.experiments.setup import (
    SourceRun,
    about,
    basis_of,
    experiment_kinds,
    first_setup,
    needed_rounds,
    titles_of,
    varied,
)
from tests.experiments.builders import MODEL
from tests.ui.runs.rows import row

TALK = ChatPrompt((Message(Role.USER, "One?"), Message(Role.ASSISTANT, "One."), Message(Role.USER, "Two?")), "Well")
ASKED = Request(TALK, Sampling(temperature=0.3, top_k=4, seed=9), Limits(64, ("END",)))
SOURCE = SourceRun(ASKED, "paper")


def of(name: str) -> Experiment:
    found = find_experiment(name)
    assert found is not None
    return found


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_first_setup_can_be_started(experiment: Experiment) -> None:
    setup = replace(first_setup(experiment, None), other="/models/other", draft="/models/draft")
    basis = basis_of(setup, experiment, None, MODEL)
    assert isinstance(basis, BaseConfig)
    plan = experiment.plan(basis)
    assert isinstance(plan, Plan) and len(plan.arms) >= 2


def test_offers_have_actions_of_their_names() -> None:
    from app.actions import ACTIONS

    names = [action.name for action in ACTIONS if action.name.startswith("experiment_")]
    assert names == [f"experiment_{offer.name}" for offer in experiment_kinds()]


def test_source_settings_are_used_and_only_the_question_edited() -> None:
    setup = first_setup(of("sweep"), SOURCE)
    assert (setup.prompt, setup.max_tokens, setup.temperature) == ("Two?", 64, 0.3)
    basis = basis_of(setup, of("sweep"), SOURCE, MODEL)
    assert isinstance(basis, BaseConfig) and basis.request == ASKED
    basis = basis_of(replace(setup, prompt="Three?", max_tokens=9), of("sweep"), SOURCE, MODEL)
    assert isinstance(basis, BaseConfig)
    messages = (*TALK.messages[:2], Message(Role.USER, "Three?"))
    assert basis.request.prompt == replace(TALK, messages=messages)
    assert basis.request.limits == Limits(9, ("END",)) and basis.request.sampling == ASKED.sampling
    assert "(2)" in about(SOURCE, MODEL)
    assert "The experiment measures paper" in about(replace(SOURCE, model="other"), MODEL)


def test_source_token_prompt_stays_until_it_is_edited() -> None:
    prompt = ExactPrompt("so far", (5, 6), ((0, 2), (2, 6)), ())
    source = SourceRun(replace(ASKED, prompt=TokenPrompt((5, 6))), "paper", prompt)
    setup = first_setup(of("cache"), source)
    assert setup.prompt == "so far"
    basis = basis_of(setup, of("cache"), source, MODEL)
    assert isinstance(basis, BaseConfig) and basis.request.prompt == TokenPrompt((5, 6))
    basis = basis_of(replace(setup, prompt="so near"), of("cache"), source, MODEL)
    assert isinstance(basis, BaseConfig) and basis.request.prompt == RawPrompt("so near")


def test_basis_without_chat_template_is_raw() -> None:
    model = replace(MODEL, can=replace(MODEL.can, chat=False))
    basis = basis_of(first_setup(of("cache"), None), of("cache"), None, model)
    assert isinstance(basis, BaseConfig) and isinstance(basis.request.prompt, RawPrompt)


def test_first_setup_has_a_suitable_limit() -> None:
    endless = SourceRun(replace(ASKED, limits=Limits(ENDLESS)), "paper")
    assert first_setup(of("cache"), endless).max_tokens == 256
    assert first_setup(of("length"), SOURCE).max_tokens == of("length").max_tokens


def test_basis_of_unreadable_setup_is_a_failure() -> None:
    setup = first_setup(of("sampling"), None)
    for wrong in (replace(setup, prompt=" "), replace(setup, axes=(("sampling.top_k", "many"),))):
        assert isinstance(basis_of(wrong, of("sampling"), None, MODEL), Failure)


def test_titles_of_a_grid() -> None:
    basis = BaseConfig(ASKED, MODEL, 1, axes=(Axis("sampling.top_k", (1, 5)), Axis("sampling.top_p", (0.5,))))
    titles = titles_of(of("sampling"), basis)
    assert titles is not None and (titles.rows, titles.columns) == (("top-k 1", "top-k 5"), ("top-p 0.5",))
    assert titles_of(of("sweep"), basis) is None


def test_varied_returns_differing_settings() -> None:
    others = (replace(ASKED, sampling=replace(ASKED.sampling, top_k=9)), replace(ASKED, limits=Limits(32, ("END",))))
    rows = [row(number, settings=tuple(flatten_settings(request))) for number, request in enumerate((ASKED, *others))]
    assert varied(rows) == (("sampling.top_k", "4, 9"), ("limits.max_tokens", "64, 32"))
    setup = first_setup(of("sweep"), replace(SOURCE, axes=varied(rows)))
    basis = basis_of(setup, of("sweep"), SOURCE, MODEL)
    assert isinstance(basis, BaseConfig) and basis.axes[1] == Axis("limits.max_tokens", (64, 32))


def test_first_setup_keeps_a_typed_prompt() -> None:
    setup = first_setup(of("stops"), None, "Mine")
    assert (setup.prompt, setup.stop_strings) == ("Mine", ())
    assert first_setup(of("stops"), None).stop_strings


def test_progress_words_name_run_and_round() -> None:
    step = ExperimentStep(0, "bare", 2, 5, 12)
    assert progress_words(step) == "Run 5 of 12 · bare · round 2"
    assert progress_words(replace(step, round=WARM_UP)) == "Run 5 of 12 · bare · warming up"


def test_needed_rounds_depend_on_the_axes() -> None:
    for name, axes, rounds in (
        ("template", (), 1),
        ("models", (), 6),
        ("sweep", (("sampling.temperature", "0, 1"),), 6),
        ("sweep", (("sampling.temperature", "0, 0.7, 1"), ("sampling.top_k", "0, 4")), 10),
        ("sweep", (("sampling.temperature", ""), ("sampling.top_k", "a, b")), 6),
    ):
        assert needed_rounds(of(name), axes) == rounds
    assert all(
        first_setup(each, None).repeats == needed_rounds(each, first_setup(each, None).axes) for each in EXPERIMENTS
    )
