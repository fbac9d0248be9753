# Everything the project does has a target here; `make help` lists them, and CI calls nothing else.

# The interpreter to build the environment with, and what to make kernels for; set them on the
# command line, as in `make PYTHON=python3.13 LANGUAGES="c python"`.
PYTHON    ?= python3
LANGUAGES ?= c rust python
CURVES    ?= secp256k1 edwards25519
JOBS      ?= 2

# The Explicit-Formulas Database as published, for `make published`; the repository does not hold it.
PUBLISHED ?= ../shared/efd-upstream

# Curves whose kernels are committed in out/, and where `make` puts those it builds.
OUT_CURVES := secp256k1 P-256 edwards25519
KERNELS    := build/kernels
ONE_CURVE  := out/secp256k1

# Certificates for Rocq, by `make certificates`.
CERTIFICATES := build/certificates

# The pages of `make site`, and parts of their playground, which are fetched by `make playground`.
SITE       := build/site
SITE_PARTS := --plans
MEASURED   := docs/plots/edwards25519.json
PLAYGROUND := build/playground

# Curves that are tested whole.
WHOLE_CURVES := secp256k1 P-256 P-384 P-521 brainpoolP256r1 edwards25519 Ed448 Curve25519 Curve448

VENV      := .venv
BIN       := $(VENV)/bin
EFDGEN    := $(BIN)/efdgen
INSTALLED := $(VENV)/installed
PIP       := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input

# Browser driver, and checker of accessibility.
PLAYWRIGHT := playwright==1.65.2
AXE        := axe-core@4.14.1

# The checker of a release's metadata.
TWINE := twine==7.0.0

# The warnings that a reviewer of the generated C turns on.
C_WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes \
              -Wmissing-prototypes -Wcast-qual -Wundef -Wvla -Werror
RUFF_OUT   := --isolated --target-version py311 --line-length 110 --select E,W,F,I,N,D,ANN,UP,B,SIM,RUF,PL \
              --ignore D203,D213,PLR2004,PLR0913,PLR0915

# Curves that are checked for constant time, one of each kind: with protocols in C and with flags that users set in
# Rust, and with such flags in C.
PROTOCOL_CURVES := secp256k1 edwards25519 Curve25519
SECRET_CURVES   ?= P-256 Curve448
# The number of mutants of each kind that `make mutants` makes.
COUNT ?= 10
SOME_MUTANTS := formulas limb inversion points combs ladders protocols host

# C is tested on vectors in a build with sanitizers too. Constant time is checked with words of
# these sizes; WORDS="64 32" takes twice as long.
SANITIZE := $(if $(filter c,$(LANGUAGES)),--sanitize --compiler $(CC) --word 64)
WORDS    ?= 64

# A file's tests run in one process, which prepares what they share once; the longest files come first.
BY_FILE := --dist loadfile --no-loadscope-reorder

# The tools of test-all beside a C compiler and Rust, as Debian names them.
PACKAGES   := clang-19 libclang-rt-19-dev llvm-19 valgrind libssl-dev libgmp-dev libgcrypt20-dev \
              libmbedtls-dev libsodium-dev gcc-riscv64-unknown-elf qemu-user coq doxygen \
              gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm chromium
RUST_TARGET := wasm32-unknown-unknown

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.NOTPARALLEL:

# $(DRAW) COUNT WORD…: some of many words, others in each run.
DRAW := $(BIN)/python tests/draw.py

# Each step with the time at which it begins.
say = @printf '\n==> %s %s\n' "$$(date +%T)" '$(1)'

# $(call compile,FOLDER,CURVES): kernels for some curves, JOBS of them at a time, in every language, under
# FOLDER/<curve>/<language>.
compile = @printf '%s\n' $(2) | xargs -P $(JOBS) -I CURVE sh -c 'for language in $(LANGUAGES); do \
	$(EFDGEN) compile --lang $$language --curve CURVE --out $(1)/CURVE/$$language || exit; done'

##@ Building

.PHONY: all
all: compilers prove kernels vectors ## install, prove every formula, compile and test the kernels (what plain `make` does)
	@printf '\n%s\n' 'Proved, compiled and tested. The kernels are in $(KERNELS)/, those to drop in today in out/.'

.PHONY: install
install: $(INSTALLED) ## install efdgen, SageMath wheels and tools into .venv, at the versions of constraints.txt

.PHONY: prove
prove: $(INSTALLED) ## prove the law of every model and every formula again, and renew verify/shipped-proofs
	$(call say,Proving the affine law of every model and every formula of the database)
	@$(BIN)/python -m efdgen.verify.shipping

