#!/usr/bin/env bash
# Runs the tests of kernels on a build with AddressSanitizer and UndefinedBehaviorSanitizer.
# Usage: tools/sanitize.sh [pytest arguments], from the repository, after `make test` has set up .venv
set -euo pipefail
folder=build/sanitize
python=.venv/bin/python
# Beside the usual build, which it does not touch: what is first on the path is imported.
rm -rf $folder/packages
$python -m pip --disable-pip-version-check install --quiet --no-build-isolation --no-deps --target $folder/packages . \
    -C cmake.build-type=RelWithDebInfo -C cmake.define.TERTIUM_SANITIZE=ON -C build-dir=$folder/cmake \
    -C install.strip=false
[ $# -gt 0 ] || set -- -n auto --dist worksteal -m 'not slow and not long' \
    tests/compat tests/corpus tests/judgments tests/meta tests/metrics tests/paraphrase tests/scoring tests/significance \
    tests/text tests/test_every_metric.py tests/test_hostile.py tests/test_originals.py
# libstdc++ is loaded first too, or C++ exceptions break under AddressSanitizer.
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so)" \
ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH=$PWD/$folder/packages \
    $python -m pytest -p no:cacheprovider "$@"
