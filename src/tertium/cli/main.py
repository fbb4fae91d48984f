"""The command `tertium`: runs the file of a subcommand, turns errors into messages and exit codes."""

import atexit
import errno
import gc
import os
import sys
from importlib import import_module

COMMANDS = {
    "score": "Score systems against references.",
    "merge": "Merge rows that many machines wrote.",
    "align": "Show which words moved, were inserted, deleted, substituted.",
    "compare": "Test whether systems differ by more than chance.",
    "gate": "Let a build pass or fail: a system against a stored baseline.",
    "correlate": "Correlate metrics with human judgments.",
    "rank": "Rank metrics by how well they agree with people.",
    "shared-task": "Write the tables of a shared task's findings.",
    "annotate": "Collect human judgments on a page.",
    "judgments": "Read human judgments, and measure how far raters agree.",
    "tune": "Fit a metric's settings to human judgments; test them held out.",
    "paraphrases": "Make paraphrase tables from bitexts; inspect, convert them.",
    "orange": "Rank references among n-best lists, to judge metrics.",
    "mbr": "Choose translations by minimum Bayes risk.",
    "best": "Choose the best of n translations against a reference.",
    "pairwise": "Score every line against every other: similarity, duplicates.",
    "latency": "Measure how late the words of a simultaneous translation come.",
    "resegment": "Cut a translation to the reference's segments.",
    "metrics": "Show the metrics there are, with their settings.",
    "testsets": "List, fetch and add test sets, to use by name: -t wmt22.",
    "resources": "Show stems, synonyms, tables: what is here, what is missing.",
    "explain": "Say what a signature means, or how two differ.",
    "sacrebleu": "Score with sacreBLEU's options and output.",
    "demo": "Run the main job on a small bundled example.",
    "help": "Find the command for a word: significance, WMT, agreement …",
}
_WITHOUT_MATRICES = {"score", "merge", "align", "gate", "demo"}
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO)  # of a disk, as where help is printed to one that is full
SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def main() -> None:
    """Run the command line; exit 1 for what the user can put right, 2 for a malformed call, 130 for Ctrl-C."""
    # What is made at the start stays to the end: looking for garbage in it takes a sixth of a short command's time.
    gc.set_threshold(100_000, 50, 50)
    atexit.register(gc.freeze)
    if sys.stderr is None:  # closed: print would put warnings between the results
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if os.name == "nt":
        from tertium.files.systems import print_in_utf8

        print_in_utf8()
    name, *arguments = sys.argv[1:] or [""]
    if name in _WITHOUT_MATRICES:  # numpy's threads would keep a processor busy while they wait for some
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if name == "sacrebleu":  # reads its own arguments; click would take its time
        from tertium.compat.sacrebleu.program import main as sacrebleu

        sacrebleu(arguments)
        return
    import click

    from tertium.errors import TertiumError

    try:
        if name in COMMANDS:
            command = import_module(f"tertium.cli.commands.{name.replace('-', '_')}").command
            command.main(arguments, prog_name=f"tertium {name}", standalone_mode=False, **SETTINGS)
        else:
            from tertium.cli.group import tertium

            tertium.main(prog_name="tertium", standalone_mode=False)
    except TertiumError as error:
        from tertium.cli.output.progress import told

        _leave(f"tertium: {told(error.message)}", 1)
    except ImportError as error:
        if not isinstance(error.__cause__, TertiumError):  # that of the kernels, about a variable of the environment
            raise
        # Whatever else speaks here needs the kernels.
        said = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in str(error.__cause__))
        print(f"tertium: {said}", file=sys.stderr)
        sys.exit(1)
    except click.UsageError as error:
        error.show()
        _leave(None, error.exit_code)
    except click.ClickException as error:
        _leave(f"tertium: {error.format_message()}", 1)
    except (KeyboardInterrupt, click.Abort):
        _leave("tertium: interrupted", 130)
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        if error.filename is not None:  # a name that is too long, a folder that may not be looked into
            _leave(f"tertium: {os.fsdecode(error.filename):.200} cannot be used: {said}.", 1)
        if error.errno not in _FULL:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left to be printed would fail once more
        _leave(f"tertium: nothing more can be written: {said}.", 1)
    except Exception as error:
        if type(error).__module__ != "sqlite3":  # not imported for this
            raise
        _leave(f"tertium: The study cannot be read or written: {error}. Is it damaged? Restore a backup.", 1)


def _leave(message: str | None, code: int) -> None:
    if message:
        from tertium.cli.output.progress import say

        say(message)
    sys.exit(code)
