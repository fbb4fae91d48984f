#!/usr/bin/env bash
# Runs the test-suite on a build with AddressSanitizer and UndefinedBehaviorSanitizer.
# Usage: tools/sanitize.sh [python] [pytest arguments]
set -euo pipefail
python=${1:-python3}
shift || true
folder=build/sanitize
[ -x $folder/venv/bin/python ] || "$python" -m venv $folder/venv
pip="$folder/venv/bin/python -m pip --disable-pip-version-check"
$folder/venv/bin/python tools/requirements.py dev | xargs $pip install --quiet cmake ninja
$pip install --quiet --no-build-isolation --no-deps . \
    -C cmake.build-type=RelWithDebInfo -C cmake.define.TERTIUM_SANITIZE=ON -C build-dir=$folder/cmake \
    -C install.strip=false
# libstdc++ is loaded first too, or C++ exceptions break under AddressSanitizer.
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so)" \
ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 TERTIUM_SANITIZED=1 \
    $folder/venv/bin/python -m pytest -p no:cacheprovider "$@"
