"""Delays imports of transformers and mlx-lm that most models don't need until they are used.

The download and upload parts of huggingface_hub take a third of the import time of mlx_lm. numpy, the readers of other
tokenizers and YAML take 14 MB of memory.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

WAITING = {
    "huggingface_hub._commit_api": ("CommitOperationAdd",),
    "huggingface_hub._snapshot_download": ("snapshot_download",),
    "huggingface_hub.hf_api": ("HfApi",),
    "huggingface_hub.repocard": ("ModelCard",),
    "huggingface_hub.repocard_data": ("ModelCardData",),
    "numpy": ("ndarray", "number"),
    "sentencepiece": (),
    "transformers.video_utils": ("VideoMetadataType",),
    "yaml": ("dump",),
}
"""The names that are replaced by placeholders, by module."""


class _DelayedImport(type):
    """Placeholder for a class or a function, which is imported when it is used."""

    __module__: str

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return _imported(cls)(*args, **kwargs)

    def __getattr__(cls, name: str) -> Any:
        return getattr(_imported(cls), name)

    def __instancecheck__(cls, instance: Any) -> bool:
        """Return False before the import: there can be no instance."""
        return _is_imported(cls.__module__) and isinstance(instance, _imported(cls))

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, _imported(cls))


class _ModulePlaceholder(ModuleType):
    """Placeholder for a module: contains placeholders, and imports the module for any other name."""

    def __init__(self, name: str, names: tuple[str, ...]) -> None:
        super().__init__(name)
        self.__spec__ = find_spec(name) if _is_top_level(name) else None  # for code that checks whether it is installed
        vars(self).update({each: type.__call__(_DelayedImport, each, (), {"__module__": name}) for each in names})

    def __getattr__(self, name: str) -> Any:
        # Python's own lookups during an import; `__path__` is read before a submodule is imported.
        if name.startswith("__") and not (name == "__path__" and _is_top_level(self.__name__)):
            raise AttributeError(name)
        found = vars(self)[name] = getattr(_import(self.__name__), name)
        return found


@contextmanager
def waiting() -> Iterator[None]:
    """Give imports within this block placeholders for modules that aren't loaded yet."""
    placed = {name: _ModulePlaceholder(name, names) for name, names in WAITING.items() if name not in sys.modules}
    sys.modules.update(placed)
    try:
        yield
    finally:
        for name, module in placed.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


def _is_top_level(name: str) -> bool:
    """Return whether this is a top-level package."""
    return "." not in name


def _is_imported(name: str) -> bool:
    return not isinstance(sys.modules.get(name), _ModulePlaceholder | None)


def _imported(later: _DelayedImport) -> Any:
    return getattr(_import(later.__module__), later.__name__)


def _import(name: str) -> ModuleType:
    """Import the real module."""
    if not _is_imported(name):
        sys.modules.pop(name, None)
    return import_module(name)
