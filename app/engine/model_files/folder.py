"""Checks a model folder before loading: its configuration, and whether its files can match it. Reads its JSON files.

No child process tries the model first. None of 672 ways to damage the demo model (`tests/faults`) crashed the process,
and a child would add 2 to 9 s of imports to every load. Pipes, endless files and billions of layers are refused before.
"""

import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.engine.errors import UserError, details_of, printable_name
from app.files import json_reader, regular_files
from app.files.json_reader import JsonLimits
from app.i18n import tr

SETTINGS_BYTES = 32_000_000
"""Maximum bytes of a JSON file; the largest known index of weights has 13 MB."""
VOCABULARY_BYTES = 150_000_000
"""Maximum bytes of a vocabulary; the largest known tokenizer.json has 34 MB. Reading it takes twenty times its size."""
VOCABULARIES = frozenset({"tokenizer.json", "vocab.json"})
OF_TOKENIZER = VOCABULARIES | {"special_tokens_map.json", "added_tokens.json", "tokenizer_config.json"}
READ_WHOLE = frozenset({".jinja", ".json", ".jsonl", ".model", ".tiktoken", ".txt"})
MB = 1_000_000
AGAIN = tr("Download the model again, or choose another.")


def check_files(path: Path) -> None:
    """Refuse pipes, which would block, and files above their limits."""
    for file in _entries(path):
        check_file(file)


