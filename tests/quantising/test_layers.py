"""A quantisation foreseen: bytes, bits per weight, the group, and what is left alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.quantising.layers import Choice, Layer, Layers, Mode

WIDE = Layer("wide", 128 * 256, 256, 128 * 256 * 2, takes=True, kept=False, own=None, recipes={"mixed_4_6": 6})
ODD = replace(WIDE, name="odd", weights=128 * 160, width=160, bytes=128 * 160 * 2, recipes={"mixed_4_6": 4})
STUCK = replace(WIDE, name="stuck", takes=False)


def layers(*found: Layer) -> Layers:
    """A model of these and of nothing else."""
    return Layers(found, sum(each.bytes for each in found), sum(each.weights for each in found))


@pytest.mark.parametrize(
    ("choice", "bits"),
    [
        (Choice(4, 128), 4 + 32 / 128),
        (Choice(4, 32), 4 + 32 / 32),
        (Choice(3, 64), 3 + 32 / 64),
        (Choice(mode=Mode.MXFP4), 4 + 8 / 32),
        (Choice(mode=Mode.NVFP4), 4 + 8 / 16),
        (Choice(mode=Mode.MXFP8), 8 + 8 / 32),
        (Choice(recipe="mixed_4_6", group=64), 6 + 32 / 64),
    ],
)
def test_scales_count_too(choice: Choice, bits: float) -> None:
    assert layers(WIDE).foresee(choice).bits_per_weight == bits


def test_by_default_the_group_is_the_largest_that_divides_every_width() -> None:
    assert layers(WIDE).foresee(Choice(4)).choice.group == 128
    found = layers(WIDE, ODD).foresee(Choice(4))
    assert (found.choice.group, found.alone) == (32, ())


def test_where_none_divides_every_width_it_is_the_one_that_leaves_the_fewest_weights_alone() -> None:
    strange = replace(WIDE, name="strange", weights=80, width=80)
    assert layers(WIDE, strange, STUCK).foresee(Choice(4)).alone == ("strange", "stuck")
    assert layers(WIDE, strange).group() == 128


def test_what_a_group_does_not_divide_stays_as_it_is_and_is_named() -> None:
    found = layers(WIDE, ODD, STUCK).foresee(Choice(4, 64))
    assert found.alone == ("odd", "stuck")
    assert found.bytes == ODD.bytes + STUCK.bytes + WIDE.weights * 9 // 16


def test_a_model_may_ask_for_its_own_way_or_none_and_a_recipe_does_not_listen() -> None:
    model = layers(replace(WIDE, own=(8, 64, Mode.AFFINE)), replace(WIDE, name="kept", kept=True))
    found = model.foresee(Choice(4, 32))
    assert found.alone == ("kept",)
    assert found.bytes == WIDE.bytes + WIDE.weights * 17 // 16
    assert model.foresee(Choice(recipe="mixed_4_6", group=32)).bits_per_weight == 7
