"""What the cache has of a prompt, in words: before it is sent, after it, and beside the same turn without it."""

from app.engine.types import CacheMissReason, ExactPrompt, Part, Reason, Reusable
from app.i18n import tr
from app.number_format import duration
from app.state import Run
from app.ui.prompt.cache_line import CacheSaid
from app.ui.tokens.words import legible

ALL_NEW = {
    CacheMissReason.BARE: tr("The KV cache is switched off"),
    CacheMissReason.OFF: tr("Reuse is switched off"),
    CacheMissReason.NOTHING: tr("Nothing is in the cache yet"),
    CacheMissReason.SETTINGS: tr("The cache was made with other settings of the KV cache or the draft model"),
}
GOES_ON = tr(
    "The first {same} of {length} tokens are in the cache, and the prompt goes on from its end: {new} to read."
)
GOES_ON_AFTER_ONE = tr(
    "The first of {length} tokens is in the cache, and the prompt goes on from its end: {new} to read."
)
STUCK = tr(
    "The first {same} of {length} tokens are cached, but this model's KV cache can't be trimmed: all "
    "{length} will be prefilled."
)
ALIKE = tr("With the cache the first token came after {kept}, without it after {fresh} (measured once each); {texts}.")
LONGER = tr(
    "With the cache the first token came after {kept}, without it after {fresh}, {times} times as long "
    "(measured once each); {texts}."
)
NOTABLE = 1.05
"""Times closer than this are called alike."""


def foretold(
    prompt: ExactPrompt, found: Reusable, sent: ExactPrompt | None, reasoning: tuple[str, str] | None = None
) -> CacheSaid:
    """Before Send. `sent` is this conversation's last prompt, `reasoning` the model's marks around its thoughts."""
    length = len(prompt.ids)
    if found.hindrance in ALL_NEW:
        said = tr("{why}: all %n tokens will be read.", "{why}: all %n token will be read.", length)
        return CacheSaid(said.format(why=ALL_NEW[found.hindrance]))
    if found.hindrance is CacheMissReason.NONE:
        return _found(length, found)
    parted = _parted(prompt, found, why(prompt, found, sent, reasoning))
    first = _stuck(length, found.same) if found.hindrance is CacheMissReason.STUCK else _some(length, found.same)
    return CacheSaid(" ".join(filter(None, (first, parted))), found.same if parted else None)


def _found(length: int, found: Reusable) -> CacheSaid:
    """All that is in the cache is of use."""
    if found.same == length:
        all_of_it = tr(
            "All %n tokens are in the cache; the last one is read again to begin from.",
            "All %n token are in the cache; the last one is read again to begin from.",
            length,
        )
        return CacheSaid(all_of_it)
    said = GOES_ON_AFTER_ONE if found.same == 1 else GOES_ON
    new = f"{length - found.count:,}"
    return CacheSaid(said.format(same=f"{found.same:,}", length=f"{length:,}", new=new), found.same)


def _stuck(length: int, same: int) -> str:
    """What there is of use can't be used."""
    if same != 1:
        return STUCK.format(same=f"{same:,}", length=f"{length:,}")
    return tr(
        "The first of %n tokens is in the cache, but this model's cache can't be rolled back, so all %n tokens will be "
        "read.",
        "The first of %n token is in the cache, but this model's cache can't be rolled back, so all %n token will be "
        "read.",
        length,
    )


def _some(length: int, same: int) -> str:
    if not same:
        return tr("None of %n tokens is in the cache.", "None of %n token is in the cache.", length)
    if same == 1:
        return tr("The first of %n tokens is in the cache.", "The first of %n token is in the cache.", length)
    return tr("The first {same} of {length} tokens are in the cache.").format(same=f"{same:,}", length=f"{length:,}")


