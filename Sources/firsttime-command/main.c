/* firsttime: runs commands once, once per version or once per interval, and looks after the state.
 *
 * Owns the start of the program and which command it is. What there is stands in commands.c.
 */
#define _GNU_SOURCE
#include "command.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* A descriptor below 3 that is closed would become one of the tool's own. What stands in for it fails as a closed one
 * does: EBADF. CMD finds it closed, as the tool did. */
static void fill_standard_descriptors(void) {
    for (int descriptor = 0; descriptor < 3; descriptor++) {
        int useless = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        if (fcntl(descriptor, F_GETFD) < 0) (void)!open("/dev/null", useless | O_CLOEXEC);
    }
}

int main(int count, char **arguments) {
    struct request request;
    fill_standard_descriptors();
    if (!request_parse(&request, count, arguments)) return STATUS_FAILED;
    if (request.help) {
        help_print(request.command);
        return output_end(STATUS_OK);
    }
    if (request.version) {
        printf("firsttime %s\n", firsttime_library_version());
        return output_end(STATUS_OK);
    }
    if (request.command == NULL) {
        fail("what shall it do? The most used: firsttime once KEY -- CMD");
        help_hint(NULL);
        return STATUS_FAILED;
    }
    return request.command->run(&request);
}
