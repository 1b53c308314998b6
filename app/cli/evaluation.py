"""`sluice eval`: the answers to a prompt set, checked, and a verdict with confidence intervals."""

import argparse
import re
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from app.cli import verbs
from app.cli.arguments import (
    DEMO,
    SCRIPTED,
    VerbParser,
    check_writable,
    known_adapter,
    known_model,
    read_text,
    refuse,
    within,
)
from app.cli.ask import MOST_TOKENS
from app.cli.verbs import Engines
from app.engine.errors import AbortedError
from app.engine.protocol import Engine, StopFlag, unwrap
from app.engine.sampling import check as complaint_of
from app.engine.structured_output.grammar import why_not
from app.engine.types import (
    ChatPrompt,
    Failure,
    FormatKind,
    Limits,
    LoadRequest,
    Model,
    OutputFormat,
    Reason,
    Request,
    Sampling,
)
from app.evaluation import wordings
from app.evaluation.checks import complaint, suggested
from app.evaluation.choice_columns import CHECK as COLUMNS_CHECK
from app.evaluation.choice_columns import AnswerForm, ChoiceColumns, suggested_columns, with_choices, with_form
from app.evaluation.estimates import power_sentence
from app.evaluation.evaluation_run import ALIKE, CONFIDENCE, Note, run_evaluation
from app.evaluation.export import as_csv, as_html, as_json, as_jsonl, as_markdown
from app.evaluation.journal_entries import StudyKeeper
from app.evaluation.known_tests import MOST_SHOTS, examples_from, open_test
from app.evaluation.reading import (
    DATA_SUFFIXES,
    LARGEST_BYTES,
    PARQUET,
    SHIPPED,
    open_set,
    shipped_set,
    why_no_parquet,
)
from app.evaluation.templates import missing, why_missing
from app.evaluation.types import (
    MOST_REPEATS,
    MOST_TOGETHER,
    Check,
    CheckKind,
    Evaluation,
    EvaluationOutcome,
    EvaluationVariant,
    Progress,
    PromptSet,
    Wording,
)
from app.experiments.requests import SENSIBLE_TOKENS, read_axis, with_setting
from app.files.regular_files import expand_home
from app.library import datasets
from app.library.cached import name_of
from app.number_format import duration
from app.records.journal import open_journal

EVAL, VERIFY = "eval", "verify"
WRITERS = {
    "markdown": (as_markdown, "Markdown"),
    "json": (as_json, "everything as JSON"),
    "csv": (as_csv, "a line for each answer"),
    "jsonl": (as_jsonl, "a JSON object for each answer"),
    "html": (as_html, "a page for a browser"),
}
CHECKS = {each.value: each for each in CheckKind if each is not CheckKind.BY_HAND}
OTHERS = "No answer is stored of this set with this template, these models and these variants. It starts from row 1."
MOST_VARIANTS = 20
HUB, MOST_LISTED = "hub:", 20
OFFLINE = "offline"
"""The kind of a failure without an answer from the hub."""
FORMS = tuple(each.value for each in (FormatKind.SCHEMA, FormatKind.REGEX, FormatKind.CHOICES))
OTHER_SETTINGS = ("model", "adapter", "wording", "answer")
ANSWERS = {"likeliest": True, "generated": False}
"""Ways to answer a row with the check `likelihood`."""


@dataclass(frozen=True, slots=True)
class EvaluationSwitches:
    study: Evaluation
    engine: str
    load: LoadRequest
    format: str
    data_folder: Path | None
    resume: bool
    thinking: bool


def main(arguments: Sequence[str], engines: Engines, resources: Path) -> int:
    """Print a report, also of the answers before an interruption.

    Return the exit code: 0 done, 1 failed, 2 bad arguments, 130 interrupted.
    """
    if arguments[:1] == [VERIFY]:  # a set of this name is opened as ./verify
        from app.cli import verify  # it imports this module

        return verify.main(arguments[1:], engines, resources)
    switches = parse(arguments, tuple(engines), resources)
    return verbs.run(EVAL, engines[switches.engine], partial(_report, switches))


def _report(switches: EvaluationSwitches, engine: Engine, stop: StopFlag) -> None:
    study = switches.study
    model = unwrap(engine.load(switches.load, lambda event: None, stop), stop)
    if switches.thinking and not model.can.think_budget:
        raise AbortedError(Failure(model.can.refusal("think_budget"), ""))
    for note in study.notes:
        verbs.warn(EVAL, note)
    if power := power_sentence(len(study.prompts.rows), study.repeats, len(study.arms)):
        verbs.show(f"{power}\n")
    outcome = _evaluated(switches, engine, model, stop)
    if outcome.answers or not outcome.why:
        sys.stdout.write(WRITERS[switches.format][0](outcome))
    is_failed = all(each.reason is Reason.ERROR for each in outcome.answers)
    if why := outcome.why or (outcome.answers[0].why if outcome.answers and is_failed else ""):
        raise AbortedError(Failure(why, ""))


