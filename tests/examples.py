"""How many examples Hypothesis tries: a test asks for what the whole suite takes, and `make test` tries fewer."""

from hypothesis import settings

WHOLE, QUICK = 150, 30  # what a test tries that asks for no number


def examples(count: int) -> settings:
    """Return the setting for a test that tries `count` examples, and its share of them in `make test`."""
    return settings(max_examples=max(1, count * settings().max_examples // WHOLE))
