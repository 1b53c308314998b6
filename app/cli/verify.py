"""`sluice eval verify`: reruns a published result and compares its rates."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.cli import verbs
from app.cli.arguments import SCRIPTED, VerbParser, known_model, refuse
from app.cli.evaluation import show_progress
from app.cli.verbs import Engines
from app.engine.errors import AbortedError
from app.engine.protocol import Engine, StopFlag, unwrap
from app.engine.types import Failure, LoadRequest
from app.evaluation.evaluation_run import run_evaluation
from app.evaluation.known_tests import open_test
from app.evaluation.published import (
    PublishedResult,
    Verdict,
    Verification,
    compare,
    other_models,
    read_published,
)
from app.files.regular_files import expand_home

VERIFY = "eval verify"
OTHER_SET = "The set {file} has other rows than the published one."


def main(arguments: Sequence[str], engines: Engines, resources: Path) -> int:
    parser = VerbParser(
        VERIFY,
        "Rerun a published result (eval --json) and print: reproduced, outside, or another question.",
        json="print the verdict and its reasons",
    )
    parser.add_engine(tuple(engines))
    parser.add_argument("file", type=Path, metavar="FILE", help="the JSON file of an evaluation")
    parser.add_argument("--set", type=Path, metavar="SET", help="check that this set has the same rows")
    options = parser.parse_args(arguments)
    published = read_published(expand_home(options.file))
    if isinstance(published, Failure):
        refuse(published.what)
    model = known_model(options.model) or (SCRIPTED if options.engine == SCRIPTED else "")
    found: list[Verification] = []

    def work(engine: Engine, stop: StopFlag) -> None:
        found.append(_verify(engine, stop, published, model, options.set))
        _print(found[0], options.json)

    code = verbs.run(VERIFY, engines[options.engine], work)
    if code == verbs.DONE and found[0].verdict is not Verdict.REPRODUCED:
        verbs.warn(VERIFY, f"{found[0].verdict}: {found[0].reasons[0]}")
        return verbs.FAILED
    return code


def _verify(engine: Engine, stop: StopFlag, published: PublishedResult, model: str, rows: Path | None) -> Verification:
    """Rerun the published variants. `model` replaces the model of all variants, for instance on another computer."""
    arms = published.study.arms
    known = [arm.load or LoadRequest("") for arm in arms]
    loads = [replace(load, model=model) for load in known] if model else known
    reasons = [*published.changes, *_other_set(published, rows), *other_models(published, loads)]
    if reasons:
        return Verification(Verdict.ANOTHER, tuple(reasons))
    first = unwrap(engine.load(loads[0], lambda event: None, stop), stop)
    variants = tuple(replace(arm, load=load) for arm, load in zip(arms, loads, strict=True))
    outcome = run_evaluation(engine, replace(published.study, arms=variants), first, stop, show_progress)
    if outcome.stopped or outcome.why:
        raise AbortedError(Failure(outcome.why or "It was interrupted.", "Start it again.", kind="interrupted"))
    return compare(published, outcome)


def _other_set(published: PublishedResult, rows: Path | None) -> list[str]:
    if rows is None:
        return []
    found = open_test(expand_home(rows))
    if isinstance(found, Failure):
        raise AbortedError(found)
    same = found[0].digest == published.study.prompts.digest
    return [] if same else [OTHER_SET.format(file=rows.name)]


def _print(found: Verification, as_json: bool) -> None:
    if as_json:
        facts = {"verdict": found.verdict.value, "reasons": list(found.reasons)}
        sys.stdout.write(json.dumps(facts, indent=1, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write("\n".join((f"{found.verdict.value}.", *(f"- {each}" for each in found.reasons))) + "\n")
