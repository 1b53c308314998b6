"""Build hook of the wheel: compiles the translations, as `make setup` does in a checkout."""

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TranslationsHook(BuildHookInterface):
    """Compiles each .ts file of resources/languages into a .qm file next to it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for source in Path(self.root, "resources", "languages").glob("*.ts"):
            subprocess.run(["pyside6-lrelease", "-silent", source, "-qm", source.with_suffix(".qm")], check=True)
