/* CRC-32C (Castagnoli), as iSCSI, ext4 and Btrfs use it: polynomial 0x1EDC6F41, reflected, both ends inverted. */
#include "CSystem.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint32_t table[8][256];

static void fill_tables(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t rest = byte;
        for (int bit = 0; bit < 8; bit++) rest = rest & 1 ? rest >> 1 ^ 0x82F63B78u : rest >> 1;
        table[0][byte] = rest;
    }
    for (int row = 1; row < 8; row++) {
        for (int byte = 0; byte < 256; byte++) {
            uint32_t rest = table[row - 1][byte];
            table[row][byte] = rest >> 8 ^ table[0][rest & 0xFF];
        }
    }
}

/* Eight bytes at a time ("slicing by 8"): a journal of an import is as long as the archive. */
uint32_t csystem_crc32c(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    pthread_once(&once, fill_tables);
    crc = ~crc;
    for (; count >= 8; count -= 8, next += 8) {
        crc ^= (uint32_t)next[0] | (uint32_t)next[1] << 8 | (uint32_t)next[2] << 16 | (uint32_t)next[3] << 24;
        crc = table[7][crc & 0xFF] ^ table[6][crc >> 8 & 0xFF] ^ table[5][crc >> 16 & 0xFF] ^ table[4][crc >> 24] ^
              table[3][next[4]] ^ table[2][next[5]] ^ table[1][next[6]] ^ table[0][next[7]];
    }
    for (; count > 0; count--, next++) crc = crc >> 8 ^ table[0][(crc ^ *next) & 0xFF];
    return ~crc;
}
