"""File names have none of the metaphors in a list. Other odd names, and those of classes, are not checked."""

from pathlib import Path

PROJECT = Path(__file__).parents[2]
METAPHORS = frozenset(
    [
        "acquaint",
        "ahead",
        "announcing",
        "asking",
        "callers",
        "calm",
        "coding",
        "commanding",
        "crowds",
        "dress",
        "drive",
        "elbow",
        "feed",
        "foreseeing",
        "foresight",
        "ghosts",
        "guiding",
        "inspecting",
        "judging",
        "keeping",
        "laboratory",
        "making",
        "manners",
        "mending",
        "patience",
        "picking",
        "place",
        "preferring",
        "pressing",
        "returning",
        "room",
        "showing",
        "surprising",
        "taking",
        "telling",
        "touring",
        "tracing",
        "wardrobe",
        "ways",
        "wishes",
    ]
)
"""Words that no file is called by: what they were meant for has a name in the trade."""


def words(file: Path) -> set[str]:
    return set(file.stem.split("_"))


def test_no_file_is_called_by_a_metaphor() -> None:
    files = sorted((PROJECT / "app").rglob("*.py"))
    assert len(files) > 1
    assert [file.relative_to(PROJECT).as_posix() for file in files if words(file) & METAPHORS] == []


def test_a_metaphor_is_found() -> None:
    assert words(Path("app/ui/elbow_room.py")) & METAPHORS
    assert not words(Path("app/ui/responsive_layout.py")) & METAPHORS
