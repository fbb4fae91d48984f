"""Public names: listed once, loaded when used, known to type checkers."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest


@pytest.mark.parametrize("package", ["tertium", "tertium.meta", "tertium.metrics"])
def test_every_name_is_there_and_in_the_stub(package):
    module = import_module(package)
    stub = ast.parse(Path(module.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    stubbed = {alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    listed = {name for names in module.HOMES.values() for name in names.split()}
    modules = {home for home, names in module.HOMES.items() if not names}
    assert stubbed == listed | modules  # else: make stubs
    assert listed <= set(module.__all__)
    assert listed | modules <= set(dir(module))
    for name in listed | modules:
        assert getattr(module, name) is getattr(module, name)


def test_other_names_are_refused():
    import tertium

    with pytest.raises(AttributeError, match=r"module 'tertium' has no attribute 'blue'"):
        _ = tertium.blue
    assert not hasattr(tertium.meta, "blue")


def test_importing_loads_nothing():
    code = "import sys, tertium; print(sorted(m for m in sys.modules if m.startswith(('tertium', 'numpy', 'click'))))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "['tertium', 'tertium.lazy']"


def test_a_score_loads_only_what_it_needs(tmp_path):
    """A plain score must start quickly: of metrics its own, of readers that of lines, no random numbers."""
    (tmp_path / "a.txt").write_text("one two three four five\n")
    code = """
import sys
from tertium.cli.main import main
sys.argv = ["tertium", "score", "a.txt", "-r", "a.txt", "-m", "bleu", "--quiet"]
main()
print(sorted(sys.modules), file=sys.stderr)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    loaded = ast.literal_eval(found.stderr)
    assert "tertium.metrics.bleu" in loaded
    heavy = ("importlib.metadata", "numpy.random", "statistics", "zipfile", "xml", "tertium.significance")
    others = ("tertium.metrics.chrf", "tertium.metrics.terp", "tertium.corpus.tables", "tertium.shards")
    assert [name for name in loaded if name in heavy + others] == []