def why(
    prompt: ExactPrompt, found: Reusable, sent: ExactPrompt | None, reasoning: tuple[str, str] | None = None
) -> str:
    """What became another there: told from whose text it is now, and whose it was in the prompt that was sent last."""
    at, cached = found.same, found.cached
    if sent is None or cached is None or sent.ids[:at] != prompt.ids[: len(sent.ids[:at])]:
        return tr("it goes on as another conversation or branch did")
    if at < len(sent.ids) and sent.ids[at] != cached[0]:
        return tr("it goes on as another conversation or branch did")
    if _system(prompt) != _system(sent):
        return tr("the system prompt is another one")
    parts = {_part(prompt, at), _part(sent, at) if at < len(sent.ids) else Part.MODEL}
    if Part.USER in parts:
        return tr("your text was changed there")
    if reasoning is not None and any(mark.startswith(cached[1].strip() or "\n") for mark in reasoning):
        return tr("the template leaves out what the model thought")
    if parts == {Part.MODEL}:
        return tr("the answer reads otherwise there than it was written")
    return tr("the template puts something else there")


def told(run: Run, note: str = "") -> str:
    """After a run. `note` is what the engine said of the cache, where nothing of it was of use."""
    reused, new = run.finish.reused, run.finish.new
    whole = max(reused + new, len(run.prompt.ids) if run.prompt is not None else 0)
    if not reused + new or run.finish.reused_known is None:
        return ""
    if reused:
        said = tr(
            "{reused} of {whole} tokens came from the cache, %n were read.",
            "{reused} of {whole} tokens came from the cache, %n was read.",
            new,
        )
        return said.format(reused=f"{reused:,}", whole=f"{whole:,}")
    if new < whole:
        return tr("%n of {whole} tokens were read.", "%n of {whole} tokens was read.", new).format(whole=f"{whole:,}")
    if note:
        return tr("All %n tokens were read: {why}.", "%n token was read: {why}.", new).format(why=note)
    return tr("All %n tokens were read.", "%n token was read.", new)


def read_for(title: str) -> str:
    """Whose beginning it was. What has no title was deleted."""
    said = tr("That beginning was read for “{title}”.").format(title=title)
    return said if title else tr("That beginning was read for another conversation.")


def comparable(run: Run) -> bool:
    """Whether it would be another run without the cache."""
    return bool(run.finish.reused and run.ids and run.prompt is not None and run.finish.failure is None)


def compared(run: Run, without: Run) -> str:
    """The turn as it was, and the same one with reuse off; one measurement each."""
    if without.finish.failure is not None:
        return tr("The same turn with reuse off failed: {what}").format(what=without.finish.failure.what)
    kept, fresh = run.summary.figures.first_token, without.summary.figures.first_token
    if kept is None or fresh is None:
        return tr("The same turn with reuse off was stopped before its first token.")
    values = {"kept": duration(kept), "fresh": duration(fresh), "texts": _texts(run, without)}
    if not kept or fresh <= kept * NOTABLE:
        return ALIKE.format(**values)
    return LONGER.format(**values, times=f"{fresh / kept:.1f}")


def _texts(run: Run, without: Run) -> str:
    pairs = zip(run.ids, without.ids, strict=False)
    parted = next((place for place, (one, other) in enumerate(pairs) if one != other), None)
    if parted is not None:
        return tr("the texts part at token {place}").format(place=f"{parted + 1:,}")
    if without.finish.reason is Reason.STOPPED and len(without.ids) < len(run.ids):
        said = tr("the text is identical up to token {place}, where you stopped it")
        return said.format(place=f"{len(without.ids):,}")
    if len(run.ids) == len(without.ids):
        return tr("the text is identical")
    return tr("one text is longer than the other")


def _parted(prompt: ExactPrompt, found: Reusable, reason: str) -> str:
    """Which token is another, and why."""
    if found.cached is None:
        return ""
    start, end = prompt.offsets[found.same]
    new = _quoted(prompt.ids[found.same], prompt.text[start:end])
    said = tr("Token {place} differs: the cache has {cached}, the prompt {new} – {why}.")
    return said.format(place=f"{found.same + 1:,}", cached=_quoted(*found.cached), new=new, why=reason)


def _quoted(token: int, text: str) -> str:
    whole = text and "\ufffd" not in text
    return f"“{legible(text)}”" if whole else tr("the token {id}").format(id=token)


def _system(prompt: ExactPrompt) -> list[str]:
    return [prompt.text[span.start : span.end] for span in prompt.spans if span.part is Part.SYSTEM]


def _part(prompt: ExactPrompt, token: int) -> Part:
    """Whose text a token of the prompt is."""
    start = prompt.offsets[token][0]
    return next((span.part for span in prompt.spans if start < span.end), Part.TEMPLATE)
