// A thread that ends inside a callable, by pthread_exit() or cancellation, isn't stopped, and leaves its key free. What
// it had in its hands is lost, which leak checkers see.
#include "check.hpp"

#include <unistd.h>

#include <thread>

using firsttime::outcome;

int main() {
    alarm(60);
    firsttime::store store(in_memory());
    std::thread([&] { store.execute_once("exit", [] { pthread_exit(nullptr); }); }).join();
    check(store.execute_once("exit", [] {}) == outcome::ran);

    store.mark("marked");
    std::thread([&] { store.each("", [](auto &&) { pthread_exit(nullptr); }); }).join();
    std::thread([&] {
        store.execute_once("cancel", [] {
            pthread_cancel(pthread_self());
            pthread_testcancel();
        });
    }).join();
    check(store.execute_once("cancel", [] {}) == outcome::ran);
    return 0;
}
