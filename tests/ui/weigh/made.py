"""What was found out of a text that was made by hand."""

from dataclasses import replace

from app.engine.types import Difference, ExactPrompt, Part, PromptSpan, Weight
from app.weighing.figures import STRETCH, apart, figures
from app.weighing.result import Result


def result(count: int, compared: bool = True) -> Result:
    """Of words, each 2 nats for the first model and 3 for the second, the last stretch worst."""
    text = " fox" * (count + 1)
    offsets = tuple((4 * at, 4 * at + 4) for at in range(count + 1))
    prompt = ExactPrompt(text, tuple(range(count + 1)), offsets, (PromptSpan(Part.USER, 0, len(text)),), raw=True)
    weights = tuple(Weight(-2.0, 1, 7, " fox", -2.0) for _ in range(count))
    made = Result(
        prompt, tuple(range(1, count + 1)), weights, tuple(range(1, count + 1)), figures([2.0] * count, 4 * count)
    )
    if not compared:
        return made
    kl = [0.5 if at >= count - STRETCH else 0.1 for at in range(count)]
    differences = [Difference(each, each, each, each / 2, True, 1.0) for each in kl]
    others = tuple(Weight(-3.0, 2, 8, " hen", -0.5) for _ in range(count))
    second = figures([3.0] * count, 4 * count)
    return replace(made, second=second, between=apart(differences, [1.0] * count), others=others)
