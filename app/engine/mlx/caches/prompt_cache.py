"""The KV cache between runs: how many of its tokens the next prompt can use, and why not more."""

from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from mlx_lm.models.cache import can_trim_prompt_cache, trim_prompt_cache

from app.engine.mlx.caches.disk_cache import DAMAGED, STRANGE, DiskPromptCache, SavedCache
from app.engine.mlx.caches.prompt_cache_pool import CUT, PooledCache, PromptCachePool
from app.engine.mlx.loaded import LoadedModel, has_plain_cache
from app.engine.text import common_prefix, count_repeated
from app.engine.types import KV, CacheMissReason, Reusable
from app.i18n import tr

WORTH_KEEPING = 16
"""Minimum number of tokens by which a cache must exceed the common prefix to be kept: fewer are prefilled as fast."""
REASONS = {DAMAGED: CacheMissReason.DAMAGED, STRANGE: CacheMissReason.STRANGE}


@dataclass(frozen=True, slots=True)
class Reuse:
    """How much of a prompt the cache holds."""

    caches: list[Any]
    reused: int
    first_difference: int | None
    note: str
    stuck: bool = False
    """The cache holds some of the prompt, but can't be trimmed to it."""
    again: int = 0
    """Cached tokens that the prompt can't use."""
    hindrance: CacheMissReason = CacheMissReason.NONE
    """Reason why no more tokens are reused."""
    session: int = 0
    """The session for which the reused tokens were prefilled; 0: the session of this run, or unknown."""


