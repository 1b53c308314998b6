"""Makes the import of transformers and mlx-lm quicker.

Modules that most models don't need are imported when they are used: the download and upload parts of huggingface_hub
take a third of the import time of mlx_lm, and numpy, the readers of other tokenizers and YAML take 14 MB of memory.
The list of transformers' modules, for which it reads three thousand source files twice at each start, is cached. The
cache has only names, as JSON. If they are wrong, an import fails; no other code can run.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from app.files import json_reader, regular_files
from app.files.json_reader import JsonLimits

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

Structure: TypeAlias = dict[frozenset[str], dict[str, set[str]]]
"""The names that each module of transformers defines, grouped by the packages that they require."""
Look: TypeAlias = Callable[..., Structure]

LIBRARY = "transformers"
MODULE = "transformers.utils.import_utils"
LOOK = "define_import_structure"
FILE = "transformers.json"
LARGEST_BYTES = 4_000_000


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
        self.__spec__ = find_spec(name) if "." not in name else None  # for code that checks whether it is installed
        vars(self).update({each: type.__call__(_DelayedImport, each, (), {"__module__": name}) for each in names})

    def __getattr__(self, name: str) -> Any:
        # Python's own lookups during an import; `__path__` is read before a submodule is imported.
        if name.startswith("__") and not (name == "__path__" and "." not in self.__name__):
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


def _is_imported(name: str) -> bool:
    return not isinstance(sys.modules.get(name), _ModulePlaceholder | None)


def _imported(later: _DelayedImport) -> Any:
    return getattr(_import(later.__module__), later.__name__)


def _import(name: str) -> ModuleType:
    if not _is_imported(name):
        sys.modules.pop(name, None)
    return import_module(name)


def keep_structure() -> None:
    """Call this before anything imports transformers."""
    if MODULE not in sys.modules:
        # Replaced and not changed: another thread may be iterating over it.
        sys.meta_path = [_Finder(), *sys.meta_path]


def cache_folder() -> Path:
    """Return the system's folder for caches."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "Sluice"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sluice"


class ImportStructureCache:
    """Replaces the library's scan of its sources, as long as those are unchanged."""

    def __init__(self, look: Look, file: Path, key: str, models: Path) -> None:
        self._look = look
        self._file = file
        self._key = key
        self._models = models
        self._found: Structure | None = None
        """The list; None before the first request."""

    def __call__(self, module_path: str | Path, prefix: str | None = None) -> Structure:
        if Path(module_path) not in (self._models, self._models / "__init__.py"):
            return self._look(module_path, prefix)
        found, self._found = self._found or self._cached_structure(), None
        if found is None:
            found = self._look(self._models)
            self._put(found)
        if prefix is None:
            return found
        self._found = found
        return _with_prefix(prefix, found)

    def _cached_structure(self) -> Structure | None:
        try:
            content = json_reader.parse(regular_files.read(self._file, LARGEST_BYTES), JsonLimits(LARGEST_BYTES))
            return _structure(content["modules"]) if content["of"] == self._key else None
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None

    def _put(self, found: Structure) -> None:
        """Write the file atomically. If that fails, the next start scans again."""
        modules = [[sorted(needs), {name: sorted(each) for name, each in of.items()}] for needs, of in found.items()]
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            regular_files.write_atomically(self._file, json.dumps({"of": self._key, "modules": modules}).encode())


class _Finder(MetaPathFinder):
    """Import finder that adds the cache to one module when it is imported."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != MODULE:
            return None
        sys.meta_path = [each for each in sys.meta_path if each is not self]
        found = (each.find_spec(fullname, path, target) for each in sys.meta_path)
        spec = next((each for each in found if each is not None), None)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                execute(module)
                if (cache := _new_cache(getattr(module, LOOK, None))) is not None:
                    setattr(module, LOOK, cache)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def _new_cache(look: Look | None) -> ImportStructureCache | None:
    """Return the cache; None if the library differs from the supported version."""
    library = sys.modules[LIBRARY]
    models = Path(str(library.__file__)).parent / "models"
    try:
        key = f"{library.__version__} {models} {models.stat().st_mtime_ns}"
    except (AttributeError, OSError):
        return None
    return None if look is None else ImportStructureCache(look, cache_folder() / FILE, key, models)


def _structure(modules: Any) -> Structure:
    """Convert JSON to the structure. Raises ValueError, TypeError or AttributeError for invalid data."""
    found = {frozenset(_names(needs)): {name: set(_names(each)) for name, each in of.items()} for needs, of in modules}
    if not found:
        raise ValueError("nothing is in it")
    return found


def _names(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError("no names")
    return value


def _with_prefix(prefix: str, found: Structure) -> Structure:
    return {needs: {f"{prefix}.{name}": each for name, each in of.items()} for needs, of in found.items()}
