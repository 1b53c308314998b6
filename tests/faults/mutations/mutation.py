"""One way to spoil a model folder, and the few things that all of them do."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

Spoil = Callable[[Path, Random], object]
WEIGHTS = "model.safetensors"
FILES = ("config.json", "generation_config.json", WEIGHTS, "tokenizer.json", "tokenizer_config.json")
HOSTILE: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 3, 7, 2**31, 2**32, 2**63, 2**64, 10**9, 10**30, 0.5, -0.5, 1e308, float("nan")),
    *(float("inf"), "", "x", "0", "../../etc/passwd", "\ud800", "\0", "a" * 100_000, [], {}, [None], [0], [[]]),
    *({"": None}, {"type": "x"}, ["a", "b"], [10**9], {"x": {"x": {}}}, "{{ 1/0 }}", -(2**63), "https://127.0.0.1:9/"),
)
"""Values that are of the wrong kind nearly everywhere."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """`spoil` changes the folder before the load; `during` is called with every stage of the load."""

    name: str
    spoil: Spoil
    during: Callable[[Path, str], object] | None = None


def edit(file: Path, change: Callable[[Any], Any]) -> None:
    """Change a JSON file; a change that returns something replaces the whole."""
    content = json.loads(file.read_text(encoding="utf-8"))
    changed = change(content)
    write(file, json.dumps(content if changed is None else changed))


def write(file: Path, content: str | bytes) -> None:
    """A new file: the old one may be a link to the real model."""
    file.unlink(missing_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))


def beside(name: str, content: str | bytes) -> Spoil:
    """Another file in the folder."""

    def spoil(folder: Path, luck: Random) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        write(folder / name, content)

    return spoil


def setting(file: str, **fields: object) -> Spoil:
    """Set fields of a JSON file."""
    return lambda folder, luck: edit(folder / file, lambda content: content.update(fields))


def without(file: str, *names: str) -> Spoil:
    return lambda folder, luck: edit(
        folder / file, lambda content: [content.pop(name, None) for name in names] and None
    )


def places(content: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to everything in a JSON value; of long lists and tables only the beginning."""
    found = [way]
    inner = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in list(inner)[:20]:
        found += places(value, (*way, key))
    return found


def put(content: Any, way: tuple[Any, ...], value: Any) -> Any:
    """The value instead of what is at the place; the new whole."""
    if not way:
        return value
    at = content
    for key in way[:-1]:
        at = at[key]
    at[way[-1]] = value
    return content


def with_anything_hostile(content: Any, luck: Random) -> Any:
    """A value somewhere becomes hostile, or goes; the new whole."""
    way = luck.choice(places(content))
    return drop(content, way) if luck.random() < 0.3 else put(content, way, luck.choice(HOSTILE))


def drop(content: Any, way: tuple[Any, ...]) -> Any:
    if not way:
        return {}
    at = content
    for key in way[:-1]:
        at = at[key]
    del at[way[-1]]
    return content
