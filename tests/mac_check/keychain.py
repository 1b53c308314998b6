"""Step: a token goes into the system's keychain, comes back, and is forgotten; in an entry of its own."""

import secrets
import sys

from app.engine.types import Failure
from app.library import keychain
from tests.mac_check.facts import Facts, NotHereError, step

ACCOUNT = "mac-check"


def look(facts: Facts) -> None:
    if why := keychain.unavailable():
        raise NotHereError(why)
    token = f"hf_{secrets.token_hex(16)}"
    facts.held("nothing is there before", keychain.read(ACCOUNT) is None)
    _went_well(facts, "kept", keychain.keep(token, ACCOUNT))
    facts.held("it is what was given", keychain.read(ACCOUNT) == token)
    _went_well(facts, "forgotten", keychain.forget(ACCOUNT))
    facts.held("nothing is there after", keychain.read(ACCOUNT) is None)
    _went_well(facts, "forgotten once more", keychain.forget(ACCOUNT))


def _went_well(facts: Facts, name: str, failure: Failure | None) -> None:
    facts.held(name, failure is None, failure.what if failure is not None else "")


if __name__ == "__main__":
    sys.exit(step(look))
