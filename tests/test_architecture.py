"""What is said of how tertium is built: the picture is drawn from today's imports, and every path named exists."""

import re

import pytest
from tools.package_picture import PAGE, PICTURE, ROOT, Packages, picture, with_table
from tools.walks import WALKS, walk

_PATH = re.compile(r"`((?:src|native|tests|tools|docs|benchmarks)/[\w./-]*)`")


def test_the_picture_shows_the_imports():
    """If not: python -m tools.package_picture."""
    packages = Packages()
    assert PICTURE.read_text(encoding="utf-8") == picture(packages)
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_table(page, packages)


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_paths_exist(page):
    named = _PATH.findall((ROOT / page).read_text(encoding="utf-8"))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


# Each room of the native core includes itself and those before it.
ROOMS = ("machine", "text", "lexicon", "matching", "metrics", "statistics", "paraphrase", "bindings")
NATIVE = sorted(path.relative_to(ROOT / "native") for path in (ROOT / "native").rglob("*.[chi][pn][pc]"))


def test_the_native_core_has_no_other_rooms():
    assert {path.parts[0] for path in NATIVE} == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_include_those_before_them_and_bindings_alone_know_python(room):
    for path in (path for path in NATIVE if path.parts[0] == room):
        included = re.findall(r'#include ["<](.+?)[">]', (ROOT / "native" / path).read_text(encoding="utf-8"))
        ours = {name.split("/")[0] for name in included if "/" in name and name.split("/")[0] in ROOMS}
        assert ours <= set(ROOMS[: ROOMS.index(room) + 1]), path
        assert room == "bindings" or not any("nanobind" in name or "Python" in name for name in included), path


def test_no_metric_includes_another_but_terp_is_built_upon_ter():
    for path in (path for path in NATIVE if path.parts[0] == "metrics" and len(path.parts) == 3):
        included = re.findall(r'#include "metrics/(\w+)/', (ROOT / "native" / path).read_text(encoding="utf-8"))
        own = path.parts[1]
        assert set(included) <= {own} | ({"ter"} if own == "terp" else set()), path


def test_each_type_of_the_native_core_has_its_own_name():
    """Compiled apart, two of one name are taken for the same; compiled together, they are refused."""
    begins = re.compile(
        r"^(?:namespace ([\w:]+) {|(?:enum class|struct|class) (\w+)(?: final)?(?: : .*)? {|(}  // namespace))"
    )
    places: dict[str, set[str]] = {}
    for path in (path for path in NATIVE if path.suffix == ".hpp"):
        spaces: list[str] = []
        for line in (ROOT / "native" / path).read_text(encoding="utf-8").splitlines():
            if not (found := begins.match(line)):
                continue
            space, name, ends = found.groups()
            if space:
                spaces.append(space)
            elif ends:
                spaces.pop()
            else:
                places.setdefault("::".join([*spaces, name]), set()).add(path.as_posix())
    assert len(places) > 100
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


@pytest.mark.parametrize("folder", sorted({path.parent.as_posix() for path in NATIVE}))
def test_every_native_file_is_named_where_a_newcomer_looks(folder):
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    row = next(line for line in guide.splitlines() if line.startswith(f"| `{folder}` |"))
    readme = (ROOT / "native" / folder / "README.md").read_text(encoding="utf-8")
    files = {path.name.split(".")[0] for path in NATIVE if path.parent.as_posix() == folder}
    assert set(re.findall(r"`(\w+)`", row.split("|")[3])) == files
    assert [name for name in sorted(files) if f"`{name}." not in readme] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", WALKS)
def test_walks_can_be_counted(name):
    passed = walk(WALKS[name])
    assert "main" in passed["cli/main.py"]
