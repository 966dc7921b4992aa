// SPDX-License-Identifier: GPL-2.0
/*
 * How much of each flow has arrived by when: a line "NS BYTES BYTES..." again and again, the
 * flows in the order of their file. It is what the receivers' programs were given, and so
 * the same measure for all transports.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "fabric.h"
#include "lapsperf.h"
#include "util.h"

/* The first line is due when the flows begin. */
void fabric_progress_begin(struct fabric *f)
{
	if (!f->p->progress)
		return;
	f->progress = fopen(f->p->progress, "w");
	if (!f->progress)
		die(EXIT_RUN, "%s: %s", f->p->progress, strerror(errno));
	f->note_ns = f->base_ns;
}

void fabric_progress_note(struct fabric *f, uint64_t now)
{
	uint32_t i;

	fprintf(f->progress, "%" PRIu64, now - f->base_ns);
	for (i = 0; i < f->n_file; i++)
		fprintf(f->progress, " %" PRIu64, f->flows[i].received);
	fputc('\n', f->progress);
	while (f->note_ns <= now)
		f->note_ns += f->p->every_ns;
}

void fabric_progress_end(struct fabric *f)
{
	f->note_ns = UINT64_MAX;
	if (f->progress && fclose(f->progress))
		die(EXIT_RUN, "%s: %s", f->p->progress, strerror(errno));
}
