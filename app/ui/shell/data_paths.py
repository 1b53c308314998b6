"""Where things lie that the window's parts need to know of."""

from dataclasses import dataclass, field
from pathlib import Path

from app.files.settings import user_folder
from app.library import cached
from app.library.server_keys import ServerKeys
from app.platform import log_file


@dataclass(frozen=True, slots=True)
class DataPaths:
    """The folder of the program's data, the one that holds the models that come with it, and the keys of servers."""

    data: Path = field(default_factory=user_folder)
    bundled: Path | None = None
    keys: ServerKeys = field(default_factory=ServerKeys)
    usual_cache: Path = field(default_factory=cached.folder_of_cache)
    """Where the Hugging Face cache is unless the user chose another place."""

    @property
    def logs(self) -> Path:
        return log_file.folder_beside(self.data, user_folder())

    @property
    def resources(self) -> Path | None:
        """Everything that comes with the program."""
        return self.bundled.parent if self.bundled is not None else None

    @property
    def models(self) -> Path:
        """The folder of the models that come with the program; where none do, one without models."""
        return self.bundled or self.data

    @property
    def demo(self) -> str:
        """The folder of the model that comes with the program; empty where none does."""
        folder = self.bundled / "demo" if self.bundled is not None else None
        return str(folder) if folder is not None and (folder / "config.json").is_file() else ""