def _evaluated(switches: EvaluationSwitches, engine: Engine, model: Model, stop: StopFlag) -> EvaluationOutcome:
    if switches.data_folder is None:
        return run_evaluation(engine, switches.study, model, stop, show_progress)
    with closing(open_journal(expand_home(switches.data_folder))) as journal:
        if journal.failure is not None:
            verbs.warn(EVAL, journal.failure.sentence)
        keeper = StudyKeeper(journal, switches.study, model, from_start=not switches.resume)
        if switches.resume and not keeper.found and journal.studies.knows(switches.study.title):
            verbs.warn(EVAL, OTHERS)
        return run_evaluation(engine, switches.study, model, stop, show_progress, keeper, keeper.answers(stop))


def show_progress(note: Note) -> None:
    if isinstance(note, Progress):
        left = f", {duration(note.left_s)} left" if note.left_s else ""
        end = "\n" * (note.done == note.total)
        verbs.show(f"\r\x1b[K{note.done:,} of {note.total:,} answers{left}{end}")


def parse(arguments: Sequence[str], engines: Sequence[str], resources: Path) -> EvaluationSwitches:
    """Parse and check the switches, before a model is loaded. Exit for --help and bad arguments."""
    options = _parser(engines).parse_args(arguments)
    if options.resume and options.data_dir is None:
        refuse("--resume continues what --data-dir has; name that too")
    if options.data_dir is not None:
        check_writable(expand_home(options.data_dir))
    default = SCRIPTED if options.engine == SCRIPTED else str(resources / DEMO)
    load = LoadRequest(known_model(options.model) or default, adapter=known_adapter(options.adapter))
    prompts, check = _set(options, resources)
    by_likelihood = check.kind is CheckKind.LIKELIHOOD
    if by_likelihood and options.repeats > 1:
        refuse("A log-likelihood is the same in each repeat; leave out --repeats")
    variants = _variants(options, load, prompts, by_likelihood)
    study = Evaluation(prompts.title, prompts, prompts.template, variants, check, options.repeats, options.together)
    return EvaluationSwitches(
        study, options.engine, load, options.format, options.data_dir, options.resume, options.thinking
    )


def _parser(engines: Sequence[str]) -> VerbParser:
    parser = VerbParser(
        EVAL,
        "Answer every prompt of a set, check the answers, and print the rates with confidence intervals.",
        epilog="SET: a table (CSV, TSV, JSON, JSONL, Parquet), a folder of texts, lines, a session, "
        "hub:DATASET/FILE of the Hugging Face hub, or one of "
        f"{', '.join(each.file for each in SHIPPED)}.",
        formats={name: text for name, (_, text) in WRITERS.items()},
        data_dir="also record every answer in the session database in DIR",
    )
    parser.allow_abbrev = False
    parser.add_adapter()
    parser.add_engine(engines)
    parser.add_argument("set", metavar="SET", help="the prompt set, with the columns prompt, expected and system")
    ways = parser.add_mutually_exclusive_group()
    about = "a variant: NAME=temperature=0.7,top_k=40; also model=…, adapter=…, wording=…, "
    about += "answer=generated and, as the last, form=schema:FILE, form=regex:REGEX or "
    about += "form=choices:ONE|OTHER; repeatable"
    spec = "NAME=SETTING=VALUE,…"
    ways.add_argument("--variant", "--arm", action="append", default=[], metavar=spec, help=about)
    ways.add_argument("--thinking", action="store_true", help="variants with different reasoning budgets")
    ways.add_argument("--wordings", action="store_true", help="variants with different wordings")
    about = f"{', '.join(CHECKS)}; default: the check that the set suggests"
    parser.add_argument("--check", default="", metavar="KIND[=ARG]", help=about)
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--raw", action="store_true", help="don't apply the chat template")
    kinds.add_argument("--chat", action="store_true", help="apply the chat template, also to a known test")
    about = "a column of choices: one with a list, or several with a choice each, in order; repeatable"
    parser.add_argument("--choice-column", action="append", default=[], metavar="COLUMN", help=about)
    about = "the column of the prompt, with --choice-column; default: by its name"
    parser.add_argument("--prompt-column", default="", metavar="COLUMN", help=about)
    about = "the column that names the right choice, with --choice-column; default: by its name"
    parser.add_argument("--answer-column", default="", metavar="COLUMN", help=about)
    about = "how it does; index counts from 0, number from 1; default: the form that fits the first rows"
    parser.add_argument("--answer-form", choices=[each.value for each in AnswerForm], default="", help=about)
    about = "few-shot examples before each prompt"
    parser.add_argument("--shots", type=within(1, MOST_SHOTS), default=0, metavar="N", help=about)
    about = "the file of the examples, in any format of a prompt set"
    parser.add_argument("--shots-from", metavar="FILE", help=about)
    about = "choose the examples at random; default: the first rows"
    parser.add_argument("--shots-seed", type=within(0, 2**31 - 1), metavar="N", help=about)
    parser.add_argument("--repeats", type=within(1, MOST_REPEATS), default=1, metavar="N", help="answers of each row")
    about = "the longest answer"
    parser.add_argument("--max-tokens", type=within(1, 1_000_000), default=SENSIBLE_TOKENS, metavar="N", help=about)
    about = "rows in a batch, where batches don't change the answers"
    parser.add_argument("--together", type=within(1, MOST_TOGETHER), default=16, metavar="N", help=about)
    about = "record the probability of each answer, for its calibration"
    parser.add_argument("--confidence", action="store_true", help=about)
    about = "skip the rows that have an answer in the session database"
    parser.add_argument("--resume", action="store_true", help=about)
    return parser


