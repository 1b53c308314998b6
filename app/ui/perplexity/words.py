"""What was found out of a text, as the window says it: a sentence, tables and curves."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from app.definitions import DEFINITIONS
from app.definitions.models import WEIGHING
from app.i18n import tr
from app.number_format import chance
from app.perplexity.portions import Kind, Portion, by_context, by_kind, by_stretch
from app.perplexity.result import Result, caution, changed, number, sentence, with_margin
from app.ui.tokens.words import legible

EXCERPT = 90
MOST_POINTS = 1_000
KINDS = {
    Kind.WORDS: tr("Words"),
    Kind.DIGITS: tr("Digits"),
    Kind.PUNCTUATION: tr("Punctuation and signs"),
    Kind.CODE: tr("Code"),
    Kind.BLANKS: tr("Blanks and line ends"),
}
Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """A table; `places` are the tokens of the text that its rows tell of."""

    head: Row
    rows: Sequence[Row]
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Course:
    """A curve. `ticks`: what stands below each point, where that is no number of tokens."""

    xs: Sequence[float]
    ys: Sequence[float]
    across: str
    up: str
    ticks: Row = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """All of it. Of a long text it takes a while to make, so it is made on a thread."""

    result: Result
    names: Row
    sentence: str
    caution: str
    pages: dict[str, Lines | Course]


def findings(result: Result, names: Row, whole: bool) -> Findings:
    """`whole`: nothing of the text is left to weigh. `names` are those of the models."""
    nats, kl = result.first.each, result.kl
    stretches, contexts = by_stretch(nats, kl), by_context(result.before, nats, kl)
    up, tokens = DEFINITIONS["kl_mean" if kl else "nats_per_token"].name, tr("tokens of the text")
    before, ticks = tr("tokens before it, at least"), tuple(str(each.name) for each in contexts)
    pages: dict[str, Lines | Course] = {
        tr("Between them"): _between(result),
        tr("Figures"): _figures(result, names),
        tr("Worst passages"): _passages(result, stretches),
        tr("Changed most"): _changed(result, names),
        tr("Kinds"): _kinds(by_kind(result.prompt, result.places, nats, kl)),
        tr("Along the text"): _course([each.start for each in stretches], _heights(stretches), tokens, up),
        tr("By context"): _course(range(len(ticks)), _heights(contexts), before, up, ticks),
        tr("Summed up"): _course(range(len(kl)), list(accumulate(kl)), tokens, tr("KL so far, in nats")),
    }
    shown = {title: page for title, page in pages.items() if (page.rows if isinstance(page, Lines) else page.xs[1:])}
    return Findings(result, names, sentence(result), caution(result, whole), shown)


def tip(title: str) -> str:
    """What is meant by the head of a column."""
    return next((each.text for each in WEIGHING.values() if each.name == title), "")


def _between(result: Result) -> Lines:
    """What answers the question. Beside the figures of each it would leave every line half empty."""
    found, tokens = result.between, result.first.tokens
    keys = [key for key in WEIGHING if hasattr(found, key)]
    rows = [(WEIGHING[key].name, with_margin(found, key, tokens)) for key in keys]
    return Lines((tr("Figure"), tr("Between them")), rows)


def _figures(result: Result, names: Row) -> Lines:
    sides = [each for each in (result.first, result.second) if each is not None]
    keys = [key for key in WEIGHING if hasattr(result.first, key)]
    rows = [(WEIGHING[key].name, *(with_margin(side, key) for side in sides)) for key in keys]
    return Lines((tr("Figure"), *names[: len(sides)]), rows)


def _passages(result: Result, stretches: Sequence[Portion]) -> Lines:
    """The worst first: where the models are apart the most or, of one, what it foresees least."""
    order = sorted(stretches, key=lambda each: -(each.nats_per_token if each.kl_mean is None else each.kl_mean))
    places = tuple(result.places[each.start] for each in order)
    starts = (result.prompt.offsets[place][0] for place in places)
    texts = (result.prompt.text[start : start + EXCERPT].strip() for start in starts)
    rows = [(f"{place + 1:,}", *_means(each), text) for place, each, text in zip(places, order, texts, strict=True)]
    return Lines((tr("From token"), *_heads(order), tr("Text")), rows, places)


def _changed(result: Result, names: Row) -> Lines:
    found = changed(result)
    rows = [
        (
            *(f"{each.place + 1:,}", legible(each.text), number(each.kl), number(each.own_difference)),
            *(f"{legible(each.first)} {chance(each.first_probability)}",),
            *(f"{legible(each.second)} {chance(each.second_probability)}",),
        )
        for each in found
    ]
    likeliest = [tr("Likeliest to {model}").format(model=name) for name in names]
    head = (tr("Token", "its number"), tr("Text"), *(DEFINITIONS[key].name for key in ("kl_mean", "own_difference")))
    return Lines((*head, *likeliest), rows, tuple(each.place for each in found))


def _kinds(portions: Sequence[Portion]) -> Lines:
    rows = [(KINDS[Kind(str(each.name))], f"{each.tokens:,}", *_means(each)) for each in portions]
    return Lines((tr("Kind"), tr("Tokens"), *_heads(portions)), rows)


def _heads(portions: Sequence[Portion]) -> Row:
    names = DEFINITIONS["nats_per_token"].name, DEFINITIONS["kl_mean"].name
    return names if portions[0].kl_mean is not None else names[:1]


def _means(portion: Portion) -> Row:
    nats = with_margin(portion, "nats_per_token")
    return (nats,) if portion.kl_mean is None else (nats, number(portion.kl_mean))


def _heights(portions: Sequence[Portion]) -> list[float]:
    return [each.nats_per_token if each.kl_mean is None else each.kl_mean for each in portions]


def _course(xs: Sequence[float], ys: Sequence[float], across: str, up: str, ticks: Row = ()) -> Course:
    every = max(1, -(-len(xs) // MOST_POINTS))
    return Course(xs[::every], ys[::every], across, up, ticks)
