"""The headless verbs by name and by alias; files of such names."""

from pathlib import Path

import pytest

from app.cli.arguments import parse
from app.cli.verbs import VERBS, Verb, find_verb
from app.engine.echo.engine import EchoEngine

ALIASES = {"eval": "run", "lens": "inside", "perplexity": "weigh", "profile": "why", "quantize": "quantise"}


def test_find_verb_by_name_or_alias() -> None:
    assert {each.name: each.alias for each in VERBS if each.alias} == ALIASES
    for verb in VERBS:
        assert find_verb([verb.name, "--help"]) is verb
        assert find_verb([verb.alias or verb.name]) is verb


@pytest.mark.parametrize("words", [[], [""], ["--help"], ["other"], ["--model", "ask"], ["./ask"]])
def test_find_verb_without_a_verb_returns_none(words: list[str]) -> None:
    assert find_verb(words) is None


def test_file_of_a_verb_s_name_is_opened_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (each.name for each in VERBS):
        (tmp_path / name).touch()
        assert parse([f"./{name}", "--data-dir", str(tmp_path)]).session == tmp_path / name


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_help_shows_the_plain_name(verb: Verb, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        verb.run(["--help"], {"mlx": lambda _: EchoEngine()}, Path("/nowhere"))
    assert left.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: sluice {verb.name} ")
