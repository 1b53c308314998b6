import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import i18n
from app.engine.types import Argument, FormatKind, Limits, OutputFormat, Sampling
from app.presets import BUILT_IN, MODELS_OWN, Preset, PresetStore, differences, of_model, readable, words_of
from app.presets import file as preset_file

MINE = Preset("Mine", Sampling(temperature=0.3, logit_bias=((7, -5.0),)), Limits(99, ("END",), (3,)), sets_limits=True)
STORE = PresetStore().saved(MINE)


def test_built_in_presets_leave_limits_and_seed() -> None:
    limits, seeded = Limits(7, ("x",)), Sampling(temperature=0.2, top_k=4, seed=11)
    for preset in BUILT_IN:
        sampling, same = preset.applied(seeded, limits)
        assert same == limits
        assert sampling == replace(preset.sampling, seed=11)
        assert not differences(preset, sampling, same)


def test_differences_are_names_of_settings() -> None:
    assert differences(MINE, replace(MINE.sampling, top_p=0.5, seed=9), Limits(99, ("END",))) == {"top_p", "stop_ids"}
    assert differences(BUILT_IN[0], Sampling(), Limits(1)) == {"temperature"}
    assert not differences(PresetStore().current(), Sampling(), Limits()), "a first start is Balanced"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ((("do_sample", True), ("temperature", 0.6), ("top_p", 0.9)), Sampling(temperature=0.6, top_p=0.9)),
        ((("temperature", 1), ("top_k", 20)), Sampling(temperature=1.0, top_k=20)),
        ((("do_sample", False), ("temperature", 0.6)), Sampling(temperature=0.0)),
        ((("do_sample", True),), Sampling(temperature=1.0)),
        ((("repetition_penalty", 1.05),), Sampling(temperature=1.0, repetition_penalty=1.05)),
        ((("temperature", 99.0), ("top_p", float("nan")), ("min_p", True)), Sampling(temperature=1.0)),
        ((("eos_token_id", 2), ("pad_token_id", 0)), None),
        ((), None),
    ],
)
def test_of_model_reads_generation_config(said: tuple[tuple[str, Argument], ...], expected: Sampling | None) -> None:
    own = of_model(said)
    assert own == (None if expected is None else Preset(MODELS_OWN, expected))


def test_store_saved_replaces_the_same_name() -> None:
    again = STORE.saved(replace(MINE, limits=Limits(1)))
    assert [preset.limits.max_tokens for preset in again.own] == [1]
    assert again.chosen == "Mine"
    assert STORE.current() == MINE


def test_store_renamed_keeps_choice_and_defaults() -> None:
    renamed = STORE.with_default("/models/a", "Mine").renamed("Mine", "Ours")
    assert (renamed.chosen, renamed.default_of("/models/a")) == ("Ours", "Ours")
    assert renamed.find("Mine") is None


def test_store_without_removes_choice_and_defaults() -> None:
    without = STORE.with_default("/models/a", "Mine").without("Mine")
    assert without == PresetStore()


def test_store_models_own_preset_needs_the_model() -> None:
    own = Preset(MODELS_OWN, Sampling(top_k=3))
    store = replace(STORE, chosen=MODELS_OWN)
    assert store.current(own) == own
    assert store.current(None) == PresetStore().current()


@pytest.mark.parametrize("name", ["", "  ", "mine", "GREEDY", "model's own", "x" * 61])
def test_store_refuses_name(name: str) -> None:
    assert STORE.refusal(name)
    assert not STORE.refusal(STORE.free_name(name or "x"))


@pytest.fixture
def translator() -> Iterator[None]:
    yield
    i18n.set_translator(None)


@pytest.mark.usefixtures("translator")
def test_built_in_presets_have_translated_names() -> None:
    i18n.set_translator(lambda text, comment, n: text.upper())
    assert [preset.words for preset in (*BUILT_IN, MINE)] == ["GREEDY", "BALANCED", "CREATIVE", "Mine"]
    assert words_of(MODELS_OWN) == "MODEL'S OWN"
    assert PresetStore().chosen == "Balanced"
    i18n.set_translator(lambda text, comment, n: {"Greedy": "Gierig"}.get(text))
    assert STORE.refusal("gierig") and STORE.refusal("greedy")
    assert not STORE.refusal("GREEDY!")


def test_store_with_imported_keeps_existing_names() -> None:
    store = STORE.with_imported([replace(MINE, limits=Limits(1)), Preset("Greedy"), Preset("New")])
    assert [preset.name for preset in store.own] == ["Mine", "Mine 2", "Greedy 2", "New"]
    assert store.own[0] == MINE
    assert store.chosen == STORE.chosen


def test_file_written_is_read_back() -> None:
    presets = (
        MINE,
        Preset("전부", replace(MINE.sampling, top_k=5, xtc_probability=0.5, top_n_sigma=1.0)),
        Preset("Formed", form=OutputFormat().put(FormatKind.REGEX, "a+")),
    )
    assert preset_file.read(preset_file.written(presets).encode()) == presets
    assert "seed" not in preset_file.written(presets)


def test_file_has_no_adapter_folder() -> None:
    file = preset_file.written((replace(MINE, adapter="/adapters/fox"),))
    assert "fox" not in file and preset_file.read(file.encode()) == (MINE,)
    strange = file.replace('"form": null', '"form": null, "adapter": "/etc"')
    assert strange != file and preset_file.read(strange.encode()) == (MINE,)


