"""The command line of `sluice run`, checked before a model is loaded."""

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.cli.arguments import RUN, OneSentenceParser, known_adapter, known_model, refuse, writable
from app.cli.ask import MOST_TOKENS
from app.engine.clamping import LONGEST_FORM
from app.engine.forms.grammar import why_not
from app.engine.sampling import check as complaint_of
from app.engine.types import ChatPrompt, Failure, Form, FormKind, Limits, LoadRequest, Request, Sampling
from app.evaluation import thinking
from app.evaluation.checks import complaint, suggested
from app.evaluation.evaluation_run import ALIKE
from app.evaluation.reading import open_set
from app.evaluation.shipped import SHIPPED, shipped_set
from app.evaluation.templates import missing, why_missing
from app.evaluation.types import Check, CheckKind, Evaluation, EvaluationVariant, PromptSet, Wording
from app.experiments.requests import SENSIBLE_TOKENS
from app.experiments.settings import put, read_axis
from app.experiments.switches import DEMO, SCRIPTED, within
from app.files import regular_files

FORMATS = ("markdown", "json", "csv", "jsonl", "html")
MOST_REPEATS, MOST_TOGETHER, MOST_ARMS = 100, 256, 20
FORMS = tuple(each.value for each in (FormKind.SCHEMA, FormKind.REGEX, FormKind.CHOICES))
OTHER_SETTINGS = ("model", "adapter", "wording")


@dataclass(frozen=True, slots=True)
class Switches:
    """What is to be done."""

    study: Evaluation
    engine: str
    load: LoadRequest
    format: str
    data_folder: Path | None
    resume: bool
    thinking: bool


def parse(arguments: Sequence[str], engines: Sequence[str], resources: Path) -> Switches:
    """The checked switches; leaves the program for --help and whatever is wrong."""
    given = _parser(engines).parse_args(arguments)
    if given.resume and given.data_dir is None:
        refuse("--resume goes on with what --data-dir has; name that too")
    if given.data_dir is not None:
        writable(regular_files.expand_home(given.data_dir))
    usual = SCRIPTED if given.engine == SCRIPTED else str(resources / "models" / DEMO)
    load = LoadRequest(known_model(given.model) or usual, adapter=known_adapter(given.adapter))
    prompts, check = _set(given, resources)
    study = Evaluation(
        prompts.title, prompts, prompts.template, _arms(given, load, prompts), check, given.repeats, given.together
    )
    return Switches(study, given.engine, load, given.format, given.data_dir, given.resume, given.thinking)


def _parser(engines: Sequence[str]) -> OneSentenceParser:
    parser = OneSentenceParser(
        prog=f"sluice {RUN}",
        description="Asks a model every prompt of a set, and tells how many answers are right, and how sure that is.",
        epilog=f"SET: a table (CSV, TSV, JSON, JSONL), a folder of texts, lines, a session, or one of "
        f"{', '.join(each.file for each in SHIPPED)}.",
        allow_abbrev=False,
    )
    parser.add_argument("set", metavar="SET", help="its columns prompt, expected and system are known by their names")
    told = "another arm: NAME=temperature=0.7,top_k=40; also model=…, adapter=…, wording=… and, as the last, "
    told += "form=schema:FILE, form=regex:REGEX or form=choices:ONE|OTHER"
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--arm", action="append", default=[], metavar="NAME=SETTING=VALUE,…", help=told)
    ways.add_argument("--thinking", action="store_true", help="arms that think less and more")
    ways.add_argument("--wordings", action="store_true", help="arms that say the same in other words")
    kinds = ", ".join(each.value for each in CheckKind if each is not CheckKind.BY_HAND)
    parser.add_argument("--check", default="", metavar="KIND[=ARG]", help=f"{kinds}; else what the set suggests")
    parser.add_argument("--raw", action="store_true", help="prompts as they stand, without the chat template")
    parser.add_argument("--repeats", type=within(1, MOST_REPEATS), default=1, metavar="N", help="answers of each row")
    parser.add_argument("--max-tokens", type=within(1, 1_000_000), default=SENSIBLE_TOKENS, metavar="N")
    told = "rows at once, where that changes no answer"
    parser.add_argument("--together", type=within(1, MOST_TOGETHER), default=16, metavar="N", help=told)
    parser.add_argument("--model", default="", metavar="PATH_OR_ID", help="the model; else the bundled one")
    parser.add_argument("--adapter", default="", metavar="DIR", help="a LoRA or DoRA adapter on the model")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="write every answer into the journal in DIR")
    parser.add_argument("--resume", action="store_true", help="ask only what the journal in DIR has no answer to")
    parser.set_defaults(format=FORMATS[0])
    formats = parser.add_mutually_exclusive_group()
    whats = ("to read", "all of it", "a line for each answer", "an object for each answer", "a page for a browser")
    for each, what in zip(FORMATS, whats, strict=True):
        formats.add_argument(f"--{each}", action="store_const", const=each, dest="format", help=f"print {what}")
    parser.add_argument("--engine", choices=engines, default=engines[0], help="echo: scripted, needs no model")
    return parser


