/* Owns the commands that change records by hand: mark, donate, reset. */
#include "command.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int change_mark(const struct request *request) {
    firsttime_store *store = store_open(request, 0);
    if (store == NULL) return STATUS_FAILED;
    int status = firsttime_mark(store, request->operands[0]) < 0 ? fail_last(NULL) : STATUS_OK;
    firsttime_close(store);
    return status;
}

int change_donate(const struct request *request) {
    firsttime_store *store = store_open(request, 0);
    if (store == NULL) return STATUS_FAILED;
    int status = firsttime_donate(store, request->operands[0]) < 0 ? fail_last(NULL) : STATUS_OK;
    firsttime_close(store);
    return status;
}

/* Whether all may be forgotten: --yes, or an answer on the terminal. */
static bool is_confirmed(const struct request *request, const char *path, int64_t count, int *status_out) {
    if (request->yes) return true;
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)) {
        *status_out = fail("reset --all forgets every key, and there is no terminal to ask on; add --yes");
        return false;
    }
    fprintf(stderr, count == 1 ? "Forget the %lld key of %s? [y/N] " : "Forget all %lld keys of %s? [y/N] ",
            (long long)count, path);
    char answer[16] = "";
    if (fgets(answer, sizeof answer, stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y')) return true;
    fprintf(stderr, "Nothing was changed.\n");
    *status_out = STATUS_NO;
    return false;
}

static int reset_many(const struct request *request, firsttime_store *store) {
    int status = STATUS_OK;
    int64_t count = firsttime_count(store, request->prefix);
    if (count < 0) return fail_last(NULL);
    if (request->all && count > 0 && !is_confirmed(request, firsttime_path(store), count, &status)) return status;
    firsttime_result result = request->all ? firsttime_reset(store) : firsttime_reset_prefix(store, request->prefix);
    if (result < 0) return fail_last(NULL);
    printf("%lld %s forgotten\n", (long long)count, count == 1 ? "key" : "keys");
    return STATUS_OK;
}

static int reset_one(firsttime_store *store, const char *key) {
    firsttime_result result = firsttime_reset_key(store, key);
    if (result < 0) return fail_last(NULL);
    if (result == FIRSTTIME_YES) return STATUS_OK;
    fail("%s has no record in %s", key, firsttime_path(store));
    return STATUS_NO;
}

int change_reset(const struct request *request) {
    int ways = (request->operand_count > 0) + (request->prefix != NULL) + request->all;
    if (ways != 1) {
        fail("reset: give a KEY, --prefix TEXT or --all%s", ways > 1 ? ", one of them" : "");
        help_hint(request->command);
        return STATUS_FAILED;
    }
    if (request->prefix != NULL && *request->prefix == 0)
        return fail("reset --prefix: the prefix is empty; reset --all forgets every key");
    firsttime_store *store = store_open(request, 0);
    if (store == NULL) return STATUS_FAILED;
    int status = request->operand_count > 0 ? reset_one(store, request->operands[0]) : reset_many(request, store);
    firsttime_close(store);
    return output_end(status);
}
