"""Which way imports point: down the layers, never up, never sideways. Read from the source, nothing is imported."""

import ast
from pathlib import Path

import pytest
from tools.package_picture import imports

import tertium

ROOT = Path(tertium.__file__).parent
SOURCES = sorted(ROOT.rglob("*.py"))

# Each part may import the parts below it. Parts on one line do not import each other.
LAYERS = [
    {"cli"},
    {"compat"},
    {"annotate"},
    {"report"},
    {"about", "decoding", "rewards", "latency", "polars", "duckdb", "spark"},
    {"arrow", "shards"},
    {"meta"},
    {"judgments"},
    {"significance"},
    {"scoring", "resegmentation", "testing"},
    {"metrics", "paraphrase"},
    {"corpus"},
    {"text"},
    {"files"},
    {"results"},
    {"errors", "lazy"},
]
RANK = {part: rank for rank, layer in enumerate(LAYERS) for part in layer}
MAY_CALL_NATIVE = {
    "about",
    "files",
    "text",
    "corpus",
    "paraphrase",
    "metrics",
    "scoring",
    "resegmentation",
    "significance",
    "judgments",
    "meta",
    "arrow",
    "shards",
    "polars",
    "duckdb",
    "spark",
    "compat",
}  # compat starts without numpy
STANDS_APART = {"paraphrase"}  # metrics and all above them know its files, not its code
OPTIONAL = {
    "click": {"cli"},
    "sentencepiece": {"text"},
    "Stemmer": {"text"},
    "MeCab": {"text"},
    "mecab_ko": {"text"},
    "pandas": {"results"},
    "zstandard": {"files"},
    "jinja2": {"report"},
    "markupsafe": {"report"},
    "resvg_py": {"report"},
    "scipy": {"judgments", "meta", "significance"},
    "sacrebleu": set(),
    "torch": {"rewards"},
    "polars": {"polars", "results"},
    "duckdb": {"duckdb"},
    "pyspark": {"spark"},
    "starlette": {"annotate"},
    "uvicorn": {"annotate"},
}


def part_of(module):
    """Return the part a dotted name belongs to; '' for the package itself."""
    names = module.split(".")
    return names[1] if len(names) > 1 else ""


def own_part(path):
    relative = path.relative_to(ROOT)
    return relative.parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_downward(path):
    part = own_part(path)
    if part == "__init__":
        return  # names the public names and imports them when they are asked for
    for module in imports(path):
        if module.split(".")[0] != "tertium":
            continue
        other = part_of(module)
        if other in ("", part, "__version__"):
            continue
        if other == "_native":
            assert part in MAY_CALL_NATIVE, f"{path} calls the core"
            continue
        assert RANK.get(other, -1) > RANK.get(part, -1), f"{path} imports {module}"
        assert other not in STANDS_APART or part == "cli", f"{path} imports {module}"


@pytest.mark.parametrize("path", sorted((ROOT / "report" / "drawing").glob("*.py")), ids=lambda path: path.name)
def test_charts_know_no_page(path):
    assert not [module for module in imports(path) if module.startswith("tertium.report.pages")]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_optional_packages_have_one_home(path):
    for module in imports(path):
        homes = OPTIONAL.get(module.split(".")[0])
        assert homes is None or own_part(path) in homes, f"{path} imports {module}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_there_is_no_drawer_for_odds_and_ends():
    own = [path for path in SOURCES if "compat" not in path.parts]  # stand-ins have the originals' names
    assert not {path.stem for path in own} & {"utils", "util", "helpers", "common", "misc"}
