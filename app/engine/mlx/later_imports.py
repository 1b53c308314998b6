"""What transformers and mlx-lm import of huggingface_hub for downloads and uploads: it waits until somebody uses it.

They name five things of it, of which a model on this disk needs none; with what those import it is a third of the time
that the import of mlx_lm takes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

HUB = "huggingface_hub"
WAITING = {
    "_commit_api": ("CommitOperationAdd",),
    "_snapshot_download": ("snapshot_download",),
    "hf_api": ("HfApi",),
    "repocard": ("ModelCard",),
    "repocard_data": ("ModelCardData",),
}
"""By module of the hub's: what is asked of it there and then."""


class _Later(type):
    """Stands in for a class or a function, and is it as soon as it is called or asked for anything."""

    __module__: str

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return _own(cls)(*args, **kwargs)

    def __getattr__(cls, name: str) -> Any:
        return getattr(_own(cls), name)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _own(cls))

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, _own(cls))


class _Waiting(ModuleType):
    """Stands in for a module: knows the names of what waits, and imports the module for any other."""

    def __init__(self, name: str, names: tuple[str, ...]) -> None:
        super().__init__(name)
        vars(self).update({each: type.__call__(_Later, each, (), {"__module__": name}) for each in names})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python's own questions to a module while it is imported
            raise AttributeError(name)
        return getattr(_import(self.__name__), name)


@contextmanager
def waiting() -> Iterator[None]:
    """What is imported meanwhile gets stand-ins, where the hub's own modules are not there yet."""
    placed = {f"{HUB}.{module}": _Waiting(f"{HUB}.{module}", names) for module, names in WAITING.items()}
    for name, module in placed.items():
        sys.modules.setdefault(name, module)
    try:
        yield
    finally:
        for name, module in placed.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


def _own(later: _Later) -> Any:
    return getattr(_import(later.__module__), later.__name__)


def _import(name: str) -> ModuleType:
    """The module itself, whatever stands in for it."""
    if isinstance(sys.modules.get(name), _Waiting):
        sys.modules.pop(name, None)
    return import_module(name)
