"""What the cache has of a prompt, in words: before it is sent, after it, and beside the same turn without it."""

from __future__ import annotations

from app.bridge.state import Run
from app.engine.types import ExactPrompt, Hindrance, Part, Reason, Reusable
from app.widgets.cache_line import CacheSaid
from app.widgets.formatting import count, duration
from app.widgets.token_words import legible

ALL_NEW = {
    Hindrance.BARE: "The KV cache is switched off",
    Hindrance.OFF: "Reuse is switched off",
    Hindrance.NOTHING: "Nothing is in the cache yet",
    Hindrance.SETTINGS: "The cache was made with other settings of the KV cache or the draft model",
}
NOTABLE = 1.05
"""Times closer than this are called alike."""


def foretold(
    prompt: ExactPrompt, found: Reusable, sent: ExactPrompt | None, reasoning: tuple[str, str] | None = None
) -> CacheSaid:
    """Before Send. `sent` is this conversation's last prompt, `reasoning` the model's marks around its thoughts."""
    length = len(prompt.ids)
    whole = f"all {count(length, 'token')} will be read"
    if found.hindrance in ALL_NEW:
        return CacheSaid(f"{ALL_NEW[found.hindrance]}: {whole}.")
    if found.hindrance is Hindrance.NONE and found.same == length:
        return CacheSaid(f"All {count(length, 'token')} are in the cache; the last one is read again to begin from.")
    begin = "The first of" if found.same == 1 else f"The first {found.same:,} of"
    first = f"{begin} {count(length, 'token')} {'is' if found.same == 1 else 'are'} in the cache"
    if found.hindrance is Hindrance.NONE:
        new = length - found.count
        return CacheSaid(f"{first}, and the prompt goes on from its end: {new:,} to read.", found.same)
    parted = _parted(prompt, found, why(prompt, found, sent, reasoning))
    if found.hindrance is Hindrance.STUCK:
        said = f"{first}, but this model's cache can't be rolled back, so {whole}.{parted}"
    else:
        said = f"{first}.{parted}" if found.same else f"None of {count(length, 'token')} is in the cache.{parted}"
    return CacheSaid(said, found.same if parted else None)


def why(
    prompt: ExactPrompt, found: Reusable, sent: ExactPrompt | None, reasoning: tuple[str, str] | None = None
) -> str:
    """What became another there: told from whose text it is now, and whose it was in the prompt that was sent last."""
    at, cached = found.same, found.cached
    if sent is None or cached is None or sent.ids[:at] != prompt.ids[: len(sent.ids[:at])]:
        return "another conversation was read last"
    if at < len(sent.ids) and sent.ids[at] != cached[0]:
        return "another conversation was read last"
    if _system(prompt) != _system(sent):
        return "the system prompt is another one"
    parts = {_part(prompt, at), _part(sent, at) if at < len(sent.ids) else Part.MODEL}
    if Part.USER in parts:
        return "your text was changed there"
    if reasoning is not None and any(mark.startswith(cached[1].strip() or "\n") for mark in reasoning):
        return "the template leaves out what the model thought"
    if parts == {Part.MODEL}:
        return "the answer reads otherwise there than it was written"
    return "the template puts something else there"


def told(run: Run, note: str = "") -> str:
    """After a run. `note` is what the engine said of the cache, where nothing of it was of use."""
    reused, new = run.finish.reused, run.finish.new
    if not reused + new:
        return ""
    if reused:
        return f"{reused:,} of {count(reused + new, 'token')} came from the cache, {new:,} were read."
    return f"All {count(new, 'token')} were read" + (f": {note}." if note else ".")


def comparable(run: Run) -> bool:
    """Whether it would be another run without the cache."""
    return bool(run.finish.reused and run.ids and run.prompt is not None and run.finish.failure is None)


def compared(run: Run, without: Run) -> str:
    """The turn as it was, and the same one with reuse off; one measurement each."""
    if without.finish.failure is not None:
        return f"The same turn with reuse off failed: {without.finish.failure.what}"
    kept, fresh = run.summary.figures.first_token, without.summary.figures.first_token
    if kept is None or fresh is None:
        return "The same turn with reuse off was stopped before its first token."
    times = f", {fresh / kept:.1f} times as long" if kept and fresh > kept * NOTABLE else ""
    came = f"With the cache the first token came after {duration(kept)}, without it after {duration(fresh)}{times}"
    return f"{came} (measured once each); {_texts(run, without)}."


def _texts(run: Run, without: Run) -> str:
    pairs = zip(run.ids, without.ids, strict=False)
    parted = next((place for place, (one, other) in enumerate(pairs) if one != other), None)
    if parted is not None:
        return f"the texts part at token {parted + 1:,}"
    if without.finish.reason is Reason.STOPPED and len(without.ids) < len(run.ids):
        return f"the text is identical up to token {len(without.ids):,}, where you stopped it"
    return "the text is identical" if len(run.ids) == len(without.ids) else "one text is longer than the other"


def _parted(prompt: ExactPrompt, found: Reusable, reason: str) -> str:
    """Which token is another, and why."""
    if found.cached is None:
        return ""
    start, end = prompt.offsets[found.same]
    new = _quoted(prompt.ids[found.same], prompt.text[start:end])
    return f" Token {found.same + 1:,} differs: the cache has {_quoted(*found.cached)}, the prompt {new} – {reason}."


def _quoted(token: int, text: str) -> str:
    whole = text and "\ufffd" not in text
    return f"“{legible(text)}”" if whole else f"the token {token}"


def _system(prompt: ExactPrompt) -> list[str]:
    return [prompt.text[span.start : span.end] for span in prompt.spans if span.part is Part.SYSTEM]


def _part(prompt: ExactPrompt, token: int) -> Part:
    """Whose text a token of the prompt is."""
    start = prompt.offsets[token][0]
    return next((span.part for span in prompt.spans if start < span.end), Part.TEMPLATE)
