"""The folders that the window needs."""

from dataclasses import dataclass, field
from pathlib import Path

from app.files.settings import user_folder
from app.library import cached
from app.library.keychain import ServerKeys
from app.platform import log_file


@dataclass(frozen=True, slots=True)
class DataPaths:
    """The program's data, the bundled models, and the keys of servers."""

    data: Path = field(default_factory=user_folder)
    bundled: Path | None = None
    keys: ServerKeys = field(default_factory=ServerKeys)
    usual_cache: Path = field(default_factory=cached.folder_of_cache)
    """The Hugging Face cache if the settings name no other folder."""

    @property
    def logs(self) -> Path:
        return log_file.folder_beside(self.data, user_folder())

    @property
    def resources(self) -> Path | None:
        """The folder of the bundled resources."""
        return self.bundled.parent if self.bundled is not None else None

    @property
    def models(self) -> Path:
        """The folder of the bundled models; one without models if there are none."""
        return self.bundled or self.data

    @property
    def demo(self) -> str:
        """The folder of the bundled demo model; empty if there is none."""
        folder = self.bundled / "demo" if self.bundled is not None else None
        return str(folder) if folder is not None and (folder / "config.json").is_file() else ""
