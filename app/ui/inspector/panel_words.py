"""What the inspector says where figures are missing, and of several tokens together."""

from app.engine.meter.trace import Origin, Stretch
from app.i18n import tr
from app.number_format import short_duration
from app.ui.inspector.subject import InspectedToken
from app.ui.tokens.words import legible

EMPTY = tr(
    "Point at a token of an answer, or pick one with a click or the arrow keys. Here you will see how sure the model"
    " was of it, what it nearly said instead, and how long it took – and you can have the answer go on another way."
)
PUT_IN = tr("You put this token there, so the model made no choice.")
NOT_RECORDED = tr("No alternatives were recorded for this token.")
SWITCH_ON = tr("With alternatives recorded, the next answers tell.")
IS_ON = tr("Alternatives are recorded from the next answer on.")
REPLAY = tr("The same run once more would tell.")
NEVER = tr("Point at a token of an answer, or pick one with a click or the arrow keys, to see how long it took.")


def put_in(subject: InspectedToken | None) -> bool:
    """Whether the user chose this token."""
    return subject is not None and subject.token.origin is Origin.USER


def explained(subject: InspectedToken | None, recording: bool, refusal: str) -> str:
    """Why there are no figures, and how there will be; nothing is promised that the open model refuses."""
    if subject is None:
        return f"{NEVER} {refusal}" if refusal else EMPTY
    if put_in(subject):
        return PUT_IN
    hope = refusal or (IS_ON if recording else SWITCH_ON)
    return " ".join((NOT_RECORDED, subject.silent or ("" if subject.growing else REPLAY), hope)).replace("  ", " ")


def replaced(subject: InspectedToken | None) -> str:
    """What the draft model wanted to say there."""
    text = subject.token.rejected if subject is not None else ""
    words = tr("Proposed by the draft model and rejected: “{text}”")
    return words.format(text=legible(text)) if text else ""


def told(stretch: Stretch) -> str:
    """The times of neighbouring tokens."""
    alone = stretch.first == stretch.last
    tokens = tr("Token {first}") if alone else tr("Tokens {first} to {last}")
    tokens = tokens.format(first=f"{stretch.first + 1:,}", last=f"{stretch.last + 1:,}")
    if stretch.mean is None or stretch.p95 is None:
        drafted, unknown = tr("{tokens}: of one step with drafts."), tr("{tokens}: no times between tokens are known.")
        return (drafted if stretch.drafted else unknown).format(tokens=tokens)
    words = tr("{tokens}: mean {mean}, p95 {p95} between tokens.")
    if stretch.drafted:
        words = tr("{tokens}: mean {mean}, p95 {p95} between steps of the draft model.")
    return words.format(tokens=tokens, mean=short_duration(stretch.mean), p95=short_duration(stretch.p95))
