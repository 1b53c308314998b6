from itertools import pairwise

import pytest

from app.engine.prompt_parts import MOST, is_templates, parts_of, text_of
from app.engine.types import AblationUnit, ExactPrompt, PromptPart, PromptSpan

SPECIAL, TEMPLATE, USER, MODEL = PromptPart.SPECIAL, PromptPart.TEMPLATE, PromptPart.USER, PromptPart.MODEL
PIECES = (
    ("<s>", SPECIAL), ("user\n", TEMPLATE), ("I", USER), (" am", USER), (" X.", USER),
    (" Who", USER), (" am", USER), (" I?", USER), ("<e>", SPECIAL), ("\nmodel\n", TEMPLATE),
)  # fmt: skip


def prompt_of(*pieces: tuple[str, PromptPart]) -> ExactPrompt:
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
        (AblationUnit.SENTENCE, ["user\n", "I am X.", " Who am I?", "<e>\nmodel\n"]),
        (AblationUnit.TURN, ["user\n", "I am X. Who am I?", "<e>\nmodel\n"]),
        (AblationUnit.TOKEN, [piece for piece, _ in PIECES[1:]]),
    ],
)
def test_parts_of_each_unit(unit: AblationUnit, texts: list[str]) -> None:
    prompt = prompt_of(*PIECES)
    taken, parts = parts_of(prompt, len(prompt.ids), unit)
    assert taken is unit
    assert [text_of(prompt, part) for part in parts] == texts
    assert parts[0].start == 1 and parts[-1].stop == len(prompt.ids)
    assert all(before.stop == after.start for before, after in pairwise(parts))


def test_parts_of_ids_alone_are_sentences() -> None:
    unknown = [
        (piece, PromptPart.SPECIAL if part is PromptPart.SPECIAL else PromptPart.TEMPLATE) for piece, part in PIECES
    ]
    prompt = prompt_of(*unknown)
    texts = [text_of(prompt, part) for part in parts_of(prompt, len(prompt.ids), AblationUnit.SENTENCE)[1]]
    assert "I am X." in texts and " Who am I?" in texts


def test_parts_of_a_long_prompt_are_coarser() -> None:
    words = [(" a.", PromptPart.USER)] * (MOST + 2)
    prompt = prompt_of(("<s>", PromptPart.SPECIAL), *words, (" b", PromptPart.MODEL))
    assert [parts_of(prompt, len(prompt.ids), unit)[0] for unit in (AblationUnit.TOKEN, AblationUnit.SENTENCE)] == [
        AblationUnit.TURN
    ] * 2
    turns = [(" a", PromptPart.USER if number % 2 else PromptPart.MODEL) for number in range(3 * MOST)]
    prompt = prompt_of(("<s>", PromptPart.SPECIAL), *turns)
    unit, parts = parts_of(prompt, len(prompt.ids), AblationUnit.TURN)
    assert unit is AblationUnit.STRETCH and len(parts) <= MOST
    assert [position for part in parts for position in part] == list(range(1, len(prompt.ids)))


def test_parts_of_one_token_are_none() -> None:
    assert parts_of(prompt_of(("a", PromptPart.USER)), 1, AblationUnit.SENTENCE) == (AblationUnit.SENTENCE, ())


def test_is_templates_without_user_text() -> None:
    prompt = prompt_of(*PIECES)
    _, parts = parts_of(prompt, len(prompt.ids), AblationUnit.SENTENCE)
    assert [is_templates(prompt, part) for part in parts] == [True, False, False, True]
    assert not is_templates(prompt, range(1, 3)), "some of it was said"
    unknown = prompt_of(*((piece, PromptPart.TEMPLATE) for piece, _ in PIECES))
    assert not is_templates(unknown, range(1, 3)), "whose words these are nobody knows"
