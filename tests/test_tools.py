"""What is made for those who install, package and release: manual pages, completion, wheels, the walk to a release."""

import importlib.metadata
import os
import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from click.shell_completion import BashComplete
from tools import install, release
from tools.man_pages import escaped, pages
from tools.wheels.auditing import macos_libraries, windows_imports
from tools.wheels.compiling import BuildError, forget_time
from tools.wheels.platforms import PLATFORMS, PYTHONS, module_name

from tertium import __version__
from tertium.cli.group import tertium
from tertium.cli.main import COMMANDS

ROOT = Path(__file__).parents[1]


def test_every_command_has_a_manual_page_with_its_options():
    found = pages()
    assert set(found) == {"tertium.1", *(f"tertium-{name}.1" for name in COMMANDS if name != "sacrebleu")}
    assert all(text.startswith('.TH "TERTIUM') and text.isascii() for text in found.values())
    assert ".B \\-\\-cite\nPrint the papers" in found["tertium-explain.1"]


@pytest.mark.parametrize(("text", "written"), [("-m a\\b", "\\-m a\\eb"), (".PP", "\\&.PP"), ("é", "\\[u00E9]")])
def test_man_takes_texts_literally(text, written):
    assert escaped(text) == written


@pytest.mark.parametrize(
    ("words", "wanted"), [([], "sc"), (["score"], "--form"), (["explain"], "--ci")], ids=["command", "option", "flag"]
)
def test_a_shell_can_complete(words, wanted):
    completion = BashComplete(tertium, {}, "tertium", "_TERTIUM_COMPLETE")
    found = [item.value for item in completion.get_completions(words, wanted)]
    assert found
    assert all(value.startswith(wanted) for value in found)


def test_wheels_have_the_names_that_pip_and_python_look_for():
    assert len(PLATFORMS) == 7
    names = {(platform.name, python.tag): module_name(platform, python) for platform in PLATFORMS for python in PYTHONS}
    assert names["linux-x86_64", "cp311"] == "_native.cpython-311-x86_64-linux-gnu.so"
    assert names["macos-arm64", "cp311"] == "_native.cpython-311-darwin.so"
    assert names["musl-arm64", "cp312"] == "_native.abi3.so"
    assert names["windows-x86_64", "cp311"] == "_native.cp311-win_amd64.pyd"
    assert names["windows-x86_64", "cp312"] == "_native.pyd"


def test_libraries_of_a_macos_module_are_read():
    name = b"/usr/lib/libSystem.B.dylib\0\0\0\0\0\0"
    command = struct.pack("<IIIIII", 0xC, 24 + len(name), 24, 0, 0, 0) + name
    header = b"\xcf\xfa\xed\xfe" + struct.pack("<IIIIIII", 0, 0, 8, 1, len(command), 0, 0)
    assert macos_libraries(header + command) == ["/usr/lib/libSystem.B.dylib"]
    assert macos_libraries(b"\x7fELF") == windows_imports(b"\x7fELF" * 30) == []


def test_a_dll_does_not_tell_when_it_was_linked(tmp_path):
    dll = tmp_path / "a.dll"
    dll.write_bytes(b"MZ".ljust(60, b".") + struct.pack("<I", 64) + b"PE\0\0" + b"\x64\x86\x02\0" + b"time" + b"rest")
    forget_time(dll)
    assert dll.read_bytes()[64:] == b"PE\0\0" + b"\x64\x86\x02\0" + bytes(4) + b"rest"
    dll.write_bytes(b"\x7fELF" * 30)
    with pytest.raises(BuildError, match="is no DLL"):
        forget_time(dll)


