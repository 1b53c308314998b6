"""The rules that are read from a tokenizer's decoder, and what happens where there is none."""

from typing import Any

import pytest

from app.engine.text import BYTE_OF, ByteStream, Rule, Spelling, WindowStream, rule_of
from tests.engine import made_tokenizers as tokenizers
from tests.standins.samples import Samples

REPLACE = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}
REGEX = {"type": "Replace", "pattern": {"Regex": "▁+"}, "content": " "}
FALLBACK, FUSE = {"type": "ByteFallback"}, {"type": "Fuse"}
STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
SPACES = (("▁", " "),)


def sequence(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "decoders": list(steps)}


@pytest.mark.parametrize(
    ("decoder", "rule"),
    [
        ({"type": "ByteLevel", "add_prefix_space": True}, Rule(byte_level=True)),
        (sequence({"type": "ByteLevel"}), Rule(byte_level=True)),
        (sequence(REPLACE, FALLBACK, FUSE), Rule(replaced=SPACES, byte_fallback=True)),
        (sequence(REPLACE, FALLBACK, FUSE, STRIP), Rule(replaced=SPACES, byte_fallback=True, stripped=" ")),
        (
            {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
            Rule(replaced=SPACES, dropped_first=True),
        ),
        ({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never"}, Rule(replaced=SPACES)),
        (sequence(REGEX, FALLBACK, FUSE), None),
        (sequence(REPLACE, FALLBACK, FUSE, STRIP | {"start": 2}), None),
        ({"type": "WordPiece", "prefix": "##", "cleanup": True}, None),
        ({"type": "BPEDecoder", "suffix": "</w>"}, None),
    ],
)
def test_reads_the_rule_of_a_decoder(decoder: dict[str, Any], rule: Rule | None) -> None:
    assert rule_of(decoder) == rule


def test_the_byte_alphabet_has_every_byte_once() -> None:
    assert sorted(BYTE_OF.values()) == list(range(256))
    assert BYTE_OF["Ġ"] == ord(" ")


@pytest.mark.parametrize(
    ("rule", "name", "piece"),
    [
        (Rule(byte_level=True), "Ġä¸Ń", " 中".encode()),
        (Rule(byte_level=True), "<｜User｜>", "<｜User｜>".encode()),
        (Rule(replaced=SPACES, byte_fallback=True), "▁Hi", b" Hi"),
        (Rule(replaced=SPACES, byte_fallback=True), "<0xE4>", b"\xe4"),
        (Rule(replaced=SPACES, byte_fallback=True), "<0xZZ>", b"<0xZZ>"),
        (Rule(replaced=SPACES), "<0xE4>", b"<0xE4>"),
    ],
)
def test_spells_names(rule: Rule, name: str, piece: bytes) -> None:
    assert rule.spell(name) == piece


@pytest.mark.parametrize("name", tokenizers.NAMES)
def test_finds_a_rule_for_every_family_of_tokenizers(name: str, samples: Samples) -> None:
    spelling = Spelling(tokenizers.load(samples.path(f"tokenizers/{name}")))
    assert isinstance(spelling.stream(), ByteStream)


def small(decoder: Any, kind: str = "PreTrainedTokenizerFast") -> Any:
    """A byte-level tokenizer of 256 bytes and two added words, with any decoder."""
    import transformers
    from mlx_lm.tokenizer_utils import NewlineTokenizer
    from tokenizers import Tokenizer, models, pre_tokenizers

    backend = Tokenizer(models.BPE(dict(BYTE_OF), []))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    backend.decoder = decoder
    backend.add_tokens(["café", "<n>"])
    made = {"PreTrainedTokenizerFast": transformers.PreTrainedTokenizerFast, "NewlineTokenizer": NewlineTokenizer}
    return made[kind](tokenizer_object=backend)


def test_an_added_token_stands_for_itself() -> None:
    from tokenizers import decoders

    tokenizer = small(decoders.ByteLevel())
    [token_id] = tokenizer.encode("café")
    assert Spelling(tokenizer).text(token_id) == "café"
    assert Spelling(tokenizer).text(BYTE_OF["Ġ"]) == " "


def test_shows_a_lone_byte_among_candidates_as_that_byte() -> None:
    from tokenizers import decoders

    spelling = Spelling(small(decoders.ByteLevel()))
    assert (spelling.text(0xE4), spelling.text(ord("a"))) == ("⟨E4⟩", "a")
    assert len({spelling.text(byte) for byte in range(256)}) == 256, "no two read alike"


def test_a_tokenizer_that_says_something_else_than_its_decoder_gets_a_window() -> None:
    """This one writes <n> for a line end, which only its Python part knows."""
    from tokenizers import decoders

    tokenizer = small(decoders.ByteLevel(), "NewlineTokenizer")
    stream = Spelling(tokenizer).stream()
    assert isinstance(stream, WindowStream)
    ids = tokenizer.encode("one\ntwo 中", add_special_tokens=False)
    text = "".join(map(stream.add, ids))
    assert text + stream.finish()[0] == "one\ntwo 中"
    assert (Spelling(tokenizer).text(0xE4), Spelling(tokenizer).text(ord("a"))) == ("⟨E4⟩", "a")


def test_a_decoder_that_joins_words_gets_a_window() -> None:
    from tokenizers import decoders

    tokenizer = small(decoders.WordPiece())
    stream = Spelling(tokenizer).stream([ord("a")])
    assert isinstance(stream, WindowStream)
    assert [stream.add(ord("b")), stream.add(ord("c"))] == [" b", " c"]
    assert Spelling(tokenizer).text(ord("d")) == "d"


class Slow:
    """A tokenizer with no fast backend: it has nothing but its own decode."""

    def __len__(self) -> int:
        return 128

    def encode(self, text: str, *, add_special_tokens: bool, verbose: bool) -> list[int]:
        return list(text.encode("ascii"))

    def decode(self, ids: list[int], *, skip_special_tokens: bool, clean_up_tokenization_spaces: bool) -> str:
        return bytes(ids).decode("ascii")


def test_a_slow_tokenizer_gets_a_window_and_is_never_asked_for_ids_it_lacks() -> None:
    stream = Spelling(Slow()).stream([ord("a")])
    assert isinstance(stream, WindowStream)
    assert [stream.add(ord("b")), stream.add(500), stream.add(ord("c"))] == ["b", "", "c"]
