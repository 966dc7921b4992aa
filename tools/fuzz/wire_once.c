// SPDX-License-Identifier: GPL-2.0
/*
 * Feeds files to wire_fuzz.c where libFuzzer is not to be had: each as it is,
 * cut at every length, and with every bit of it flipped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/types.h>

int wire_fuzz_one(const u8 *data, size_t size);

/* In memory of just its size, for the sanitizer. */
static void feed(const u8 *data, size_t size, size_t flip)
{
	u8 *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	memcpy(copy, data, size);
	if (flip < size * 8)
		copy[flip / 8] ^= 1 << flip % 8;
	wire_fuzz_one(copy, size);
	free(copy);
}

static int feed_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	u8 buf[4096];
	size_t size;
	size_t i;

	if (!f) {
		perror(path);
		return 1;
	}
	size = fread(buf, 1, sizeof(buf), f);
	fclose(f);
	for (i = 0; i <= size; i++)
		feed(buf, i, SIZE_MAX);
	for (i = 0; i < size * 8; i++)
		feed(buf, size, i);
	return 0;
}

int main(int argc, char **argv)
{
	int err = 0;
	int i;

	for (i = 1; i < argc; i++)
		err |= feed_file(argv[i]);
	return err;
}
