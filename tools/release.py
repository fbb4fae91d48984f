"""Walk through a release: `python -m tools.release` checks each point and stops at the first that is not so.

python -m tools.release              # check; nothing is changed
python -m tools.release --quick      # without tests, documentation and wheels, which take minutes
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]


class NotYet(Exception):
    """What has to be done before the release can go on."""


def version() -> str:
    """Return the version, which stands in one place."""
    found = re.search(r'^__version__ = "(.+)"$', (ROOT / "src/tertium/__init__.py").read_text(encoding="utf-8"), re.M)
    assert found
    return found[1]


def changelog_has_the_version() -> None:
    """The newest entry of CHANGELOG.md is of this version, with a date, and says something."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\S+)(?: \((.+?)\))?\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not newest or newest[1] != version():
        raise NotYet(f"CHANGELOG.md begins with {newest[1] if newest else 'nothing'}, but this is {version()}.")
    if not newest[2] or not re.fullmatch(r"\d{4}-\d\d-\d\d", newest[2]):
        raise NotYet(f"CHANGELOG.md calls {version()} '{newest[2] or 'nothing'}'; give it the day, such as 2026-12-01.")
    if "- " not in newest[3]:
        raise NotYet(f"CHANGELOG.md says nothing about {version()}.")


def citation_has_the_version() -> None:
    """CITATION.cff names this version."""
    if f"\nversion: {version()}\n" not in (ROOT / "CITATION.cff").read_text(encoding="utf-8"):
        raise NotYet(f"CITATION.cff names another version; write `version: {version()}`.")


def everything_is_committed() -> None:
    """Nothing is changed or lies about."""
    if left := _output("git", "status", "--porcelain"):
        raise NotYet(f"Commit or remove these first:\n{left}")


def the_tag_is_free() -> None:
    """No release has this number."""
    if _output("git", "tag", "--list", f"v{version()}"):
        raise NotYet(f"v{version()} exists. Raise __version__ in src/tertium/__init__.py.")


def checks_pass() -> None:
    """Format, lint, types and stubs."""
    _make("check")


def tests_pass() -> None:
    """All tests that take seconds."""
    _make("test-all")


def documentation_builds() -> None:
    """No link is broken."""
    _make("docs")


def wheels_are_made() -> None:
    """Fourteen wheels, audited, and the sources."""
    _make("wheels")
    _output(sys.executable, "-m", "build", "--sdist", "--no-isolation")
    if len(wheels := list((ROOT / "dist").glob(f"tertium-{version()}-*.whl"))) != 14:
        raise NotYet(f"dist/ has {len(wheels)} wheels of {version()}, but 14 are made for a release.")


def wheels_run() -> None:
    """Wheels run in every CPython of this machine, and on a Nehalem; kernels on musl."""
    for chosen in ([], ["--kernels", "musl-x86_64", "musl-arm64"]):
        if subprocess.run([sys.executable, "-m", "tools.wheels.trying", *chosen], cwd=ROOT).returncode:
            raise NotYet("A wheel does not do what it should; see above.")


QUICK: tuple[Callable[[], None], ...] = (
    changelog_has_the_version,
    citation_has_the_version,
    the_tag_is_free,
    everything_is_committed,
)
SLOW: tuple[Callable[[], None], ...] = (checks_pass, tests_pass, documentation_builds, wheels_are_made, wheels_run)


def main(arguments: list[str]) -> int:
    """Check one point after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="only what takes no time")
    points = QUICK if parser.parse_args(arguments).quick else QUICK + SLOW
    for number, point in enumerate(points, 1):
        print(f"[{number}/{len(points)}] {(point.__doc__ or '').rstrip('.')}", flush=True)
        try:
            point()
        except NotYet as wrong:
            print(f"not yet: {wrong}", file=sys.stderr)
            return 1
    print(f"All is ready. Now: git tag -a v{version()} -m 'tertium {version()}' && git push origin v{version()}")
    return 0


def _make(target: str) -> None:
    if subprocess.run(["make", target], cwd=ROOT).returncode:
        raise NotYet(f"`make {target}` fails; see above.")


def _output(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise NotYet(f"`{' '.join(command)}` fails: {done.stderr.strip()}")
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
