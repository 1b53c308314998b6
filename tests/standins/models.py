"""Models: one that is trained, one with quantized weights, and one whose weights never came."""

import contextlib
import hashlib
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

BUNDLED = Path(__file__).parents[2] / "resources" / "models"


def trained(folder: Path) -> None:
    """The smaller one of the two bundled models."""
    shutil.copytree(BUNDLED / "demo-draft", folder)


def quantised(folder: Path) -> None:
    """The bundled demo model in four bits, as mlx-lm converts it."""
    from mlx_lm import convert

    with contextlib.redirect_stdout(io.StringIO()):
        convert(str(BUNDLED / "demo"), str(folder), quantize=True, q_bits=4, q_group_size=32)


def pointer(folder: Path) -> None:
    """A clone without git-lfs: where the weights should be, a note says where they are."""
    folder.mkdir()
    config = {"model_type": "mistral", "hidden_size": 64, "num_hidden_layers": 2, "vocab_size": 384}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "LlamaTokenizer"}), "utf-8")
    digest = hashlib.sha256(b"the weights that never came").hexdigest()
    lines = ("version https://git-lfs.github.com/spec/v1", f"oid sha256:{digest}", "size 123456789", "")
    (folder / "model.safetensors").write_text("\n".join(lines), "utf-8")


MAKERS: dict[str, Callable[[Path], None]] = {
    "stories260k": trained,
    "tinystories-656k-4bit": quantised,
    "broken-lfs-pointer": pointer,
}
