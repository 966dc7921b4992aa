// SPDX-License-Identifier: GPL-2.0
/* A binary heap; see heap.h. */
#include <stdlib.h>

#include "../util.h"
#include "heap.h"

static bool item_less(const struct topo_heap_item *a, const struct topo_heap_item *b)
{
	int diff = topo_len_cmp(&a->len, &b->len);

	return diff ? diff < 0 : a->number < b->number;
}

void topo_heap_push(struct topo_heap *heap, struct topo_len len, uint32_t number)
{
	struct topo_heap_item item = { len, number };
	uint32_t at = heap->n++;

	if (heap->n > heap->room) {
		heap->room = heap->room ? 2 * heap->room : 64;
		heap->v = xrealloc(heap->v, heap->room * sizeof(*heap->v));
	}
	for (; at && item_less(&item, &heap->v[(at - 1) / 2]); at = (at - 1) / 2)
		heap->v[at] = heap->v[(at - 1) / 2];
	heap->v[at] = item;
}

struct topo_heap_item topo_heap_pop(struct topo_heap *heap)
{
	struct topo_heap_item first = heap->v[0], item = heap->v[--heap->n];
	uint32_t at = 0, kid;

	while ((kid = 2 * at + 1) < heap->n) {
		if (kid + 1 < heap->n && item_less(&heap->v[kid + 1], &heap->v[kid]))
			kid++;
		if (!item_less(&heap->v[kid], &item))
			break;
		heap->v[at] = heap->v[kid];
		at = kid;
	}
	heap->v[at] = item;
	return first;
}

void topo_heap_free(struct topo_heap *heap)
{
	free(heap->v);
	*heap = (struct topo_heap){ 0 };
}
