/* Which peers there are. The script that builds this says which libraries it found. */
#include "peer.h"

const peer *const peers[] = {
    &peer_bare,
    &peer_loop,
    &peer_firsttime,
#ifdef HAVE_SQLITE
    &peer_sqlite,
#endif
#ifdef HAVE_LMDB
    &peer_lmdb,
#endif
    &peer_stamp,
#ifdef HAVE_GLIB
    &peer_gkeyfile,
#endif
#ifdef HAVE_FOUNDATION
    &peer_foundation,
#endif
    NULL,
};
