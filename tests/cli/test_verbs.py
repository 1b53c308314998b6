import shlex
from importlib import import_module
from pathlib import Path

import pytest

from app.cli.arguments import parse
from app.cli.verbs import VERBS, Verb, find_verb
from app.engine.echo.engine import EchoEngine
from app.engine.errors import missing_backend
from app.engine.protocol import Collect, Engine
from tests.cli import command
from tests.cli.command import Capsys

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
def test_help_shows_the_plain_name(verb: Verb, capsys: Capsys) -> None:
    with pytest.raises(SystemExit) as left:
        verb.run(["--help"], {"mlx": lambda _: EchoEngine()}, Path("/nowhere"))
    assert left.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: sluice {verb.name} ")


REFUSED: dict[str, tuple[tuple[str, str], ...]] = {
    "ask": (
        ("", "required"),
        ("a b", "b"),
        ("a --choice b --regex c", "--regex"),
        ("a --choice 'two\nlines'", "line"),
        ("a --schema /absent", "can't be read"),
        ("a --temperature -1", "emperature"),
        ("a --max-tokens 0", "Max tokens must be"),
        ("a --model http://localhost:8080#m", "server"),
        ("a --think 3", "--think"),
        ("a --draft-tokens 2", "--draft"),
    ),
    "lens": (
        ("Hi --position -1", "counts from 0"),
        ("Hi --model http://127.0.0.1:1#some", "doesn't show the layers"),
        ("", "required"),
    ),
    "perplexity": (("text --adapter /nowhere/at/all", "There is no adapter folder /nowhere/at/all."),),
    "profile": (
        ("--context -1", "not between"),
        ("--context many", "many"),
        ("--model ./nowhere", "no model folder"),
        ("--model http://localhost:1/v1#m", "server"),
        ("x", "x"),
    ),
    "quantize": (
        ("m --to new", "--bits"),
        ("m --to new --bits 7", "7"),
        ("m --to new --bits 3 --mode mxfp4", "4 bits and groups of 32"),
        ("m --to new --bits 4 --group-size 64 --mode nvfp4", "groups of 16"),
        ("m --to new --bits 4 --group-size 16", "128, 64, 32"),
        ("m --to new --bits 4 --recipe mixed_4_6", "recipe"),
    ),
}


@pytest.mark.parametrize(("verb", "words", "why"), [(verb, *each) for verb in REFUSED for each in REFUSED[verb]])
def test_verb_refuses_wrong_arguments_in_one_sentence(verb: str, words: str, why: str, capsys: Capsys) -> None:
    found = find_verb([verb])
    assert found is not None
    assert why in command.refusal(import_module(found.module).main, capsys, *shlex.split(words))


def test_verb_without_a_backend_of_mlx_names_the_command_that_installs_one(capsys: Capsys) -> None:
    def fail(_collect: Collect) -> Engine:
        raise missing_backend(ImportError("libmlx.so: cannot open shared object file"))

    verb = find_verb(["ask"])
    assert verb is not None
    assert verb.run(["hi"], {"mlx": fail}, Path("/nowhere")) == 1
    said = capsys.readouterr().err
    assert said.startswith("sluice ask: MLX has no backend here. ") and "uv tool install 'sluice-lm[cpu]'" in said


def test_missing_backend_of_another_import_error_is_that_error() -> None:
    error = ImportError("No module named 'elsewhere'")
    assert missing_backend(error) is error
