"""Settings for the whole suite: how many examples are generated, and that they are the same on every run."""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", derandomize=True, deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """Keep compiled resources out of the user's cache, and METEOR's and TERp's files out of tests that do not ask for them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERTIUM_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.delenv("TERTIUM_METEOR", raising=False)
        patch.delenv("TERTIUM_TERP", raising=False)
        yield
