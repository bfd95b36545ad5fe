/* Internal: what CSystem's own files share and Swift doesn't see. */
#ifndef INTERNAL_H
#define INTERNAL_H

/* A few bytes for each thread, which lie at a fixed distance from its control block: read without a call of the loader,
 * also in a shared library. There is little room for such, so what is large is allocated. */
#define THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))

/* Every mutex of the library, for a fork: taken whatever other threads do, given back, made anew in the child. */
void monitors_lock_all(void);
void monitors_unlock_all(void);
void monitors_renew_all(void);

/* The numbers of the descriptors that the library has open. Opening and closing happens between the first two, so that a
 * fork finds none half-way. */
void descriptors_lock(void);
void descriptors_unlock(void);
/* 0 or a negative errno. */
int descriptors_add(int descriptor);
/* Whether it is still the file that was added. */
_Bool descriptors_remove(int descriptor);

/* The lock around libc's local zone; no other is taken inside it. */
void zone_lock(void);
void zone_unlock(void);
void zone_renew(void);

#endif
