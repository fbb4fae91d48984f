"""Pictures that stand alone: SVG of our own, PNG through resvg."""

from pathlib import Path

from tertium.errors import InputError, MissingExtraError
from tertium.report.drawing.svg import Drawing

_ZOOM = 3  # dots of a PNG per unit of the drawing: sharp in print
_FORMATS = (".svg", ".png")


def check_plot(path: str) -> None:
    """Refuse, before any work is done, a format that is not known or whose package is missing."""
    suffix = Path(path).suffix.lower()
    if suffix not in _FORMATS:
        raise InputError(f"{path} must end in {' or '.join(_FORMATS)}, which says how to draw.")
    if suffix == ".png":
        try:
            import resvg_py  # noqa: F401
        except ImportError:
            raise MissingExtraError("A PNG needs resvg: pip install 'tertium[png]'. (.svg needs nothing.)") from None


def in_format(drawing: Drawing, path: str) -> str | bytes:
    """Return a drawing as the file's name says: SVG, or the dots of a PNG."""
    svg = drawing.svg(width=drawing.width, height=drawing.height) + "\n"
    return svg if Path(path).suffix.lower() == ".svg" else as_png(svg)


def as_png(svg: str) -> bytes:
    """Return a drawing as dots."""
    import resvg_py

    if _drawn("<text x='2' y='14' font-family='DejaVu Sans, Noto Sans, Arial, sans-serif'>m</text>") == _drawn(""):
        raise InputError("A PNG needs a font, but none was found on this computer. Install one, or plot to .svg.")
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=_ZOOM))


def _drawn(inside: str) -> bytes:
    import resvg_py

    svg = f"<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'>{inside}</svg>"
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))
