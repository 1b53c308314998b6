"""A cache of transformers' list of modules, for which it reads three thousand source files twice at each start.

The cache has only names, as JSON. If they are wrong, an import fails; no other code can run.
"""

import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from app.files import json_reader, regular_files
from app.files.json_reader import Bounds

Structure: TypeAlias = dict[frozenset[str], dict[str, set[str]]]
"""The names in each module, by the packages that they require."""
Look: TypeAlias = Callable[..., Structure]

LIBRARY = "transformers"
MODULE = "transformers.utils.import_utils"
LOOK = "define_import_structure"
FILE = "transformers.json"
LARGEST_BYTES = 4_000_000


def keep() -> None:
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
            content = json_reader.parse(regular_files.read(self._file, LARGEST_BYTES), Bounds(LARGEST_BYTES))
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
            spec.loader = _Loader(spec.loader)
        return spec


class _Loader(Loader):
    """The module's own loader, which is restored after the load."""

    def __init__(self, own: Loader) -> None:
        self._own = own

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._own.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._own
        if module.__spec__ is not None:
            module.__spec__.loader = self._own
        self._own.exec_module(module)
        keeper = _new_cache(getattr(module, LOOK, None))
        if keeper is not None:
            setattr(module, LOOK, keeper)


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


def _names(said: Any) -> list[str]:
    if not isinstance(said, list) or not all(isinstance(each, str) for each in said):
        raise TypeError("no names")
    return said


def _with_prefix(prefix: str, found: Structure) -> Structure:
    return {needs: {f"{prefix}.{name}": each for name, each in of.items()} for needs, of in found.items()}
