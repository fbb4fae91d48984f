"""Make the pictures of the README and the documentation from the bundled example, in a real browser.

python -m tools.pictures [FOLDER]    # docs/images, if none is named
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

IMAGES = Path(__file__).parents[1] / "docs" / "images"
REFERENCES = ("-r", "reference.a.txt", "-r", "reference.b.txt")
PAGES = {  # by picture: the command that makes its page, and the size of the window
    "compare": (
        ("compare", "north.txt", "south.txt", *REFERENCES, "--documents", "documents.txt", "--report", "compare.html"),
        (1180, 860),
    ),
    "align": (
        ("align", "south.txt", "-r", "reference.a.txt", "--worst", "3", "--format", "html", "--output", "align.html"),
        (1000, 520),
    ),
}


def main(folder: Path) -> None:
    """Write every picture into a folder."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    tertium = Path(sys.executable).with_name("tertium")
    chromium = os.environ.get("TERTIUM_CHROMIUM") or shutil.which("chromium")
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        example = Path(name) / "example"
        subprocess.run([tertium, "demo", "--keep", example], check=True, capture_output=True)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for picture, (command, (width, height)) in PAGES.items():
            subprocess.run([tertium, *command], check=True, capture_output=True, cwd=example)
            tab = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
            tab.goto((example / f"{picture}.html").as_uri())
            tab.wait_for_load_state("networkidle")
            tab.screenshot(path=folder / f"{picture}.png")
            tab.close()
        annotating(folder, browser, tertium, Path(name))
        browser.close()


def annotating(folder: Path, browser: Any, tertium: Path, place: Path) -> None:
    """Take a picture of the page that collects judgments: a marked error and a score."""
    server = subprocess.Popen(
        [tertium, "annotate", "demo", "--keep", place / "demo.db"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        link = next(found for line in server.stdout if (found := re.search(r"http://\S+/a/\S+", line)))
        tab = browser.new_page(viewport={"width": 1180, "height": 560}, color_scheme="light")
        tab.goto(link.group())
        tab.wait_for_selector("html[data-ready]")
        tab.locator("dialog .primary").click()
        tab.locator(".score .number").first.fill("95")
        tab.locator(".bottom .primary").click()
        tab.locator("main > .notice button").click()
        tab.get_by_text("leaves", exact=True).click()  # which waits until the next screen shows it
        tab.locator(".bar .severity").first.click()
        tab.locator(".score .number").first.fill("86")
        tab.locator(".score .number").first.blur()
        tab.wait_for_selector(".saved[data-state=saved]")
        tab.screenshot(path=folder / "annotate.png")
        tab.close()
    finally:
        server.terminate()
        server.communicate()  # which closes its output, too


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES)
