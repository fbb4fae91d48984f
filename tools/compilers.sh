#!/usr/bin/env bash
# Compiles every kernel with a compiler, without a warning: tools/compilers.sh clang++-14 [flags]
# (libstdc++'s stable_sort calls a function that it has deprecated itself, which clang tells of.)
set -euo pipefail
cd "$(dirname "$0")/.."
compiler=${1:?"which compiler? such as g++-12 or clang++-16"}
shift
find native -name '*.cpp' -not -path '*/bindings/*' -print0 |
    xargs -0 -n 1 -P "$(nproc)" "$compiler" -std=c++20 -O1 -DNDEBUG -fPIC -Inative -Wall -Wextra -Wno-psabi -Wno-deprecated-declarations -Werror \
        -ffp-contract=off -fsyntax-only "$@"
echo "$compiler: no warning"
