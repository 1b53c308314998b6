"""What the gallery has: prompts that the bundled model can answer, and experiments, each showing one thing."""

from dataclasses import dataclass, field

from app.controls import Mode
from app.engine.types import ANIMAL, Form
from app.i18n import tr

STORY = "Tell me a short story."
FORBIDDEN = -100.0
RECORDED = 10


@dataclass(frozen=True, slots=True)
class Item:
    """`then` is what to do and to see. Prompts stay as they are in every language: they are what the model learnt."""

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
    """A text whose tokens are forbidden."""
    form: Form = field(default_factory=Form)
    recorded: bool = False
    actions: tuple[str, ...] = ()
    """What else is shown, by the actions' names; an item without a prompt is these alone."""


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
        tr("Send it: the answer ends where the 5 would come. “Step by step” shows what was held back before that."),
        "Count 1 to 10",
        stop_strings=("5",),
    ),
    Item(
        "limit",
        tr("Cut off by the limit"),
        tr("Send it: the run ends with “length” in the middle of counting. Press Continue, and it goes on from there."),
        "Count 1 to 10",
        max_tokens=20,
    ),
    Item(
        "top_p",
        tr("Top-p tames a high temperature"),
        tr("Send it: the story holds together. Set top-p to 1 and Regenerate: now unlikely tokens get through."),
        STORY,
        temperature=1.5,
        top_p=0.3,
    ),
    Item(
        "penalty",
        tr("What a penalty breaks"),
        tr(
            "Send it: counting needs its commas and its digits again and again, and the frequency penalty takes them "
            "away. Set it back to 0 and Regenerate."
        ),
        "Count 1 to 10",
        frequency_penalty=5.0,
    ),
    Item(
        "bias",
        tr("A forbidden token"),
        tr("Send it: the logit bias forbids the token “5”. See what the model writes where it wanted one."),
        "Count 1 to 10",
        banned="5",
    ),
    Item(
        "pieces",
        tr("Characters in pieces"),
        tr("Send it and point at the tokens: a Korean syllable or an emoji takes several, and shows when whole."),
        "Say hello in Korean with emoji.",
        actions=("view_tokens",),
    ),
    Item(
        "raw",
        tr("Without the chat template"),
        tr("Send it: nothing tells the model whose turn it is, so it runs on. “Use the chat template” mends it."),
        "Count 1 to 5",
        mode=Mode.RAW,
        max_tokens=60,
    ),
    Item(
        "surprise",
        tr("What surprises the model"),
        tr("Press “Surprise” in the exact prompt: the word that doesn't belong has the deepest colour."),
        "Count purple to 5",
        actions=("toggle_exact_prompt",),
    ),
    Item(
        "candidates",
        tr("The roads not taken"),
        tr(
            "Send it and step through the tokens in the inspector: each shows what might have stood there. Pick "
            "another one, and the story goes on from it."
        ),
        STORY,
        temperature=0.7,
        recorded=True,
        actions=("toggle_inspector",),
    ),
    Item(
        "form",
        tr("An answer that must be JSON"),
        tr(
            "Send it: this model has never seen JSON, and writes it all the same. Step through the tokens in the "
            "inspector: what it wanted is struck through, and above stands what the schema expected there."
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
        tr("Start it: a small model guesses ahead, and you read whether that makes the large one faster here."),
        actions=("experiment_draft",),
    ),
    Item(
        "reuse",
        tr("The KV cache in a second turn"),
        tr("Start it: how much sooner an answer begins when the conversation needn't be read again."),
        actions=("experiment_reuse",),
    ),
    Item(
        "sampling",
        tr("A grid of answers"),
        tr("Start it: two settings against each other, each cell with its text, and how varied those are."),
        actions=("experiment_sampling",),
    ),
    Item(
        "bits",
        tr("What would 4 bits cost the demo model?"),
        tr("Start it: a copy with 4 bits is made, both read one page, and you see where in the text they part."),
        actions=("weigh_demo",),
    ),
)