@dataclass(slots=True)
class PromptCache:
    """Keys and values with their token ids. `ids` always matches the contents of `caches`."""

    caches: list[Any] = field(default_factory=list)
    ids: tuple[int, ...] = ()
    kind: object = None
    """The settings that keys and values depend on. A run with other settings can't use the cache."""
    session: int | None = None
    """Its session; caches of replays are not added to the pool."""
    others: PromptCachePool = field(default_factory=PromptCachePool)
    """The caches of inactive conversations."""
    saved: DiskPromptCache = field(default_factory=DiskPromptCache)
    """The caches of conversations before the program was started."""

    def prepare(
        self, ids: tuple[int, ...], kv: KV, main: LoadedModel, draft: LoadedModel | None, session: int | None = None
    ) -> Reuse:
        """Reuse the longest cached prefix of a prompt. At least one token is left to start generation from."""
        kind = _kind(kv, draft is not None, main, main.adapted.strength if main.adapted else 0)
        self._choose(ids, kv, kind, session)
        before = self.session
        reuse = self._trim_to_prefix(ids, kv, main, draft, kind)
        self.session = session
        if kv.reuse and not reuse.reused:
            self.saved.note_unusable(session)
        note, self.saved.note = self.saved.note, ""
        origin = _other_session(before, session) if reuse.reused else 0
        return replace(reuse, session=origin, note=note or reuse.note, hindrance=REASONS.get(note, reuse.hindrance))

    def _choose(self, ids: tuple[int, ...], kv: KV, kind: object, session: int | None) -> None:
        """Replace it by another cache that holds more of the prompt."""
        count = self._usable(ids, kind) if kv.reuse else 0
        found = self._find(ids, kind) if kv.reuse and session is not None else None
        if found is not None:
            self.others.use(found)
            self.others.shrink(self.others.budget)  # one read from disk may have been dropped at once
        if found is not None or len(self.ids) - count >= WORTH_KEEPING:
            self.add_to_pool()  # which may drop the cache that was found
        if found is not None:
            self.caches, self.ids = found.restore(found.usable(ids))
            self.kind, self.session = found.kind, found.session

    def _find(self, ids: tuple[int, ...], kind: object) -> PooledCache | None:
        count = self._usable(ids, kind)
        found = self.others.find(ids, kind, count)
        most = found.usable(ids) if found is not None else count
        return self.saved.load(ids, kind, most, self.others) or found

    def save(self, pace: float) -> None:
        """Write the caches that may be needed after the next start."""
        self.add_to_pool()
        self.saved.save(self.others.latest(), pace)

    def forget(self, session: int) -> None:
        """Delete the caches of a session; 0: of all. The cache of the last run is dropped by the next one."""
        self.session = None if session <= 0 or session == self.session else self.session
        self.others.forget(session)
        self.saved.forget(session)

    def add_to_pool(self) -> None:
        """Add the cache to the pool if it belongs to a conversation."""
        if self.session is not None and self.ids:
            self.others.keep(self.caches, self.ids, self.kind, self.session)

    def keep_prompt(self, ids: tuple[int, ...]) -> None:
        """Save an untrimmable cache in mid-prefill, before the last token, so that another answer can start there."""
        if self.session is not None and any(type(layer) not in CUT for layer in self.caches):
            self.others.keep(self.caches, ids[:-1], self.kind, self.session)

    def _trim_to_prefix(
        self, ids: tuple[int, ...], kv: KV, main: LoadedModel, draft: LoadedModel | None, kind: object
    ) -> Reuse:
        """Trim the cache to its common prefix with these ids, or start an empty cache."""
        known, self.ids = self.ids, ()  # unknown again until the run has ended
        if not kv.reuse or not known or kind != self.kind:
            note = _why_nothing(kv, known, kind == self.kind)
            again = common_prefix(known, ids) if kv.reuse else 0
            fresh = self._start_empty(kv, main, draft, kind, None, note)
            return replace(fresh, again=again, hindrance=CacheMissReason.SETTINGS)
        common = common_prefix(known, ids)
        first_difference = common if common < len(ids) else None
        keep = min(common, len(ids) - 1)
        surplus = len(known) - keep
        # mlx-lm's function may trim nothing without an error, and only some layers.
        if surplus == 0 or (can_trim_prompt_cache(self.caches) and trim_prompt_cache(self.caches, surplus) == surplus):
            again, note = count_repeated(known[common:], ids[keep:]), _why_not_all(known, common, len(ids))
            return Reuse(self.caches, keep, first_difference, note, again=again, hindrance=CacheMissReason.DIFFERS)
        note = tr("this model's KV cache can't be trimmed, so the whole prompt was prefilled")
        fresh = self._start_empty(kv, main, draft, kind, first_difference, note)
        return replace(fresh, stuck=keep > 0, again=keep, hindrance=CacheMissReason.STUCK)

    def reusable(
        self,
        ids: tuple[int, ...],
        kv: KV,
        main: LoadedModel,
        drafting: bool,
        strength: float,
        session: int | None = None,
    ) -> Reusable:
        """Return what `prepare` would reuse of these ids, without changing anything."""
        if not kv.reuse:
            return Reusable(hindrance=CacheMissReason.OFF)
        kind = _kind(kv, drafting, main, strength)
        found: PooledCache | SavedCache | PromptCache = self
        if session is not None:
            pooled = self.others.find(ids, kind, self._usable(ids, kind))
            most = pooled.usable(ids) if pooled is not None else self._usable(ids, kind)
            found = self.saved.find(ids, kind, most, self.others.budget) or pooled or self
        if not found.ids:
            return Reusable(hindrance=CacheMissReason.NOTHING)
        if found is self and kind != self.kind:
            return Reusable(hindrance=CacheMissReason.SETTINGS)
        common = common_prefix(found.ids, ids)
        parted = found.ids[common : common + 1] if common < len(ids) else ()
        cached = (parted[0], main.spelling.text(parted[0])) if parted else None
        keep = min(common, len(ids) - 1)
        if found is self and keep < len(self.ids) and not can_trim_prompt_cache(self.caches):
            return Reusable(0, common, cached, CacheMissReason.STUCK)
        hindrance = CacheMissReason.DIFFERS if parted else CacheMissReason.NONE
        return Reusable(keep, common, cached, hindrance, _other_session(found.session, session) if keep else 0)

    def _usable(self, ids: tuple[int, ...], kind: object) -> int:
        if kind != self.kind:
            return 0
        keep = min(common_prefix(self.ids, ids), len(ids) - 1)
        return keep if keep == len(self.ids) or can_trim_prompt_cache(self.caches) else 0

    def copy_prefix(self, ids: tuple[int, ...], main: LoadedModel) -> tuple[list[Any], int]:
        """Return a copy, trimmed to the cached prefix of these ids, and its length; 0 if it can't be trimmed."""
        strength = main.adapted.strength if main.adapted else 0
        if self.kind != _kind(KV(), False, main, strength) or not has_plain_cache(self.caches):
            return main.new_cache(), 0
        caches, common = deepcopy(self.caches), common_prefix(self.ids, ids)
        for layer in caches:
            layer.trim(layer.offset - common)
        return caches, common

    def trim_after_run(self, ids: tuple[int, ...]) -> None:
        """Store the ids after a run, up to the last one that all layers have processed, and trim the rest."""
        offsets = _offsets(self.caches)
        self.ids = ids[: min(offsets, default=len(ids))]
        ahead = [layer for layer in self.caches if offsets and layer.offset > len(self.ids)]
        if not can_trim_prompt_cache(ahead):
            self.drop()
        for layer in ahead:
            layer.trim(layer.offset - len(self.ids))

    def drop(self) -> None:
        self.caches, self.ids, self.kind, self.session = [], (), None, None

    def clear(self) -> None:
        """Drop all caches, also those of other conversations, because the model is unloaded."""
        self.drop()
        self.others.clear()

    def _start_empty(
        self, kv: KV, main: LoadedModel, draft: LoadedModel | None, kind: object, difference: int | None, note: str
    ) -> Reuse:
        self.drop()
        self.caches = main.new_cache(kv.max_size) + (draft.new_cache() if draft else [])
        self.kind = kind
        return Reuse(self.caches, 0, difference, note)


def _kind(kv: KV, drafting: bool, main: LoadedModel, strength: float) -> object:
    """Return the settings that keys and values depend on. Sampling and output format are not among them."""
    adapter = (main.adapted.stamp, strength) if main.adapted and strength else None
    return kv.bits, kv.group_size, kv.quantized_start, kv.max_size, drafting, adapter


def _other_session(session: int | None, asking: int | None) -> int:
    return session if session and session != asking else 0


def _offsets(caches: list[Any]) -> list[int]:
    """Return the number of tokens that each layer has processed; recurrent states have always processed all."""
    offsets = [getattr(layer, "offset", None) for layer in caches]
    return [offset for offset in offsets if isinstance(offset, int)] if None not in offsets else []


def _why_nothing(kv: KV, known: tuple[int, ...], same_kind: bool) -> str:
    if not kv.reuse:
        return tr("cache reuse is turned off")
    if not known:
        return tr("nothing was cached yet")
    return "" if same_kind else tr("the cache was made with other settings")


def _why_not_all(known: tuple[int, ...], common: int, length: int) -> str:
    if common == len(known):
        return tr("the prompt continues the cached one")
    if common == length:
        return tr("the whole prompt was cached; only its last token is processed again")
    return tr("the prompt differs from the cached tokens at token {place}").format(place=common)
