from unittest.mock import Mock

import pytest

from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.engines import Engines
from app.engine.jobs import CountReads
from app.engine.protocol import StopFlag
from app.engine.remote.address import reference, server_model
from app.engine.remote.engine import RemoteEngine
from app.engine.types import Failure, LoadRequest, Model, RawPrompt, Request, Tuning
from app.experiments.questions import EXPERIMENTS, models
from app.experiments.run import run_experiment
from app.experiments.types import BaseConfig, Plan
from tests.engine.remote.faults import JSON, Asked, Faults, Line
from tests.engine.remote.playing import PATIENT, chat, play

HERE = LoadRequest("/models/echo")
QUICK = EchoOptions(replies=("Hello you",), tokens_per_second=0, prefill_per_second=0, load_seconds=0)


def both() -> Engines:
    return Engines(
        EchoEngine(QUICK), lambda: RemoteEngine(timeouts=PATIENT), lambda name: server_model(name) is not None
    )


def load(engine: Engines, request: LoadRequest) -> Model:
    opened = engine.load(request, lambda _: None, StopFlag())
    assert isinstance(opened, Model), opened
    return opened


def load_remote(engine: Engines, faults: Faults) -> Model:
    return load(engine, LoadRequest(reference(faults.address, "one")))


def test_engines_unload_the_other_engine_after_a_load(faults: Faults) -> None:
    engine = both()
    assert not engine.has_model()
    load(engine, HERE)
    assert engine.memory().weights
    model = load_remote(engine, faults)
    assert model.server and engine.has_model() and not engine.memory().weights
    assert play(engine, chat("Hi")).written == "Hello you"
    assert isinstance(engine.render(RawPrompt("Hi")), Failure)
    (refused,) = engine.generate_together([chat("Hi")], [lambda _: None], StopFlag())
    assert refused.failure is not None
    # Its name goes through the model's folder, which is how everything else remembers it.
    load(engine, HERE)
    assert load(engine, LoadRequest(str(model.folder))).name == "one"
    engine.unload()
    assert not engine.has_model()
    engine.close()


def test_engines_with_a_server_model_run_jobs_there_and_keep_local_caches() -> None:
    here, there = (Mock(wraps=EchoEngine(QUICK), save=Mock(), forget=Mock()) for _ in range(2))
    engine = Engines(here, lambda: there, lambda name: "server" in name)
    load(engine, HERE)
    load(engine, LoadRequest("/server"))
    assert (here.load.call_count, there.load.call_count, here.unload.call_count) == (1, 1, 1)
    engine.tune(Tuning())
    engine.save()
    engine.forget(3)
    engine.run_job(CountReads(1), lambda _: None, StopFlag())
    assert here.tune.called and here.save.called and there.run_job.called
    here.forget.assert_called_once_with(3)
    assert not (there.tune.called or there.save.called or there.forget.called or here.run_job.called)
    load(engine, HERE)
    engine.run_job(CountReads(1), lambda _: None, StopFlag())
    assert there.unload.called and here.run_job.called
    engine.close()


def test_engines_keep_the_local_model_if_a_server_refuses(faults: Faults) -> None:
    def refuse(_: Asked, line: Line) -> None:
        line.head("401 Unauthorized", JSON)

    engine = both()
    load(engine, HERE)
    faults.answer = refuse
    refused = engine.load(LoadRequest(reference(faults.address, "one")), lambda _: None, StopFlag())
    assert isinstance(refused, Failure) and refused.kind == "key"
    assert engine.memory().weights and not isinstance(engine.render(RawPrompt("Hi")), Failure)
    engine.close()


def test_engines_run_one_prompt_locally_and_on_a_server(faults: Faults) -> None:
    engine = both()
    model = load(engine, HERE)
    basis = BaseConfig(chat("Hi", tokens=64), model, 2, other=reference(faults.address, "one"))
    plan = models.plan(basis)
    assert isinstance(plan, Plan)
    assert [arm.name for arm in plan.arms] == ["echo", f"one on {faults.address.split('/')[2]}"]
    outcome = run_experiment(engine, plan, model, StopFlag())
    assert outcome.failure is None
    assert {run.text for run in outcome.results} >= {"Hello you"}
    assert all(run.finish.wire is not None for run in outcome.of(1))
    engine.close()


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_experiment_on_a_server_names_missing_features(faults: Faults, experiment: object) -> None:
    engine = both()
    model = load_remote(engine, faults)
    asked = Request(chat("Hi").prompt)
    plan = next(each for each in EXPERIMENTS if each is experiment).plan(BaseConfig(asked, model, 1, draft="/draft"))
    if isinstance(plan, Failure):
        assert plan.what.endswith(".") and plan.todo.endswith(".")
    else:
        outcome = run_experiment(engine, plan, model, StopFlag())
        failures = [outcome.failure, *(run.finish.failure for run in outcome.results)]
        assert all(failure is None or failure.what.endswith(".") for failure in failures)
    engine.close()
