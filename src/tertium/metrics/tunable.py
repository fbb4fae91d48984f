"""What of a metric may be tuned: each metric names its own, and nothing that tunes knows a metric by name."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Tunable:
    """A setting that tuning may move, where it stands now and how far it may go.

    With `fixed_rows` it acts when rows are scored, so thousands of values can be tried on the same rows; otherwise each
    value needs rows of its own. `choices` are values that are not numbers.
    """

    value: float | str
    low: float = 0.0
    high: float = 1.0
    fixed_rows: bool = True
    whole: bool = False
    choices: tuple[str, ...] = ()
