"""Rows are the same on every processor: kernels are compiled for several, each copy is run here.

TERTIUM_PROCESSOR picks a copy; qemu-x86_64 (Debian's qemu-user) also shows that no copy uses what its processor lacks.
"""

import json
import os
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
FLAGS = Path("/proc/cpuinfo").read_text().split() if Path("/proc/cpuinfo").exists() else []

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="kernels are compiled for several processors on x86 only"
)


def rows(*before, **environment):
    call = [*before, sys.executable, "-c", SCRIPT]
    done = subprocess.run(call, capture_output=True, text=True, timeout=3000, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(found, expected):
    assert found.keys() == expected.keys()
    for signature, values in expected.items():
        np.testing.assert_allclose(found[signature], values, rtol=1e-12, err_msg=signature)


@pytest.mark.slow
@pytest.mark.parametrize(
    "processor",
    ["any", pytest.param("avx2", marks=pytest.mark.skipif("avx2" not in FLAGS, reason="this processor has no AVX2"))],
)
def test_copies_for_other_processors_give_the_same_rows(processor):
    check(rows(TERTIUM_PROCESSOR=processor), rows())


@pytest.mark.long
@pytest.mark.skipif(EMULATOR is None, reason="qemu-x86_64 is not installed")
@pytest.mark.parametrize("processor", ["Nehalem", "Haswell"])  # before AVX2, and with it
def test_rows_do_not_depend_on_the_processor(processor):
    check(rows(EMULATOR, "-cpu", processor), rows())
