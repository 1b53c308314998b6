"""`sluice eval verify`: reruns a published result and compares its rates."""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from pathlib import Path

from app.cli import verbs
from app.cli.arguments import DEMO, SCRIPTED, VerbParser, known_adapter, known_model, refuse
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
    files_hash,
    other_models,
    read_published,
)
from app.files import settings
from app.files.regular_files import expand_home, is_folder
from app.files.settings import user_folder
from app.library import local
from app.library.drafts_and_adapters import adapters_for

VERIFY = "eval verify"
NOT_HERE = "No {kind} on this computer has the files of {name}."
OTHER_SET = "The set {file} has other rows than the published one."


def main(arguments: Sequence[str], engines: Engines, resources: Path) -> int:
    parser = VerbParser(
        VERIFY,
        "Rerun a published result (eval --json) and print: reproduced, outside, or another question.",
        epilog="The models and adapters are those on this computer that have the published files.",
        model="",
        json="print the verdict and its reasons",
        data_dir="the folder of the settings, which list folders of models",
    )
    parser.add_engine(tuple(engines))
    for name, kind, metavar in (("model", "model", "PATH_OR_ID"), ("adapter", "adapter", "DIR")):
        about = f"a {kind} of the variants; default: found by its files; repeatable"
        parser.add_argument(f"--{name}", action="append", default=[], metavar=metavar, help=about)
    parser.add_argument("file", type=Path, metavar="FILE", help="the JSON file of an evaluation")
    parser.add_argument("--set", type=Path, metavar="SET", help="check that this set has the same rows")
    options = parser.parse_args(arguments)
    published = read_published(expand_home(options.file))
    if isinstance(published, Failure):
        refuse(published.what)
    models = [known_model(each) for each in options.model] or [SCRIPTED] * (options.engine == SCRIPTED)
    adapters = [str(known_adapter(each)) for each in options.adapter]
    found: list[Verification] = []

    def work(engine: Engine, stop: StopFlag) -> None:
        library = cache(partial(_library, resources, options.data_dir))
        loads = [_load(published, arm, models, adapters, library) for arm in range(len(published.study.arms))]
        found.append(_verify(engine, stop, published, loads, options.set))
        _print(found[0], options.json)

    code = verbs.run(VERIFY, engines[options.engine], work)
    if code == verbs.DONE and found[0].verdict is not Verdict.REPRODUCED:
        verbs.warn(VERIFY, f"{found[0].verdict}: {found[0].reasons[0]}")
        return verbs.FAILED
    return code


def _library(resources: Path, data_folder: Path | None) -> list[str]:
    """Return the folders of all models on this computer."""
    known, _ = settings.load(expand_home(data_folder or user_folder()))
    found = local.models(resources / DEMO.parent, tuple(map(Path, known.folders)))
    return [str(each.folder) for each in found if not each.why_not]


def _load(
    published: PublishedResult,
    arm: int,
    models: Sequence[str],
    adapters: Sequence[str],
    library: Callable[[], Sequence[str]],
) -> LoadRequest:
    """Return the model of a variant: by its files, else the named one. A path in the published file isn't opened."""
    asked = published.study.arms[arm].load or LoadRequest("")
    digest, _, adapter_digest = published.models[arm].partition(" ")
    model = _found(asked.model, "model", digest, models, library)
    if not asked.adapter:
        return LoadRequest(model)

    def around() -> list[str]:
        return [str(each.folder) for each in adapters_for(Path(model))] if is_folder(Path(model)) else []

    return LoadRequest(model, adapter=_found(asked.adapter, "adapter", adapter_digest, adapters, around))


def _found(name: str, kind: str, digest: str, named: Sequence[str], known: Callable[[], Sequence[str]]) -> str:
    """Return the folder with the published files, else the first named one, whose files are compared later."""
    for each in chain(named, known() if digest and not named else ()):
        if digest and files_hash(each) == digest:
            return each
    if not named:
        what = NOT_HERE.format(kind=kind, name=Path(name).name)
        raise AbortedError(Failure(what, f"Name its place with --{kind}.", kind="absent"))
    return named[0]


def _verify(
    engine: Engine, stop: StopFlag, published: PublishedResult, loads: Sequence[LoadRequest], rows: Path | None
) -> Verification:
    """Rerun the published variants."""
    arms = published.study.arms
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
