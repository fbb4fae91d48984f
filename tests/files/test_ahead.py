"""Items made ahead: the same, in order, one more than is in use, and errors where they belong."""

import threading

import pytest

from tertium.files.ahead import ahead


def test_items_are_the_same_in_order():
    assert list(ahead(iter(range(1000)))) == list(range(1000))
    assert list(ahead(iter(()))) == []


def test_the_next_item_is_made_while_one_is_in_use():
    made = [threading.Event() for _ in range(3)]

    def items():
        for number, event in enumerate(made):
            event.set()
            yield number

    for number in ahead(items()):
        assert number == 2 or made[number + 1].wait(60)
        assert number > 0 or not made[2].is_set()


def test_an_error_comes_after_the_items_before_it():
    def items():
        yield 1
        yield 2
        raise ValueError("no third")

    found = ahead(items())
    assert [next(found), next(found)] == [1, 2]
    with pytest.raises(ValueError, match="no third"):
        next(found)


def test_who_stops_early_leaves_no_thread_behind():
    before = threading.active_count()
    items = ahead(iter(range(10)))
    assert next(items) == 0
    items.close()
    assert threading.active_count() == before
