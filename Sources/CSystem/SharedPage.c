/* A page of a file that processes share: a counter, and hints that may be wrong but never torn apart. */
#define _GNU_SOURCE
#include "CSystem.h"

#include <sys/mman.h>

void *csystem_map_page(int descriptor, bool writable) {
    int rights = PROT_READ | (writable ? PROT_WRITE : 0);
    void *page = mmap(NULL, CSYSTEM_PAGE, rights, MAP_SHARED, descriptor, 0);
    if (page == MAP_FAILED) return NULL;
    /* A child maps it anew: a mapping keeps the open file, and with it the parent's locks, alive. */
    madvise(page, CSYSTEM_PAGE, MADV_DONTFORK);
    return page;
}

void csystem_unmap_page(void *page) { munmap(page, CSYSTEM_PAGE); }

uint64_t csystem_page_load(const void *page, size_t offset) {
    return __atomic_load_n((const uint64_t *)((const char *)page + offset), __ATOMIC_ACQUIRE);
}
void csystem_page_store(void *page, size_t offset, uint64_t value) {
    __atomic_store_n((uint64_t *)((char *)page + offset), value, __ATOMIC_RELEASE);
}
uint64_t csystem_page_add(void *page, size_t offset, uint64_t value) {
    return __atomic_fetch_add((uint64_t *)((char *)page + offset), value, __ATOMIC_ACQ_REL);
}
