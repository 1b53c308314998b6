"""Which tokenizers may enter the engine: those of which every part has a bound to its growth and to its time.

The library that runs them is written in Rust. Where a `tokenizer.json` asks for more memory than there is, it ends the
whole program: nine parts that write each "Q" ten times do. So a stranger's file is read here first, and one with a part
that isn't on the list never gets there.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from app import json_reader
from app.engine.model_files.files import read_json
from app.engine.refusal import RefusedError, details_of
from app.engine.tokenizers.files import LONGEST_PIECE, MOST_PIECES, is_bounded
from app.engine.tokenizers.parts import DECODER, NORMALIZER, POST_PROCESSOR, PRE_TOKENIZER, Row, is_count
from app.engine.tokenizers.regex import SQUARED
from app.engine.tokenizers.vocabulary_limits import MOST_ADDED
from app.words import tr

MOST_GROWTH = 256.0
"""Times that a text may grow. T5's may grow one by 132: each part counts at its worst character."""
MOST_DECODED_GROWTH = 16.0
MOST_PARTS = 64
MOST_NESTED = 8
MOST_BYTES = 32_000_000
"""Of a text behind its normalizers, each at its worst. A context of a million tokens has a fifth of it."""
LONGEST_RUN = 20_000
"""Spaces or digits in a row, where the time grows with their square: a second."""
LONGEST_WORD = 4_096
"""Characters of an entry of the vocabulary. Runs of spaces have up to a thousand."""
LONGEST_ADDED = 1_000
MOST_ADDED_BYTES = 10_000_000
"""Bytes of all that are added, behind the normalizers; each takes 74 of memory. Models that speak have two million."""
UNKNOWN_GROWTH = 64.0
"""Of normalizers that a library makes itself: the longest text that a table may have for a character."""
LONGEST_AFFIX = 32
MOST_CHARACTERS_OF_A_WORD = 100
"""WordPiece's own default; its time for a word grows with the third power."""
DETOURS = frozenset(
    {
        *("fast_tokenizer_files", "gguf_file", "init_inputs", "tokenizer_object", "vocab", "merges"),
        *("post_processor", "tokenizer_padding", "tokenizer_truncation", "_spm_precompiled_charsmap"),
    }
)
"""Settings with which tokenizer_config.json would lead transformers past the file that is read here."""
COUNTS = frozenset({"extra_ids", "offset", "num_madeup_words"})
"""Of tokens that transformers makes up, however many. Known ones have a hundred."""
TOKENS = ("_token", "_tokens", "added_tokens_decoder")
ELSEWHERE = tr("Choose another copy of the model.")

Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a tokenizer makes of a text at most."""

    growth: float = 1.0
    squared: bool = False
    """It takes time by the square of a run of spaces or digits."""

    def allow(self, text: str) -> bool:
        if len(text.encode("utf-8", "replace")) * self.growth > MOST_BYTES:
            return False
        return not self.squared or len(text) <= LONGEST_RUN or _longest_run(text) <= LONGEST_RUN


def check_tokenizer(folder: Path) -> None:
    """Raises RefusedError for what could grow or take time without a bound, before any library has read it."""
    file, growth = folder / "tokenizer.json", UNKNOWN_GROWTH
    if file.is_file():
        content = read_json(file, only_once=True)
        check_parts(content)
        growth = _growth(content.get("normalizer"), NORMALIZER)
        _check_vocabulary(content)
        _check_added(content.get("added_tokens"), growth)
    elif not is_bounded(folder):
        raise refused("vocab")
    _check_settings(folder, growth)


def check_opened(tokenizer: object) -> Bounds:
    """The same of a tokenizer that is open: transformers puts some parts together, or others, from other files."""
    backend: Any = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise in_python(type(tokenizer))
    rows = (NORMALIZER, PRE_TOKENIZER, POST_PROCESSOR, DECODER)
    bounds = check_parts({row.name: _state(getattr(backend, row.name)) for row in rows})
    names = ("dropout", "alpha", "nbest_size", "max_input_chars_per_word", "continuing_subword_prefix")
    check_model({name: getattr(backend.model, name, None) for name in names})
    backend.no_padding()
    backend.no_truncation()
    return bounds


def _state(part: Any) -> object:  # noqa: ANN401
    """What a part of the library says of itself. One that is written in Python can't, and isn't on the list."""
    if part is None:
        return None
    try:
        return json_reader.own(part.__getstate__())
    except Exception as error:  # it is of the library, or of nobody knows whom
        return details_of(error)


def check_parts(content: Fields) -> Bounds:
    """All that stands between a text and its ids, of a file or of a tokenizer that is open."""
    growth = _growth(content.get("normalizer"), NORMALIZER) * _growth(content.get("pre_tokenizer"), PRE_TOKENIZER)
    if growth > MOST_GROWTH:
        raise refused("normalizer", f"{growth:g}")
    if (decoded := _growth(content.get("decoder"), DECODER)) > MOST_DECODED_GROWTH:
        raise refused("decoder", f"{decoded:g}")
    _growth(content.get("post_processor"), POST_PROCESSOR)
    return Bounds(growth, squared=any(pattern in SQUARED for pattern in _patterns(content.get("pre_tokenizer"))))


def _growth(part: object, row: Row, depth: int = 0) -> float:
    """How much longer a text may be behind it; raises RefusedError for a part that isn't on the list."""
    if part is None:
        return 1.0
    if not isinstance(part, dict) or depth > MOST_NESTED:
        raise refused(row.name)
    if part.get("type") == "Sequence":
        return _sequence(part.get(row.sequence), row, depth)
    kind = row.kinds.get(str(part.get("type")))
    told = {name: value for name, value in part.items() if name != "type"}
    if kind is None or not all(name in kind.fields and kind.fields[name](value) for name, value in told.items()):
        raise refused(row.name, str(part.get("type")))
    try:
        return kind.growth(told)
    except KeyError as absent:
        raise refused(row.name, details_of(absent)) from None


