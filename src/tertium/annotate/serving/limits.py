"""Limits that honest work never meets: requests per link, wrong links per address."""

import time
from collections import OrderedDict

PER_MINUTE = 240  # requests of one link; a fast annotator makes 30
WRONG_PER_MINUTE = 20  # links that do not exist, from one address
_MOST_KEYS = 50_000


class Buckets:
    """A bucket of tokens per key; each request takes one, time refills it."""

    def __init__(self, per_minute: int) -> None:
        self._size = float(per_minute)
        self._buckets: OrderedDict[object, tuple[float, float]] = OrderedDict()

    def take(self, key: object, now: float | None = None) -> bool:
        """Take one; False if there is none left."""
        now = time.monotonic() if now is None else now
        left, at = self._buckets.pop(key, (self._size, now))
        left = min(self._size, left + (now - at) * self._size / 60)
        allowed = left >= 1
        self._buckets[key] = (left - 1 if allowed else left, now)
        if len(self._buckets) > _MOST_KEYS:
            self._buckets.popitem(last=False)
        return allowed
