import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.engine.text import (
    BYTE_OF,
    PATIENCE_TOKENS,
    ByteDetokenizer,
    DecoderRule,
    Detokenizer,
    TokenDecoder,
    WindowDetokenizer,
    count_repeated,
    printable_piece,
    rule_of,
)
from tests.engine import made_tokenizers as tokenizers
from tests.standins.samples import Samples

SAMPLE = " Zürich, 天地玄黄 🦊🏽‍🌾 👨‍👩‍👧‍👦 नमस्ते ไทย\u200f עברית\n\té \U0010fffd"
slow_fixture = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def spelling(tokenizer: Any) -> TokenDecoder:
    return TokenDecoder(tokenizer)


@pytest.fixture(scope="module")
def context(tokenizer: Any) -> list[int]:
    return encode(tokenizer, "The quick brown")


@pytest.fixture(scope="module")
def naughty(samples: Samples) -> list[str]:
    return samples.naughty()


def encode(tokenizer: Any, text: str) -> list[int]:
    ids: list[int] = tokenizer.encode(text, add_special_tokens=False, verbose=False)
    return ids


def streamed(stream: Detokenizer, ids: list[int]) -> tuple[str, bytes]:
    text = ""
    for token_id in ids:
        text += stream.add(token_id)
    left, cut = stream.finish()
    return text + left, cut


def utf8_texts(samples: Samples) -> Iterator[str]:
    for name in ("UTF-8-test.txt", "flenniken-utf8tests.txt"):
        yield from samples.path(f"text/utf8/{name}").read_bytes().decode("utf-8", "replace").splitlines(keepends=True)
    separated = samples.path("text/utf8/bits/utf8_sequence_0-0xfff_assigned_printable.txt")
    yield from separated.read_text("utf-8").splitlines(keepends=True)
    unseparated = "utf8_sequence_0-0x2ffff_assigned_printable_unseparated.txt"
    every_character = samples.path(f"text/utf8/bits/{unseparated}").read_text("utf-8")
    yield from (every_character[index : index + 500] for index in range(0, len(every_character), 500))


def test_stream_equals_the_decoded_text(
    tokenizer: Any, spelling: TokenDecoder, context: list[int], samples: Samples
) -> None:
    count = 0
    for text in utf8_texts(samples):
        ids = encode(tokenizer, text)
        assert streamed(spelling.stream(context), ids) == (tokenizers.decoded(tokenizer, ids, context), b""), text
        count += 1
    assert count > 500


@pytest.mark.parametrize("behind_a_prompt", [False, True])
def test_stream_naughty_strings(
    behind_a_prompt: bool, tokenizer: Any, spelling: TokenDecoder, context: list[int], naughty: list[str]
) -> None:
    before = context if behind_a_prompt else []
    for text in naughty:
        ids = encode(tokenizer, text)
        assert streamed(spelling.stream(before), ids) == (tokenizers.decoded(tokenizer, ids, before), b""), text
    assert len(naughty) > 500


def test_stream_cut_anywhere_shows_whole_characters(
    tokenizer: Any, spelling: TokenDecoder, context: list[int], naughty: list[str]
) -> None:
    cuts = 0
    for text in (SAMPLE, *naughty[::10]):
        ids = encode(tokenizer, text)
        whole = tokenizers.decoded(tokenizer, ids, context)
        for end in range(len(ids) + 1):
            shown, cut = streamed(spelling.stream(context), ids[:end])
            assert whole.startswith(shown)
            assert whole.encode()[: len(shown.encode()) + len(cut)] == shown.encode() + cut
            cuts += bool(cut)
        assert shown == whole
    assert cuts > 20 or tokenizer.name_or_path.endswith("t5-small")


def test_stream_ids_of_padding_are_no_text(tokenizer: Any, spelling: TokenDecoder, context: list[int]) -> None:
    first = encode(tokenizer, "x y")
    stream = spelling.stream(context)
    assert [stream.add(beyond) for beyond in (len(tokenizer), 2**31, 2**70)] == ["", "", ""]
    assert streamed(stream, first)[0] == tokenizers.decoded(tokenizer, first, context)
    assert spelling.text(len(tokenizer) + 7) == ""


@slow_fixture
@given(data=st.data())
def test_stream_of_random_ids_equals_the_decoded_text(
    data: st.DataObject, tokenizer: Any, spelling: TokenDecoder, context: list[int]
) -> None:
    ids = data.draw(st.lists(st.integers(0, len(tokenizer) + 20), max_size=40))
    text, cut = streamed(spelling.stream(context), ids)
    text += cut.decode("utf-8", "replace")
    expected = tokenizers.decoded(tokenizer, [token for token in ids if token < len(tokenizer)], context)
    # Byte fallback gives up a whole run of bytes for one that is wrong; the stream keeps the characters in it.
    if "\ufffd" in expected and text != expected:
        names = tokenizer.convert_ids_to_tokens(ids)
        expected = b"".join(spelled_by_name(name) for name in names if name is not None).decode("utf-8", "replace")
    assert text == expected


