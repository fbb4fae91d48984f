"""What comes next is made while what came last is in use: one reads while another scores."""

from collections.abc import Iterator
from itertools import islice
from threading import Thread
from typing import Generic, TypeVar

Item = TypeVar("Item")


def ahead(items: Iterator[Item]) -> Iterator[Item]:
    """Return the same items, each made in a thread while the one before is in use; so two are held.

    For items that are made without waiting for others: who stops has to wait for the one that is being made.
    """
    coming = _Next(items)
    coming.run()
    while coming.found:
        after = _Next(items)
        after.start()
        try:
            yield coming.found.pop()
        finally:
            after.join()
        coming = after
    if coming.error is not None:
        raise coming.error


class _Next(Thread, Generic[Item]):
    """The next item, if there is one, or what was raised in its place."""

    def __init__(self, items: Iterator[Item]) -> None:
        super().__init__()
        self._items = items
        self.found: list[Item] = []
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            self.found = list(islice(self._items, 1))
        except Exception as error:
            self.error = error
