// SPDX-License-Identifier: GPL-2.0
/* Probes as bytes, by the module's own code; see packet.h. */
#include <string.h>

#include "packet.h"
#include "wire.h"

_Static_assert(PACKET_LEN == LAPSMP_ACK_HLEN, "a probe is as long as the longest answer");
_Static_assert(PACKET_HEAD == LAPSMP_HDR_LEN, "the common header has the flow id");

static void packet_id_of(uint64_t flow_id, struct packet_id *id)
{
	id->run = (uint32_t)(flow_id >> 32);
	id->trace = (uint16_t)(flow_id >> 16);
	id->ttl = (uint8_t)(flow_id >> 8);
	id->seq = (uint8_t)flow_id;
}

void packet_build(uint8_t *buf, const struct packet_id *id)
{
	struct lapsmp_hdr h = {
		.type = LAPSMP_T_PROBE,
		.path_id = 1,
		.flow_id = (uint64_t)id->run << 32 | (uint64_t)id->trace << 16 |
			   (uint64_t)id->ttl << 8 | id->seq,
		.seq = 1,
	};

	memset(buf, 0, PACKET_LEN);
	lapsmp_wire_build(buf, &h);
}

bool packet_answer(const uint8_t *buf, size_t len, struct packet_id *id)
{
	struct lapsmp_hdr h;

	if (len > UINT16_MAX ||
	    lapsmp_wire_parse(&h, buf, (unsigned int)len, (unsigned int)len))
		return false;
	packet_id_of(h.flow_id, id);
	return h.type == LAPSMP_T_RESET || h.type == LAPSMP_T_COOKIE ||
	       h.type == LAPSMP_T_VERSION;
}

bool packet_quoted(const uint8_t *buf, size_t len, struct packet_id *id)
{
	struct lapsmp_hdr h;

	if (len > UINT16_MAX || !lapsmp_wire_quoted(&h, buf, (unsigned int)len))
		return false;
	packet_id_of(h.flow_id, id);
	return h.type == LAPSMP_T_PROBE;
}
