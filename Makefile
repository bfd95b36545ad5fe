# What a developer types. Everything it makes is below .build/.
BUILD := .build

.PHONY: help demo library test check lint bench clean

help:
	@echo "make demo    build and run the C demo; run it again to see it remember"
	@echo "make library the static library for C programs, $(BUILD)/libfirsttime.a"
	@echo "make test    every test suite (REQUIRE_ALL=1: a skipped suite is a failure)"
	@echo "make check   the long suites, the address and thread sanitizers, and the format lint"
	@echo "make lint    the format lint alone"
	@echo "make bench   what calls cost on this machine; it judges nothing"
	@echo "make clean   remove $(BUILD)"

demo:
	@swift build --quiet --product firsttime-c-demo
	@mkdir -p $(BUILD)/demo
	@"$$(swift build --show-bin-path)/firsttime-c-demo" --store $(BUILD)/demo/firsttime.archive

library:
	@scripts/build-library

test:
	@Tests/run

# Each sanitizer has its own scratch path: it needs other objects than the plain build. Leaks are valgrind's business
# (suite valgrind): the test framework has some of its own.
check: lint
	@Tests/run --long
	ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path $(BUILD)/address
	swift test --sanitize=thread --scratch-path $(BUILD)/thread

lint:
	swift format lint --recursive --strict Package.swift Sources Tests

# Each program of benchmarks/ in a directory of its own, in libc's zone as it is and in one that changes its clocks.
bench: library
	@for source in benchmarks/*.c; do \
	    name=$$(basename $$source .c); directory=$(BUILD)/bench/$$name; \
	    rm -rf $$directory; mkdir -p $$directory; \
	    cc -std=c11 -O2 -Wall -Iinclude -o $$directory/$$name $$source $(BUILD)/libfirsttime.a -lpthread -lm && \
	    (cd $$directory && ./$$name && TZ=America/New_York ./$$name) || exit 1; \
	done

clean:
	rm -rf $(BUILD)
