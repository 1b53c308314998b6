"""What waits until it is used: it is not imported with mlx-lm, and is the library's own when somebody asks for it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[4]
PROGRAM = """
import json, sys
from app.engine.mlx.loading import later_imports
with later_imports.waiting():
    from app.engine.mlx.engine import MlxEngine
early = [name for name in later_imports.WAITING if name in sys.modules]
from app.engine.mlx import top_k
from transformers.utils import generic, import_utils
idle = [isinstance(5, generic.np.ndarray), import_utils.is_sentencepiece_available(), "numpy" in sys.modules]
reckoned = top_k.np.arange(3).tolist()
import numpy
own = top_k.np.arange is numpy.arange
same = [top_k.np.linalg.__name__, own, isinstance(numpy.ones(1), generic.np.ndarray)]
from mlx_lm import utils
from transformers.utils import hub
lasting = [type(each).__name__ for each in (utils.snapshot_download, hub.HfApi, hub.ModelCard)]
import huggingface_hub
from huggingface_hub.hf_api import HfApi
api = hub.HfApi(endpoint="https://example.invalid")
try:
    utils.snapshot_download("a/b/c")
except Exception as error:
    refused = type(error).__name__
print(json.dumps(dict(
    early=early,
    idle=idle,
    reckoned=reckoned,
    same=same,
    lasting=lasting,
    made=type(api) is HfApi is huggingface_hub.HfApi,
    known=[isinstance(api, hub.HfApi), isinstance(5, hub.HfApi), issubclass(HfApi, hub.HfApi)],
    asked=hub.ModelCard.load == huggingface_hub.ModelCard.load,
    refused=refused,
)))
"""
DURING = """
import json
from app.engine.mlx.loading import later_imports
with later_imports.waiting():
    from huggingface_hub import ModelInfo, HfApi
    from huggingface_hub.hf_api import RepoSibling
    said = [ModelInfo.__module__, RepoSibling(rfilename="a").rfilename, type(HfApi()).__name__]
    from numpy.random import default_rng
    said.append(type(default_rng(1)).__module__)
import huggingface_hub.hf_api
with later_imports.waiting():
    from huggingface_hub.hf_api import HfApi as again
print(json.dumps([*said, again is huggingface_hub.hf_api.HfApi]))
"""


def told(program: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, env=os.environ, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.slow
def test_what_waits_is_not_imported_and_is_the_librarys_own_when_it_is_used() -> None:
    said = told(PROGRAM)
    assert said["early"] == []
    assert (said["idle"], said["reckoned"]) == ([False, True, False], [0, 1, 2])
    assert said["same"] == ["numpy.linalg", True, True]
    assert said["lasting"] == ["_Later"] * 3
    assert (said["made"], said["known"], said["asked"]) == (True, [True, False, True], True)
    assert said["refused"] == "HFValidationError"


@pytest.mark.slow
def test_whoever_asks_for_something_else_meanwhile_gets_it() -> None:
    assert told(DURING) == ["huggingface_hub.hf_api", "a", "HfApi", "numpy.random._generator", True]
