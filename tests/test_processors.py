"""Rows are the same on emulated processors, so no kernel's copy uses what its processor lacks.

Needs qemu-x86_64, Debian's qemu-user. test_kernel_copies.py compares the copies on this processor.
"""

import json
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SCRIPT = f"""
import json, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_every_metric import HYPOTHESES, REFERENCES, VARIANTS
from tertium.metrics import METRICS
found = {{}}
for metric in [*(metric() for metric in METRICS), *VARIANTS]:
    fitted = metric.fitted_to(REFERENCES)
    found[metric.signature()] = fitted.statistics(HYPOTHESES, REFERENCES, threads=1).tolist()
print(json.dumps(found))
"""
EMULATOR = shutil.which("qemu-x86_64")

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="kernels are compiled for several processors on x86 only"
)


def rows(*before):
    done = subprocess.run([*before, sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=3000)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(found, expected):
    assert found.keys() == expected.keys()
    for signature, values in expected.items():
        np.testing.assert_array_equal(found[signature], values, err_msg=signature)


@pytest.mark.long
@pytest.mark.skipif(EMULATOR is None, reason="qemu-x86_64 is not installed")
@pytest.mark.parametrize("processor", ["Nehalem", "Haswell"])  # before AVX2, and with it
def test_rows_do_not_depend_on_the_processor(processor):
    check(rows(EMULATOR, "-cpu", processor), rows())
