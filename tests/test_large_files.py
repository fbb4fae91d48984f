"""A gigabyte of text: scored in memory that does not grow with it."""

import gzip
import os
import subprocess
import sys

import pytest

CALL = "from tertium.cli.main import main; main()"
LINES = [
    "The ferry to the island leaves at half past nine, and nobody has told the passengers why it is late.",
    "Snow had fallen during the night; the roads were empty, and the bridge was closed.",
    "Bring a coat, because the wind turns cold after dark.",
]


def peak_memory(folder, *arguments):
    """Return the most bytes that a command held at once."""
    with open(folder / "said", "wb") as said:
        process = subprocess.Popen([sys.executable, "-c", CALL, *arguments], cwd=folder, stdout=said, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (folder / "said").read_text()
    return used.ru_maxrss * 1024


@pytest.mark.long
def test_a_compressed_gigabyte_is_read_in_pieces(tmp_path):
    block = "".join(f"{LINES[k % 3]} {k}\n" for k in range(120_000)).encode()  # 10 MB
    for name, times in (("small", 5), ("large", 100)):
        with gzip.open(tmp_path / f"{name}.gz", "wb", compresslevel=1) as file:
            for _ in range(times):
                file.write(block)
    call = ["-m", "bleu", "-m", "chrf", "--format", "json"]
    small, large = (
        peak_memory(tmp_path, "score", f"{name}.gz", "-r", f"{name}.gz", *call) for name in ("small", "large")
    )
    assert large < small + 100e6
