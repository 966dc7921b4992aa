/* SPDX-License-Identifier: GPL-2.0 */
/* A heap of numbers by length: the shortest comes out first. */
#ifndef LAPSCTL_TOPO_HEAP_H
#define LAPSCTL_TOPO_HEAP_H

#include "path.h"

struct topo_heap_item {
	struct topo_len len;
	uint32_t number;
};

/* Begin with all zero, and keep the memory for the next use. */
struct topo_heap {
	struct topo_heap_item *v;
	uint32_t n;
	uint32_t room;
};

void topo_heap_push(struct topo_heap *heap, struct topo_len len, uint32_t number);
/* The shortest, and of equal ones that of the smallest number; not of an empty heap. */
struct topo_heap_item topo_heap_pop(struct topo_heap *heap);
void topo_heap_free(struct topo_heap *heap);

#endif /* LAPSCTL_TOPO_HEAP_H */