.PHONY: kernels
kernels: $(INSTALLED) ## compile kernels for CURVES in LANGUAGES into build/kernels
	$(call say,Compiling kernels for $(CURVES) in $(LANGUAGES))
	@rm -rf $(KERNELS)
	$(call compile,$(KERNELS),$(CURVES))

.PHONY: site
site: $(INSTALLED) ## write the reference and the documentation as static pages into build/site
	$(call say,Writing the site)
	@$(EFDGEN) site $(SITE_PARTS) --measured $(MEASURED) --out $(SITE) --documentation . $$(test ! -d $(PLAYGROUND) || echo --playground $(PLAYGROUND))

.PHONY: playground
playground: $(INSTALLED) ## fetch Pyodide and FLINT, by npm and pip, into build/playground: make site then has the prover in a page
	$(call say,Fetching the parts of the playground)
	@$(BIN)/python -m efdgen.reference.playground.parts $(PLAYGROUND)

.PHONY: site-serve
site-serve: site ## serve the site at http://localhost:8000/
	@$(BIN)/python -m http.server 8000 --bind localhost --directory $(SITE)

.PHONY: wheel
wheel: ## build dist/efdgen-<version>-py3-none-any.whl, with the verdicts on the database; needs no Sage
	@rm -rf build/wheel dist
	@mkdir -p build/wheel
	@cp -r *.py *.md LICENSE-* py.typed pyproject.toml api commands efd generator reference templates verify build/wheel
	@$(PYTHON) -m pip --quiet --disable-pip-version-check wheel --no-deps --wheel-dir dist ./build/wheel
	@ls dist/*.whl

.PHONY: dist
dist: $(INSTALLED) wheel ## build the wheel and a source distribution in dist/, and check both with twine
	@cd build/wheel && ../../$(BIN)/python -c 'from setuptools.build_meta import build_sdist; build_sdist("../../dist")' \
		>/dev/null
	@$(PIP) install $(TWINE)
	@$(BIN)/python -m twine check --strict dist/*

##@ Checking

.PHONY: test
test: lint quick one-curve ## lint, run the quick tests, and one curve in every language on its vectors: in minutes, after make

.PHONY: test-all
test-all: tools lint rust-versions some-vectors some-curves some-constant-time some-binaries unit examples some-mutants one-second-reader short-bench browser ## run everything: beyond `make`, what PACKAGES are for

.PHONY: packages
packages: ## install what test-all needs: PACKAGES, by apt-get, as root, and a target of Rust, by rustup
	@missing=$$(for package in $(PACKAGES); do \
		dpkg-query --show --showformat '$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || \
			echo $$package; done); \
	if [ -n "$$missing" ]; then \
		apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$missing >/dev/null; fi
	@if command -v rustup >/dev/null && ! rustup target list --installed | grep -qx $(RUST_TARGET); then \
		rustup --quiet target add $(RUST_TARGET); fi

# Before anything runs: what is missing.
.PHONY: tools
tools: $(INSTALLED)
	@$(BIN)/python tests/tools.py

.PHONY: light
light: wheel ## install the wheel, and a clone, without Sage, and time their first commands
	$(call say,Installing the wheel and a clone without Sage and using them)
	@$(PYTHON) tests/light.py dist/*.whl

.PHONY: quick
quick: $(INSTALLED) ## run the unit tests that need no compiler and no long time
	$(call say,Running the quick unit tests)
	@$(BIN)/python -m pytest -m quick -n $(JOBS) $(BY_FILE)

.PHONY: unit
unit: $(INSTALLED) ## run all unit tests
	$(call say,Running the unit tests)
	@$(BIN)/python -m pytest -n $(JOBS) $(BY_FILE) --durations=12

.PHONY: browser
browser: playground ## use the site and its playground in Chromium: axe, search, sliders, phones, light and dark, proofs
	$(call say,Using the site in Chromium)
	@$(PIP) install $(PLAYWRIGHT)
	@npm install --silent --no-audit --no-fund --prefix build/browser $(AXE)
	@$(BIN)/python -m pytest -n 0 -m browser tests/test_site_browser.py tests/test_playground_browser.py

.PHONY: mutants
mutants: $(INSTALLED) ## make COUNT random single edits of each kind from SEED, or a SLICE of them; each has to be refused
	@PYTHONPATH=tests $(BIN)/python $(if $(SLICE),tests/slices.py mutants-$(SEED)-$(COUNT) $(SLICE) $(BIN)/python) \
		-m mutants --count $(COUNT) --jobs $(JOBS) $(SEED:%=--seed %) $(if $(SLICE),--slice '{slice}') $(MUTANTS)

.PHONY: rust-versions
rust-versions: $(INSTALLED) ## check emitted crates by the oldest Rust that each names, which rustup installs
	$(call say,Checking crates by the oldest Rust that they name)
	@$(BIN)/python tests/rust_versions.py build/rust-versions

# A small part of it keeps it alive: of each run some kinds, and always the same edits of a kind.
.PHONY: some-mutants
some-mutants: $(INSTALLED)
	$(call say,Having some mutants refused)
	@kinds=$$($(DRAW) 1 $(SOME_MUTANTS:%=--kind=%)) && $(MAKE) mutants SEED=11 COUNT=1 MUTANTS="$$kinds"

.PHONY: second-reader
second-reader: $(INSTALLED) ## read kernels by libclang and rustc, for many targets, and compare them with programs; CURVES="P-384" names curves
	$(call say,Reading kernels a second time)
	@PYTHONPATH=tests $(BIN)/python -m second $(if $(filter file,$(origin CURVES)),,$(CURVES))

.PHONY: one-second-reader
one-second-reader: $(INSTALLED)
	$(call say,Reading the kernels of one curve a second time)
	@PYTHONPATH=tests $(BIN)/python -m second --draw 1 $(patsubst %,--lang=%,$(filter-out python,$(LANGUAGES)))

.PHONY: every-case
every-case: $(INSTALLED) ## test all cases of tests with tools, all primes and curves; test-all draws some: SLICE=3/96 or all 96
	$(call say,Testing all cases)
	@$(BIN)/python tests/slices.py every-case $(or $(SLICE),96) \
		$(BIN)/python -m pytest -v -n $(JOBS) --slice '{slice}' -m 'not published and not core' \
		tests $(wildcard examples/*/tests)

