/* The header's own translation unit: an edited header rebuilds the Swift side only because this includes it. */
#include "firsttime.h"
