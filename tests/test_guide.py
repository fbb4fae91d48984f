"""What CONTRIBUTING.md says how to add: done as it says, to a copy, where it must pass types and contracts and work."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import tertium

ROOT = Path(__file__).parents[1]
_TITLED = re.compile(r'^```(\w+) title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
BLOCKS = [found.groups() for found in _TITLED.finditer((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))]


def added(text, diff):
    """Return the text with the lines of a diff added and removed; what stands around them must be there, once."""
    for hunk in re.split(r"^\n", diff, flags=re.MULTILINE):
        before = "".join(line[1:] for line in hunk.splitlines(keepends=True) if line[0] in " -")
        after = "".join(line[1:] for line in hunk.splitlines(keepends=True) if line[0] in " +")
        assert text.count(before) == 1, f"{text.count(before)} times there:\n{before}"
        text = text.replace(before, after)
    return text


def put(place, root, begin):
    """Do what the guide says with all files below `begin`, in a copy at `place` of what is there."""
    for mark, title, content in BLOCKS:
        if title.startswith(begin):
            path = place / Path(title).relative_to(root)
            assert path.exists() == (mark == "diff"), title
            path.write_text(
                added(path.read_text(encoding="utf-8"), content) if mark == "diff" else content, encoding="utf-8"
            )


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """Return how to run a command with a tertium to which all was added."""
    folder = tmp_path_factory.mktemp("grown")
    installed, package = Path(tertium.__file__).parent, folder / "tertium"
    shutil.copytree(installed, package, ignore=shutil.ignore_patterns("data", "_native*.so", "__pycache__"))
    for path in [installed / "data", *installed.glob("_native*.so")]:
        (package / path.name).symlink_to(path)
    put(package, "src/tertium", "src/")
    for name in ("tests", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    put(folder / "tests", "tests", "tests/")
    environment = {**os.environ, "PYTHONPATH": str(folder), "MYPYPATH": str(folder), "COLUMNS": "200"}

    def run(*command, cwd=folder):
        found = subprocess.run(
            [sys.executable, *map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True, timeout=600
        )
        assert found.returncode == 0, found.stdout + found.stderr
        return found.stdout

    run.folder = folder
    written = [Path(title).relative_to("src") for _, title, _ in BLOCKS if title.startswith("src/")]
    run.files = [folder / path for path in written if path.suffix == ".py"]
    return run


CALL = ("-c", "from tertium.cli.main import main; main()")
TESTS = ("-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-q", "-m", "not long")


def test_the_copy_is_what_is_tested(grown):
    assert str(grown.folder) in grown("-c", "import tertium; print(tertium.__file__)")


@pytest.mark.slow
def test_types_are_right(grown):
    grown("-m", "mypy", "--strict", "--config-file", "pyproject.toml", *grown.files)


@pytest.mark.slow
def test_format_is_right(grown):
    for command in (("format", "--check"), ("check",)):
        grown("-m", "ruff", *command, "--config", "pyproject.toml", *grown.files)


@pytest.mark.slow
def test_the_metric_keeps_the_contract(grown):
    grown(*TESTS, "tests/test_every_metric.py", "-k", "length-error")


def test_the_metric_is_everywhere(grown, tmp_path):
    assert "blanks=true: count blanks, too" in grown(*CALL, "metrics", "length-error")
    (tmp_path / "a.txt").write_text("Dogs travel free.\n" * 2)
    (tmp_path / "b.txt").write_text("Dogs travel free of charge.\n" * 2)
    said = grown(
        *CALL, "score", "a.txt", "-r", "b.txt", "-m", "length-error:blanks=false", "--confidence", cwd=tmp_path
    )
    assert "34.78" in said  # 15 of 23 letters


def test_the_layout_is_recognised(grown, tmp_path):
    (tmp_path / "films.csv").write_text("output,line,stars\nnorth,1,4\nnorth,2,5\nsouth,1,2\n")
    said = grown(*CALL, "judgments", "import", "films.csv", cwd=tmp_path)
    assert "north\t" in said
    assert "\tstars\t" in said


def test_the_coefficient_is_computed_with_its_interval(grown):
    code = "from tertium.meta import coefficient; print(coefficient([1, 2, 3, 3, 5], [1, 3, 2, 2, 5], 'gamma').value)"
    assert float(grown("-c", code)) == pytest.approx((7 - 2) / 9)


@pytest.mark.slow
def test_the_coefficient_keeps_the_contract(grown):
    grown(*TESTS, "tests/meta/test_every_coefficient.py", "-k", "gamma")


@pytest.mark.slow
def test_the_protocol_keeps_the_contract(grown):
    words = grown.folder / "tertium" / "annotate" / "words"
    english = json.loads((words / "en.json").read_text(encoding="utf-8"))
    for path in words.glob("*.json"):  # the guide shows the English ones
        path.write_text(json.dumps(english | json.loads(path.read_text(encoding="utf-8"))), encoding="utf-8")
    grown(*TESTS, "tests/annotate/test_every_protocol.py", "-k", "tone")


def test_the_command_runs(grown, tmp_path):
    (tmp_path / "a.txt").write_text("one\nthree\n")
    assert "lengths" in grown(*CALL, "--help")
    assert '"characters": 8' in grown(*CALL, "lengths", "a.txt", "--format", "json", cwd=tmp_path)


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    """Return a copy of the sources in C++, with the kernel."""
    folder = tmp_path_factory.mktemp("kernels")
    shutil.copytree(ROOT / "native", folder / "native")
    put(folder / "native", "native", "native/")
    return folder


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_the_kernel_compiles(kernels):
    import nanobind

    includes = [kernels / "native", nanobind.include_dir(), sysconfig.get_path("include")]
    for title in ("native/metrics/length_error.cpp", "native/bindings/ngrams.cpp"):
        options = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wno-psabi", *(f"-I{one}" for one in includes)]
        found = subprocess.run(["g++", *options, kernels / title], capture_output=True, text=True, timeout=600)
        assert found.returncode == 0, found.stderr
        assert "length_error" not in found.stderr


@pytest.mark.long
def test_the_kernel_counts(kernels):
    for name in ("pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, kernels / name)
    shutil.copytree(ROOT / "src", kernels / "src", ignore=shutil.ignore_patterns("__pycache__"))
    install = ["-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--target", "packages", "."]
    subprocess.run([sys.executable, *install], cwd=kernels, check=True, timeout=3000)
    code = """
import numpy as np
from tertium import _native
from tertium.corpus import Segments, hypothesis_texts, reference_texts
ours, theirs = hypothesis_texts(["Größe", "ab"]), reference_texts([["Größen", "Groß"], [""]])
rows = np.empty((2, 2))
_native.length_error_rows(ours, theirs, 2, rows)
print(rows.tolist())
"""
    environment = {**os.environ, "PYTHONPATH": str(kernels / "packages")}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert found.stdout == "[[1.0, 6.0], [2.0, 0.0]]\n"
