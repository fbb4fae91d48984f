"""What a pattern stands for, and which shards belong together."""

import pytest

from tertium.errors import InputError
from tertium.shards.patterns import check_together, found, is_pattern, missing_numbers


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("part-10.txt", "part-2.txt", "part-1.txt", "ref-1.txt", "ref-2.txt", "ref-10.txt", "odd[1].txt"):
        (tmp_path / name).write_text("x\n", encoding="utf-8")
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "part-1.txt").write_text("x\n", encoding="utf-8")


def test_numbers_are_in_order():
    assert found("part-*.txt").paths == ("part-1.txt", "part-2.txt", "part-10.txt")
    assert found("part-*.txt").parts == ("1", "2", "10")


def test_names_are_relative_to_where_the_pattern_begins(tmp_path):
    assert found(f"{tmp_path}/*/part-1.txt").names == ("a/part-1.txt", "b/part-1.txt")
    assert found("**/part-1.txt:hyp").column == "hyp"


def test_a_file_with_such_a_name_is_a_file():
    assert not is_pattern("odd[1].txt")
    assert is_pattern("odd[2].txt")
    assert found("part-1.txt").paths == ("part-1.txt",)


def test_shards_belong_together_by_what_wildcards_stand_for():
    assert check_together([found("part-*.txt"), found("ref-*.txt")]) == 3
    with pytest.raises(InputError, match=r"part-\*.txt is 3 files, but ref-\?.txt is 2 files.*Only one side has '10'"):
        check_together([found("part-*.txt"), found("ref-?.txt")])
    with pytest.raises(InputError, match="part-1.txt has no partner: .* has a shard '1' where .* has 'a'"):
        check_together([found("part-?.txt"), found("*/part-1.txt")])


def test_nothing_found():
    with pytest.raises(InputError, match="No file is called like none-\\*.txt"):
        found("none-*.txt:x")


@pytest.mark.parametrize(
    ("names", "missing"),
    [
        (["a-00000-of-00003.x", "a-00002-of-00003.x"], ["a-00001-of-00003.x"]),
        (["a-1-of-2", "a-2-of-2"], []),
        (["a-0-of-2", "a-1-of-2"], []),
        (["part-1", "part-9"], []),
    ],
)
def test_shards_that_count_themselves(names, missing):
    assert missing_numbers(names) == missing
