"""One step in words."""

from __future__ import annotations

from app.experiments.stop_steps import Reading
from app.widgets.formatting import count
from app.widgets.token_words import legible


def hexadecimal(piece: bytes) -> str:
    return piece.hex(" ").upper()


def quoted(text: str) -> str:
    return f"“{legible(text)}”"


def either(strings: tuple[str, ...]) -> str:
    return " or ".join(map(quoted, strings))


def told(step: Reading) -> str:
    """What the token did, and what is done with its text."""
    if step.id is None:
        return f"The reply ends here: {quoted(step.shown)} began nothing after all, and is let out."
    said = [f"Token {step.token:,} (id {step.id}) {_added(step)}."]
    if step.stop:
        said.append(f"The stop string {quoted(step.stop)} is complete: the answer ends before it.")
    elif step.shown:
        said.append(f"{quoted(step.shown)} is let out.")
    if step.held and not step.stop:
        why = f"{either(step.begins)} may have begun" if step.begins else "a marker of the reasoning may have begun"
        said.append(f"{quoted(step.held)} is held back: {why}.")
    return " ".join(said)


def _added(step: Reading) -> str:
    own = f" {hexadecimal(step.piece)}" if step.piece else ""
    if step.text:
        return f"completes {quoted(step.text)}" + (f"; {_waits(step)}" if step.waiting else "")
    if step.waiting:
        return f"brings {count(len(step.piece), 'byte')},{own}; {_waits(step)}"
    return f"completes no character{own and ':'}{own}"


def _waits(step: Reading) -> str:
    verb = "waits" if len(step.waiting) == 1 else "wait"
    return f"{hexadecimal(step.waiting)} {verb} for the rest of a character"
