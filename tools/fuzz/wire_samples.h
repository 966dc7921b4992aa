/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One well-formed packet of every kind: what the fuzzer starts from, and what
 * the dissector's test decodes.
 */
#ifndef _LAPSMP_WIRE_SAMPLES_H
#define _LAPSMP_WIRE_SAMPLES_H

#include "wire.h"
#include "wire_also.h"

/* Room for the longest sample. */
#define WIRE_SAMPLE_MAX		256

/**
 * struct wire_sample - a packet
 * @name: unique, fit for a file's name
 * @h: its fields
 * @payload_len: bytes behind the header, counted up from 0
 */
struct wire_sample {
	const char *name;
	struct lapsmp_hdr h;
	unsigned int payload_len;
};

extern const struct wire_sample wire_samples[];
extern const unsigned int wire_samples_nr;

/**
 * wire_sample_build() - the bytes of a sample
 * @buf: room for WIRE_SAMPLE_MAX bytes
 * @sample: which
 *
 * Return: bytes written.
 */
unsigned int wire_sample_build(u8 *buf, const struct wire_sample *sample);

#endif /* _LAPSMP_WIRE_SAMPLES_H */
