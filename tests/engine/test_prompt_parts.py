"""Parts of a prompt: sentences, turns or tokens, each id in one of them but the first, and never too many."""

from itertools import pairwise

import pytest

from app.engine.prompt_parts import MOST, is_templates, parts_of, text_of
from app.engine.types import ExactPrompt, Part, PromptSpan, Unit

PIECES = (
    ("<s>", Part.SPECIAL), ("user\n", Part.TEMPLATE), ("I", Part.USER), (" am", Part.USER), (" X.", Part.USER),
    (" Who", Part.USER), (" am", Part.USER), (" I?", Part.USER), ("<e>", Part.SPECIAL), ("\nmodel\n", Part.TEMPLATE),
)  # fmt: skip


def prompt_of(*pieces: tuple[str, Part]) -> ExactPrompt:
    spans, offsets, text = list[PromptSpan](), list[tuple[int, int]](), ""
    for piece, part in pieces:
        offsets.append((len(text), len(text) + len(piece)))
        text += piece
        if spans and spans[-1].part is part:
            spans[-1] = PromptSpan(part, spans[-1].start, len(text))
        else:
            spans.append(PromptSpan(part, *offsets[-1]))
    return ExactPrompt(text, tuple(range(len(pieces))), tuple(offsets), tuple(spans))


@pytest.mark.parametrize(
    ("unit", "texts"),
    [
        (Unit.SENTENCE, ["user\n", "I am X.", " Who am I?", "<e>\nmodel\n"]),
        (Unit.TURN, ["user\n", "I am X. Who am I?", "<e>\nmodel\n"]),
        (Unit.TOKEN, [piece for piece, _ in PIECES[1:]]),
    ],
)
def test_parts_of_each_unit(unit: Unit, texts: list[str]) -> None:
    prompt = prompt_of(*PIECES)
    taken, parts = parts_of(prompt, len(prompt.ids), unit)
    assert taken is unit
    assert [text_of(prompt, part) for part in parts] == texts
    assert parts[0].start == 1 and parts[-1].stop == len(prompt.ids)
    assert all(before.stop == after.start for before, after in pairwise(parts))


def test_parts_of_ids_alone_are_sentences() -> None:
    unknown = [(piece, Part.SPECIAL if part is Part.SPECIAL else Part.TEMPLATE) for piece, part in PIECES]
    prompt = prompt_of(*unknown)
    texts = [text_of(prompt, part) for part in parts_of(prompt, len(prompt.ids), Unit.SENTENCE)[1]]
    assert "I am X." in texts and " Who am I?" in texts


def test_parts_of_a_long_prompt_are_coarser() -> None:
    words = [(" a.", Part.USER)] * (MOST + 2)
    prompt = prompt_of(("<s>", Part.SPECIAL), *words, (" b", Part.MODEL))
    assert [parts_of(prompt, len(prompt.ids), unit)[0] for unit in (Unit.TOKEN, Unit.SENTENCE)] == [Unit.TURN] * 2
    turns = [(" a", Part.USER if number % 2 else Part.MODEL) for number in range(3 * MOST)]
    prompt = prompt_of(("<s>", Part.SPECIAL), *turns)
    unit, parts = parts_of(prompt, len(prompt.ids), Unit.TURN)
    assert unit is Unit.STRETCH and len(parts) <= MOST
    assert [place for part in parts for place in part] == list(range(1, len(prompt.ids)))


def test_parts_of_one_token_are_none() -> None:
    assert parts_of(prompt_of(("a", Part.USER)), 1, Unit.SENTENCE) == (Unit.SENTENCE, ())


def test_is_templates_without_user_text() -> None:
    prompt = prompt_of(*PIECES)
    _, parts = parts_of(prompt, len(prompt.ids), Unit.SENTENCE)
    assert [is_templates(prompt, part) for part in parts] == [True, False, False, True]
    assert not is_templates(prompt, range(1, 3)), "some of it was said"
    unknown = prompt_of(*((piece, Part.TEMPLATE) for piece, _ in PIECES))
    assert not is_templates(unknown, range(1, 3)), "whose words these are nobody knows"