def test_a_release_stops_at_what_is_not_so(monkeypatch, tmp_path, capsys):
    (tmp_path / "src/tertium").mkdir(parents=True)
    (tmp_path / "src/tertium/__init__.py").write_text('__version__ = "1.2.3"\n')
    monkeypatch.setattr(release, "ROOT", tmp_path)
    for changelog, said in [
        ("## 1.2.2 (2026-01-01)\n\n- x\n", "begins with 1.2.2, but this is 1.2.3"),
        ("## 1.2.3 (unreleased)\n\n- x\n", "give it the day"),
        ("## 1.2.3 (2026-01-01)\n\n## 1.2.2 (2025-01-01)\n\n- x\n", "says nothing about 1.2.3"),
    ]:
        (tmp_path / "CHANGELOG.md").write_text(changelog)
        assert release.main(["--quick"]) == 1
        assert said in capsys.readouterr().err
    (tmp_path / "CHANGELOG.md").write_text("## 1.2.3 (2026-01-01)\n\n- x\n")
    (tmp_path / "CITATION.cff").write_text("title: x\nversion: 1.2.2\n")
    assert release.main(["--quick"]) == 1
    assert "CITATION.cff names another version" in capsys.readouterr().err


def test_the_version_is_the_same_everywhere():
    assert release.version() == __version__
    assert re.search(rf"^version: {re.escape(__version__)}$", (ROOT / "CITATION.cff").read_text(), re.M)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (
            "  [3/61] Building CXX object CMakeFiles/kernels.dir/native/metrics/bleu.cpp.o",
            "3 61 native/metrics/bleu.cpp",
        ),
        ("  [9/61] Building CXX object CMakeFiles/kernels.dir/Unity/unity_small_0_cxx.cxx.o", "9 61 None"),
        ("[61/61] Linking CXX shared module _native.so", "61 61 None"),
    ],
)
def test_lines_of_the_compiler_tell_how_far_it_is(line, found):
    assert " ".join(map(str, install._STEP.search(line).groups())) == found


@pytest.mark.parametrize(
    ("changed", "program"), [("native/a.cpp", "cmake"), ("src/a.py", "pip"), ("pyproject.toml", "pip")]
)
def test_only_the_module_is_installed_anew_where_only_kernels_changed(monkeypatch, tmp_path, changed, program):
    stamp = tmp_path / "installed"
    wheel = importlib.metadata.distribution("tertium").read_text("WHEEL")
    tag = wheel.split("Tag: ")[1].split()[0]
    for name in ("native/a.cpp", "src/a.py", "pyproject.toml", f"build/{tag}/build.ninja", "installed"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    os.utime(stamp, (stamp.stat().st_mtime + 60,) * 2)
    os.utime(tmp_path / changed, (stamp.stat().st_mtime + 60,) * 2)
    calls = []
    monkeypatch.setattr(install, "ROOT", tmp_path)
    monkeypatch.setattr(install, "_shown", lambda call: calls.append(call) or 0)
    install.main(stamp)
    assert all(program in " ".join(call) for call in calls)
    assert len(calls) == (2 if program == "cmake" else 1)


@pytest.mark.slow
def test_the_program_of_kernels_alone_prints_its_numbers(tmp_path):
    # Systems where no Python can be had are tried by it; here, with what was compiled for this one.
    compiler = shutil.which("g++")
    folder = install.build_folder()
    if not compiler or not folder:
        pytest.skip("the kernels were not compiled here, by g++")
    steps = (folder / "build.ninja").read_text(encoding="utf-8")
    objects = [
        str(folder / name) for name in re.findall(r"^build (CMakeFiles/kernels\.dir/\S+\.o):", steps, re.MULTILINE)
    ]
    source = ROOT / "tools" / "wheels" / "kernels_check.cpp"
    program = tmp_path / "kernels_check"
    flags = ["-std=c++20", "-O1", "-ffp-contract=off", "-Wno-psabi", f"-I{ROOT / 'native'}", "-pthread"]
    subprocess.run([compiler, *flags, str(source), *objects, "-o", str(program)], check=True)
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    assert printed == (ROOT / "tests" / "data" / "kernels.txt").read_text(encoding="utf-8")
