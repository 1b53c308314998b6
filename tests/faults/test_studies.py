"""A study is killed twice, in short."""

from tests.faults.studies import killed


def test_going_on_after_kills_gives_the_table_of_an_undisturbed_run() -> None:
    assert killed(2).lost == ()
