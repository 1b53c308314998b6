"""What comes from outside is read in two places, which have limits: app/json_reader.py and app/ordinary_files.py."""

import ast
from collections.abc import Iterator
from pathlib import Path

APP = Path(__file__).parents[2] / "app"
WHOLE = {
    "ceiling/caches.py": "the system's own",
    "engine/mlx/loading/blas.py": "the system's own, of this process",
    "engine/resident.py": "the system's own",
    "engine/mlx/memory.py": "the system's own, of this process",
    "licences.py": "files of the program and of its packages",
    "ui/guide/help_text.py": "files of the program",
    "records/surroundings.py": "the system's own",
}
"""Where files are read whole by other means, and whose they are."""


def calls(file: Path, names: set[str]) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and ast.unparse(node) in names:
            yield ast.unparse(node)
        elif isinstance(node, ast.Attribute) and f".{node.attr}" in names:
            yield f".{node.attr}"


def found(names: set[str]) -> dict[str, list[str]]:
    told = {file.relative_to(APP).as_posix(): list(calls(file, names)) for file in APP.rglob("*.py")}
    return {file: said for file, said in told.items() if said}


def test_json_is_read_in_one_place() -> None:
    assert list(found({"json.load", "json.loads", ".raw_decode"})) == ["json_reader.py"]


def test_no_file_is_read_whole_that_may_be_any() -> None:
    assert set(found({".read_text", ".read_bytes"})) == WHOLE.keys()