def spelled_by_name(name: str) -> bytes:
    byte = re.fullmatch(r"<0x([0-9A-F]{2})>", name)
    return bytes.fromhex(byte[1]) if byte else name.replace("▁", " ").encode()


def bytes_of(tokenizer: Any, text: str) -> list[int]:
    ids = encode(tokenizer, text)
    assert len(ids) > 1
    return ids


def test_stream_completes_the_prompt_s_character(byte_tokenizer: Any) -> None:
    *begun, last = bytes_of(byte_tokenizer, "x\U0001fad9")
    assert TokenDecoder(byte_tokenizer).stream(begun).add(last) == "\U0001fad9"


def test_stream_drops_invalid_bytes_of_the_prompt(byte_tokenizer: Any) -> None:
    begun = bytes_of(byte_tokenizer, "x\U0001fad9")[:-1]
    assert streamed(TokenDecoder(byte_tokenizer).stream(begun), encode(byte_tokenizer, "x)")[-1:]) == (")", b"")


def test_stream_invalid_bytes_are_shown_at_once(byte_tokenizer: Any) -> None:
    last_byte = bytes_of(byte_tokenizer, "x\U0001fad9")[-1]
    stream = TokenDecoder(byte_tokenizer).stream(encode(byte_tokenizer, "The"))
    assert [stream.add(last_byte) for _ in range(100)] == ["\ufffd"] * 100


def test_window_stream_equals_the_decoded_text(
    tokenizer: Any, spelling: TokenDecoder, context: list[int], naughty: list[str]
) -> None:
    for text in (SAMPLE, *naughty[::4]):
        ids = encode(tokenizer, text)
        stream = WindowDetokenizer(spelling.decode, context)
        assert streamed(stream, ids) == (tokenizers.decoded(tokenizer, ids, context), b""), text


def test_window_stream_shows_invalid_bytes_after_a_while(byte_tokenizer: Any) -> None:
    last_byte = bytes_of(byte_tokenizer, "x\U0001fad9")[-1]
    stream = WindowDetokenizer(TokenDecoder(byte_tokenizer).decode, encode(byte_tokenizer, "The"))
    shown = [stream.add(last_byte) for _ in range(3 * PATIENCE_TOKENS)]
    assert "".join(shown).startswith("\ufffd" * PATIENCE_TOKENS)
    assert stream.finish()[0] == ""


def test_stream_finish_has_the_bytes_of_a_cut_character(byte_tokenizer: Any) -> None:
    ids, spelling = bytes_of(byte_tokenizer, "x\U0001fad9"), TokenDecoder(byte_tokenizer)
    shown, cut = streamed(spelling.stream([ids[0]]), ids[1:-1])
    assert shown == "" and cut and "\U0001fad9".encode().startswith(cut)
    shown, cut = streamed(WindowDetokenizer(spelling.decode, [ids[0]]), ids[1:-1])
    assert shown == "" and set(cut.decode()) == {"\ufffd"}


@slow_fixture
@given(text=st.text("ab )é天\U0001fad9\U0001fadf\U0001f6dd🦊", min_size=1, max_size=24), data=st.data())
def test_window_stream_after_a_cut_prompt(byte_tokenizer: Any, text: str, data: st.DataObject) -> None:
    ids, spelling = encode(byte_tokenizer, f"x{text}"), TokenDecoder(byte_tokenizer)
    cut = data.draw(st.integers(1, len(ids)))
    reply = data.draw(st.just(ids[cut:]) | st.just(encode(byte_tokenizer, "x)")[-1:]))
    assert isinstance(spelling.stream(ids[:cut]), ByteDetokenizer)
    told, left = streamed(spelling.stream(ids[:cut]), reply)
    shown, held = streamed(WindowDetokenizer(spelling.decode, ids[:cut]), reply)
    assert (shown, bool(held)) == (told, bool(left))


@pytest.mark.parametrize(
    ("piece", "name"),
    [
        (b"", ""),
        (b" the", " the"),
        ("天".encode(), "天"),
        (b"\xe5\xa4", "⟨E5 A4⟩"),
        (b" \xf0\x9f", " ⟨F0 9F⟩"),
        (b"\x8c\xe2\x80\x99s\xff", "⟨8C⟩’s⟨FF⟩"),
        ("\ufffd".encode(), "\ufffd"),
    ],
)
def test_named_shows_invalid_bytes(piece: bytes, name: str) -> None:
    assert printable_piece(piece) == name