def _set(given: argparse.Namespace, resources: Path) -> tuple[PromptSet, Check]:
    shipped = next((each for each in SHIPPED if each.file == given.set), None)
    found = shipped_set(shipped, resources) if shipped else open_set(regular_files.expand_home(given.set))
    if isinstance(found, Failure):
        refuse(found.what)
    if why := why_missing(missing(found.template, found.columns)):
        refuse(why)
    check = _check(given.check) if given.check else shipped.check if shipped else suggested(found)
    if why := complaint(check):
        refuse(why)
    return replace(found, template=replace(found.template, raw=given.raw or found.template.raw)), check


def _check(said: str) -> Check:
    kind, _, argument = said.partition("=")
    known = {each.value: each for each in CheckKind if each is not CheckKind.BY_HAND}
    if kind not in known:
        refuse(f"There is no check {kind}; there are {', '.join(known)}")
    if known[kind] is CheckKind.SCHEMA and argument:
        argument = _read(argument)
    return Check(known[kind], argument)


def _read(file: str) -> str:
    try:
        return regular_files.read(regular_files.expand_home(file), LONGEST_FORM).decode()
    except (OSError, UnicodeDecodeError) as error:
        refuse(f"{file} can't be read ({getattr(error, 'strerror', None) or error})")


def _arms(given: argparse.Namespace, load: LoadRequest, prompts: PromptSet) -> tuple[EvaluationVariant, ...]:
    request = Request(ChatPrompt(()), Sampling(temperature=0), Limits(given.max_tokens))
    if given.thinking:
        return thinking.arms(request)
    if given.wordings:
        return thinking.sensitivity_arms(request, prompts.template, prompts)
    arms = tuple(_arm(text, request, load) for text in given.arm) or (
        EvaluationVariant(Path(load.model).name, request),
    )
    if len(arms) > MOST_ARMS:
        refuse(f"There are {len(arms)} arms; {MOST_ARMS} can be compared")
    if len({arm.name for arm in arms}) < len(arms):
        refuse("Two arms have the same name")
    return arms


def _arm(said: str, request: Request, load: LoadRequest) -> EvaluationVariant:
    """An arm without settings asks as everything is."""
    name, _, settings = said.partition("=")
    if not name.strip():
        refuse(f"An arm begins with its name, and {said} has none")
    settings, *form = re.split(r"(?:^|,)form=", settings, maxsplit=1)
    arm = EvaluationVariant(name.strip(), replace(request, form=_form(name, *form)), load)
    for each in filter(None, settings.split(",")):
        arm = _with(arm, each.strip())
    arm = replace(arm, load=None) if arm.load == load else arm  # it is open by then
    if (failure := complaint_of(arm.request, MOST_TOKENS)) is not None:
        refuse(f"{arm.name}: {failure.what}")
    return arm


def _form(name: str, said: str | None = None) -> Form:
    """Of the rest of an arm: a pattern may have commas."""
    if said is None:
        return Form()
    kind, _, text = said.partition(":")
    if kind not in FORMS or not text:
        refuse(f"The form of {name} begins with one of {', '.join(f'{each}:' for each in FORMS)}")
    if kind == FormKind.SCHEMA:
        text = _read(text)
    form = Form().put(FormKind(kind), text.replace("|", "\n") if kind == FormKind.CHOICES else text)
    if why := why_not(form):
        refuse(f"{name}: {why}")
    return form


def _with(arm: EvaluationVariant, said: str) -> EvaluationVariant:
    key, _, value = said.partition("=")
    if key in OTHER_SETTINGS:
        if not value:
            refuse(f"{key} needs a value in the arm {arm.name}")
        return _otherwise(arm, key, value)
    axis = read_axis(said)
    if isinstance(axis, Failure):
        refuse(axis.sentence)
    if axis.name in ALIKE:
        refuse(f"Every answer of a set has the same {key}; no arm can differ in it")
    return replace(arm, request=put(arm.request, axis.name, axis.values[0]))


def _otherwise(arm: EvaluationVariant, key: str, value: str) -> EvaluationVariant:
    assert arm.load is not None
    if key == "model":
        return replace(arm, load=replace(arm.load, model=known_model(value)))
    if key == "adapter":
        return replace(arm, load=replace(arm.load, adapter=known_adapter(value)))
    wordings = {each.value.replace(" ", "-"): each for each in Wording}
    if value.replace(" ", "-") not in wordings:
        refuse(f"There is no wording {value}; there are {', '.join(wordings)}")
    return replace(arm, wording=wordings[value.replace(" ", "-")])
