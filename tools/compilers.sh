#!/usr/bin/env bash
# Compiles every file of native/ with a compiler, without a warning: tools/compilers.sh clang++-14 [flags]
# Bindings need nanobind, which $PYTHON must have (.venv's, unless it is set). Headers that are not ours may warn.
# (libstdc++'s stable_sort calls a function that it has deprecated itself, which clang tells of.)
set -euo pipefail
cd "$(dirname "$0")/.."
compiler=${1:?"which compiler? such as g++-12 or clang++-16"}
shift
python=${PYTHON:-.venv/bin/python}
headers=$("$python" -c 'import nanobind, sysconfig; print(nanobind.include_dir(), sysconfig.get_path("include"))')
read -r nanobind interpreter <<<"$headers"
find native -name '*.cpp' -print0 |
    xargs -0 -n 1 -P "$(nproc)" $compiler -std=c++20 -O1 -DNDEBUG -fPIC -fvisibility=hidden -Inative -isystem "$nanobind" \
        -isystem "$interpreter" -include stdio.h -Wall -Wextra -Wno-psabi -Wno-deprecated-declarations -Werror \
        -ffp-contract=off -fsyntax-only "$@"
echo "$compiler: no warning"
