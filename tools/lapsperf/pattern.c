// SPDX-License-Identifier: GPL-2.0
/*
 * The contents of a message, as a function of its flow, its number and the
 * offset, so that a receiver can check every byte: SplitMix64 of a counter.
 */
#include <string.h>

#include "pattern.h"

static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

static uint64_t first(uint32_t flow, uint64_t seq)
{
	return mix(seq * 0x9e3779b97f4a7c15ull + flow + 1);
}

void pattern_fill(uint8_t *buf, size_t len, uint32_t flow, uint64_t seq)
{
	uint64_t state = first(flow, seq), word;
	size_t n;

	for (; len; buf += n, len -= n) {
		state += 0x9e3779b97f4a7c15ull;
		word = mix(state);
		n = len < sizeof(word) ? len : sizeof(word);
		memcpy(buf, &word, n);
	}
}

bool pattern_check(const uint8_t *buf, size_t len, uint32_t flow, uint64_t seq)
{
	uint64_t state = first(flow, seq), word;
	size_t n;

	for (; len; buf += n, len -= n) {
		state += 0x9e3779b97f4a7c15ull;
		word = mix(state);
		n = len < sizeof(word) ? len : sizeof(word);
		if (memcmp(buf, &word, n))
			return false;
	}
	return true;
}
