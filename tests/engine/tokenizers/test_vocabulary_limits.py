"""More than any model has is refused before a library goes through it."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from app.engine.model_files.folder import Folder
from app.engine.refusal import RefusedError
from app.engine.tokenizers import vocabulary_limits
from app.engine.tokenizers.vocabulary_limits import check_limits

LISTED = [f"<{at}>" for at in range(vocabulary_limits.MOST_LISTED + 1)]
FIELDS = {f"field{at}": at for at in range(vocabulary_limits.MOST_FIELDS + 1)}
CROWDED: dict[str, tuple[str, object]] = {
    "special tokens": ("tokenizer_config.json", {"additional_special_tokens": LISTED}),
    "special tokens by name": (
        "tokenizer_config.json",
        {"extra_special_tokens": dict(zip(LISTED, LISTED, strict=True))},
    ),
    "a map of special tokens": ("special_tokens_map.json", {"additional_special_tokens": LISTED}),
    "ends": ("generation_config.json", {"eos_token_id": LISTED}),
    "added tokens of old": ("added_tokens.json", dict.fromkeys(map(str, range(vocabulary_limits.MOST_ADDED + 1)), 1)),
}


def looked_at(path: Path, config: dict[str, Any]) -> Folder:
    return Folder(path, config, "llama", (), 0, ())


@pytest.mark.parametrize("name", CROWDED)
def test_a_crowd_is_refused(tmp_path: Path, name: str) -> None:
    file, content = CROWDED[name]
    (tmp_path / file).write_text(json.dumps(content))
    with pytest.raises(RefusedError) as refused:
        check_limits(looked_at(tmp_path, {}))
    assert file in refused.value.failure.what


@pytest.mark.parametrize(
    "config", [FIELDS, {"text_config": FIELDS}, {"eos_token_id": LISTED}], ids=["own", "of text", "ends"]
)
def test_a_crowd_in_the_settings(tmp_path: Path, config: dict[str, Any]) -> None:
    with pytest.raises(RefusedError, match=r"^config\.json lists"):
        check_limits(looked_at(tmp_path, config))


@pytest.mark.parametrize("file", vocabulary_limits.LISTS)
@pytest.mark.parametrize("said", ["[" * 100_000, "[" + "[]," * 2_000_000 + "[]]"], ids=["deep", "many"])
def test_what_is_beyond_all_limits_is_refused(tmp_path: Path, file: str, said: str) -> None:
    """A library would read it all the same, into a gigabyte."""
    (tmp_path / file).write_text(said)
    with pytest.raises(RefusedError) as refused:
        check_limits(looked_at(tmp_path, {}))
    assert refused.value.failure.what.startswith(f"“{file}” could not be read: it ")


def test_what_models_have_passes(demo_model: Path, tmp_path: Path) -> None:
    """As many added tokens as a model that speaks has; files that are broken are others' business."""
    folder = Path(shutil.copytree(demo_model, tmp_path / "model"))
    added = {str(at): {"content": f"<|s_{at}|>"} for at in range(65_536)}
    (folder / "tokenizer_config.json").write_text(json.dumps({"added_tokens_decoder": added}))
    (folder / "generation_config.json").write_text("{")
    (folder / "special_tokens_map.json").write_text("[]")
    check_limits(looked_at(folder, json.loads((folder / "config.json").read_text("utf-8"))))
