// What the C++ test programs share: check() as in C, failures by their code, and a store of a test's own.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <firsttime.hpp>

#include "../check.h"

using namespace std::chrono_literals;

template <class Function> void check_error(firsttime::errc code, Function &&function) {
    auto result = firsttime::attempt(function);
    check(!result);
    if (result.error().code() != code) fprintf(stderr, "%s: %s\n", result.error().name(), result.error().what());
    check(result.error().code() == code);
    check(result.error().what()[0] != 0);
}

// Whether it throws just this.
template <class Thrown, class Function> bool throws(const Thrown &expected, Function &&function) {
    try {
        function();
    } catch (const Thrown &thrown) { return thrown == expected; }
    return false;
}

inline firsttime::options at(const char *path) {
    firsttime::options options;
    options.path = path;
    options.relaxed = true;
    return options;
}

inline firsttime::options in_memory() {
    firsttime::options options;
    options.in_memory = true;
    return options;
}

#endif
