"""The folder of the program's resources: models, translations, icons, fonts, prompt sets, license texts."""

from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def resources_folder(package: Path = PACKAGE) -> Path:
    """Return the folder: inside the package in a wheel, next to it in a checkout and in the frozen program."""
    inside = package / "resources"
    return inside if inside.is_dir() else package.parent / "resources"