.PHONY: every-cell
every-cell: $(INSTALLED) ## build and run every curve in every packaging of docs/which-curve.md; test-all draws a few: SLICE=3/96 or all 96
	$(call say,Building every curve in every packaging)
	@$(BIN)/python tests/slices.py every-cell $(or $(SLICE),96) \
		$(BIN)/python -m pytest -v -n $(JOBS) --slice '{slice}' tests/test_cells.py

.PHONY: token-edits
token-edits: $(INSTALLED) ## edit printed files at random, token by token, 5,130 times; readers refuse them, or compilers make the same code
	@$(BIN)/python tests/token_edits.py $(or $(EDITS),--count 270)

.PHONY: certificates
certificates: $(INSTALLED) ## install Rocq, and have it check certificates of all formulas, laws and maps; resumes when interrupted
	@$(MAKE) packages PACKAGES=coq
	$(call say,Checking the affine laws of all models and the maps between them)
	@$(EFDGEN) certify --models --check --together --jobs $(JOBS) --out $(CERTIFICATES)/models
	$(call say,Checking every formula of the database)
	@$(EFDGEN) certify --check --together --jobs $(JOBS) --out $(CERTIFICATES) --record verify/rocq/accepted.txt

.PHONY: published
published: $(INSTALLED) ## compare with the database as published, in the folder PUBLISHED
	$(call say,Comparing with the published database in $(PUBLISHED))
	@$(BIN)/python -m pytest -n $(JOBS) -m published --published=$(PUBLISHED)

.PHONY: one-curve
one-curve: $(INSTALLED) ## run the vector suite on the kernels of one curve in out/
	$(call say,Running the vector suite on $(ONE_CURVE))
	@$(EFDGEN) test $(LANGUAGES:%=--lang %) $(ONE_CURVE)

.PHONY: vectors
vectors: $(INSTALLED) ## run the vector suite on the kernels in build/kernels
	$(call say,Running the vector suite on the kernels in $(KERNELS))
	@$(EFDGEN) test $(SANITIZE) $(LANGUAGES:%=--lang %) $(KERNELS)

.PHONY: whole-curves
whole-curves: $(INSTALLED) ## run whole curves in every language on their vectors: multiplication, encodings
	$(call say,Running whole curves on their vectors)
	@$(EFDGEN) test $(SANITIZE) $(LANGUAGES:%=--lang %) --set curve $(WHOLE_CURVES:%=--curve %)

