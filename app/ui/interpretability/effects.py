"""What the parts of a prompt did for an answer, in words and figures."""

from collections.abc import Callable, Sequence

from app.engine.prompt_parts import MOST, by_effect, text_of
from app.engine.types import AblationResult, AnswerLogprob, ExactPrompt, Unit, of_answer, of_token, rather_than
from app.i18n import tr
from app.number_format import duration, minus
from app.records import export
from app.state import Run
from app.ui.tokens.words import legible

UNITS = {
    Unit.SENTENCE: tr("One sentence at a time"),
    Unit.TURN: tr("One turn at a time"),
    Unit.TOKEN: tr("One token at a time"),
}
COARSER = {
    Unit.SENTENCE: tr("There are more than {most} tokens, so sentences are left out."),
    Unit.TURN: tr("There are more than {most} sentences, so all that one of them said is left out at a time."),
    Unit.STRETCH: tr("There are more than {most} turns, so some of them are left out together."),
}
SUMS = tr(
    "Sum of the single effects: {sum} nats; removing everything: {all}. They need not match: redundant "
    "parts each show little, and parts that only work together are each counted in full."
)
LEAST_S = 0.0005
MOST_CHARACTERS, MOST_IN_CELL = 80, 200


def choices(found: AblationResult) -> list[tuple[str, Callable[[AnswerLogprob], float]]]:
    """What the parts may have done something for: all of the answer, the picked token, or that one and not another."""
    said, *others = (f"“{legible(each.text)}”" for each in found.candidates)
    contrasts = [
        (tr("{token}, not {other}").format(token=said, other=other), rather_than(number))
        for number, other in enumerate(others, 1)
    ]
    return [(tr("The whole answer"), of_answer), (said, of_token), *contrasts]


def nats(effect: float) -> str:
    return minus(f"{effect:.2f}")


def ordered(
    prompt: ExactPrompt, found: AblationResult, effects: Sequence[float]
) -> list[tuple[range, tuple[str, str]]]:
    """The parts and their lines in a table: those with the most effect first, and what nobody said last."""
    ranked = by_effect(prompt, found.parts, effects)
    return [(part, (nats(effect), _short(prompt, part, own))) for own, part, effect in ranked]


def _short(prompt: ExactPrompt, part: range, own: bool) -> str:
    """Blanks are told only where there is one token, since they tell it from others."""
    text = text_of(prompt, part)
    shown = (" ".join(map(legible, text.split())) if len(part) > 1 else "") or legible(text)
    shown = shown if len(shown) <= MOST_IN_CELL else f"{shown[: MOST_IN_CELL - 1]}…"
    return tr("Template: {text}").format(text=shown) if own else shown


def sums(found: AblationResult, of: Callable[[AnswerLogprob], float]) -> str:
    together, every = sum(found.effects(of)), of(found.whole) - of(found.alone)
    return SUMS.format(sum=nats(together), all=nats(every)) if len(found.parts) > 1 else ""


def coarser(asked: Unit | range, unit: Unit | None) -> str:
    """Why other parts were left out than was asked for."""
    return COARSER[unit].format(most=MOST) if unit is not None and unit is not asked else ""


def spared(found: AblationResult) -> str:
    """What the answer would have done without; empty: nothing, as far as was found."""
    count = sum(len(found.parts[each]) for each in found.spare)
    if not count:
        return ""
    if not found.greedy:
        words = tr(
            "Without %n tokens the likeliest token is the same all along the answer",
            "Without %n token the likeliest token is the same all along the answer",
            count,
        )
    else:
        words = tr("Without %n tokens the answer stays the same", "Without %n token the answer stays the same", count)
    if found.sooner_s < LEAST_S:
        return tr("{words}.").format(words=words)
    return tr("{words}, and the first token comes {time} sooner.").format(words=words, time=duration(found.sooner_s))


def tried(answer: tuple[int, ...], run: Run) -> str:
    """What came of the shorter prompt."""
    first = run.summary.figures.first_token
    words = tr("The same answer, first token after {time}.")
    if run.ids != answer:
        words = tr("Another answer, first token after {time}: “{text}”")
    return words.format(time=duration(first), text=legible(run.text)[:MOST_CHARACTERS])


def proof(found: AblationResult) -> str:
    words = tr("Read in other pieces, the answer is as likely but for {difference} of the logarithm.")
    return words.format(difference=f"{found.max_difference:.0e}" if found.max_difference else "0")


def as_csv(prompt: ExactPrompt, found: AblationResult) -> str:
    """A line for each part: where it stands, and its effect on each thing."""
    head = ("position", "tokens", "text", "on_answer", "on_token", *(f"not_{each.id}" for each in found.candidates[1:]))
    columns = [[f"{each:.6g}" for each in found.effects(of)] for _, of in choices(found)]
    lines = zip(found.parts, *columns, strict=True)
    return export.as_csv(head, ((part.start, len(part), text_of(prompt, part), *effects) for part, *effects in lines))
