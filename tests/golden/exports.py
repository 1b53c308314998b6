"""Write what the program exports from a recorded data folder: `python -m tests.golden.exports` renews the golden files.

`data/` was written by the program of 2026-11-28 on the demo model: a session database with chats, a failed run, an
experiment and a prompt set, and the settings file. `expected/` holds the exports of it. A change of the code must read
the old data and write the same exports, except where the change means to alter an export.
"""

import gzip
import os
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
DATA, EXPECTED = HERE / "data", HERE / "expected"
LISTED = 100
TOKENS_OF = (2, 5, 6, 10, 11, 13, 14, 19, 20)
"""Runs whose tokens are compared: KV reuse, sampling, a regex, an error, two branches, a continued answer, studies."""


def unpack(folder: Path) -> None:
    """Put the recorded session database and settings into a folder, as a data folder of the program."""
    (folder / "journal.sqlite").write_bytes(gzip.decompress((DATA / "journal.sqlite.gz").read_bytes()))
    (folder / "settings.json").write_bytes((DATA / "settings.json").read_bytes())


def exports(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each export of an unpacked data folder, in UTC."""
    from app.records.export import as_markdown, as_plain_text, runs_csv, tokens_csv, tokens_json
    from app.records.html_export import as_html
    from app.records.journal import open_journal
    from app.records.receipt import receipt
    from app.records.session_file import session_text

    os.environ["TZ"] = "UTC"
    time.tzset()
    journal = open_journal(folder)
    try:
        yield "runs.csv", runs_csv(journal.runs.rows(count=LISTED))
        for info in sorted(journal.sessions.rows(count=LISTED), key=lambda info: info.id):
            whole = journal.sessions.whole(info.id)
            assert whole is not None
            name = f"session-{info.id}"
            yield f"{name}.md", as_markdown(whole)
            yield f"{name}.txt", as_plain_text(whole)
            yield f"{name}.html", as_html(whole)
            yield f"{name}.sluice", session_text(whole)
        for row in sorted(journal.runs.rows(count=LISTED), key=lambda row: row.id):
            run = journal.runs.whole(row.id)
            assert run is not None
            name = f"run-{row.id}"
            if row.id in TOKENS_OF:
                yield f"{name}.tokens.csv", tokens_csv(run)
                yield f"{name}.tokens.json", tokens_json(run)
            yield f"{name}.receipt.txt", "\n".join(f"{label}: {text}" for label, text in receipt(run.run)) + "\n"
    finally:
        journal.close()


def main() -> None:
    for old in EXPECTED.glob("*"):
        old.unlink()
    EXPECTED.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        unpack(Path(folder))
        for name, text in exports(Path(folder)):
            (EXPECTED / name).write_text(text, "utf-8", newline="")


if __name__ == "__main__":
    main()
