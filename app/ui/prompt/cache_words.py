"""Texts about the cache: before a prompt is sent, after its run, and compared with a rerun without cache."""

from dataclasses import dataclass

from app.engine.types import CacheMissReason, ExactPrompt, PromptPart, Reason, Reusable, Rewrite
from app.i18n import tr
from app.number_format import duration
from app.state import Run
from app.ui.tokens.words import legible

ALL_NEW = {
    CacheMissReason.BARE: tr("The KV cache is off"),
    CacheMissReason.OFF: tr("KV cache reuse is off"),
    CacheMissReason.NOTHING: tr("The cache is empty"),
    CacheMissReason.SETTINGS: tr("The cache was made with other settings"),
}
EXTENDS = tr("The first {same} of {length} tokens are cached: {new} will be processed.")
EXTENDS_ONE = tr("Only the first of {length} tokens is cached: {new} will be processed.")
STUCK = tr(
    "The first {same} of {length} tokens are cached, but this model's KV cache can't be trimmed: all "
    "{length} will be processed."
)
ALIKE = tr("Time to first token: {kept} with the cache, {fresh} without (n = 1 each); {texts}.")
LONGER = tr("Time to first token: {kept} with the cache, {fresh} without ({times} ×, n = 1 each); {texts}.")
WITHOUT_REASONING = tr("the template removes the reasoning")
RETOKENIZED = tr("the answer is tokenized differently")
EDITED = tr("an answer was edited")
CHANGED = tr("the template changed")
OF_TEMPLATE = frozenset({WITHOUT_REASONING, RETOKENIZED, CHANGED})
"""Causes that are not a change by the user."""
LONGEST_LINE = 120
MIN_RATIO = 1.05
"""Minimum ratio of two times that is shown."""


@dataclass(frozen=True, slots=True)
class CacheStatus:
    """Text of the cache line. `token` is the first one that isn't cached."""

    words: str = ""
    token: int | None = None
    comparable: bool = False
    """Whether the run can be repeated without the cache."""
    argument: str = ""
    """The template argument that avoids a repeated prefill."""


def describe_preview(
    prompt: ExactPrompt,
    found: Reusable,
    sent: ExactPrompt | None,
    reasoning: tuple[str, str] | None = None,
    has_edits: bool = False,
) -> CacheStatus:
    """Return the line before Send. `sent`: the last prompt here. `reasoning`: the model's reasoning tags.

    `has_edits`: the user has edited the last answer.
    """
    length = len(prompt.ids)
    if found.hindrance in ALL_NEW:
        words = tr("{why}: all %n tokens will be processed.", "{why}: all %n token will be processed.", length)
        return CacheStatus(words.format(why=ALL_NEW[found.hindrance]))
    if found.hindrance is CacheMissReason.NONE:
        return _describe_hit(length, found)
    difference = _difference(prompt, found, why(prompt, found, sent, reasoning, has_edits))
    describe = _describe_untrimmable if found.hindrance is CacheMissReason.STUCK else _describe_cached
    first = describe(length, found.same)
    return CacheStatus(" ".join(filter(None, (first, difference))), found.same if difference else None)


def _describe_hit(length: int, found: Reusable) -> CacheStatus:
    if found.same == length:
        return CacheStatus(
            tr(
                "All %n tokens are cached; the last one is processed again.",
                "All %n token are cached; the last one is processed again.",
                length,
            )
        )
    words = EXTENDS_ONE if found.same == 1 else EXTENDS
    new = f"{length - found.count:,}"
    return CacheStatus(words.format(same=f"{found.same:,}", length=f"{length:,}", new=new), found.same)


def _describe_untrimmable(length: int, same: int) -> str:
    if same != 1:
        return STUCK.format(same=f"{same:,}", length=f"{length:,}")
    return tr(
        "Only the first of %n tokens is cached, and this model's KV cache can't be trimmed: all %n will be processed.",
        "Only the first of %n token is cached, and this model's KV cache can't be trimmed: all %n will be processed.",
        length,
    )


def _describe_cached(length: int, same: int) -> str:
    if not same:
        return tr("None of %n tokens is cached.", "None of %n token is cached.", length)
    if same == 1:
        return tr("Only the first of %n tokens is cached.", "Only the first of %n token is cached.", length)
    return tr("The first {same} of {length} tokens are cached.").format(same=f"{same:,}", length=f"{length:,}")


def why(
    prompt: ExactPrompt,
    found: Reusable,
    sent: ExactPrompt | None,
    reasoning: tuple[str, str] | None = None,
    has_edits: bool = False,
) -> str:
    """Return the cause of the first difference, from the parts that contain it in this prompt and in the last one."""
    at, cached = found.same, found.cached
    if sent is None or cached is None or sent.ids[:at] != prompt.ids[: len(sent.ids[:at])]:
        return tr("another conversation or branch continued differently")
    if at < len(sent.ids) and sent.ids[at] != cached[0]:
        return tr("another conversation or branch continued differently")
    if _system(prompt) != _system(sent):
        return tr("the system prompt was changed")
    parts = {_part(prompt, at), _part(sent, at) if at < len(sent.ids) else PromptPart.MODEL}
    if PromptPart.USER in parts:
        return tr("your text was changed")
    if reasoning is not None and any(mark.startswith(cached[1].strip() or "\n") for mark in reasoning):
        return WITHOUT_REASONING
    if parts == {PromptPart.MODEL}:
        return EDITED if has_edits else RETOKENIZED
    return CHANGED


