import pytest

from app import number_format as f


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (9_994, "9.99 kB"),
        (9_996, "10.0 kB"),
        (53_400_000, "53.4 MB"),
        (123_456_000_000, "123 GB"),
    ],
)
def test_size(count: int, text: str) -> None:
    assert f.size(count) == text


def test_unbroken_joins_numbers_and_units() -> None:
    told = "Cut after 23 % of 4.02 GB, 12 s and 5 more at 676 tok/s · 3 bits; 9 small ones"
    parts = f.unbroken(told).split(" ")
    kept = {part.replace(f.UNBROKEN, " ").replace(f.JOINED, "") for part in parts if f.UNBROKEN in part}
    assert kept == {"23 %", "4.02 GB,", "12 s", "676 tok/s", "3 bits;"}
    assert f.unbroken(told).replace(f.UNBROKEN, " ").replace(f.JOINED, "") == told


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (676.5, 170.0, "680 ± 170"),
        (676.5, 99.6, "680 ± 100"),
        (1_234.5, 12.4, "1,234 ± 12"),
        (2.3449, 0.12, "2.34 ± 0.12"),
        (2.0, 0.0996, "2.00 ± 0.10"),
        (-0.0312, 0.0044, "−0.0312 ± 0.0044"),
        (3.0, 170.0, "0 ± 170"),
        (2.0, 0.0, "2.00 ± 0"),
        (2.0, 2e-16, "2.00 ± 0"),
    ],
)
def test_with_error_has_the_digits_of_the_error(value: float, error: float, text: str) -> None:
    assert f.with_error(value, error) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (0.0043, "0.0043"),
        (0.996, "1.0"),
        (9.94, "9.9"),
        (9.96, "10"),
        (99.6, "100"),
        (4_321.0, "4,300"),
    ],
)
def test_two_digits(value: float, text: str) -> None:
    assert f.two_digits(value) == text
    assert f.two_percent(value / 100) == f"{text} %"


def test_size_with_two_digits() -> None:
    assert [f.size(count, f.two_digits) for count in (12, 1_234, 53_400_000)] == ["12 bytes", "1.2 kB", "53 MB"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "–"),
        (0.0841, "84 ms"),
        (0.9996, "1.00 s"),
        (1.2345, "1.23 s"),
        (9.999, "10.0 s"),
        (59.94, "59.9 s"),
        (59.96, "1 min 0 s"),
        (125.4, "2 min 5 s"),
        (3_725, "1 h 2 min"),
    ],
)
def test_duration(seconds: float | None, text: str) -> None:
    assert f.duration(seconds) == text


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [(0.0, "0.00 ms"), (0.844, "0.84 ms"), (0.996, "1.0 ms"), (9.14, "9.1 ms"), (9.96, "10 ms"), (1240, "1.24 s")],
)
def test_short_duration(milliseconds: float, text: str) -> None:
    assert f.short_duration(milliseconds / 1000) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.5, "0.50"),
        (9.996, "10.0"),
        (99.94, "99.9"),
        (148.4, "148"),
        (99_999, "99,999"),
        (154_647, "155k"),
    ],
)
def test_speed(value: float | None, text: str) -> None:
    assert f.speed(value) == text


def test_spoken() -> None:
    assert f.spoken_speed(148.2) == "148 tokens per second"
    assert f.spoken_speed(154_647.3) == "154,647 tokens per second"
    assert f.spoken_speed(None) == f.spoken_duration(None) == "not defined yet"
    assert f.spoken_duration(0.084) == "84 milliseconds"
    assert f.spoken_duration(125) == "2 minutes 5 seconds"


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(0, 0, "–"), (0, 10, "0 %"), (1, 3, "33 %"), (999, 1000, "99 %"), (1000, 1000, "100 %"), (12, 10, "100 %")],
)
def test_percent(part: float, whole: float, text: str) -> None:
    assert f.percent(part, whole) == text


@pytest.mark.parametrize(
    ("number", "expected"), [(2_812_345, "2.81 M"), (260_000, "0.26 M"), (7_615_616_512, "7.62 B")]
)
def test_parameters(number: int, expected: str) -> None:
    assert f.parameters(number) == expected


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (0.0, "0 %"),
        (1e-9, "< 0.01 %"),
        (0.0004, "0.04 %"),
        (0.00996, "1.0 %"),
        (0.0996, "10 %"),
        (0.946, "94.6 %"),
        (0.994, "99.40 %"),
        (0.9996, "99.96 %"),
        (1 - 1e-9, "> 99.99 %"),
        (1.0, "100 %"),
    ],
)
def test_chance(probability: float, text: str) -> None:
    assert f.chance(probability) == text


def test_precision_words_names_half_precision() -> None:
    """Half a step of a logit between 16 and 32, of eight significant bits and of eleven."""
    assert "bfloat16: probabilities have a relative error of some 6 %" in f.precision_words("bfloat16")
    assert "float16: probabilities have a relative error of some 0.8 %" in f.precision_words("float16")
    assert f.precision_words("float32") == f.precision_words("") == ""
    assert {name: 2.0 ** (3 - bits) for name, bits in (("bfloat16", 7), ("float16", 10))} == pytest.approx(
        {name: percent / 100 for name, percent in f.HALVES.items()}, rel=0.05
    )


@pytest.mark.parametrize(
    ("p", "text"), [(1.0, "1.00"), (0.412, "0.41"), (0.0625, "0.062"), (0.0031, "0.0031"), (0.00003, "< 0.0001")]
)
def test_p_value_has_two_significant_digits_and_no_percent(p: float, text: str) -> None:
    assert f.p_value(p) == text
