"""What only shows in a process of its own: what is imported, pipes that close, files that may not be written."""

import os
import shutil
import subprocess
import sys

import pytest

CALL = "from tertium.cli.main import main; main()"


def run(*arguments, **options):
    return subprocess.run([sys.executable, "-c", *arguments], capture_output=True, text=True, timeout=60, **options)


def loaded_after(code):
    result = run(f"{code}\nimport sys\nprint(*sys.modules)")
    assert result.returncode == 0, result.stderr
    return set(result.stdout.split("\n")[-2].split())


def test_the_version_needs_no_numpy():
    modules = loaded_after(
        "import sys\nsys.argv = ['tertium', '--version']\nfrom tertium.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass"
    )
    assert "click" in modules
    assert not {"numpy", "tertium._native", "tertium.metrics"} & modules


def test_importing_the_library_is_cheap():
    assert not {"numpy", "click", "scipy", "pandas", "pyarrow"} & loaded_after("import tertium")


def test_scoring_needs_numpy_only():
    modules = loaded_after("import tertium\ntertium.score([tertium.BLEU(), tertium.CHRF()], ['a'], ['a'])")
    assert "numpy" in modules
    assert not {"click", "scipy", "pandas", "pyarrow", "sentencepiece", "MeCab"} & modules


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists a process's threads")
def test_scoring_starts_no_threads_for_matrices(tmp_path):
    (tmp_path / "a.txt").write_text("some words here and there\n")
    count = f"import os, sys; {CALL}; sys.stderr.write(str(len(os.listdir('/proc/self/task'))))"
    inherited = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    said = run(count, "score", "a.txt", "-r", "a.txt", "--quiet", "--threads", "1", cwd=tmp_path, env=inherited)
    assert (said.returncode, said.stderr) == (0, "1")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_a_reader_that_has_seen_enough(tmp_path):
    for name in ("lines.txt", "reference.txt"):
        (tmp_path / name).write_text("some words here and there\n" * 50_000)
    command = f'"{sys.executable}" -c "{CALL}" score lines.txt -r reference.txt --level segment --format tsv --quiet | head -1'
    result = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert result.stdout.startswith("system\t")
    assert (result.returncode, result.stderr) == (0, "")


def test_exit_codes(tmp_path):
    (tmp_path / "a.txt").write_text("some words here and there\n")
    assert run(CALL, "score", "a.txt", "-r", "a.txt", cwd=tmp_path).returncode == 0
    assert run(CALL, "score", "a.txt", "-r", "b.txt", cwd=tmp_path).returncode == 1
    assert run(CALL, "score", "a.txt", "--nothing", cwd=tmp_path).returncode == 2


def test_standard_input_of_a_real_pipe(tmp_path):
    (tmp_path / "a.txt").write_text("some words here and there\n")
    result = run(CALL, "score", "-", "-r", "a.txt", "--format", "tsv", cwd=tmp_path, input="some words here and there")
    assert result.returncode == 0
    assert "stdin\tbleu\tcorpus" in result.stdout


def test_the_locale_does_not_matter(tmp_path):
    (tmp_path / "é.txt").write_text("où est la gare ?\n", encoding="utf-8")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": ""}
    result = subprocess.run(
        [sys.executable, "-c", CALL, "score", "é.txt", "-r", "é.txt", "--format", "json"],
        cwd=tmp_path, capture_output=True, timeout=60, env=environment,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert b"Traceback" not in result.stderr


# Root may write anywhere, unless it lays that privilege down.
ORDINARY = ["setpriv", "--bounding-set=-dac_override"] if os.name == "posix" and os.geteuid() == 0 else []


@pytest.mark.skipif(bool(ORDINARY) and not shutil.which("setpriv"), reason="root may write anywhere")
def test_a_directory_that_may_not_be_written(tmp_path):
    (tmp_path / "a.txt").write_text("some words here and there\n")
    (tmp_path / "closed").mkdir(mode=0o555)
    call = [*ORDINARY, sys.executable, "-c", CALL, "score", "a.txt", "-r", "a.txt", "--output", "closed/result"]
    result = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert result.returncode == 1
    assert "cannot be written" in result.stderr
    assert not list((tmp_path / "closed").iterdir())


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk(tmp_path):
    (tmp_path / "a.txt").write_text("some words here and there\n")
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [sys.executable, "-c", CALL, "score", "a.txt", "-r", "a.txt"],
            cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60,
        )  # fmt: skip
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