def test_recurring_counts_blocks() -> None:
    ids = tuple(range(100))
    assert count_repeated(ids, ids) == 96 and count_repeated(ids, (1_000, *ids[3:90])) == 64
    assert count_repeated(ids, tuple(reversed(ids))) == count_repeated(ids[:15], ids) == count_repeated((), ids) == 0
    assert count_repeated(ids[50:], (*ids[:50], 7, *ids[50:66], 8)) == 16


REPLACE = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}
REGEX = {"type": "Replace", "pattern": {"Regex": "▁+"}, "content": " "}
FALLBACK, FUSE = {"type": "ByteFallback"}, {"type": "Fuse"}
STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
SPACES = (("▁", " "),)
METASPACE = {"type": "Metaspace", "replacement": "▁"}


def sequence(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "decoders": list(steps)}


@pytest.mark.parametrize(
    ("decoder", "rule"),
    [
        ({"type": "ByteLevel", "add_prefix_space": True}, DecoderRule(byte_level=True)),
        (sequence({"type": "ByteLevel"}), DecoderRule(byte_level=True)),
        (sequence(REPLACE, FALLBACK, FUSE), DecoderRule(replaced=SPACES, byte_fallback=True)),
        (sequence(REPLACE, FALLBACK, FUSE, STRIP), DecoderRule(replaced=SPACES, byte_fallback=True, stripped=" ")),
        (METASPACE | {"prepend_scheme": "always"}, DecoderRule(replaced=SPACES, dropped_first=True)),
        (METASPACE | {"prepend_scheme": "never"}, DecoderRule(replaced=SPACES)),
        (sequence(REGEX, FALLBACK, FUSE), None),
        (sequence(REPLACE, FALLBACK, FUSE, STRIP | {"start": 2}), None),
        ({"type": "WordPiece", "prefix": "##", "cleanup": True}, None),
        ({"type": "BPEDecoder", "suffix": "</w>"}, None),
    ],
)
def test_rule_of_decoders(decoder: dict[str, Any], rule: DecoderRule | None) -> None:
    assert rule_of(decoder) == rule


@pytest.mark.parametrize(
    ("rule", "name", "piece"),
    [
        (DecoderRule(byte_level=True), "Ġä¸Ń", " 中".encode()),
        (DecoderRule(byte_level=True), "<｜User｜>", "<｜User｜>".encode()),
        (DecoderRule(replaced=SPACES, byte_fallback=True), "▁Hi", b" Hi"),
        (DecoderRule(replaced=SPACES, byte_fallback=True), "<0xE4>", b"\xe4"),
        (DecoderRule(replaced=SPACES, byte_fallback=True), "<0xZZ>", b"<0xZZ>"),
        (DecoderRule(replaced=SPACES), "<0xE4>", b"<0xE4>"),
    ],
)
def test_rule_spells_names(rule: DecoderRule, name: str, piece: bytes) -> None:
    assert rule.spell(name) == piece


def test_spelling_finds_the_rule_of_each_family(spelling: TokenDecoder) -> None:
    assert isinstance(spelling.stream(), ByteDetokenizer)


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


def test_spelling_names_single_bytes() -> None:
    from tokenizers import decoders

    tokenizer = small(decoders.ByteLevel())
    spelling = TokenDecoder(tokenizer)
    assert (spelling.text(0xE4), spelling.text(ord("a")), spelling.text(BYTE_OF["Ġ"])) == ("⟨E4⟩", "a", " ")
    assert [spelling.text(each) for each in tokenizer.encode("café")] == ["café"]
    assert len({spelling.text(byte) for byte in range(256)}) == 256, "no two read alike"


def test_spelling_unconfirmed_rule_gives_a_window() -> None:
    from tokenizers import decoders

    tokenizer = small(decoders.ByteLevel(), "NewlineTokenizer")
    stream = TokenDecoder(tokenizer).stream()
    assert isinstance(stream, WindowDetokenizer)
    ids = tokenizer.encode("one\ntwo 中", add_special_tokens=False)
    text = "".join(map(stream.add, ids))
    assert text + stream.finish()[0] == "one\ntwo 中"
    assert (TokenDecoder(tokenizer).text(0xE4), TokenDecoder(tokenizer).text(ord("a"))) == ("⟨E4⟩", "a")


def test_spelling_wordpiece_gives_a_window() -> None:
    from tokenizers import decoders

    tokenizer = small(decoders.WordPiece())
    stream = TokenDecoder(tokenizer).stream([ord("a")])
    assert isinstance(stream, WindowDetokenizer)
    assert [stream.add(ord("b")), stream.add(ord("c"))] == [" b", " c"]
    assert TokenDecoder(tokenizer).text(ord("d")) == "d"


def test_spelling_without_a_backend_gives_a_window() -> None:
    stream = TokenDecoder(tokenizers.Slow()).stream([ord("a")])
    assert isinstance(stream, WindowDetokenizer)
    assert [stream.add(ord("b")), stream.add(500), stream.add(ord("c"))] == ["b", "", "c"]
