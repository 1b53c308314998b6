import pytest

from app.engine.cache_variants import CHUNK, chunks, parse_variants, variant_name
from app.engine.types import KV, CacheVariant


def test_parse_variants_reads_bits_group_start_and_window() -> None:
    found = parse_variants("8, 4:32@512,window:256:0, window:64, 8")
    assert found == (
        CacheVariant(KV(bits=8)),
        CacheVariant(KV(bits=4, group_size=32, quantized_start=512)),
        CacheVariant(KV(max_size=256), 0),
        CacheVariant(KV(max_size=64), 4),
    )
    assert [variant_name(each) for each in found] == [
        *("8-bit, groups of 64", "4-bit, groups of 32, from token 513"),
        *("Window of 256 tokens, first 0 kept", "Window of 64 tokens, first 4 kept"),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("7", "quantizes to 2, 3, 4, 5, 6, 8 bits"),
        ("4:48", "in groups of 32, 64, 128"),
        ("4+window:256", "can't quantize a rotating KV cache"),
        ("window:8", "from 16 to"),
        ("window:64:64", "keeps fewer first tokens"),
        ("quick", "Examples: 8, 4@512, window:256:4"),
        (" , ", "between 1 and 8"),
        ("2,3,4,5,6,8,2@1,3@1,4@1", "between 1 and 8"),
    ],
)
def test_parse_variants_of_another_text_raises_a_sentence(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_variants(text)


def test_chunks_cover_the_text_once_and_begin_where_a_cache_changes() -> None:
    found = list(chunks(500, parse_variants("8,4@70,window:200,4@900")))
    assert [position for part in found for position in part] == list(range(500))
    starts = {part.start for part in found}
    assert {0, 1, 70, 200} <= starts and max(map(len, found)) == CHUNK
    assert list(chunks(1, parse_variants("8"))) == [range(1)]
