"""Arms that are ready made, and what each is worth."""

from dataclasses import replace

from app.engine.types import ENDLESS
from app.sets.thinking import arms, sensitivity_arms
from app.sets.types import PromptSet, Template, Wording
from app.sets.verdict import verdict
from tests.sets.making import REQUEST, outcome


def test_each_arm_thinks_as_much_as_it_says() -> None:
    made = arms(REQUEST, (0, 1, 32, ENDLESS))
    assert [arm.request.limits.think_budget for arm in made] == [0, 1, 32, ENDLESS]
    assert [arm.name for arm in made] == [
        "thinks no tokens",
        "thinks 1 token",
        "thinks 32 tokens",
        "thinks as long as it likes",
    ]
    assert all(replace(arm.request, limits=REQUEST.limits) == REQUEST for arm in made) and len(arms(REQUEST)) == 4


def test_the_wording_alone_differs() -> None:
    rows = (("Red or blue?", "Red|blue"), ("3 + 4 =", ""))
    prompts = PromptSet("Few", ("prompt", "choices"), rows, Template(), "few")
    made = sensitivity_arms(REQUEST, prompts.template, prompts)
    assert {arm.wording for arm in made} == set(Wording) and made[0].wording is Wording.AS_WRITTEN
    assert all(arm.request == REQUEST for arm in made) and len({arm.name for arm in made}) == len(made)


def test_a_wording_that_no_row_has_is_no_arm() -> None:
    prompts = PromptSet("Few", ("prompt",), (("3 + 4 =",), ("red?",)), Template(), "few")
    made = sensitivity_arms(REQUEST, prompts.template, prompts)
    assert [arm.wording for arm in made] == [Wording.AS_WRITTEN, Wording.TRAILING_SPACE, Wording.UPPER_CASE]


def test_what_it_is_worth_has_its_price() -> None:
    made = outcome("+" * 8 + "--", "+" * 8 + "--")
    study = replace(made.study, arms=arms(REQUEST, (0, ENDLESS)))
    assert verdict(replace(made, study=study)).sentences[1:] == (
        "“thinks no tokens”: 80 % of 10 rows right (95 % CI 49 to 94); an answer takes 4 tokens and 500 ms.",
        "“thinks as long as it likes”: 80 % of 10 rows right (95 % CI 49 to 94); an answer takes 4 tokens and 500 ms.",
    )
