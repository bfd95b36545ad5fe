#include <firsttime.h>
#include <stdio.h>
int main(void) { puts(firsttime_library_version()); return 0; }