def describe_rewrite(rewrite: Rewrite, reason: str = "", template: str = "") -> str:
    """Return the cost of the next turn, with its reason, or with the template line that causes it."""
    again, lines, said = f"{rewrite.again:,}", template.splitlines(), []
    if rewrite.seconds is None:
        said.append(tr("{again} tokens of earlier turns will be prefilled again.").format(again=again))
    else:
        words = tr("{again} tokens of earlier turns will be prefilled again, which takes about {time}.")
        said.append(words.format(again=again, time=duration(rewrite.seconds)))
    if reason:
        said.append(tr("Cause: {reason}.").format(reason=reason))
    if rewrite.line is not None and 0 < rewrite.line <= len(lines):
        words = tr("Line {number} of the template writes the difference: “{text}”.")
        said.append(words.format(number=rewrite.line, text=lines[rewrite.line - 1].strip()[:LONGEST_LINE]))
    if rewrite.argument is not None:
        name, value = rewrite.argument
        words = tr("The template argument {name} = {value} avoids this.")
        said.append(words.format(name=name, value=str(value).lower()))
    return " ".join(said)


def describe_run(run: Run, note: str = "") -> str:
    """Return the line after a run. `note` is the engine's reason for a cache miss, if any."""
    reused, new = run.finish.reused, run.finish.new
    whole = max(reused + new, len(run.prompt.ids) if run.prompt is not None else 0)
    if not reused + new or run.finish.reused_known is None:
        return ""
    if reused:
        words = tr(
            "{reused} of {whole} tokens were cached, %n were processed.",
            "{reused} of {whole} tokens were cached, %n was processed.",
            new,
        )
        return words.format(reused=f"{reused:,}", whole=f"{whole:,}")
    if new < whole:
        return tr("%n of {whole} tokens were processed.", "%n of {whole} tokens was processed.", new).format(
            whole=f"{whole:,}"
        )
    if note:
        return tr("All %n tokens were processed: {why}.", "%n token was processed: {why}.", new).format(why=note)
    return tr("All %n tokens were processed.", "%n token was processed.", new)


def describe_origin(title: str) -> str:
    """Describe the conversation that the cached prefix is from; a deleted one has no title."""
    words = (
        tr("The cached prefix is from “{title}”.") if title else tr("The cached prefix is from another conversation.")
    )
    return words.format(title=title)


def comparable(run: Run) -> bool:
    """Return True if the run used the cache and can be repeated."""
    return bool(run.finish.reused and run.ids and run.prompt is not None and run.finish.failure is None)


def compare_without_cache(run: Run, without: Run) -> str:
    if without.finish.failure is not None:
        return tr("The rerun without cache failed: {what}").format(what=without.finish.failure.what)
    cached, fresh = run.summary.figures.first_token, without.summary.figures.first_token
    if cached is None or fresh is None:
        return tr("The rerun without cache was stopped before its first token.")
    values = {"kept": duration(cached), "fresh": duration(fresh), "texts": _texts(run, without)}
    if not cached or fresh <= cached * MIN_RATIO:
        return ALIKE.format(**values)
    return LONGER.format(**values, times=f"{fresh / cached:.1f}")


def _texts(run: Run, without: Run) -> str:
    pairs = zip(run.ids, without.ids, strict=False)
    position = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
    if position is not None:
        return tr("the texts differ from token {place} on").format(place=f"{position + 1:,}")
    if without.finish.reason is Reason.STOPPED and len(without.ids) < len(run.ids):
        words = tr("the text is identical up to token {place}, where you stopped it")
        return words.format(place=f"{len(without.ids):,}")
    if len(run.ids) == len(without.ids):
        return tr("the text is identical")
    return tr("one text is longer than the other")


def _difference(prompt: ExactPrompt, found: Reusable, reason: str) -> str:
    if found.cached is None:
        return ""
    start, end = prompt.offsets[found.same]
    new = _quoted(prompt.ids[found.same], prompt.text[start:end])
    words = tr("Token {place} differs: {cached} in the cache, {new} in the prompt ({why}).")
    return words.format(place=f"{found.same + 1:,}", cached=_quoted(*found.cached), new=new, why=reason)


def _quoted(token: int, text: str) -> str:
    whole = text and "\ufffd" not in text
    return f"“{legible(text)}”" if whole else tr("the token {id}").format(id=token)


def _system(prompt: ExactPrompt) -> list[str]:
    return [prompt.text[span.start : span.end] for span in prompt.spans if span.part is PromptPart.SYSTEM]


def _part(prompt: ExactPrompt, token: int) -> PromptPart:
    start = prompt.offsets[token][0]
    return next((span.part for span in prompt.spans if start < span.end), PromptPart.TEMPLATE)