# A part of it, another one in each run.
.PHONY: some-curves
some-curves: $(INSTALLED)
	@curves=$$($(DRAW) 2 $(WHOLE_CURVES)) && $(MAKE) whole-curves WHOLE_CURVES="$$curves"

CHECKS_OF_TIME := $(if $(filter c,$(LANGUAGES)),time-c time-c-builds) $(if $(filter rust,$(LANGUAGES)),time-rust time-rust-builds)

.PHONY: constant-time $(CHECKS_OF_TIME)
constant-time: $(CHECKS_OF_TIME) ## run whole curves in valgrind with all inputs secret: -O1 to -O3, -Os, overflow checks, LTO

time-c: $(INSTALLED)
	$(call say,Checking that C takes constant time)
	@$(EFDGEN) test --constant-time --lang c $(WORDS:%=--word %) --set protocols $(PROTOCOL_CURVES:%=--curve %)

time-c-builds: $(INSTALLED)
	$(call say,Checking that C in other builds takes constant time)
	@$(EFDGEN) test --constant-time --lang c $(WORDS:%=--word %) --builds other --set curve $(SECRET_CURVES:%=--curve %)

time-rust: $(INSTALLED)
	$(call say,Checking that Rust takes constant time)
	@$(EFDGEN) test --constant-time --lang rust $(WORDS:%=--word %) --set curve $(CURVES:%=--curve %)

time-rust-builds: $(INSTALLED)
	$(call say,Checking that Rust in other builds takes constant time)
	@$(EFDGEN) test --constant-time --lang rust $(WORDS:%=--word %) --builds other --set curve \
		$(PROTOCOL_CURVES:%=--curve %)

# A part of it, another one in each run.
.PHONY: some-constant-time
some-constant-time: $(INSTALLED)
	@checks=$$($(DRAW) 2 $(CHECKS_OF_TIME)) && $(MAKE) $$checks

# Compilers for other machines, as Debian names them, beside those of PACKAGES.
BINARY_COMPILERS := clang-14 clang-16 clang-19 gcc-aarch64-linux-gnu gcc-arm-linux-gnueabihf gcc-arm-none-eabi \
                    gcc-mips-linux-gnu gcc-powerpc64le-linux-gnu gcc-riscv64-linux-gnu gcc-riscv64-unknown-elf \
                    gcc-s390x-linux-gnu

.PHONY: constant-time-binaries
constant-time-binaries: $(INSTALLED) ## install compilers for other machines, and check machine code without a run: SLICE=3/24 or all 24
	@$(MAKE) packages PACKAGES="$(BINARY_COMPILERS)" || echo 'Some compilers cannot be installed; they are left out.'
	$(call say,Checking the machine code of every compiler and target)
	@PYTHONPATH=tests $(BIN)/python tests/slices.py constant-time-binaries $(or $(SLICE),24) \
		$(BIN)/python tests/binaries.py --slice '{slice}'

.PHONY: some-binaries
some-binaries: $(INSTALLED)
	$(call say,Checking the machine code of two compilers)
	@$(BIN)/python tests/binaries.py --draw 2

.PHONY: all-vectors
all-vectors: $(INSTALLED) ## run the vector suite on the kernels in out/ and on every formula of the database
	$(call say,Running the vector suite on the kernels in out/)
	@$(EFDGEN) test $(LANGUAGES:%=--lang %) out
	$(call say,Running the vector suite on every formula)
	@$(EFDGEN) test $(LANGUAGES:%=--lang %) --all

# A part of it, another one in each run.
.PHONY: some-vectors
some-vectors: $(INSTALLED)
	@languages=$$($(DRAW) 1 $(LANGUAGES)) && $(MAKE) all-vectors LANGUAGES="$$languages"

.PHONY: lint
lint: lint-english lint-python $(filter lint-c lint-rust,$(LANGUAGES:%=lint-%)) ## lint efdgen and its English, and out/ with every warning an error

