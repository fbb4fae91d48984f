"""A folder for intermediate files. What an earlier run finished is used again; what it left half-written is not."""

import contextlib
import json
import os
import re
from pathlib import Path
from typing import Any, Self

from tertium import __version__
from tertium.errors import Argument, InputError
from tertium.files.systems import lock
from tertium.files.writing import write_whole

_LAYOUT = 2  # of the files; a run of another layout starts anew
_OURS = re.compile(
    r"lock|[a-z]+(-\d+)?\.json|\.tertium-\w+\.part|aligned-\d+\.\w+|(pairs|words|run)-\d+|merge-[a-z]+\d*"
)


class Workspace:
    """Finished steps are named in files that appear in one go, after everything they speak of."""

    def __init__(self, folder: Path, purpose: dict[str, Any]) -> None:
        self.folder = folder
        self._purpose = json.loads(json.dumps({"layout": _LAYOUT, "tertium": __version__, **purpose}))
        self._lock: int | None = None

    def __enter__(self) -> Self:
        if self.folder.exists() and not self._is_ours():
            other = Argument("work_dir")
            raise InputError(f"{self.folder} exists and is no folder of an earlier run. Name another: ", other, ".")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.folder / "lock", os.O_CREAT | os.O_RDWR)
        except OSError as error:
            raise InputError(f"{self.folder} cannot be written: {(error.strerror or '').lower()}.") from None
        try:
            lock(self._lock, wait=False)  # ends with the process, however that ends
        except OSError:
            os.close(self._lock)
            other = Argument("work_dir")
            raise InputError(f"Another run is at work in {self.folder}. Wait for it, or give ", other, ".") from None
        if self.result("purpose") != self._purpose:
            self._clear()
            self.finish("purpose", self._purpose)
        return self

    def __exit__(self, *_: object) -> None:
        if not any(self.folder.glob("*-*.json")):
            self.remove()  # no step was finished, so there is nothing to go on from
        if self._lock is not None:
            os.close(self._lock)

    def path(self, name: str) -> Path:
        """Return where a file lies."""
        return self.folder / name

    def result(self, step: str) -> Any:
        """Return what a finished step said, or None."""
        try:
            return json.loads((self.folder / f"{step}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def finish(self, step: str, result: Any) -> None:
        """Record that a step is finished."""
        write_whole(self.folder / f"{step}.json", json.dumps(result))

    def remove(self) -> None:
        """Delete the folder."""
        if not self.folder.is_dir():
            return
        self._clear()
        with contextlib.suppress(OSError):
            (self.folder / "lock").unlink()
            self.folder.rmdir()

    def _is_ours(self) -> bool:
        return self.folder.is_dir() and all(map(_OURS.fullmatch, os.listdir(self.folder)))

    def _clear(self) -> None:
        for path in self.folder.iterdir():
            if path.name != "lock":
                with contextlib.suppress(OSError):
                    path.unlink()
