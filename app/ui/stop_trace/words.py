"""One step in words."""

from functools import reduce

from app.experiments.stop_trace import Reading
from app.i18n import tr
from app.ui.tokens.words import legible

RUN, TEXT = "run", "text"
"""What can be gone through: the tokens of the last run, or those of a text that is typed."""


def hexadecimal(piece: bytes) -> str:
    return piece.hex(" ").upper()


def quoted(text: str) -> str:
    return f"“{legible(text)}”"


def either(strings: tuple[str, ...]) -> str:
    told = [quoted(string) for string in strings]
    return reduce(lambda one, other: tr("{one} or {other}").format(one=one, other=other), told) if told else ""


def told(step: Reading) -> str:
    """What the token did, and what is done with its text."""
    if step.id is None:
        words = tr("The reply ends here: {text} began nothing after all, and is let out.")
        return words.format(text=quoted(step.shown))
    said = [_added(step)]
    if step.stop:
        words = tr("The stop string {text} is complete: the answer ends before it.")
        said.append(words.format(text=quoted(step.stop)))
    elif step.shown:
        said.append(tr("{text} is let out.").format(text=quoted(step.shown)))
    if step.held and not step.stop:
        words = tr("{text} is held back: a marker of the reasoning may have begun.")
        if step.begins:
            words = tr("{text} is held back: {strings} may have begun.")
        said.append(words.format(text=quoted(step.held), strings=either(step.begins)))
    return " ".join(said)


def _added(step: Reading) -> str:
    if step.text and step.waiting:
        words = tr("Token {token} (id {id}) completes {text}; {waits}.")
    elif step.text:
        words = tr("Token {token} (id {id}) completes {text}.")
    elif step.waiting:
        words = tr(
            "Token {token} (id {id}) brings %n bytes, {bytes}; {waits}.",
            "Token {token} (id {id}) brings %n byte, {bytes}; {waits}.",
            len(step.piece),
        )
    elif step.piece:
        words = tr("Token {token} (id {id}) completes no character: {bytes}.")
    else:
        words = tr("Token {token} (id {id}) completes no character.")
    return words.format(
        token=f"{step.token:,}", id=step.id, text=quoted(step.text), bytes=hexadecimal(step.piece), waits=_waits(step)
    )


def _waits(step: Reading) -> str:
    words = tr(
        "{bytes} wait for the rest of a character", "{bytes} waits for the rest of a character", len(step.waiting)
    )
    return words.format(bytes=hexadecimal(step.waiting))
