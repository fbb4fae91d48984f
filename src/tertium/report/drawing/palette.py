"""Colours that all charts and pages share: Okabe and Ito's (2008), which colour-blind readers can tell apart.

A chart names colours by class. On a page the classes stand for CSS variables, which are other in the dark; a chart
that stands alone carries the light ones.
"""

from collections.abc import Mapping

_FONTS = "system-ui, 'DejaVu Sans', 'Noto Sans', Arial, sans-serif"
SERIES = 7  # colours for systems; further ones begin again with another marker

LIGHT = {
    "paper": "#ffffff",
    "raised": "#f5f6f8",
    "ink": "#1a1c1f",
    "faint": "#55595f",
    "line": "#d3d7dc",
    "band": "#eef1f5",
    "accent": "#005a8e",
    "s0": "#0072b2",
    "s1": "#d55e00",
    "s2": "#009e73",
    "s3": "#a8578a",
    "s4": "#b57d00",
    "s5": "#3a8fc4",
    "s6": "#4b4f55",
    "substitution": "#ffe2b0",
    "insertion": "#cfe6fa",
    "deletion": "#f6d5ea",
    "jump": "#dfe2e6",
    "minor": "#fff0a8",
    "major": "#ffcfae",
    "critical": "#ffb3b3",
}
DARK = LIGHT | {
    "paper": "#15171a",
    "raised": "#1e2125",
    "ink": "#eceef0",
    "faint": "#b3b8bf",
    "line": "#43484f",
    "band": "#23272c",
    "accent": "#7cc4f2",
    "s0": "#56b4e9",
    "s1": "#f0803c",
    "s2": "#2fc79c",
    "s3": "#dd93bd",
    "s4": "#e6b23a",
    "s5": "#9ad2f5",
    "s6": "#b9bec5",
    "substitution": "#6a4a00",
    "insertion": "#114673",
    "deletion": "#6b2b55",
    "jump": "#474c53",
    "minor": "#57501a",
    "major": "#70401a",
    "critical": "#7c2430",
}


def variables(colors: Mapping[str, str]) -> str:
    """Return CSS declarations: --ink: #1a1c1f; …"""
    return " ".join(f"--{name}: {color};" for name, color in colors.items())


def on_page() -> dict[str, str]:
    """Return the colours as a page's chart names them: by variable."""
    return {name: f"var(--{name})" for name in LIGHT}


def chart_css(colors: Mapping[str, str], scope: str = "svg") -> str:
    """Return the rules that give the classes of charts their colours and sizes."""
    series = " ".join(
        f"{scope} .f{k} {{ fill: {colors[f's{k}']}; }} {scope} .l{k} {{ stroke: {colors[f's{k}']}; }}"
        for k in range(SERIES)
    )
    return (
        f"{scope} text {{ font: 12px {_FONTS}; fill: {colors['ink']}; }} "
        f"{scope} text.small {{ font-size: 11px; fill: {colors['faint']}; }} "
        f"{scope} text.heading {{ font-size: 13px; font-weight: 600; }} "
        f"{scope} text.name {{ paint-order: stroke; stroke: {colors['paper']}; stroke-width: 3; }} "
        f"{scope} .grid {{ stroke: {colors['line']}; stroke-width: 1; }} "
        f"{scope} .axis {{ stroke: {colors['faint']}; stroke-width: 1; }} "
        f"{scope} .band {{ fill: {colors['band']}; }} {scope} .paper {{ fill: {colors['paper']}; }} "
        f"{scope} .curve {{ fill: none; stroke-width: 2; }} {scope} .whisker {{ stroke-width: 2.5; }} {series}"
    )