def check_file(file: Path) -> None:
    """Check a file before it is read. The model list also reads files of unchecked folders."""
    try:
        found = file.stat()
    except OSError:  # a broken link counts as no file
        return
    if stat.S_ISDIR(found.st_mode):
        return
    if not stat.S_ISREG(found.st_mode):
        what = tr("{file} is not a regular file, so it isn't read.").format(file=printable_name(file.name))
        raise UserError(what, tr("Remove it from the folder, or choose another model."), kind="config")
    if file.suffix in READ_WHOLE and found.st_size > _limit(file):
        what = tr("{file} has {size} MB, but at most {limit} MB are allowed.")
        what = what.format(file=printable_name(file.name), size=f"{found.st_size // MB:,}", limit=_limit(file) // MB)
        raise UserError(what, tr("Choose another copy of the model."), kind="config")


def read_json(file: Path) -> dict[str, Any]:
    """Read a JSON object from a file of the model."""
    check_file(file)
    kind = "tokenizer" if file.name in OF_TOKENIZER else "config"
    try:
        with regular_files.open_regular(file, _limit(file)) as stream:
            content = json_reader.read(stream, JsonLimits(_limit(file)))
    except (OSError, ValueError) as error:
        what = tr("{file} could not be read.").format(file=printable_name(file.name))
        raise UserError(what, AGAIN, details_of(error), kind) from None
    if not isinstance(content, dict):
        raise UserError(tr("{file} contains no JSON object.").format(file=printable_name(file.name)), AGAIN, kind=kind)
    return content


def read_bytes(file: Path) -> bytes:
    check_file(file)
    try:
        return regular_files.read(file, _limit(file))
    except OSError as error:
        what = tr("{file} could not be read.").format(file=printable_name(file.name))
        raise UserError(what, AGAIN, details_of(error), "tokenizer") from None


def _entries(path: Path) -> Iterator[Path]:
    try:
        yield from path.iterdir()
        yield from path.glob("additional_chat_templates/*")
    except OSError:  # deleted or unreadable; reading the files reports that
        return


def _limit(file: Path) -> int:
    is_settings = file.suffix == ".json" and file.name not in VOCABULARIES
    return SETTINGS_BYTES if is_settings else VOCABULARY_BYTES


TOKENIZER_FILES = ("tokenizer.json", "tokenizer.model", "tiktoken.model", "vocab.json", "vocab.txt", "spiece.model")
OTHER_WEIGHTS = ("*.bin", "*.gguf", "*.pt", "*.pth", "*.ckpt", "*.onnx", "*.h5", "*.npz", "*.safetensors")
LFS_POINTER = b"version https://git-lfs"
LAYERS = re.compile(r"^(num|n)_([a-z]+_)*(layers?|blocks?)$|^(layer|block)_types$|^depth$")
EXPERTS = re.compile(r"^(num|n)_([a-z]+_)*(experts|labels)$")
MOST_EXPERTS = 65_536
"""Maximum number of experts and of labels: each is created separately."""
LONGEST_CONTEXT = 2**31 - 1
"""Maximum context window in tokens: more than any model has, and the maximum of a spin box."""
LONGEST_TYPE = 100
HEADER_LENGTH_BYTES = 8
HEADER_LIMIT_BYTES = 100_000_000


@dataclass(frozen=True, slots=True)
class Folder:
    path: Path
    config: dict[str, Any]
    model_type: str
    weight_files: tuple[Path, ...]
    weight_bytes: int
    notes: tuple[str, ...]


def look(path: Path) -> Folder:
    """Check a folder without loading it. Raises UserError."""
    check_files(path)
    config = _read_config(path)
    model_type = config.get("model_type")
    if not isinstance(model_type, str) or not _is_type(model_type):
        raise UserError(tr("config.json has no model type."), AGAIN, kind="config")
    notes = _refuse_python_code(path, config)
    files = _weight_files(path)
    _refuse_impossible_layer_counts(config, sum(len(check_safetensors(file)) for file in files))
    if not any((path / name).is_file() for name in TOKENIZER_FILES):
        raise UserError(tr("The model folder has no tokenizer."), AGAIN, kind="tokenizer")
    return Folder(path, config, model_type, files, sum(file.stat().st_size for file in files), notes)


def context_length(config: dict[str, Any]) -> int | None:
    """Return the context window in tokens; None without a limit."""
    inner = config.get("text_config")
    for source in (config, inner if isinstance(inner, dict) else {}):
        for key in ("max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length", "seq_length"):
            value = source.get(key)
            if type(value) is int and 0 < value <= LONGEST_CONTEXT:
                return value
    return None


def model_name(folder: Path) -> str:
    """Return the model's name: its id if it is in the Hugging Face cache, else the folder's name."""
    for parent in folder.parents:
        if parent.name.startswith("models--"):
            return parent.name.removeprefix("models--").replace("--", "/")
    return printable_name(folder.name)


def check_safetensors(file: Path) -> dict[str, dict[str, Any]]:
    """Return the header; raise UserError for unreadable files, Git LFS pointers, other formats and truncated files."""
    try:
        return _tensors(file)
    except OSError as error:
        what = tr("{file} could not be read.").format(file=printable_name(file.name))
        raise UserError(what, AGAIN, details_of(error), "weights") from None


def _tensors(file: Path) -> dict[str, dict[str, Any]]:
    size = file.stat().st_size
    with file.open("rb") as stream:
        start = stream.read(HEADER_LENGTH_BYTES)
        if LFS_POINTER.startswith(start) and start + stream.read(len(LFS_POINTER) - len(start)) == LFS_POINTER:
            what = tr("{file} is only a Git LFS pointer: the weights were not downloaded.")
            what = what.format(file=printable_name(file.name))
            todo = tr("Run “git lfs pull” in the folder, or download the model again.")
            raise UserError(what, todo, kind="weights")
        length = int.from_bytes(start, "little")
        if len(start) < HEADER_LENGTH_BYTES or length > HEADER_LIMIT_BYTES:
            raise _not_safetensors(file)
        header = stream.read(length)
    if len(header) < length:
        raise _truncated(file, HEADER_LENGTH_BYTES + length, size)
    try:
        tensors: dict[str, dict[str, Any]] = json_reader.parse(header, JsonLimits(HEADER_LIMIT_BYTES))
        tensors.pop("__metadata__", None)
        ends = [tensor["data_offsets"][1] for tensor in tensors.values()]
        expected = HEADER_LENGTH_BYTES + length + max(ends, default=0)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        raise _not_safetensors(file) from None
    if size < expected:
        raise _truncated(file, expected, size)
    return tensors


def _is_type(name: str) -> bool:
    return len(name) <= LONGEST_TYPE and name.replace("-", "_").isidentifier()


def _read_config(path: Path) -> dict[str, Any]:
    file = path / "config.json"
    if not file.is_file():
        what = tr("The folder “{name}” has no config.json, so it is not a model in the Hugging Face format.")
        todo = tr("Choose the folder that contains config.json and the .safetensors files.")
        if (path / "adapter_config.json").is_file():
            what = tr("The folder “{name}” contains an adapter, not a model.")
            todo = tr("Open the model that it was trained on, with it.")
        raise UserError(what.format(name=printable_name(path.name)), todo, kind="config")
    return read_json(file)


def _refuse_python_code(path: Path, config: dict[str, Any]) -> tuple[str, ...]:
    """Refuse models with Python code. transformers would ask on stdin, so this comes first."""
    tokenizer_config = path / "tokenizer_config.json"
    tokenizer = read_json(tokenizer_config) if tokenizer_config.is_file() else {}
    if tokenizer.get("auto_map") or config.get("model_file"):
        what = tr("This model needs its own Python code, which Sluice doesn't run.")
        raise UserError(what, tr("Choose a model that mlx-lm supports without remote code."), kind="remote code")
    if config.get("auto_map"):
        return (tr("The folder refers to its own Python code. Sluice doesn't run it, and uses mlx-lm's model class."),)
    return ()


def _refuse_impossible_layer_counts(config: dict[str, Any], tensors: int) -> None:
    """Refuse impossible layer counts: layers are created before they are compared with the weights."""
    for name, value in config.items():
        if isinstance(value, dict):
            _refuse_impossible_layer_counts(value, tensors)
        count = len(value) if isinstance(value, list) else value
        if LAYERS.search(name) and isinstance(count, int) and count > tensors:
            what = tr("config.json has {count} layers, but the weights have {tensors} tensors.")
            raise UserError(what.format(count=f"{count:,}", tensors=f"{tensors:,}"), AGAIN, kind="config")
        if EXPERTS.search(name) and isinstance(count, int) and count > MOST_EXPERTS:
            raise UserError(tr("mlx-lm can't create the model that config.json describes."), AGAIN, name, "config")


def _weight_files(path: Path) -> tuple[Path, ...]:
    files = tuple(sorted(path.glob("model*.safetensors")))  # exactly what mlx-lm reads
    index = path / "model.safetensors.index.json"
    if index.is_file():
        parts = read_json(index).get("weight_map")
        wanted = {str(name) for name in parts.values()} if isinstance(parts, dict) else set()
        missing = sorted(wanted - {file.name for file in files})
        if missing and files:
            what = tr("{missing} of {all} weight files are missing, the first is {first}.")
            what = what.format(missing=len(missing), all=len(wanted), first=printable_name(missing[0]))
            raise UserError(what, AGAIN, kind="weights")
    if not files:
        others = sorted({file.suffix for pattern in OTHER_WEIGHTS for file in path.glob(pattern)})
        what = tr("The folder has no weights (model*.safetensors).")
        if others:
            what = tr("The folder has no weights (model*.safetensors), only {kinds} files, which mlx-lm doesn't read.")
        raise UserError(
            what.format(kinds=", ".join(others)),
            tr("Choose an MLX or safetensors version of the model."),
            kind="weights",
        )
    return files


def _not_safetensors(file: Path) -> UserError:
    return UserError(
        tr("{file} is not a safetensors file.").format(file=printable_name(file.name)), AGAIN, kind="weights"
    )


def _truncated(file: Path, expected: int, size: int) -> UserError:
    what = tr("{file} is incomplete: it has {there} of {all} bytes.")
    what = what.format(file=printable_name(file.name), there=f"{size:,}", all=f"{expected:,}")
    return UserError(what, AGAIN, kind="weights")
