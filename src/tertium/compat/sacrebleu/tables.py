"""The tables of several systems, drawn as sacreBLEU draws them: a grid of box characters, or LaTeX with booktabs."""

from collections.abc import Sequence

Row = Sequence[str]

_TEX = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "^": r"\^{}",
    "~": r"\textasciitilde{}",
    "\\": r"\textbackslash{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
}


def grid(header: Row, rows: Sequence[Row]) -> str:
    """Return a table with lines. The first column is set to the right, the others are centred."""
    widths = _widths(header, rows)
    parts = [_rule(widths, "╒═╤╕"), *_lines(header, widths), _rule(widths, "╞═╪╡")]
    for index, row in enumerate(rows):
        parts += [_rule(widths, "├─┼┤")] if index else []
        parts += _lines(row, widths)
    return "\n".join([*parts, _rule(widths, "╘═╧╛")])


def booktabs(header: Row, rows: Sequence[Row]) -> str:
    """Return the table for LaTeX."""
    widths = _widths(header, rows)
    body = [_tex_line(row, widths) for row in rows]
    columns = "r" + "c" * (len(header) - 1)
    begin = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", _tex_line(header, widths), r"\midrule"]
    return "\n".join([*begin, *body, r"\bottomrule", r"\end{tabular}"])


def _widths(header: Row, rows: Sequence[Row]) -> list[int]:
    """Return how wide each column is: a header has room for two blanks more, a cell may have several lines."""
    return [
        max(len(name) + 2, *(len(line) for row in rows for line in row[k].split("\n"))) for k, name in enumerate(header)
    ]


def _padded(text: str, width: int, first: bool) -> str:
    return f"{text:>{width}}" if first else f"{text:^{width}}"


def _rule(widths: Sequence[int], characters: str) -> str:
    left, line, cross, right = tuple(characters)
    return left + cross.join(line * (width + 2) for width in widths) + right


def _lines(row: Row, widths: Sequence[int]) -> list[str]:
    height = max(cell.count("\n") for cell in row) + 1
    cells = [[*cell.split("\n"), *[""] * height][:height] for cell in row]
    return [
        "│ "
        + " │ ".join(_padded(text, width, k == 0) for k, (text, width) in enumerate(zip(line, widths, strict=True)))
        + " │"
        for line in zip(*cells, strict=True)
    ]


def _tex_line(row: Row, widths: Sequence[int]) -> str:
    # Padded first, as sacreBLEU has it: what LaTeX needs to have escaped makes the source look ragged.
    cells = [_padded(text, width, k == 0) for k, (text, width) in enumerate(zip(row, widths, strict=True))]
    return " " + " & ".join("".join(_TEX.get(c, c) for c in cell) for cell in cells) + r" \\"
