// SPDX-License-Identifier: GPL-2.0
/*
 * The control connection's lines; see ctl.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctl.h"
#include "net.h"
#include "util.h"

void ctl_init(struct ctl *c, int fd)
{
	memset(c, 0, sizeof(*c));
	c->fd = fd;
	c->in = fdopen(fd, "r");
	c->out = fdopen(dup(fd), "w");
	if (!c->in || !c->out)
		die(EXIT_RUN, "control connection: %s", strerror(errno));
}

void ctl_close(struct ctl *c)
{
	fclose(c->in);
	fclose(c->out);
	free(c->line);
}

/* Returns the next line without its end, or NULL. */
char *ctl_read(struct ctl *c)
{
	ssize_t n = getline(&c->line, &c->room, c->in);

	if (n <= 0)
		return NULL;
	if (c->line[n - 1] == '\n')
		c->line[n - 1] = '\0';
	return c->line;
}

/* Held back until a line starts with "done", "ok", "error", "run" or "end". */
void ctl_say(struct ctl *c, const char *fmt, ...)
{
	static const char * const flush[] = { "done", "ok", "error", "run", "end" };
	va_list ap;
	size_t i;

	va_start(ap, fmt);
	vfprintf(c->out, fmt, ap);
	va_end(ap);
	fputc('\n', c->out);
	for (i = 0; i < sizeof(flush) / sizeof(flush[0]); i++) {
		if (!strncmp(fmt, flush[i], strlen(flush[i])))
			fflush(c->out);
	}
}

/* The value of @key in @line, copied to @buf, or NULL. */
const char *ctl_get(const char *line, const char *key, char *buf, size_t room)
{
	size_t klen = strlen(key), vlen;
	const char *at = line;

	while ((at = strstr(at, key))) {
		if (at != line && at[-1] == ' ' && at[klen] == '=') {
			at += klen + 1;
			vlen = strcspn(at, " ");
			if (vlen >= room)
				return NULL;
			memcpy(buf, at, vlen);
			buf[vlen] = '\0';
			return buf;
		}
		at += klen;
	}
	return NULL;
}

uint64_t ctl_get_u64(const char *line, const char *key)
{
	char buf[32];

	return ctl_get(line, key, buf, sizeof(buf)) ? strtoull(buf, NULL, 10) : 0;
}

void ctl_say_run(struct ctl *c, const struct params *p)
{
	ctl_say(c, "run version=1 proto=%s mode=%s flows=%" PRIu32 " size=%" PRIu32
		" reply=%" PRIu32 " count=%" PRIu64 " warm=%" PRIu64 " idle=%" PRIu64
		" verify=%d trace=%d sndbuf=%d rcvbuf=%d boot=%s",
		p->proto->name, p->mode == MODE_RR ? "rr" : "stream", p->flows, p->size,
		p->reply, p->count, p->warm, p->idle_ns, p->verify, p->trace ? 1 : 0,
		p->sndbuf, p->rcvbuf, boot_id());
}

/* Fills in what a server needs to know. Returns NULL or what is wrong. */
const char *ctl_parse_run(const char *line, struct params *p)
{
	char buf[64];

	memset(p, 0, sizeof(*p));
	if (strncmp(line, "run ", 4) || ctl_get_u64(line, "version") != 1)
		return "the client speaks another version of the control protocol";
	if (ctl_get(line, "proto", buf, sizeof(buf)))
		p->proto = proto_find(buf);
	if (!p->proto)
		return "the server does not know this protocol";
	if (ctl_get(line, "mode", buf, sizeof(buf)) && !strcmp(buf, "rr"))
		p->mode = MODE_RR;
	p->flows = (uint32_t)ctl_get_u64(line, "flows");
	p->size = (uint32_t)ctl_get_u64(line, "size");
	p->reply = (uint32_t)ctl_get_u64(line, "reply");
	p->count = ctl_get_u64(line, "count");
	p->warm = ctl_get_u64(line, "warm");
	p->idle_ns = ctl_get_u64(line, "idle");
	p->verify = ctl_get_u64(line, "verify");
	p->trace = ctl_get_u64(line, "trace") ? "" : NULL;
	p->sndbuf = (int)ctl_get_u64(line, "sndbuf");
	p->rcvbuf = (int)ctl_get_u64(line, "rcvbuf");
	if (!p->flows || p->flows > PERF_MAX_FLOWS)
		return "flows out of range";
	if (p->size < MSG_MIN || p->size > p->proto->max_size)
		return "size out of range";
	if (p->mode == MODE_RR && (p->reply < REPLY_MIN || p->reply > p->proto->max_size))
		return "reply out of range";
	return NULL;
}
