// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the samples:
 *
 *	wire_seed corpus DIR	a file each in DIR, as wire_fuzz reads them
 *	wire_seed hex		to stdout, as text2pcap reads them
 *	wire_seed names		to stdout, a name a line, in the order of "hex"
 *	wire_seed hex-bad	packets that must be refused, as text2pcap reads them
 *	wire_seed names-bad	what is wrong with each
 *
 * "hex-bad" checks that the parser of the module refuses them too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/kernel.h>

#include "wire_samples.h"

/* A sample with one byte changed, cut short, or with an option too many. */
struct bad {
	const char *name;
	const char *of;
	unsigned int at;
	u8 value;
	unsigned int cut;	/* to this many bytes, if not 0 */
	bool from;		/* FROM is added */
};

static const struct bad bads[] = {
	{ "short", "data", 0, 0x11, 20 },
	{ "flow-zero", "data-empty", 8, 0, 0 },	/* see bad_build() */
	{ "hlen-short", "data", 1, 8, 0 },
	{ "hlen-long", "data", 1, 200, 0 },
	{ "msg-zero", "data", 27, 0, 0 },
	{ "off-beyond", "data", 28, 1, 0 },
	{ "payload-beyond", "data", 31, 0xc0, 0 },
	{ "payload-missing", "data", 0, 0x11, 36 },
	{ "probe-short", "probe", 0, 0x13, 55 },
	{ "reason-zero", "reset-unknown", 25, 0, 0 },
	{ "versions-zero", "version", 27, 0, 0 },
	{ "challenge-short", "challenge", 1, 9, 0 },
	{ "opt-len-zero", "data-open", 37, 0, 0 },
	{ "opt-len-odd", "data-open", 37, 30, 0 },
	{ "opt-len-long", "data-open", 37, 36, 0 },
	{ "opt-open-length", "data-open-cookie", 37, 28, 0 },
	{ "opt-cookie-alone", "data-open-cookie", 36, 0, 0 },
	{ "opt-open-on-close", "probe-open", 0, 0x18, 0 },
	{ "opt-from-length", "data-from", 37, 24, 0 },
	{ "opt-from-zero", "probe-from", 35, 0, 0 },
	{ "opt-from-on-ack", "ack", 0, 0x12, 0, true },
	{ "opt-from-with-open", "data-open", 0, 0x11, 0, true },
	/* OPEN is turned into padding. */
	{ "opt-from-with-cookie", "data-open-cookie", 36, 0, 0, true },
	{ "opt-also-length", "ack-also", 57, 24, 0 },
	{ "opt-also-second-length", "ack-also", 85, 24, 0 },
	{ "opt-critical", "data-open", 36, 0xff, 0 },
	{ "type-zero", "data", 0, 0x10, 0 },
	{ "type-reserved", "data", 0, 0x1e, 0 },
	{ "type-unassigned", "data", 0, 0x1f, 0 },
	{ "type-unassigned-13", "data", 0, 0x1d, 0 },
	{ "other-version", "data", 0, 0x21, 0 },
};

static const struct wire_sample *sample_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < wire_samples_nr; i++)
		if (!strcmp(wire_samples[i].name, name))
			return &wire_samples[i];
	fprintf(stderr, "wire_seed: no sample %s\n", name);
	exit(1);
}

static unsigned int bad_build(u8 *buf, const struct bad *bad)
{
	struct wire_sample sample = *sample_find(bad->of);
	struct lapsmp_hdr h;
	unsigned int len;

	sample.h.has_from |= bad->from;
	len = wire_sample_build(buf, &sample);
	buf[bad->at] = bad->value;
	if (!strcmp(bad->name, "flow-zero"))
		memset(buf + 8, 0, 8);
	if (bad->cut)
		len = bad->cut;
	if (!lapsmp_wire_parse(&h, buf, len, len)) {
		fprintf(stderr, "wire_seed: %s was not refused\n", bad->name);
		exit(1);
	}
	return len;
}

static void hex(const u8 *buf, unsigned int len)
{
	unsigned int i;

	for (i = 0; i < len; i++)
		printf("%s%02x", i % 16 ? " " : i ? "\n" : "", buf[i]);
	printf("\n");
}

static void hex_all(bool good)
{
	unsigned int nr = good ? wire_samples_nr : ARRAY_SIZE(bads);
	u8 buf[WIRE_SAMPLE_MAX];
	unsigned int len;
	unsigned int i;
	unsigned int j;

	for (i = 0; i < nr; i++) {
		len = good ? wire_sample_build(buf, &wire_samples[i]) :
			     bad_build(buf, &bads[i]);
		for (j = 0; j < len; j += 16) {
			printf("%06x ", j);
			hex(buf + j, len - j < 16 ? len - j : 16);
		}
		printf("\n");
	}
}

static int corpus_write(const char *dir, const struct wire_sample *sample)
{
	u8 buf[2 + WIRE_SAMPLE_MAX] = { 0 };	/* all of the packet is readable */
	unsigned int len = 2 + wire_sample_build(buf + 2, sample);
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, sample->name);
	f = fopen(path, "wb");
	if (!f || fwrite(buf, 1, len, f) != len || fclose(f)) {
		perror(path);
		return 1;
	}
	return 0;
}

static void names(bool good)
{
	unsigned int i;

	for (i = 0; good && i < wire_samples_nr; i++)
		puts(wire_samples[i].name);
	for (i = 0; !good && i < ARRAY_SIZE(bads); i++)
		puts(bads[i].name);
}

int main(int argc, char **argv)
{
	unsigned int i;
	int err = 0;

	if (argc == 3 && !strcmp(argv[1], "corpus")) {
		for (i = 0; i < wire_samples_nr; i++)
			err |= corpus_write(argv[2], &wire_samples[i]);
		return err;
	}
	if (argc == 2 && !strncmp(argv[1], "hex", 3)) {
		hex_all(!argv[1][3]);
		return 0;
	}
	if (argc == 2 && !strncmp(argv[1], "names", 5)) {
		names(!argv[1][5]);
		return 0;
	}
	fprintf(stderr, "usage: wire_seed corpus DIR | {hex|names}[-bad]\n");
	return 1;
}
