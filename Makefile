# Every target sets itself up: the virtual environment, the build, what it needs. Repeating one is quick.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
NATIVE := $(shell find native -type f) CMakeLists.txt pyproject.toml
CPP := $(filter %.hpp %.cpp,$(NATIVE))
SOURCES := $(NATIVE) $(shell find src -type f -not -name '*.pyc')
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc 2>/dev/null || echo 2)
# What is installed is compiled when it is first imported. Were that not kept, each command would compile numpy anew.
export PYTHONDONTWRITEBYTECODE :=

# As many processes as processors; a file's tests mostly stay together, so what they share is made once.
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal

.PHONY: demo test test-all test-long check format bench docs sanitize stubs wheel wheels man clean

demo: $(VENV)/installed
	@$(BIN)/tertium demo

# While the kettle boils; all that takes seconds; what takes minutes or gigabytes.
test: $(VENV)/installed $(VENV)/tools
	$(PYTEST) --hypothesis-profile=quick -m 'not slow and not long'

test-all: $(VENV)/installed $(VENV)/peers $(VENV)/browser $(VENV)/axe
	$(PYTEST) -m 'not long' -rs

test-long: $(VENV)/installed $(VENV)/peers $(VENV)/browser $(VENV)/axe
	$(BIN)/python -m pytest -m long -rs

check: $(VENV)/installed $(VENV)/tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(BIN)/mypy
	$(BIN)/python tools/make_stubs.py --check

format: $(VENV)/tools
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $(CPP)

bench: $(VENV)/installed $(VENV)/peers
	$(BIN)/python -m benchmarks

docs: $(VENV)/installed $(VENV)/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

stubs: $(VENV)/installed $(VENV)/tools
	$(BIN)/python tools/make_stubs.py

# The tests of kernels on a build with AddressSanitizer and UndefinedBehaviorSanitizer, of its own.
sanitize: $(VENV)/tools
	bash tools/sanitize.sh

wheel: $(VENV)/tools
	$(BIN)/python -m build --no-isolation

# Manual pages from the help texts; copy build/man/*.1 to where `manpath` says, in a folder man1.
man: $(VENV)/installed
	$(BIN)/python -m tools.man_pages build/man

# Wheels for seven platforms, compiled by zig, into dist/.
wheels: $(VENV)/tools
	$(BIN)/python tools/requirements.py wheels | xargs $(PIP) install --quiet
	$(BIN)/python -m tools.wheels

clean:
	rm -rf build dist site $(VENV)

# What building and running need, in one go; Python compiles of it what is imported. The tools for tests and checks are more.
$(VENV)/build: pyproject.toml
	@echo "setting up $(VENV): the compiler's tools and numpy" >&2
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python tools/requirements.py | xargs $(PIP) install --quiet --no-compile cmake ninja 'scikit-build-core>=0.11' 'nanobind>=2.9'
	touch $@

$(VENV)/tools: $(VENV)/build
	$(BIN)/python tools/requirements.py dev | xargs $(PIP) install --quiet build
	touch $@

# Installed as a user has it, not as a link to the sources: bytecode compiled, only what the wheel holds.
$(VENV)/installed: $(VENV)/build $(SOURCES)
	@$(BIN)/python tools/install.py $@
	@touch $@

$(VENV)/peers: $(VENV)/tools
	$(BIN)/python tools/requirements.py peers | xargs $(PIP) install --quiet
	touch $@

$(VENV)/browser: $(VENV)/tools
	$(BIN)/python tools/requirements.py browser | xargs $(PIP) install --quiet
	touch $@

# The newest axe, which looks for what shuts people out; without npm the tests take an older one from a Python package.
$(VENV)/axe:
	mkdir -p $@
	npm install --silent --no-audit --no-fund --prefix $@ axe-core@4.14.0 || echo "axe-core is not installed: no npm"

$(VENV)/docs: $(VENV)/tools
	$(BIN)/python tools/requirements.py docs | xargs $(PIP) install --quiet
	touch $@
