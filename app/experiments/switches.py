"""The command line of `sluice experiment`, checked before a model is loaded."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.cli.arguments import EXPERIMENT, OneSentenceParser, known_adapter, known_model, refuse, writable
from app.engine.types import Failure, Limits, LoadRequest, RawPrompt, Request, Sampling
from app.experiments.questions import EXPERIMENTS, draft, models, named, sampling, sweep
from app.experiments.requests import chat
from app.experiments.settings import put, read_axis
from app.experiments.types import Axis, Experiment
from app.files.regular_files import expand_home

FORMATS = ("markdown", "json", "csv", "table-csv")
MOST_REPEATS = 20
"""As many as the largest sweep needs."""
DEMO, DEMO_DRAFT = "demo", "demo-draft"
SCRIPTED = "echo"


@dataclass(frozen=True, slots=True)
class Switches:
    """What is to be done. `experiment` None: only tell what there is."""

    experiment: Experiment | None
    engine: str
    load: LoadRequest
    request: Request
    repeats: int
    other: str
    axes: tuple[Axis, ...]
    format: str
    data_folder: Path | None


def parse(arguments: Sequence[str], engines: Sequence[str], bundled: Path) -> Switches:
    """The checked switches; leaves the program for --help and whatever is wrong."""
    given = _parser(engines).parse_args(arguments)
    experiment = named(given.name) if given.name else None
    if experiment is None and not given.list:
        names = ", ".join(each.name for each in EXPERIMENTS)
        refuse(f"There is no experiment {given.name}; there are {names}" if given.name else f"Name one of {names}")
    asked = experiment or EXPERIMENTS[0]
    if given.data_dir is not None:
        writable(expand_home(given.data_dir))
    _refuse_without(given, experiment)
    axes = _axes(given, asked)
    return Switches(
        experiment=None if given.list else experiment,
        engine=given.engine,
        load=_load(given, asked, bundled),
        request=_request(given, asked),
        repeats=asked.rounds(axes) if given.repeats is None else given.repeats,
        other=_other(given, asked, bundled),
        axes=axes,
        format=given.format,
        data_folder=expand_home(given.data_dir) if given.data_dir is not None else None,
    )


def _refuse_without(given: argparse.Namespace, experiment: Experiment | None) -> None:
    """What an experiment can't do without, and nobody else can guess."""
    if experiment is draft.EXPERIMENT and given.model and not given.draft:
        refuse("Name a draft model for this model with --draft")
    if experiment is models.EXPERIMENT and given.model and not given.other:
        refuse("Name a second model with --other")
    if experiment is sweep.EXPERIMENT and not given.vary:
        refuse("Name at least one setting to vary, as in --vary temperature=0,0.7")


def _parser(engines: Sequence[str]) -> OneSentenceParser:
    parser = OneSentenceParser(
        prog=f"sluice {EXPERIMENT}",
        description="Answers a question about a model by measuring, without a window. Ctrl-C keeps what is done.",
    )
    parser.add_argument("name", nargs="?", default="", metavar="NAME", help="which experiment; see --list")
    parser.add_argument("--list", action="store_true", help="tell which experiments there are")
    parser.add_argument("--model", default="", metavar="PATH_OR_ID", help="the model; else the bundled one")
    parser.add_argument("--draft", default="", metavar="PATH_OR_ID", help="a draft model beside it")
    parser.add_argument("--adapter", default="", metavar="DIR", help="a LoRA or DoRA adapter on the model")
    parser.add_argument("--other", default="", metavar="PATH_OR_ID", help="a second model, for `models`")
    parser.add_argument("--prompt", default="", metavar="TEXT", help="what to ask; each experiment has its own")
    parser.add_argument("--raw", action="store_true", help="send the prompt without the chat template")
    told = "runs of each arm; else as few as can tell a difference from noise"
    parser.add_argument("--repeats", type=within(1, MOST_REPEATS), metavar="N", help=told)
    parser.add_argument("--max-tokens", type=within(2, 1_000_000), metavar="N", help="where a run ends at the latest")
    parser.add_argument("--stop", action="append", default=[], metavar="TEXT", help="a stop string")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting for all arms")
    parser.add_argument("--vary", action="append", default=[], metavar="NAME=VALUE,…", help="for `sampling`, `sweep`")
    _add_formats(parser)
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="write every run into the journal in DIR")
    parser.add_argument("--engine", choices=engines, default=engines[0], help="echo: scripted, needs no model")
    return parser


def _add_formats(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(format=FORMATS[0])
    formats = parser.add_mutually_exclusive_group()
    for each, what in zip(FORMATS, ("to read", "all of it", "a line for each run", "a line for each arm"), strict=True):
        formats.add_argument(f"--{each}", action="store_const", const=each, dest="format", help=f"print {what}")


def within(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number between two others."""

    def number(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not between {least} and {most:,}")
        return value

    return number


def _load(given: argparse.Namespace, experiment: Experiment, bundled: Path) -> LoadRequest:
    """The bundled model where none is named, with its draft model where that is what is asked about."""
    model, beside, adapter = known_model(given.model), known_model(given.draft), known_adapter(given.adapter)
    if model or given.engine == SCRIPTED:
        return LoadRequest(model or SCRIPTED, beside or None, adapter=adapter)
    if experiment is draft.EXPERIMENT and not beside:
        beside = str(bundled / DEMO_DRAFT)
    return LoadRequest(str(bundled / DEMO), beside or None, adapter=adapter)


def _other(given: argparse.Namespace, experiment: Experiment, bundled: Path) -> str:
    other = known_model(given.other)
    if experiment is models.EXPERIMENT and not (other or given.model):
        return SCRIPTED if given.engine == SCRIPTED else str(bundled / DEMO_DRAFT)
    return other


def _request(given: argparse.Namespace, experiment: Experiment) -> Request:
    words = given.prompt or experiment.prompt
    own_stops = () if given.prompt else experiment.stop_strings
    request = Request(
        RawPrompt(words) if given.raw else chat(words),
        Sampling(temperature=experiment.temperature),
        Limits(given.max_tokens or experiment.max_tokens, tuple(given.stop) or own_stops),
    )
    for text in given.set:
        axis = _axis(text)
        if len(axis.values) != 1:
            refuse(f"--set takes one value, and {text} has {len(axis.values)}")
        request = put(request, axis.name, axis.values[0])
    return request


def _axes(given: argparse.Namespace, experiment: Experiment) -> tuple[Axis, ...]:
    if given.vary and experiment not in (sampling.EXPERIMENT, sweep.EXPERIMENT):
        refuse(f"The experiment {experiment.name} varies what it is about; --vary is for sampling and sweep")
    return tuple(_axis(text) for text in given.vary) or experiment.axes


def _axis(text: str) -> Axis:
    axis = read_axis(text)
    if isinstance(axis, Failure):
        refuse(axis.sentence)
    return axis
