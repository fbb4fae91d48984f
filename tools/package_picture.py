"""Draw the packages and which imports which, from the imports themselves.

    python -m tools.package_picture

writes docs/packages.svg and the table of packages in docs/architecture.md; tests/test_architecture.py compares. An
arrow is left out where others already lead there.
"""

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "tertium"
PICTURE = ROOT / "docs" / "packages.svg"
PAGE = ROOT / "docs" / "architecture.md"
_TABLE = re.compile(r"(?<=<!-- packages: python -m tools\.package_picture -->\n\n).*?(?=\n\n<!-- end -->)", re.DOTALL)

_WIDE, _HIGH, _ACROSS, _DOWN = 128, 34, 40, 26  # of a box, and between boxes


def imports(path: Path) -> Iterator[str]:
    """Yield what a file imports, as dotted names, leaving out what only type checkers see."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    hidden = {
        id(node)
        for test in ast.walk(tree)
        if isinstance(test, ast.If) and ast.unparse(test.test) == "TYPE_CHECKING"
        for node in ast.walk(test)
    }
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


class Packages:
    """Which package imports which; files beside them, as errors.py, count as packages."""

    def __init__(self, folder: Path = SOURCES) -> None:
        uses: dict[str, set[str]] = {"_native": set()}
        for path in sorted(folder.rglob("*.py")):
            package = path.relative_to(folder).parts[0].removesuffix(".py")
            if package == "__init__":
                continue  # names the public names and imports them when they are asked for
            found = (module.split(".")[1:2] for module in imports(path) if module.split(".")[0] == "tertium")
            others = {name for names in found for name in names} - {package, "__version__"}
            uses.setdefault(package, set()).update(others)
        self.uses = dict(sorted(uses.items()))
        self.below: dict[str, set[str]] = {}  # all that a package reaches
        self.height: dict[str, int] = {}  # how many steps lie below it
        for package in TopologicalSorter(uses).static_order():
            self.below[package] = uses[package].union(*(self.below[other] for other in uses[package]))
            self.height[package] = 1 + max((self.height[other] for other in uses[package]), default=-1)

    def arrows(self, package: str) -> list[str]:
        """Return what a package imports and does not reach by way of others."""
        direct = self.uses[package]
        return sorted(one for one in direct if not any(one in self.below[other] for other in direct - {one}))

    def spine(self) -> list[str]:
        """Return the longest way down."""
        way = [max(self.uses, key=self.height.__getitem__)]
        while self.uses[way[-1]]:
            way.append(max(self.arrows(way[-1]), key=lambda one: (self.height[one], one != "_native")))
        return way


def picture(packages: Packages) -> str:
    """Draw the longest way down as a column, what stands beside it in columns of their own."""
    spine = packages.spine()
    beside = sorted(set(packages.uses) - set(spine), key=lambda one: (-packages.height[one], one))
    column = dict.fromkeys(spine, 0) | {name: place for place, name in enumerate(beside, 1)}
    top = packages.height[spine[0]]

    def corner(name: str) -> tuple[int, int]:
        return 10 + column[name] * (_WIDE + _ACROSS), 10 + (top - packages.height[name]) * (_HIGH + _DOWN)

    lines = [_line(corner(name), corner(other)) for name in packages.uses for other in packages.arrows(name)]
    boxes = [_box(name, *corner(name)) for name in packages.uses]
    width = 20 + (len(beside) + 1) * (_WIDE + _ACROSS) - _ACROSS
    height = 20 + (top + 1) * (_HIGH + _DOWN) - _DOWN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img"'
            ' aria-label="The packages, each above those it imports" font-family="monospace" font-size="15">',
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
            '<path d="M0 0 8 4 0 8z" fill="#777"/></marker></defs>',
            *lines,
            *boxes,
            "</svg>\n",
        ]
    )


def _line(upper: tuple[int, int], lower: tuple[int, int]) -> str:
    """Lead from one box down to another: sideways between rows only, past the boxes."""
    (x, y), (to_x, to_y) = upper, lower
    begin, end = x + _WIDE // 2, to_x + _WIDE // 2
    if x < to_x:
        begin, turn = x + _WIDE * 7 // 8, y + _HIGH + _DOWN // 3
    else:
        end, turn = to_x + _WIDE * 7 // 8, to_y - _DOWN // 2
    way = f"M{begin} {y + _HIGH}V{to_y}" if x == to_x else f"M{begin} {y + _HIGH}V{turn}H{end}V{to_y}"
    return f'<path d="{way}" fill="none" stroke="#777" marker-end="url(#tip)"/>'


def _box(name: str, x: int, y: int) -> str:
    shade = "#f3e3c3" if name == "_native" else "#dbe9f6"
    return (
        f'<rect x="{x}" y="{y}" width="{_WIDE}" height="{_HIGH}" rx="5" fill="{shade}" stroke="#555"/>'
        f'<text x="{x + _WIDE // 2}" y="{y + 22}" text-anchor="middle" fill="#111">{name}</text>'
    )


def table(packages: Packages, folder: Path = SOURCES) -> str:
    """Return the packages from the top down, each with the sentence its docstring opens with."""
    rows = ["| package | holds |", "|---|---|"]
    for name in sorted(packages.uses, key=lambda one: (-packages.height[one], one)):
        rows.append(f"| `{name}` | {_sentence(name, folder)} |")
    return "\n".join(rows)


def _sentence(name: str, folder: Path) -> str:
    if name == "_native":
        return "The kernels in C++, from `native/`."
    path = folder / name / "__init__.py" if (folder / name).is_dir() else folder / f"{name}.py"
    return (
        (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n\n")[0].replace("\n", " ")
    )


def with_table(page: str, packages: Packages) -> str:
    """Return the page with the table as it is now."""
    assert _TABLE.search(page), "the page has lost its marks"
    return _TABLE.sub(lambda _: table(packages), page)


if __name__ == "__main__":
    found = Packages()
    PICTURE.write_text(picture(found), encoding="utf-8")
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