def _set(options: argparse.Namespace, resources: Path) -> tuple[PromptSet, Check]:
    found, known, columns = _opened(options, resources)
    template = replace(found.template, raw=options.raw or found.template.raw)
    if options.shots_from is not None and not options.shots:
        refuse("--shots-from needs --shots, the number of examples")
    if options.shots:
        if options.shots_from is None:
            refuse("--shots needs --shots-from, the file of the examples")
        examples = examples_from(_path(options.shots_from), found, options.shots, options.shots_seed, columns)
        if isinstance(examples, Failure):
            refuse(examples.what)
        template = replace(template, examples=examples)
    found = replace(found, template=replace(template, raw=template.raw and not options.chat))
    if why := why_missing(missing(found.template, found.columns)):
        refuse(why)
    check = _check(options.check) if options.check else known or suggested(found)
    if why := complaint(check):
        refuse(why)
    return found, check


def _opened(options: argparse.Namespace, resources: Path) -> tuple[PromptSet, Check | None, ChoiceColumns | None]:
    """Open a set; choose its columns if a switch names them."""
    if not options.choice_column:
        if options.prompt_column or options.answer_column or options.answer_form:
            refuse("--prompt-column, --answer-column and --answer-form need --choice-column")
        shipped = next((each for each in SHIPPED if each.file == options.set), None)
        opened = shipped_set(shipped, resources) if shipped else open_test(_path(options.set))
        if isinstance(opened, Failure):
            refuse(opened.what)
        return (*opened, None)
    found = open_set(_path(options.set))
    if isinstance(found, Failure):
        refuse(found.what)
    columns = _columns(options, found)
    converted = with_choices(found, columns)
    if isinstance(converted, Failure):
        refuse(converted.what)
    return converted, COLUMNS_CHECK, columns


def _columns(options: argparse.Namespace, found: PromptSet) -> ChoiceColumns:
    for name in filter(None, (options.prompt_column, options.answer_column, *options.choice_column)):
        if name not in found.columns:
            refuse(f"The set has no column {name}; it has {', '.join(found.columns)}")
    columns = suggested_columns(found, options.prompt_column, tuple(options.choice_column))
    if options.answer_column:
        columns = with_form(found, replace(columns, answer=options.answer_column))
    return replace(columns, form=AnswerForm(options.answer_form)) if options.answer_form else columns


def _path(name: str) -> Path:
    """Return the path of a file; `hub:DATASET/FILE` is downloaded into the Hugging Face cache.

    If the hub can't be reached, the file in the cache is used.
    """
    if not name.startswith(HUB):
        return expand_home(name)
    parts = name.removeprefix(HUB).split("/")
    dataset, file_name = "/".join(parts[:2]), "/".join(parts[2:])
    found = datasets.files_of(dataset, DATA_SUFFIXES)
    if isinstance(found, Failure):
        cached = datasets.cached_file(dataset, file_name) if found.kind == OFFLINE else None
        if cached is None:
            refuse(found.sentence)
        verbs.warn(EVAL, f"{found.what} The file in the cache is used: {cached}")
        return cached
    file = next((each for each in found.files if each.name == file_name), None)
    if file is None:
        names = ", ".join(each.name for each in found.files[:MOST_LISTED])
        refuse(f"{found.dataset} has no such file; it has {names}")
    if file.size > LARGEST_BYTES:
        refuse(f"{file.name} is larger than {LARGEST_BYTES:,} bytes")
    if file.name.lower().endswith(PARQUET) and (missing := why_no_parquet()) is not None:
        refuse(missing.sentence)
    verbs.show(f"Downloading {file.name} ({file.size:,} bytes) …\n")
    path = datasets.download(found, file, lambda arrived: None, StopFlag())
    if not isinstance(path, Path):
        refuse(path.sentence if isinstance(path, Failure) else "The download was stopped")
    return path


