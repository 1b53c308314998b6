"""What mlx-lm can open, told without importing it, is what it can open."""

from importlib import import_module

from app.library import supported


def test_aliases_are_those_of_the_installed_mlx_lm() -> None:
    from mlx_lm.utils import MODEL_REMAPPING

    assert set(MODEL_REMAPPING) == supported.ALIASES


def test_everything_that_is_named_is_a_model() -> None:
    wrong = []
    for name in sorted(supported.model_types() - supported.ALIASES - {"olmo"}):  # olmo leaves the program at import
        module = import_module(f"mlx_lm.models.{name}")
        if not hasattr(module, "Model") or not hasattr(module, "ModelArgs"):
            wrong.append(name)
    assert wrong == []


def test_sentences() -> None:
    assert supported.refusal("llama") is None
    failure = supported.refusal("bert")
    assert failure is not None and "“bert”" in failure.what
