import subprocess
import sys
from pathlib import Path

import pytest

from app import __version__
from app.cli.arguments import parse
from app.files.settings import user_folder
from tests.cli.command import Capsys


def refused(arguments: list[str], capsys: Capsys) -> str:
    with pytest.raises(SystemExit) as left:
        parse(arguments)
    assert left.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.endswith(".\n")
    return said.err


def test_parse_without_arguments_has_defaults() -> None:
    given = parse([])
    assert (given.model, given.engine, given.self_test) == ("", "mlx", None)
    assert given.data_folder == user_folder()


def test_parse_model_folder_is_absolute_and_an_id_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model").mkdir()
    monkeypatch.chdir(tmp_path)
    assert parse(["--model", "model", "--data-dir", str(tmp_path)]).model == str(tmp_path / "model")
    assert parse(["--model", "mlx-community/Qwen3-4bit"]).model == "mlx-community/Qwen3-4bit"


@pytest.mark.parametrize("model", ["/nowhere/at/all", "./absent", "~/absent-model", "~no-such-user/model", "absent"])
def test_parse_absent_model_folder_is_refused(model: str, capsys: Capsys) -> None:
    assert model in refused(["--model", model], capsys)


def test_parse_file_as_model_is_refused(tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "model.txt"
    file.touch()
    refused(["--model", str(file)], capsys)


LONG = "a" * 300


@pytest.mark.parametrize("given", [("--model", f"/{LONG}"), ("--model", f"a/{LONG}"), (f"/{LONG}",)])
def test_parse_too_long_path_is_refused(given: tuple[str, ...], tmp_path: Path, capsys: Capsys) -> None:
    """A name that is too long stands for a place that nobody may look at."""
    if given[-1] == f"a/{LONG}":
        assert parse([*given, "--data-dir", str(tmp_path)]).model == given[-1], "an id, which the engine looks up"
    else:
        assert "There is no" in refused([*given, "--data-dir", str(tmp_path)], capsys)


def test_parse_unwritable_data_folder_is_refused(tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "file"
    file.touch()
    assert "written" in refused(["--data-dir", str(file / "below")], capsys)


@pytest.mark.parametrize("arguments", [["--engine", "cuda"], ["--nonsense"], ["stray"], ["--model"]])
def test_parse_wrong_arguments_are_refused(arguments: list[str], capsys: Capsys) -> None:
    refused(arguments, capsys)


def test_parse_self_test_has_its_own_data_folder(tmp_path: Path) -> None:
    given = parse(["--self-test", str(tmp_path / "report")])
    assert given.data_folder == given.self_test == tmp_path / "report"
    assert parse(["--self-test", str(tmp_path), "--data-dir", str(tmp_path / "own")]).data_folder == tmp_path / "own"


def test_parse_data_folder_is_created(tmp_path: Path) -> None:
    assert parse(["--data-dir", str(tmp_path / "a" / "b")]).data_folder.is_dir()


@pytest.mark.parametrize(
    ("switch", "expected"), [("--version", f"Sluice {__version__} (MLX "), ("--help", "--self-test")]
)
def test_version_and_help_import_neither_mlx_nor_qt(switch: str, expected: str) -> None:
    code = (
        "import sys, runpy; sys.argv = ['sluice', sys.argv[1]]\n"
        "try: runpy.run_module('app', run_name='__main__')\n"
        "except SystemExit as left: code = left.code\n"
        "heavy = {'mlx', 'mlx_lm', 'transformers', 'PySide6.QtWidgets', 'pyqtgraph'} & set(sys.modules)\n"
        "sys.exit(f'{heavy}' if heavy else code)"
    )
    done = subprocess.run([sys.executable, "-c", code, switch], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert expected in done.stdout


def test_parse_absent_session_file_is_refused(tmp_path: Path, capsys: Capsys) -> None:
    path = tmp_path / "a.sluice"
    path.touch()
    assert parse([str(path), "--data-dir", str(tmp_path)]).session == path
    assert "There is no file" in refused([str(tmp_path / "gone.sluice"), "--data-dir", str(tmp_path)], capsys)