.PHONY: lint-python
lint-python: $(INSTALLED)
	$(call say,Linting Python: ruff and mypy --strict)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@MYPYPATH=$(VENV)/types $(BIN)/mypy -p efdgen
	@MYPYPATH=$(VENV)/types:examples/zkvm $(BIN)/mypy $(wildcard examples/zkvm/*.py)
	@MYPYPATH=$(VENV)/types:examples/mixnet $(BIN)/mypy $(wildcard examples/mixnet/*.py)
	@$(BIN)/ruff check --quiet $(RUFF_OUT) out
	@$(BIN)/ruff format --check --quiet --isolated --line-length 110 out
	@find out -name '*.py' | xargs -n 1 $(BIN)/mypy --strict --no-error-summary

.PHONY: lint-english
lint-english: $(INSTALLED) ## count private expressions against tests/english.toml, and check the titles of commits
	$(call say,Linting the English of docs and comments and the titles of commits)
	@$(BIN)/python tests/english.py

.PHONY: lint-c
lint-c:
	$(call say,Compiling out/ with warnings as errors: C99 and C++11)
	@find out -name '*.[ch]' | xargs -n 1 -P $(JOBS) $(CC) -std=c99 -O2 $(C_WARNINGS) -x c -S -o - >/dev/null
	@if ! command -v $(CXX) >/dev/null; then echo 'Left out: there is no C++ compiler called $(CXX).'; else \
		find out -name '*.h' | xargs -n 1 -P $(JOBS) $(CXX) -std=c++11 -Wall -Wextra -Werror -x c++ -S -o - >/dev/null; fi

.PHONY: lint-rust
lint-rust:
	$(call say,Linting the Rust in out/: rustfmt and clippy)
	@if ! { cargo clippy --version && cargo fmt --version; } >/dev/null 2>&1; then \
		echo 'Left out: this Rust has no clippy or no rustfmt (rustup component add clippy rustfmt).'; else \
		for crate in $$(find out -name Cargo.toml); do \
			cargo fmt --check --manifest-path $$crate && \
			cargo clippy --quiet --all-targets --manifest-path $$crate --target-dir build/cargo -- \
				-D warnings -D clippy::pedantic || exit; done; fi

##@ Measuring

.PHONY: bench
bench: $(INSTALLED) ## time generated C and Rust beside their peers, in core cycles; BENCH='--primes P-384' asks for less
	@$(BIN)/python bench/run.py $(BENCH)

# A prime, its curve and a binary curve, end to end: what the benchmark builds and calls is still there.
.PHONY: short-bench
short-bench: $(INSTALLED)
	$(call say,Timing one prime and two curves)
	@$(BIN)/python bench/run.py --primes secp256k1,sect163k1 --compilers gcc --rounds 3 >/dev/null

# --native, --dalek serial, --rounds 3 and others, for the crates that are timed.
OPERATIONS ?=
.PHONY: bench-operations
bench-operations: $(INSTALLED) ## time signatures and key exchange of emitted Rust beside p256, k256, AWS-LC, ring and others
	@$(BIN)/python bench/operations.py $(OPERATIONS)

# --native, --rounds 3 and others, as for OPERATIONS.
HASHING ?=
.PHONY: bench-hashing
bench-hashing: $(INSTALLED) ## time hashing to curves and BIP-340 of emitted Rust beside p256, k256, arkworks, noble-curves and others
	@$(BIN)/python bench/hashing.py $(HASHING)

# --crypto-mb DIRECTORY, --native, --rounds 3 and others, as for OPERATIONS.
LANES ?=
.PHONY: bench-lanes
bench-lanes: $(INSTALLED) ## time signatures eight at a time by emitted Rust beside AWS-LC, libsecp256k1, dalek's crates and crypto_mb
	@$(BIN)/python bench/lanes.py $(LANES)

# --machines cortex-m4, --curves P-256, --no-peers, --markdown FILE and others.
SMALL ?=
.PHONY: bench-small
bench-small: $(INSTALLED) ## count instructions of emitted C and of its peers on Cortex-M4, Cortex-M0+ and RV32IMC by an emulator
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check unicorn==2.1.4
	@$(BIN)/python bench/small.py $(SMALL)

# --rounds 3 and others, for bench/wasm.py.
WASM ?=
.PHONY: bench-wasm
bench-wasm: $(INSTALLED) ## time emitted Rust in WebAssembly beside RustCrypto's, dalek's and npm's; it needs what make wasm needs, and npm
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check wasmtime==50.0.1
	@$(BIN)/python bench/wasm.py $(WASM)

.PHONY: bench-plots
bench-plots: $(INSTALLED) ## time edwards25519 in six coordinate systems and draw docs/plots; the table is build/edwards25519.md
	@mkdir -p build
	@$(EFDGEN) bench --curve edwards25519 --coords extended-1,extended,projective,inverted,affine,xz \
		--plot docs/plots --markdown build/edwards25519.md --json > build/edwards25519.json
	@$(BIN)/python bench/json_lines.py build/edwards25519.json docs/plots/edwards25519.json

.PHONY: bench-libsecp256k1
bench-libsecp256k1: $(INSTALLED) ## put generated functions into libsecp256k1, run its tests, and its benchmarks before and after
	@$(BIN)/python bench/libsecp256k1.py

##@ Examples

.PHONY: examples
examples: $(INSTALLED) ## run the tests of the examples
	$(call say,Running the tests of the examples)
	@$(BIN)/python -m pytest -n $(JOBS) $(BY_FILE) --durations=6 $(wildcard examples/*/tests)

