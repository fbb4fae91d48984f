"""Count what a reader passes on the way through a command: our functions called, and the files they stand in.

    python -m tools.walks            the table
    python -m tools.walks score      what one walk passes, file by file

Each command runs once on the bundled example, in a process of its own, under Python's profiler; each function counts
once however often it is called; lambdas and the bodies of classes and comprehensions do not count.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

SYSTEMS = ["example/north.txt", "example/south.txt", "-r", "example/reference.a.txt"]
JUDGED = ["--judgments", "example/judgments.tsv"]
WALKS = {
    "score": ["score", *SYSTEMS, "-m", "bleu"],
    "align": ["align", "example/north.txt", "-r", "example/reference.a.txt", "-m", "ter", "--output", "align.html"],
    "correlate": ["correlate", *SYSTEMS, "-m", "bleu", *JUDGED],
    "compare": ["compare", *SYSTEMS, "-m", "bleu", "--report", "report.html"],
}
FORMERLY = {"score": (103, 20), "align": (101, 18), "correlate": (225, 37), "compare": (260, 41)}

# Runs in the other process: profile the command, then write the functions as JSON to the file named first.
PROFILED = """
import inspect, json, sys, threading
from pathlib import Path
called = set()
def note(frame, event, _):
    if event == "call":
        called.add(frame.f_code)
from tertium.cli.main import main
import tertium
home = str(Path(tertium.__file__).parent) + "/"
output, sys.argv = sys.argv[1], ["tertium", *sys.argv[2:]]
threading.setprofile(note)
sys.setprofile(note)
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
finally:
    sys.setprofile(None)
found = [(code.co_filename.removeprefix(home), code.co_qualname, code.co_firstlineno)
         for code in called if code.co_filename.startswith(home) and code.co_flags & inspect.CO_OPTIMIZED]
json.dump(found, open(output, "w"))
"""
INSIDE = ("<lambda>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


def walk(arguments: list[str]) -> dict[str, list[str]]:
    """Return the functions that a command calls, by file, in the order in which they stand there."""
    with tempfile.TemporaryDirectory() as folder:
        with as_file(files("tertium") / "data" / "demo") as demo:
            shutil.copytree(demo, Path(folder) / "example")
        output = Path(folder) / "called.json"
        subprocess.run(
            [sys.executable, "-c", PROFILED, output, *arguments], cwd=folder, check=True, capture_output=True
        )
        found = json.loads(output.read_text())
    by_file: dict[str, list[str]] = {}
    for file, name, _ in sorted(found, key=lambda one: (one[0], one[2])):
        if not name.endswith(INSIDE):
            by_file.setdefault(file, []).append(name)
    return by_file


def main(*names: str) -> None:
    """Print the table, or the walks that are named."""
    if names:
        for name in names:
            for file, functions in walk(WALKS[name]).items():
                print(f"{file}\n    " + "\n    ".join(functions))
        return
    print("walk         functions  files    formerly   two thirds")
    for name, arguments in WALKS.items():
        by_file = walk(arguments)
        formerly, in_files = FORMERLY[name]
        print(
            f"{name:<12} {sum(map(len, by_file.values())):9} {len(by_file):6} {formerly:8}/{in_files}"
            f" {formerly * 2 // 3:9}/{in_files * 2 // 3}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
