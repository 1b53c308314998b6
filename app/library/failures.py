"""Messages about failures of the hub, the network and the disk."""

import errno

import httpx2  # the HTTP client that huggingface_hub is built on
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
)
from huggingface_hub.utils import parse_ratelimit_headers

from app.engine.errors import details_of
from app.engine.types import Failure
from app.i18n import tr

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
BUSY = 429
LONGEST_WAIT_S = 3_600.0
PASSING = (408, BUSY, 500, 502, 503, 504)
"""Status codes of temporary failures."""
ERRORS = (
    httpx2.HTTPError,
    httpx2.InvalidURL,
    HFValidationError,
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
"""Exceptions of a request to the hub, whose answers aren't trusted."""
LATER = tr("Try again later; models on this computer still work.")


class OddTokenError(ValueError):
    """A token with characters that are invalid in a header. The message doesn't quote it."""


def hub_failure(error: BaseException, name: str) -> Failure:
    """Return the failure of a request about `name`."""
    details = details_of(error)
    if isinstance(error, OfflineModeIsEnabled):
        what = tr("Offline mode is on (HF_HUB_OFFLINE), so Sluice sends no requests to the hub.")
        return Failure(what, tr("To search and download, start Sluice without HF_HUB_OFFLINE."), details, "offline")
    if isinstance(error, GatedRepoError):
        what = tr("“{name}” is gated: it needs a login and accepted terms.").format(name=name)
        return Failure(what, tr("Accept the terms on its page on the hub, then enter a token."), details, "gated")
    if isinstance(error, RepositoryNotFoundError | HFValidationError):
        what = tr("The hub has no model “{name}”, or it is private.").format(name=name)
        return Failure(what, tr("Check the name, or enter a token with access."), details, "absent")
    if isinstance(error, OddTokenError):
        return _token_failure(details)
    if isinstance(error, HfHubHTTPError):
        return _status_failure(error, name)
    if isinstance(error, httpx2.TimeoutException):
        return Failure(tr("The hub did not answer in time."), LATER, details, "offline")
    if isinstance(error, httpx2.RemoteProtocolError | httpx2.ReadError):
        return Failure(tr("The connection to the hub keeps breaking."), LATER, details, "offline")
    if isinstance(error, httpx2.TransportError | ConnectionError):
        what = tr("The hub can't be reached.")
        return Failure(what, tr("Check the connection. {later}").format(later=LATER), details, "offline")
    if isinstance(error, OSError):
        return disk_failure(error)
    return Failure(tr("The hub's answer has an unknown format."), LATER, details, "hub")


def disk_failure(error: OSError) -> Failure:
    """Return the failure to write a file of the cache."""
    if error.errno in NO_ROOM:
        todo = tr("Free disk space, then resume; the downloaded part is still there.")
        return Failure(tr("The disk is full."), todo, details_of(error), "disk")
    what = tr("The Hugging Face cache could not be written to ({why}).").format(why=error.strerror or error)
    return Failure(what, tr("Check your write permission, then resume."), details_of(error), "disk")


def is_temporary(error: BaseException) -> bool:
    """Return whether the failure is temporary."""
    if isinstance(error, HfHubHTTPError):
        return error.response.status_code in PASSING
    return isinstance(error, httpx2.TransportError)


def retry_after_s(error: BaseException) -> float | None:
    """Return the seconds of the header Retry-After; None if it is missing or too large."""
    if not isinstance(error, HfHubHTTPError):
        return None
    text = error.response.headers.get("Retry-After", "").strip()
    try:
        limit = parse_ratelimit_headers(error.response.headers)
        is_spent = error.response.status_code == BUSY and limit is not None and limit.remaining == 0
        seconds = float(limit.reset_in_seconds if is_spent and limit is not None else int(text))
    except (ValueError, OverflowError):
        return None
    return seconds if 0 <= seconds <= LONGEST_WAIT_S else None


def _status_failure(error: HfHubHTTPError, name: str) -> Failure:
    status, details = error.response.status_code, details_of(error)
    if status == BUSY:
        seconds = retry_after_s(error)
        todo = (
            tr("Try again later.")
            if seconds is None
            else tr("Try again in %n seconds.", "Try again in %n second.", round(seconds))
        )
        return Failure(tr("The hub has a rate limit and refuses more requests for now."), todo, details, "busy")
    if status == 401:
        return _token_failure(details)
    if status == 403:
        what = tr("This login has no access to “{name}”.").format(name=name)
        return Failure(what, tr("Enter another token."), details, "gated")
    if status in (400, 404, 410):
        return Failure(tr("The hub has no “{name}”.").format(name=name), tr("Check the name."), details, "absent")
    what = tr("The hub reports an internal error (HTTP {status}).").format(status=status)
    return Failure(what, LATER, details, "hub")


def _token_failure(details: str) -> Failure:
    what = tr("The hub did not accept the token.")
    return Failure(what, tr("Log in to the hub again, or enter another token."), details, "token")
