"""How long a stranger takes from three commands to system ranks with intervals: 50 ESA judgments by two people.

    python -m benchmarks.annotation_run
    python -m benchmarks.annotation_run --judgments 10 --pictures shots/

The commands are those of the documentation (`annotate new`, `annotate serve`, `judgments aggregate`), run as programs.
Each person is a real browser of their own: every judgment is made with the mouse and the keyboard on the page, marks
and scores. The answers are drawn from a seed, and one of the two systems is better, so that there is something to find.
Needs chromium and playwright (`make .venv/browser`).
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

TERTIUM = Path(sys.executable).with_name("tertium")
WORDS = ["the", "bridge", "over", "river", "is", "closed", "until", "march", "and", "nobody", "knows", "why", "snow"]


def texts(folder: Path, segments: int) -> None:
    """Write a source and two systems' outputs."""
    rng = random.Random(5)
    for name in ("source", "north", "south"):
        lines = [" ".join(rng.choices(WORDS, k=rng.randint(6, 14))) + f" {i}." for i in range(1, segments + 1)]
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(*arguments: str, cwd: Path) -> tuple[str, float]:
    """Run a command; return what it says and how long it took."""
    begin = time.perf_counter()
    done = subprocess.run([TERTIUM, *arguments], cwd=cwd, capture_output=True, text=True, check=True)
    return done.stdout, time.perf_counter() - begin


def serve(folder: Path) -> tuple[subprocess.Popen[str], list[str]]:
    """Start the server and read everybody's links off its output, as a person would."""
    process = subprocess.Popen(
        [TERTIUM, "annotate", "serve", "study.db"], cwd=folder, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    links = []
    for line in process.stdout:
        links += re.findall(r"http://\S+/a/\S+", line)
        if "organiser" in line:
            break
    return process, links


def annotate(link: str, number: int, outputs: dict[str, str], pictures: Path | None) -> int:
    """Work through somebody's whole list in a browser; return how many outputs were judged."""
    from playwright.sync_api import sync_playwright

    rng = random.Random(number)
    judged = 0
    with sync_playwright() as playwright:
        program = os.environ.get("TERTIUM_CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(60_000)
        page.goto(link)
        page.wait_for_selector("html[data-ready]")
        page.locator("dialog .primary").click()
        while not page.locator(".end").count():
            before = page.locator("h1").inner_text()
            for card in page.locator(".card").all():
                _judge(page, card, rng, outputs)
                judged += 1
            if pictures is not None:
                page.screenshot(path=pictures / f"{number}-{judged:03d}.png")
            page.locator(".bottom .primary").click()
            page.wait_for_function("(before) => document.querySelector('h1').innerText !== before", arg=before)
        if pictures is not None:
            page.screenshot(path=pictures / f"{number}-end.png")
        browser.close()
    return judged


def _judge(page: Any, card: Any, rng: random.Random, outputs: dict[str, str]) -> None:
    """Mark a word where there is an error, then give a score."""
    text = card.locator(":scope > .text")
    system = outputs[text.evaluate("(element) => element.textContent")]
    score = max(0, min(100, round(rng.gauss(85 if system == "north" else 65, 12))))
    if score < 80:
        words = text.locator(".piece")
        words.nth(2 * rng.randrange(3)).click()
        page.locator(".bar .severity").nth(int(score < 60)).click()
    card.locator(".score .number").fill(str(score))


def main() -> None:
    """Do it once, and print what each step took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judgments", type=int, default=50)
    parser.add_argument("--pictures", type=Path, help="Keep a picture of every screen in this folder.")
    options = parser.parse_args()
    if options.pictures is not None:
        options.pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts(folder, options.judgments // 2)
        outputs = {
            line: system
            for system in ("north", "south")
            for line in (folder / f"{system}.txt").read_text(encoding="utf-8").splitlines()
        }
        begin = time.perf_counter()
        command = ("annotate", "new", "study.db", "--protocol", "esa", "--source", "source.txt", "north.txt")
        said, made = run(*command, "south.txt", "--annotators", "2", cwd=folder)
        print(said)
        starting = time.perf_counter()
        server, links = serve(folder)
        served = time.perf_counter() - starting
        working = time.perf_counter()
        try:
            with ThreadPoolExecutor() as people:
                jobs = [people.submit(annotate, link, n, outputs, options.pictures) for n, link in enumerate(links, 1)]
                judged = sum(job.result() for job in jobs)
        finally:
            worked = time.perf_counter() - working
            server.terminate()
            server.wait()
        said, ranked = run("judgments", "aggregate", "study.db", "--clusters", cwd=folder)
        total = time.perf_counter() - begin
        print(said)
        print(
            f"{judged} judgments by {len(links)} people: new {made:.1f} s, serve {served:.1f} s, "
            f"the page {worked:.1f} s, ranks {ranked:.1f} s; {total:.1f} s in all"
        )


if __name__ == "__main__":
    main()
