import json
import shutil
import subprocess
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, models

from app.engine.errors import UserError
from app.engine.model_files import tokenizer
from app.engine.model_files.folder import Folder
from app.engine.model_files.tokenizer import check_limits, check_opened
from tests.engine import made_tokenizers
from tests.standins.samples import Samples

Content = dict[str, Any]
LISTED = [f"<{at}>" for at in range(tokenizer.MOST_LISTED + 1)]
FIELDS = {f"field{at}": at for at in range(tokenizer.MOST_FIELDS + 1)}
CROWDED: dict[str, tuple[str, object]] = {
    "special tokens": ("tokenizer_config.json", {"additional_special_tokens": LISTED}),
    "special tokens by name": ("tokenizer_config.json", {"extra_special_tokens": dict.fromkeys(LISTED, "x")}),
    "a map of special tokens": ("special_tokens_map.json", {"additional_special_tokens": LISTED}),
    "EOS tokens": ("generation_config.json", {"eos_token_id": LISTED}),
    "added tokens": ("tokenizer.json", {"added_tokens": [{"content": "x"}] * (tokenizer.MOST_ADDED + 1)}),
    "added tokens of old": ("added_tokens.json", dict.fromkeys(map(str, range(tokenizer.MOST_ADDED + 1)), 1)),
}


def folder_of(path: Path, config: Content | None = None) -> Folder:
    return Folder(path, config or {}, "llama", (), 0, ())


@pytest.mark.parametrize("name", CROWDED)
def test_check_limits_with_more_than_any_model_has_names_the_file(tmp_path: Path, name: str) -> None:
    file, content = CROWDED[name]
    (tmp_path / file).write_text(json.dumps(content))
    with pytest.raises(UserError) as refused:
        check_limits(folder_of(tmp_path))
    assert refused.value.failure.what.startswith(f"{file} has a list of ")


@pytest.mark.parametrize(
    "config", [FIELDS, {"text_config": FIELDS}, {"eos_token_id": LISTED}], ids=["own", "of text", "EOS tokens"]
)
def test_check_limits_with_a_crowd_in_the_config_refuses(tmp_path: Path, config: Content) -> None:
    with pytest.raises(UserError, match=r"^config\.json has a list of"):
        check_limits(folder_of(tmp_path, config))


@pytest.mark.parametrize("file", ["tokenizer_config.json", "special_tokens_map.json", "generation_config.json"])
@pytest.mark.parametrize(
    "said",
    ["[" * 100_000, pytest.param("[" + "[]," * 2_000_000 + "[]]", marks=pytest.mark.slow)],
    ids=["deep", "many"],
)
def test_check_limits_with_settings_beyond_all_limits_refuses(tmp_path: Path, file: str, said: str) -> None:
    (tmp_path / file).write_text(said)
    with pytest.raises(UserError) as refused:
        check_limits(folder_of(tmp_path))
    assert refused.value.failure.what.startswith(f"“{file}” could not be read: it ")


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("tokenizer_config.json", '{"fast_tokenizer_files": ["tokenizer.4.0.0.json"]}'),
        ("tokenizer_config.json", '{"gguf_file": "x.gguf"}'),
        ("tokenizer_config.json", '{"init_inputs": ["x"]}'),
        ("tokenizer_config.json", '{"extra_ids": 1000000000}'),
        ("tokenizer_config.json", '{"offset": 1e9}'),
        ("special_tokens_map.json", '{"tokenizer_file": "/elsewhere/tokenizer.json"}'),
        ("special_tokens_map.json", '{"tokenizer_object": "x"}'),
        ("tokenizer.json", '{"model": {"type": "WordPiece", "vocab": "/dev/zero"}}'),
        ("tokenizer.json", r'{"model": {"voc\u0061b" : "/dev/zero"}}'),
        ("tokenizer.json", r'{"model": {"v\u006Fcab" : "/dev/zero"}}'),
        ("tokenizer.json", r'{"model": {"\u0076\u006f\u0063\u0061\u0062" : "/dev/zero"}}'),
    ],
)
def test_check_limits_with_a_setting_that_leads_to_another_file_refuses(
    tmp_path: Path, file: str, content: str
) -> None:
    (tmp_path / file).write_text(content)
    with pytest.raises(UserError, match="can't be opened"):
        check_limits(folder_of(tmp_path))


def test_check_limits_counts_added_tokens_under_escaped_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer, "MOST_ADDED", 2)
    token = r'{"\u0063ontent": "x"}'
    refused: AbstractContextManager[object] = pytest.raises(UserError, match="has a list of 3")
    for count, refuses in ((2, nullcontext()), (3, refused)):
        (tmp_path / "tokenizer.json").write_text(f'{{"added_tokens": [{", ".join([token] * count)}]}}')
        with refuses:
            check_limits(folder_of(tmp_path))


@pytest.mark.slow
def test_check_limits_with_what_models_have_passes(demo_model: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(demo_model, tmp_path / "model"))
    added = {str(at): {"content": f"<|s_{at}|>"} for at in range(65_536)}
    harmless: Content = {"init_inputs": [], "tokenizer_file": None, "extra_ids": 100, "eos_token": "</s>"}
    (folder / "tokenizer_config.json").write_text(json.dumps({"added_tokens_decoder": added, **harmless}))
    (folder / "tokenizer.json").write_text(json.dumps({"added_tokens": list(added.values()), "normalizer": {}}))
    (folder / "generation_config.json").write_text("{")
    (folder / "special_tokens_map.json").write_text("[]")
    check_limits(folder_of(folder, json.loads((folder / "config.json").read_text("utf-8"))))


@pytest.mark.parametrize("name", made_tokenizers.NAMES)
def test_tokenizers_of_every_family_pass(name: str, samples: Samples) -> None:
    folder = samples.path(f"tokenizers/{name}")
    check_limits(folder_of(folder))
    check_opened(made_tokenizers.load(folder))


def test_limits_are_checked_before_a_library_is_imported() -> None:
    code = (
        "import sys, app.engine.model_files.tokenizer\nprint({'tokenizers', 'transformers', 'mlx'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


class Opened:
    def __init__(self, backend: object) -> None:
        self.backend_tokenizer = backend


def test_check_opened_of_a_tokenizer_in_python_or_with_random_output_refuses() -> None:
    with pytest.raises(UserError, match="written in Python"):
        check_opened(Opened(None))
    with pytest.raises(UserError, match="is random"):
        check_opened(Opened(Tokenizer(models.BPE(dropout=0.1))))


def test_check_opened_takes_padding_and_truncation_away() -> None:
    opened = Tokenizer(models.WordLevel({"a": 0}, unk_token="a"))
    opened.enable_padding(length=50)
    opened.enable_truncation(1)
    check_opened(Opened(opened))
    assert (opened.padding, opened.truncation) == (None, None)