def _check(text: str) -> Check:
    kind, _, argument = text.partition("=")
    if kind not in CHECKS:
        refuse(f"There is no check {kind}; there are {', '.join(CHECKS)}")
    if CHECKS[kind] is CheckKind.SCHEMA and argument:
        argument = read_text(argument)
    return Check(CHECKS[kind], argument)


def _variants(
    options: argparse.Namespace, load: LoadRequest, prompts: PromptSet, by_likelihood: bool
) -> tuple[EvaluationVariant, ...]:
    observed = CONFIDENCE if options.confidence else 0
    request = Request(ChatPrompt(()), Sampling(temperature=0), Limits(options.max_tokens), observe=observed)
    if options.thinking:
        return wordings.budget_variants(request)
    if options.wordings:
        made = wordings.wording_variants(request, prompts.template, prompts)
        return tuple(replace(each, by_likelihood=by_likelihood) for each in made)
    variants = tuple(_variant(text, request, load, by_likelihood) for text in options.variant)
    if len(variants) > MOST_VARIANTS:
        refuse(f"There are {len(variants)} variants; {MOST_VARIANTS} can be compared")
    if len({each.name for each in variants}) < len(variants):
        refuse("Two variants have the same name")
    return variants or (EvaluationVariant(name_of(load.model), request, by_likelihood=by_likelihood),)


def _variant(text: str, request: Request, load: LoadRequest, by_likelihood: bool) -> EvaluationVariant:
    name, _, settings = text.partition("=")
    if not name.strip():
        refuse(f"A variant begins with its name, and {text} has none")
    settings, *output_format = re.split(r"(?:^|,)form=", settings, maxsplit=1)
    variant = EvaluationVariant(
        name.strip(), replace(request, form=_output_format(name, *output_format)), load, by_likelihood=by_likelihood
    )
    for each in filter(None, settings.split(",")):
        variant = _changed(variant, each.strip())
    if variant.load == load:  # the model is already open
        variant = replace(variant, load=None)
    if (failure := complaint_of(variant.request, MOST_TOKENS)) is not None:
        refuse(f"{variant.name}: {failure.what}")
    return variant


def _output_format(name: str, text: str | None = None) -> OutputFormat:
    """Parse the output format at the end of a variant; a regular expression may contain commas."""
    if text is None:
        return OutputFormat()
    kind, _, value = text.partition(":")
    if kind not in FORMS or not value:
        refuse(f"The form of {name} begins with one of {', '.join(f'{each}:' for each in FORMS)}")
    if kind == FormatKind.SCHEMA:
        value = read_text(value)
    output_format = OutputFormat().put(
        FormatKind(kind), value.replace("|", "\n") if kind == FormatKind.CHOICES else value
    )
    if why := why_not(output_format):
        refuse(f"{name}: {why}")
    return output_format


def _changed(variant: EvaluationVariant, text: str) -> EvaluationVariant:
    key, _, value = text.partition("=")
    if key in OTHER_SETTINGS:
        if not value:
            refuse(f"{key} needs a value in the variant {variant.name}")
        return _other_setting(variant, key, value)
    axis = read_axis(text)
    if isinstance(axis, Failure):
        refuse(axis.sentence)
    if axis.name in ALIKE:
        refuse(f"All variants have the same {key}")
    return replace(variant, request=with_setting(variant.request, axis.name, axis.values[0]))


def _other_setting(variant: EvaluationVariant, key: str, value: str) -> EvaluationVariant:
    assert variant.load is not None
    if key == "model":
        return replace(variant, load=replace(variant.load, model=known_model(value)))
    if key == "adapter":
        return replace(variant, load=replace(variant.load, adapter=known_adapter(value)))
    if key == "answer":
        if value not in ANSWERS or not variant.by_likelihood:
            refuse(f"answer= is one of {', '.join(ANSWERS)}, with --check likelihood")
        return replace(variant, by_likelihood=ANSWERS[value])
    wordings = {each.value.replace(" ", "-"): each for each in Wording}
    if value.replace(" ", "-") not in wordings:
        refuse(f"There is no wording {value}; there are {', '.join(wordings)}")
    return replace(variant, wording=wordings[value.replace(" ", "-")])
