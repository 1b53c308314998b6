"""The items of the gallery: prompts for the bundled model, and experiments."""

from dataclasses import dataclass, field

from app.controls import Mode
from app.engine.types import ANIMAL, Form
from app.i18n import tr

STORY = "Tell me a short story."
FORBIDDEN = -100.0
RECORDED = 10


@dataclass(frozen=True, slots=True)
class Item:
    """An item of the gallery. `then`: the next step and the result. Prompts are English, the demo model's language."""

    name: str
    title: str
    then: str
    prompt: str = ""
    mode: Mode = Mode.CHAT
    temperature: float = 0.0
    max_tokens: int = 120
    top_p: float = 1.0
    frequency_penalty: float = 0.0
    stop_strings: tuple[str, ...] = ()
    seed: int | None = None
    banned: str = ""
    """A text whose tokens get a logit bias of −100."""
    form: Form = field(default_factory=Form)
    recorded: bool = False
    actions: tuple[str, ...] = ()
    """Names of actions to trigger."""


ITEMS = (
    Item(
        "twice",
        tr("Temperature 0, twice"),
        tr(
            "Send it, then choose Run › Regenerate. Temperature 0 always takes the most likely token, so both "
            "answers are the same, up to rounding in half precision."
        ),
        STORY,
    ),
    Item(
        "seed",
        tr("A fixed seed"),
        tr(
            "Send it, then Regenerate. A fixed seed samples with the same random numbers, so the story is the "
            "same, up to rounding in half precision. A new seed gives another one."
        ),
        STORY,
        temperature=1.0,
        seed=7,
    ),
    Item(
        "stop",
        tr("A stop string"),
        tr("Send it: the answer ends before the 5. “Step by step” shows the withheld text."),
        "Count 1 to 10",
        stop_strings=("5",),
    ),
    Item(
        "limit",
        tr("Stopped at max tokens"),
        tr("Send it: the run ends with “length” while counting. Press Continue to resume it."),
        "Count 1 to 10",
        max_tokens=20,
    ),
    Item(
        "top_p",
        tr("Top-p tames a high temperature"),
        tr("Send it: the story is coherent. Set top-p to 1 and Regenerate: unlikely tokens appear."),
        STORY,
        temperature=1.5,
        top_p=0.3,
    ),
    Item(
        "penalty",
        tr("A penalty that is too strong"),
        tr(
            "Send it: counting repeats commas and digits, which the frequency penalty suppresses. Set it to 0 "
            "and Regenerate."
        ),
        "Count 1 to 10",
        frequency_penalty=5.0,
    ),
    Item(
        "bias",
        tr("A forbidden token"),
        tr("Send it: a logit bias rules out the token “5”. See what the model generates instead."),
        "Count 1 to 10",
        banned="5",
    ),
    Item(
        "pieces",
        tr("Characters in pieces"),
        tr("Send it and point at the tokens: a Korean syllable or an emoji takes several tokens."),
        "Say hello in Korean with emoji.",
        actions=("view_tokens",),
    ),
    Item(
        "raw",
        tr("Without the chat template"),
        tr("Send it: without the chat template the model doesn't generate EOS. Then press “Use the chat template”."),
        "Count 1 to 5",
        mode=Mode.RAW,
        max_tokens=60,
    ),
    Item(
        "surprise",
        tr("Surprisal of a prompt"),
        tr("Press “Surprisal” in the exact prompt: the word that doesn't fit has the strongest color."),
        "Count purple to 5",
        actions=("toggle_exact_prompt",),
    ),
    Item(
        "candidates",
        tr("Alternatives and forks"),
        tr("Send it and step through the tokens in the inspector. Pick an alternative to fork the story there."),
        STORY,
        temperature=0.7,
        recorded=True,
        actions=("toggle_inspector",),
    ),
    Item(
        "form",
        tr("Structured output: JSON"),
        tr(
            "Send it: constrained decoding makes this model write JSON, which it was never trained on. In the "
            "inspector, ruled-out tokens are struck through."
        ),
        STORY,
        temperature=0.7,
        form=ANIMAL,
        recorded=True,
        actions=("toggle_inspector",),
    ),
    Item(
        "draft",
        tr("Speculative decoding"),
        tr("Start it: measures whether a draft model speeds up decoding on this computer."),
        actions=("experiment_draft",),
    ),
    Item(
        "reuse",
        tr("The KV cache in a second turn"),
        tr("Start it: measures how much the KV cache shortens the time to first token."),
        actions=("experiment_reuse",),
    ),
    Item(
        "sampling",
        tr("A grid of answers"),
        tr("Start it: a grid of two settings, with the text and the diversity of each cell."),
        actions=("experiment_sampling",),
    ),
    Item(
        "bits",
        tr("Quantize the demo model to 4 bits"),
        tr("Start it: quantizes a copy to 4 bits and compares perplexity and KL divergence on a text."),
        actions=("weigh_demo",),
    ),
)