def content(**changes: object) -> bytes:
    """A good file with something else in it."""
    good = json.loads(preset_file.written([MINE]))
    preset = good["presets"][0]
    for name, value in changes.items():
        index = good if name in good else preset if name in preset else preset["sampling"]
        index[name] = value
    return json.dumps(good).encode()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (b"", "isn't JSON"),
        (b"\xff\xfe{", "isn't JSON"),
        (b"9" * 1_000_000, "a number is too long"),
        (b"PK\x03\x04\xff" + bytes(10_000), "isn't JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"[" + b"1," * 300_000 + b"1]", "too many values"),
        (b'{"kind": 1' + b"0" * 100 + b"}", "a number is too long"),
        (b" " * 16_000_001, "larger than 16 MB"),
        (b"[]", "no presets of Sluice"),
        (b'{"presets": []}', "no presets of Sluice"),
        (content(version=2), "another version"),
        (content(presets=[]), "0 presets"),
        (content(presets=[{}] * 201), "201 presets"),
        (content(presets="all"), "whose type"),
        (content(presets=[1]), "whose type"),
        (content(temperature="hot"), "whose type"),
        (content(temperature=True), "whose type"),
        (content(temperature=float("nan")), "Temperature must be"),
        (content(temperature=1e400), "Temperature must be"),
        (content(top_k=-1), "Top-k must be"),
        (content(logit_bias=[[7, 1000.0]]), "Logit bias must be"),
        (content(logit_bias=[[-7, 1.0]]), "an invalid token id"),
        (content(logit_bias=[[7]]), "whose type"),
        (content(limits={"stop_strings": ["\ud800"]}), "stop strings"),
        (content(limits={"stop_strings": [""]}), "stop strings"),
        (content(limits={"max_tokens": 0}), "Max tokens must be"),
        (content(form={"kind": "regex", "regex": "\ud800"}), "output format"),
        (content(form={"kind": "regex", "regex": "a" * 200_001}), "output format"),
        (content(form={"kind": "regex", "schema": "another one's"}), "output format"),
        (content(form={"kind": "rhyme"}), "whose type"),
        (content(name=""), "name is empty"),
        (content(name="a\nb"), "name is empty"),
        (content(name="\ud800"), "name is empty"),
        (content(name="gnp.\u202eexe"), "name is empty"),
        (content(name=" \u200b\u200d"), "name is empty"),
        (content(name="a\n"), "name is empty"),
    ],
)
def test_file_broken_or_hostile_is_one_sentence(given: bytes, words: str) -> None:
    said = preset_file.read(given)
    assert isinstance(said, str)
    assert words in said
    assert said.endswith(".")
    assert "\n" not in said


@pytest.mark.slow
@given(
    st.binary(max_size=200)
    | st.recursive(st.none() | st.text() | st.floats(), st.lists).map(lambda x: json.dumps(x).encode())
)
def test_file_with_any_content_raises_nothing(given: bytes) -> None:
    assert isinstance(preset_file.read(given), str)


@pytest.mark.parametrize(
    "name",
    ["Für\u00a0Texte", "👩\u200d🚀 Ship", "می\u200cخواهم", "🏴\U000e0067\U000e0062\U000e007f", "\U0001fae8", "\uf8ff"],
)
def test_file_keeps_names_with_special_characters(name: str) -> None:
    preset = Preset(name)
    assert readable(f" {name}\n") == name and not STORE.refusal(name)
    assert preset_file.read(preset_file.written((preset,)).encode()) == (preset,)


@pytest.mark.parametrize("name", ["\u200b", "\u202e", " \u00a0", "\n"])
def test_readable_without_visible_characters_is_empty(name: str) -> None:
    assert readable(name) == ""


def test_file_keeps_a_long_system_prompt() -> None:
    preset = Preset("Book", system="So it goes. " * 500_000)
    assert preset_file.read(preset_file.written((preset,)).encode()) == (preset,)


def test_refusal_is_of_what_could_not_be_read() -> None:
    assert preset_file.refusal(preset_file.written((MINE,))) == ""
    for presets, reason in (
        ((MINE,) * 201, "201 presets"),
        ((replace(MINE, limits=Limits(stop_strings=("x" * 1_001,))),), "“Mine” has stop strings"),
        ((replace(MINE, system="\ud800"),), "“Mine” has a system prompt that isn't valid text"),
    ):
        assert reason in preset_file.refusal(preset_file.written(presets))


def test_store_with_back_keeps_later_changes() -> None:
    first, last = Preset("First"), Preset("Last")
    before = PresetStore().saved(first).saved(MINE).saved(last).with_default("a", "Mine").with_default("b", "Mine")
    before = replace(before, chosen="Mine")
    after = before.without("Mine").with_default("b", "Last").with_system("Short", "Be brief.")
    back = after.with_back("Mine", before)
    assert back.own == (first, MINE, last)
    assert (back.chosen, dict(back.of_models), back.systems) == ("Mine", {"a": "Mine", "b": "Last"}, after.systems)
    assert replace(after, chosen="Last").with_back("Mine", before).chosen == "Last"
    again = after.saved(other := Preset("mine", Sampling(temperature=0.9))).with_back("Mine", before)
    assert again.own == (first, replace(MINE, name="Mine 2"), last, other)
