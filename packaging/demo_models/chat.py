"""How a conversation is written for the model: the marks, the chat template, the weight of each part."""

from dialogue import Conversation, Plain, Turn

END_OF_TEXT = "<|endoftext|>"
TURN_START = "<|im_start|>"
TURN_END = "<|im_end|>"
MARKS = (END_OF_TEXT, TURN_START, TURN_END)
THINKING = ("<think>", "</think>")

# Questions are read, not written: their loss counts little.
ANSWER_WEIGHT = 1.0
PLAIN_WEIGHT = 0.6
QUESTION_WEIGHT = 0.05

TEMPLATE = (
    "{%- for message in messages -%}"
    "{{- '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' -}}"
    "{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}"
)

Piece = tuple[str, float]


def turn_pieces(turn: Turn) -> list[Piece]:
    """One message as the template writes it, each part with its weight in the loss."""
    weight = ANSWER_WEIGHT if turn.role == "assistant" else QUESTION_WEIGHT
    return [(f"{TURN_START}{turn.role}\n", 0.0), (f"{turn.text}{TURN_END}", weight), ("\n", 0.0)]


def pieces(document: Conversation | Plain) -> list[Piece]:
    """A whole document as text with weights."""
    if isinstance(document, Plain):
        return [(document.text + (END_OF_TEXT if document.ends else ""), PLAIN_WEIGHT)]
    return [piece for turn in document.turns for piece in turn_pieces(turn)]


def written(document: Conversation | Plain) -> str:
    """A whole document as the model reads it."""
    return "".join(text for text, _ in pieces(document))
