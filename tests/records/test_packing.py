"""What was observed, as the journal keeps it; what an earlier version kept of it is read as well."""

import json
from dataclasses import replace

import pytest

from app.engine.types import Candidate, Formed, Top
from app.records.packing import pack_observed, unpack_observed
from tests.records import making


def test_what_the_settings_made_of_a_choice_is_kept() -> None:
    seen = making.observation(5)
    assert seen.drawn is not None
    assert unpack_observed(pack_observed([seen, None]), 2) == [seen, None]


@pytest.mark.parametrize("drawn", [True, False])
def test_what_the_form_did_to_a_choice_is_kept(drawn: bool) -> None:
    seen = making.observation(5)
    formed = Formed(0.75, False, Top.of([Candidate(7, "no", -0.5, 3.0)]))
    held = replace(seen, formed=formed, drawn=seen.drawn if drawn else None)
    assert unpack_observed(pack_observed([held, seen]), 2) == [held, seen]


def test_older_records_are_without_it() -> None:
    packed = pack_observed([making.observation(5)])
    assert packed is not None
    older = json.dumps([said[:6] for said in json.loads(packed)])
    (seen,) = unpack_observed(older, 1)
    assert seen is not None
    assert seen.drawn is None
    assert seen.rest == making.observation(5).rest