# ECOSYSTEM="p256 hpke" runs some of its suites; with "--words 32" they have words of 32 bits, and with
# "--machine wasm32" they run in WebAssembly by Node.js.
ECOSYSTEM ?=
.PHONY: rust-ecosystem
rust-ecosystem: $(INSTALLED) ## replace published crates by emitted ones; run their tests and benchmarks, and programs' tests
	@PYTHONPATH=tests $(BIN)/python -m ecosystem $(ECOSYSTEM)

.PHONY: zkvm
zkvm: $(INSTALLED) ## build the guests of examples/zkvm and print their cycles in a zkVM
	@$(BIN)/python examples/zkvm/cycles.py --out build/zkvm $(ZKVM)

.PHONY: zkvm-rust
zkvm-rust: ## make zkvm, with the guest in Rust too: it needs a core library for rv32im
	@$(MAKE) zkvm ZKVM='--rust $(ZKVM)'
	@$(BIN)/python -m pytest -m core examples/zkvm/tests/test_rust.py

.PHONY: wasm
wasm: $(INSTALLED) ## build examples/wasm and run its tests; it needs Node.js and rustup target add wasm32-unknown-unknown
	@$(BIN)/python -m pytest -m core examples/wasm/tests tests/test_bench_wasm.py

# MIXNET="--plot FILE" draws time against the number of messages too; that takes minutes.
.PHONY: mixnet
mixnet: $(INSTALLED) ## run cMix in examples/mixnet over an Edwards curve and its rivals and print processor times
	@rm -rf build/mixnet
	@$(BIN)/python examples/mixnet/mixnet.py --out build/mixnet $(MIXNET)

##@ Generated files

.PHONY: out
out: $(INSTALLED) ## delete the kernels in out/ and generate them again
	$(call say,Generating out/)
	@rm -rf $(foreach curve,$(OUT_CURVES),$(LANGUAGES:%=out/$(curve)/%))
	$(call compile,out,$(OUT_CURVES))

.PHONY: check-out
check-out: out ## generate out/ again and fail if a byte of it, or of shipped proofs, is not as committed
	@git diff --exit-code -- out
	@git diff --exit-code --stat -- verify/shipped-proofs
	@test -z "$$(git status --porcelain -- out)" || { git status --short -- out; exit 1; }
	@echo 'out/ is what the generator writes, and verify/shipped-proofs what make prove wrote.'

##@ Housekeeping

.PHONY: constraints
constraints: ## renew constraints.txt with the newest versions that pyproject.toml allows
	@rm -rf build/constraints
	@$(PYTHON) -m venv build/constraints
	@build/constraints/bin/python -m pip install --quiet uv
	@{ sed -n '/^#/p' constraints.txt; build/constraints/bin/uv pip compile --quiet --universal --python-version 3.11 \
		--extra dev --extra prove --no-header --no-annotate pyproject.toml; } > build/constraints.txt
	@mv build/constraints.txt constraints.txt

.PHONY: clean
clean: ## delete what was built, but not .venv
	@rm -rf build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

.PHONY: help
help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@/ { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Said before anything is installed: what is missing, and how to go on without it.
.PHONY: compilers
compilers:
	@$(if $(filter c,$(LANGUAGES)),command -v $(CC) >/dev/null || { \
		echo 'There is no C compiler called $(CC); without C: make LANGUAGES="rust python"' >&2; exit 1; })
	@$(if $(filter rust,$(LANGUAGES)),command -v cargo >/dev/null || { \
		echo 'There is no cargo (https://rustup.rs installs it); without Rust: make LANGUAGES="c python"' >&2; exit 1; })

# The environment; made again when what it is made from changes.
$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo 'efdgen needs Python 3.11 or later; name one: make PYTHON=python3.12' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo 'Python has no venv module; on Debian and Ubuntu: apt-get install python3-venv' >&2; exit 1; }
	$(call say,Installing efdgen and SageMath into $(VENV) (1.8 GB; about a minute))
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --requirement constraints.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@mkdir -p $(VENV)/types && ln -sfn ../.. $(VENV)/types/efdgen # mypy does not follow editable installs
	@touch $@
