import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given

from app.engine.types import Role
from app.records.html_export import as_html
from app.records.journal import Journal
from app.records.types import WholeSession
from tests.records import builders
from tests.records.wholes import SESSIONS

HOSTILE = "</div></title><script>alert(1)</script><img src=x onerror='x'> & “q” \" \0\x1b]0;\ud800"
OURS = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "div", "span", "details", "summary", "footer"}

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


class Reader(HTMLParser):
    """The tags that are there, what is said in the page, and what the pointer shows."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.said = ""
        self.shown: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        self.shown += [value or "" for name, value in attrs if name == "data-top"]

    def handle_data(self, data: str) -> None:
        self.said += data


@pytest.fixture
def session(journal: Journal) -> WholeSession:
    begun = builders.start(asked=builders.request(observe=2))
    return builders.whole_of(journal, builders.answered(journal, begun=begun)[0])


def test_as_html_tokens_have_alternatives(session: WholeSession) -> None:
    reader = Reader(as_html(session))
    answer = session.turns[1]
    assert answer.text in reader.said
    tokens = [token for token in answer.runs[0].tokens if token.text in answer.text]
    assert len(reader.shown) == len(tokens) > 1
    seen = tokens[0].observed
    assert seen is not None
    assert all(each.text.replace(" ", "␣") in reader.shown[0] for each in seen.top)
    assert " %" in reader.shown[0]


def test_as_html_text_is_escaped(session: WholeSession) -> None:
    answer = replace(session.turns[1], text=HOSTILE, reasoning=HOSTILE)
    run = answer.runs[0]
    token = replace(run.tokens[0], text=HOSTILE)
    for runs in ((), (replace(run, tokens=(token,)),)):
        turns = (replace(session.turns[0], text=HOSTILE), replace(answer, runs=runs))
        page = as_html(replace(session, title=HOSTILE, turns=turns))
        page.encode()
        reader = Reader(page)
        assert reader.tags <= OURS
        assert not [name for name in reader.names if name.startswith("on") or name in ("src", "href")]
        assert reader.said.count("<script>alert(1)</script>") == 5
        assert bool(reader.shown) == bool(runs)


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
def test_as_html_has_only_our_tags(session: WholeSession, tmp_path: Path) -> None:
    """Its own parser reads what Python's may read otherwise."""
    answer = replace(session.turns[1], text=HOSTILE, reasoning=HOSTILE, runs=())
    page, profile = tmp_path / "page.html", tmp_path / "profile"
    page.write_text(as_html(replace(session, title=f"한국어 {HOSTILE}", turns=(session.turns[0], answer))))
    switches = ("--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"--user-data-dir={profile}")
    done = subprocess.run([str(CHROMIUM), *switches, page.as_uri()], capture_output=True, timeout=60, check=True)
    reader = Reader(done.stdout.decode())
    assert reader.tags == OURS - {"span", "footer"}
    assert not [name for name in reader.names if name.startswith("on") or name in ("src", "href")]
    assert reader.said.count("<script>alert(1)</script>") == 4 and "한국어" in reader.said


def test_as_html_foreign_text_is_plain(session: WholeSession) -> None:
    """A fork begins with tokens that another answer has; a run also has the marks that end it."""
    answer = session.turns[1]
    forked = as_html(replace(session, turns=(replace(answer, text=f"Before. {answer.text}"),)))
    assert '"auto">Before. <span' in forked
    shorter = as_html(replace(session, turns=(replace(answer, text=answer.text[3:-3]),)))
    assert answer.text[3:-3] in Reader(shorter).said
    assert answer.text not in Reader(shorter).said
    edited = Reader(as_html(replace(session, turns=(replace(answer, text="quite another text"),))))
    assert edited.shown == [] and "quite another text" in edited.said


def test_as_html_repeated_text_uses_the_last_match(journal: Journal) -> None:
    begun = builders.start(asked=builders.request(observe=2))
    whole = builders.whole_of(journal, builders.answered(journal, texts=("4", ".", "4"), begun=begun)[0])
    answer = whole.turns[1]
    forked = replace(answer, text="So 4.4 and not 4.4")
    assert '"auto">So 4.4 and not <span' in as_html(replace(whole, turns=(forked,)))
    (run,) = answer.runs
    first, *rest = run.tokens
    unrecorded_at_first = replace(run, tokens=(replace(first, observed=None), *rest))
    reasoned = replace(answer, text="4", reasoning="4.", runs=(unrecorded_at_first,))
    assert len(Reader(as_html(replace(whole, turns=(reasoned,)))).shown) == 1


def test_as_html_trailing_text_uses_the_answer(journal: Journal) -> None:
    """A run that a stop string ended has what was written after it."""
    begun = builders.start(asked=builders.request(observe=2))
    whole = builders.whole_of(journal, builders.answered(journal, texts=("4", ".", "4", "STOP", " 4"), begun=begun)[0])
    answer = whole.turns[1]
    (run,) = answer.runs
    for reasoning, position in (("", 0), ("4.", 2)):
        tokens = (replace(each, observed=each.observed if each.index == position else None) for each in run.tokens)
        alone = replace(answer, text="4", reasoning=reasoning, runs=(replace(run, tokens=tuple(tokens)),))
        assert len(Reader(as_html(replace(whole, turns=(alone,)))).shown) == 1


@pytest.mark.slow
@given(SESSIONS)
def test_as_html_any_session_is_a_page(session: WholeSession) -> None:
    reader = Reader(as_html(session))
    assert reader.tags <= OURS
    for turn in session.turns:
        if not turn.hidden and turn.role is Role.USER and turn.text.isprintable():
            assert turn.text in reader.said
