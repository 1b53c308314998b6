"""`sluice perplexity`: the perplexity of a text, and the KL divergence from a second model."""

import sys
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from app.cli import verbs
from app.cli.arguments import DEMO, VerbParser, known_adapter, local_model, refuse
from app.cli.verbs import Engines
from app.engine.cache_variants import parse_variants
from app.engine.errors import AbortedError
from app.engine.protocol import Engine, StopFlag
from app.engine.types import CacheVariant, Cancellation, ChatPrompt, Failure, LoadRequest, RawPrompt
from app.files.regular_files import expand_home
from app.library.cached import name_of
from app.perplexity.cache_measuring import MOST_NEEDLES, CacheJob, CacheMeasurement
from app.perplexity.cache_result import CacheResult, cache_json, cache_text
from app.perplexity.comparisons import FULL, NamedComparison, comparisons_json, comparisons_text
from app.perplexity.measuring import PerplexityJob, PerplexityMeasurement
from app.perplexity.result import OTHER_VOCABULARY, PerplexityResult, as_json, as_text
from app.perplexity.source import prompt_of, read
from app.records.session_file import SUFFIX

PERPLEXITY = "perplexity"
ON_SERVER = "A server doesn't return the probabilities of a text's tokens"


def main(arguments: Sequence[str], engines: Engines, resources: Path) -> int:
    parser = VerbParser(
        PERPLEXITY,
        "Print the perplexity of a text and, with --against, the KL divergence of a second model.",
        epilog="A text is scored as the model's answer, unless --raw is given; of a session, its answers are scored.",
        json="print everything, with the values of each token",
    )
    parser.add_adapter()
    parser.add_argument("file", type=Path, metavar="FILE", help="a text, or a session (.sluice)")
    parser.add_argument("--raw", action="store_true", help="don't apply the chat template")
    about = "a second model with the same vocabulary; repeat it for several comparisons"
    parser.add_argument("--against", action="append", default=[], metavar="PATH_OR_ID", help=about)
    about = "an adapter on the second model; without --against, on the same model"
    parser.add_argument("--against-adapter", default="", metavar="DIR", help=about)
    about = "compare KV caches with the full one: bits:group@start or window:size:kept, such as 8,4:32@512,window:256:4"
    parser.add_argument("--kv", default="", metavar="VARIANTS", help=about)
    about = "with --kv: plant facts at these depths, in percent of the text, and ask for them at its end: 10,50,90"
    parser.add_argument("--kv-needles", default="", metavar="DEPTHS", help=about)
    options = parser.parse_args(arguments)
    name = local_model(options.model, ON_SERVER) or str(resources / DEMO)
    model = LoadRequest(name, adapter=known_adapter(options.adapter))
    adapter = known_adapter(options.against_adapter)
    others = [local_model(each, ON_SERVER) for each in options.against] or ([name] if adapter else [])
    if adapter and len(others) > 1:
        refuse("--against-adapter is for one second model")
    if options.kv_needles and not options.kv:
        refuse("--kv-needles needs --kv")
    variants, depths = _variants(options.kv), _depths(options.kv_needles)
    prompt = _prompt(expand_home(options.file), options.raw)
    against = [LoadRequest(each, adapter=adapter) for each in others]
    jobs: list[PerplexityJob | CacheJob] = [PerplexityJob(prompt, model, each) for each in against]
    if variants:
        jobs.append(CacheJob(prompt, model, variants, depths))
    return verbs.run(PERPLEXITY, engines["mlx"], partial(_print, jobs or [PerplexityJob(prompt, model)], options.json))


def _print(jobs: Sequence[PerplexityJob | CacheJob], json: bool, engine: Engine, stop: StopFlag) -> None:
    results: list[PerplexityResult | CacheResult] = []
    try:
        results.extend(_measured(job, engine, stop) for job in jobs)  # keeps those before an exception
    except AbortedError:
        if results:
            verbs.warn(PERPLEXITY, f"Only {len(results)} of {len(jobs)} comparisons were measured")
            _write(jobs, results, json)
        raise
    _write(jobs, results, json)


def _write(
    jobs: Sequence[PerplexityJob | CacheJob], results: Sequence[PerplexityResult | CacheResult], json: bool
) -> None:
    if (json or len(jobs) > 1) and any(map(_is_other_vocabulary, results)):
        verbs.warn(PERPLEXITY, OTHER_VOCABULARY)
    if len(jobs) > 1:
        found = [each for job, result in zip(jobs, results, strict=False) for each in _comparisons(job, result)]
        sys.stdout.write(comparisons_json(found) if json else comparisons_text(found))
    elif isinstance(result := results[0], CacheResult):
        sys.stdout.write(cache_json(result) if json else cache_text(result))
    else:
        sys.stdout.write(as_json(result) if json else as_text(result))


def _measured(job: PerplexityJob | CacheJob, engine: Engine, stop: StopFlag) -> PerplexityResult | CacheResult:
    with closing(CacheMeasurement(job) if isinstance(job, CacheJob) else PerplexityMeasurement(job)) as measurement:
        outcome = measurement.go(engine, None, verbs.show_prefill, stop)
        result = measurement.result() if outcome is None else None
    if result is None:
        raise AbortedError(outcome or Cancellation())
    return result


def _is_other_vocabulary(result: PerplexityResult | CacheResult) -> bool:
    return isinstance(result, PerplexityResult) and result.second is not None and result.between is None


def _comparisons(job: PerplexityJob | CacheJob, result: PerplexityResult | CacheResult) -> list[NamedComparison]:
    if isinstance(result, CacheResult):
        return [NamedComparison(FULL, each.name, each.compared) for each in result.variants]
    assert isinstance(job, PerplexityJob) and job.against is not None
    return [NamedComparison(_name(job.model), _name(job.against), result)]


def _name(load: LoadRequest) -> str:
    return " + ".join(name_of(part) for part in (load.model, load.adapter) if part)


def _variants(text: str) -> tuple[CacheVariant, ...]:
    try:
        return parse_variants(text) if text else ()
    except ValueError as error:
        refuse(str(error))


def _depths(text: str) -> tuple[int, ...]:
    try:
        depths = tuple(dict.fromkeys(int(each) for each in text.split(",") if each.strip()))
    except ValueError:
        depths = (-1,)
    if len(depths) > MOST_NEEDLES or not all(0 <= each <= 100 for each in depths):
        refuse(f"--kv-needles takes at most {MOST_NEEDLES} depths between 0 and 100, such as 10,50,90")
    return depths


def _prompt(file: Path, raw: bool) -> ChatPrompt | RawPrompt:
    if raw and file.suffix == SUFFIX:
        refuse("A session is a conversation; --raw is for texts")
    found = read(file)
    if isinstance(found, Failure):
        refuse(found.what)
    return found if isinstance(found, ChatPrompt) else prompt_of(found, raw)
