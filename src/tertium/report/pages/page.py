"""One page in one file: the frame that all reports share, filled from a template.

Whatever comes from users is escaped by the template, or stands in a block of letters in which no tag can be. The page
may run only the script that was written here (its hash is in the page's own policy), and may load nothing at all.
"""

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any
from zlib import compress

from tertium import __version__
from tertium.errors import MissingExtraError
from tertium.metrics.names import title as titled
from tertium.report.drawing.palette import DARK, LIGHT, chart_css, on_page, variables


def check_installed() -> None:
    """Refuse before any work is done if pages cannot be made."""
    try:
        import jinja2  # noqa: F401
    except ImportError:
        raise MissingExtraError("A report needs the template engine jinja2: pip install 'tertium[report]'.") from None


def page(template: str, *, title: str, data: Any, scripts: tuple[str, ...], **context: Any) -> str:
    """Return a page. `data` is what its scripts read; `scripts` are files next to the template."""
    check_installed()
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        autoescape=True, loader=FunctionLoader(_file), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["signed"] = signed
    environment.filters["fixed"] = fixed
    environment.filters["titled"] = titled
    environment.filters["thousands"] = "{:,}".format
    ours = {name: Markup(text) for name, text in _own(scripts, chart_css(on_page(), ".chart")).items()}  # no user's
    whole: str = environment.get_template(template).render(title=title, data=packed(data), **ours, **context)
    return whole


def framed(main: str, *, title: str, style: str) -> str:
    """Return a page whose main part is written already, which needs no template engine; `style` is one more file."""
    filled = _own(("theme.js",), "", _file(style)) | {"title": title, "data": "", "main": main, "navigation": ""}
    filled["footer"] = f"Made by tertium {__version__}. This file needs no network and sends nothing."
    gaps = r"\{\{ (\w+) \}\}|\{% block (\w+) %\}\{% endblock %\}"
    return re.sub(gaps, lambda gap: filled[gap[1] or gap[2]], _file("page.html"))


def _own(scripts: Sequence[str], charts: str, last: str = "") -> dict[str, str]:
    """Return what fills the head and the end of every page; `charts` and `last` are rules before and after its own."""
    script = "\n".join(map(_file, scripts))
    dark = variables(DARK)  # light first; dark where the system or the reader asks for it; paper is always light
    style = (
        f":root {{ {variables(LIGHT)} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{ {dark} }} }}\n"
        f"@media screen {{ :root[data-theme=dark] {{ {dark} }} }}\n"
    )
    return {
        "style": style + charts + _file("page.css") + last,
        "script": script,
        "script_hash": b64encode(sha256(script.encode()).digest()).decode(),
    }


def packed(data: Any) -> str:
    """Return data as JSON, deflated and in base64: a third of the size, and no tag of a user's text can end it."""
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return b64encode(compress(written.encode(), 9)).decode()


def signed(value: float, decimals: int) -> str:
    """Return a difference with its sign."""
    return f"{value:+.{decimals}f}".replace("-", "−")


def fixed(value: float, decimals: int) -> str:
    """Return a number with so many decimals."""
    return f"{value:.{decimals}f}".replace("-", "−")


@cache
def _file(name: str) -> str:
    return (files("tertium.report") / "templates" / name).read_text(encoding="utf-8")
