"""Settings for the whole suite: the same examples on every run, and nothing inherited from whoever started it."""

import signal

import pytest
from hypothesis import HealthCheck, settings

from examples import QUICK, WHOLE

COMMON = {"derandomize": True, "deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=QUICK, **COMMON)  # of `make test`
settings.register_profile("ci", max_examples=WHOLE, **COMMON)
settings.load_profile("ci")


@pytest.fixture(scope="session", autouse=True)
def interruptible():
    """Let SIGINT interrupt tests and the processes they start: in the background it is inherited as ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """Keep compiled resources out of the user's cache, and METEOR's and TERp's files out of tests that do not ask for them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERTIUM_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("SACREBLEU", str(tmp_path_factory.mktemp("testsets")))
        patch.delenv("TERTIUM_MIRROR", raising=False)
        patch.setenv("TERTIUM_METEOR", str(tmp_path_factory.mktemp("nothing")))  # an installed package is not used
        patch.delenv("TERTIUM_TERP", raising=False)
        yield
