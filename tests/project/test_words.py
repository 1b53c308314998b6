import ast
import re
from functools import cache
from pathlib import Path

from tests.project.documents import PROJECT, documents

APP = PROJECT / "app"
BANNED = re.compile(
    r"\b(?:told|anew|whoever|nobody|somebody|in vain|so many|as it stands|by then|a way on|comes up|goes on"
    r"|colours?|coloured|licences?|quantis\w+|behaviour|grey|centre|minimise)\b",
    re.IGNORECASE,
)
"""Paraphrases, personifications and British spelling. What to say instead is in CONTRIBUTING.md."""
OPENING = re.compile(
    r"(?:^|(?<=[.!?] )|(?<=: ))(?:What|Whatever|Whoever|Which|Whether|Of|So many|Where)\b[^.?!:]*(?:[.?!:]|$)"
)
"""A clause with one of these first words, which is allowed in a question only."""
TEXT = re.compile(r'\btr\(((?:\s*"(?:[^"\\]|\\.)*")+)')
"""The first argument of `tr`."""
METAPHORS = {
    "Told",
    "Said",
    "Came",
    "Kept",
    "Taken",
    "Given",
    "Way",
    "Habits",
    "Manners",
    "Knobs",
    "Shelf",
    "Light",
    "Book",
}


def faults(text: str) -> list[str]:
    """Return banned words, and statements that begin like questions."""
    openings = [each[0] for each in OPENING.finditer(text) if not each[0].endswith("?")]
    return [*BANNED.findall(text), *openings]


@cache
def sources() -> dict[Path, str]:
    return {file: file.read_text("utf-8") for file in APP.rglob("*.py")}


def test_interface_texts_have_no_banned_words() -> None:
    texts = [ast.literal_eval(f"({each})") for source in sources().values() for each in TEXT.findall(source)]
    assert len(texts) > 1_000
    assert {text: wrong for text in texts if (wrong := faults(text))} == {}


def test_documents_have_no_banned_words() -> None:
    prose = {str(each.path): each.prose for each in documents() if each.path.name != "CHANGELOG.md"}
    assert {
        path: wrong for path, text in prose.items() if (wrong := BANNED.findall(re.sub(r"`[^`]*`", "", text)))
    } == {}


def test_classes_have_no_metaphors_and_their_own_names() -> None:
    # Some classes of app/engine/script are in the text of scripts.
    code = [source for file, source in sources().items() if file.parent.name != "script"]
    classes = [name for source in code for name in re.findall(r"^ *class (\w+)[(:]", source, re.MULTILINE)]
    assert set(classes) & METAPHORS == set()
    assert {name for name in classes if not name.startswith("_") and classes.count(name) > 1} == set()