def _sequence(parts: object, row: Row, depth: int) -> float:
    if not isinstance(parts, list) or len(parts) > MOST_PARTS:
        raise refused(row.name)
    growth = 1.0
    for each in parts:
        growth *= _growth(each, row, depth + 1)
        if growth > MOST_GROWTH:
            raise refused(row.name, f"{growth:g}")
    return growth


def _patterns(part: object) -> Iterable[str]:
    if isinstance(part, dict):
        for each in part.get(PRE_TOKENIZER.sequence, ()):
            yield from _patterns(each)
        pattern = part.get("pattern")
        yield pattern.get("Regex", "") if isinstance(pattern, dict) else ""


def _check_vocabulary(content: Fields) -> None:
    """Its entries, and how words are put together from them."""
    model = content.get("model")
    if isinstance(model, dict):
        check_model(model)
        vocabulary = model.get("vocab")
        if not isinstance(vocabulary, dict | list | None):  # a text would be taken for a file's name
            raise refused("vocab")
        if isinstance(vocabulary, dict) and max(map(len, vocabulary), default=0) > LONGEST_WORD:
            raise refused("vocab")
        pieces = list(map(_length, vocabulary)) if isinstance(vocabulary, list) else []
        if max(pieces, default=0) > LONGEST_PIECE or sum(pieces) > MOST_PIECES:
            raise refused("vocab")


def check_model(model: Fields) -> None:
    """How a tokenizer puts words together; what comes out by chance would be another prompt each time."""
    if any(model.get(name) for name in ("dropout", "alpha", "nbest_size")):
        what = tr("This model's tokenizer draws lots, so that the same text would be another prompt each time.")
        raise RefusedError(what, ELSEWHERE, kind="tokenizer")
    most = model.get("max_input_chars_per_word")
    affixes = [model.get(name) or "" for name in ("continuing_subword_prefix", "end_of_word_suffix", "unk_token")]
    if most is not None and (type(most) is not int or most > MOST_CHARACTERS_OF_A_WORD):
        raise refused("max_input_chars_per_word")
    if max(len(str(affix)) for affix in affixes[:2]) > LONGEST_AFFIX or len(str(affixes[2])) > LONGEST_ADDED:
        raise refused("continuing_subword_prefix")


def _check_added(tokens: object, growth: float, normalized: bool = False) -> None:
    """They are all looked for at once, by a table that grows with their letters; some as the normalizers make them."""
    sizes = [(len(text.encode("utf-8", "surrogatepass")), grows) for text, grows in _texts(tokens, normalized)]
    if len(sizes) > MOST_ADDED or max((size for size, _ in sizes), default=0) > LONGEST_ADDED:
        raise refused("added_tokens")
    if sum(size * growth if grows else size for size, grows in sizes) > MOST_ADDED_BYTES:
        raise refused("added_tokens", f"{growth:g}")


def _texts(value: object, normalized: bool, depth: int = 0) -> Iterator[tuple[str, bool]]:
    """Each with whether the normalizers are at it."""
    if isinstance(value, str):
        yield value, normalized
    elif isinstance(value, list | dict) and depth < MOST_NESTED:
        if isinstance(value, dict):
            normalized = normalized or ("content" in value and value.get("normalized") is not False)
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each, normalized, depth + 1)


def _length(entry: object) -> int:
    if not isinstance(entry, list) or not entry or not isinstance(entry[0], str):
        return 0
    return len(entry[0].encode("utf-8", "surrogatepass"))


def _longest_run(text: str) -> int:
    kinds = groupby(text, lambda sign: 1 if sign.isspace() else 2 if sign.isnumeric() else 0)
    return max((sum(1 for _ in run) for kind, run in kinds if kind), default=0)


def _check_settings(folder: Path, growth: float) -> None:
    """What would be read instead of tokenizer.json, put over what stands there, or added to it."""
    for name, strange in (("tokenizer_config.json", DETOURS.__contains__), ("special_tokens_map.json", _is_no_token)):
        if (folder / name).is_file():
            settings = read_json(folder / name)
            for setting, value in settings.items():
                if value and (strange(setting) or (setting in COUNTS and not is_count(value))):
                    raise refused(name, setting)
            _check_added([value for setting, value in settings.items() if setting.endswith(TOKENS)], growth)
    if (folder / "added_tokens.json").is_file():
        _check_added(list(read_json(folder / "added_tokens.json")), growth, normalized=True)


def _is_no_token(setting: str) -> bool:
    return not setting.endswith(TOKENS[:2])


def in_python(kind: type) -> RefusedError:
    what = tr("This model's tokenizer runs in Python, where nobody can say how much time it would take.")
    return RefusedError(what, ELSEWHERE, kind.__name__, "tokenizer")


def refused(part: str, details: str = "") -> RefusedError:
    what = tr("This model's tokenizer is not opened: nobody can say how much time or memory it would take ({part}).")
    return RefusedError(what.format(part=part), ELSEWHERE, details, "tokenizer")
