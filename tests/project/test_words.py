import ast
import re
from functools import cache

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
def texts_and_classes() -> tuple[dict[str, str], list[str]]:
    """Return each `tr("…")` by its place, and the names of all classes. Parsing takes more than a second."""
    texts, classes = dict[str, str](), list[str]()
    for file in sorted(APP.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                classes.append(node.name)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tr" and node.args:
                text = node.args[0]
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    texts[f"{file.relative_to(PROJECT)}:{node.lineno}"] = text.value
    return texts, classes


def test_interface_texts_have_no_banned_words() -> None:
    texts, _ = texts_and_classes()
    assert {index: (text, wrong) for index, text in texts.items() if (wrong := faults(text))} == {}


def test_documents_have_no_banned_words() -> None:
    prose = {str(each.path): each.prose for each in documents() if each.path.name != "CHANGELOG.md"}
    assert {
        path: wrong for path, text in prose.items() if (wrong := BANNED.findall(re.sub(r"`[^`]*`", "", text)))
    } == {}


def test_classes_have_no_metaphors_and_their_own_names() -> None:
    _, classes = texts_and_classes()
    assert set(classes) & METAPHORS == set()
    assert {name for name in classes if not name.startswith("_") and classes.count(name) > 1} == set()
