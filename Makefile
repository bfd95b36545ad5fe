# What a developer types. Everything it makes is below .build/.
BUILD := .build

# Where library and tool are installed. DESTDIR, for packages, is put before all of it.
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
BINDIR ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
# embedded: no Swift runtime; full: a Swift runtime inside the library.
RUNTIME ?= embedded

# TRAIT: a trait more than a release has, for tests.
LIBRARY := $(BUILD)/lib/$(RUNTIME)$(TRAIT:%=-%)
COMMAND := $(LIBRARY)/firsttime
INSTALL := PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' INCLUDEDIR='$(INCLUDEDIR)' BINDIR='$(BINDIR)' DATADIR='$(DATADIR)' \
    MANDIR='$(MANDIR)' DESTDIR='$(DESTDIR)' scripts/install-library

.PHONY: all library command install uninstall help demo test check lint bench bench-plots clean

all: library command

library: $(LIBRARY)/private-libraries

command: $(COMMAND)

# Up to date when no source is newer: installing as root then compiles nothing, and needs no Swift. The file is the last
# that is written.
$(LIBRARY)/private-libraries: $(shell find Package.swift Sources include abi/symbols.txt \
    scripts/build-library scripts/library-objects scripts/header-functions scripts/version scripts/version-script \
    -type f -not -path 'Sources/firsttime-command/*')
	@scripts/build-library $(RUNTIME) $(LIBRARY) $(TRAIT)

# The library is in it, so that it starts fast, and runs wherever it is put.
$(COMMAND): $(wildcard Sources/firsttime-command/*) scripts/build-command $(LIBRARY)/private-libraries
	@scripts/build-command $(LIBRARY)

install: all
	@$(INSTALL) install $(LIBRARY)

uninstall:
	@$(INSTALL) uninstall $(LIBRARY)

help:
	@echo "make           the libraries for C programs, $(LIBRARY)/libfirsttime.a and .so (RUNTIME=full: Swift's runtime inside),"
	@echo "               and the tool firsttime beside them (make library, make command: one of both)"
	@echo "make install   PREFIX=$(PREFIX) LIBDIR=$(LIBDIR) INCLUDEDIR=$(INCLUDEDIR) BINDIR=$(BINDIR)"
	@echo "               DATADIR=$(DATADIR) MANDIR=$(MANDIR) DESTDIR=$(DESTDIR)"
	@echo "make uninstall with the same variables"
	@echo "make demo      build and run the C demo; run it again to see it remember"
	@echo "make test      every test suite (REQUIRE_ALL=1: a skipped suite is a failure)"
	@echo "make check     the long suites, the address and thread sanitizers, and the format lint"
	@echo "make lint      the format lint alone"
	@echo "make bench     what calls cost on this machine, beside others (BENCH=full: up to 1,000,000 keys)"
	@echo "make bench-plots  docs/benchmarks.md and its plots, from the last run"
	@echo "make clean     remove $(BUILD)"

demo:
	@swift build --quiet --product firsttime-c-demo
	@mkdir -p $(BUILD)/demo
	@"$$(swift build --show-bin-path)/firsttime-c-demo" --store $(BUILD)/demo/firsttime.archive

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

# Everything of benchmarks/, beside what users would pick instead; BENCH=full goes to 1,000,000 keys. Then bench-plots
# draws docs/benchmarks/*.svg and writes the tables of docs/benchmarks.md.
bench: all
	@benchmarks/run $(LIBRARY) $(BUILD)/bench

bench-plots:
	@benchmarks/publish $(BUILD)/bench/results.jsonl

clean:
	rm -rf $(BUILD)
