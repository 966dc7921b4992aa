// SPDX-License-Identifier: GPL-2.0
/* Tables; see print.h. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"
#include "util.h"

#define CELL_MAX	160

struct cell {
	enum color color;
	char text[CELL_MAX];
};

struct table {
	const struct column *columns;
	int n;
	int indent;
	struct cell *cells;
	size_t n_cells;
};

struct table *table_new(const struct column *columns, int n, int indent)
{
	struct table *t = xalloc(sizeof(*t));

	*t = (struct table){ .columns = columns, .n = n, .indent = indent };
	return t;
}

void table_free(struct table *table)
{
	free(table->cells);
	free(table);
}

void table_add(struct table *table, enum color color, const char *fmt, ...)
{
	struct cell *cell;
	va_list ap;

	table->cells = xrealloc(table->cells, (table->n_cells + 1) * sizeof(*table->cells));
	cell = &table->cells[table->n_cells++];
	cell->color = color;
	va_start(ap, fmt);
	vsnprintf(cell->text, sizeof(cell->text), fmt, ap);
	va_end(ap);
}

/* Places on a terminal: bytes that go on with a character take none. */
static int text_width(const char *s)
{
	int width = 0;

	for (; *s; s++)
		width += (*s & 0xc0) != 0x80;
	return width;
}

/* Negative: it is left out. */
static int column_width(const struct table *t, int column)
{
	int width = text_width(t->columns[column].head);
	bool empty = true;
	size_t i;

	if (width < t->columns[column].min)
		width = t->columns[column].min;
	for (i = (size_t)column; i < t->n_cells; i += (size_t)t->n) {
		empty = empty && !*t->cells[i].text;
		if (text_width(t->cells[i].text) > width)
			width = text_width(t->cells[i].text);
	}
	return empty && t->columns[column].rare ? -1 : width;
}

static void cell_print(const struct table *t, int column, int width, enum color color,
		       const char *text, FILE *out)
{
	bool left = t->columns[column].left, last = column == t->n - 1;
	int fill = width - text_width(text);

	if (width < 0)
		return;
	fprintf(out, "%*s%s%s%s%*s", left ? 0 : fill, "", color_on(color), text,
		color_off(color), left && !last ? fill : 0, "");
	fputs(last ? "\n" : "  ", out);
}

void table_print(struct table *table, FILE *out)
{
	int *widths = xalloc(sizeof(int) * (size_t)table->n);
	size_t i;
	int c;

	fprintf(out, "%*s", table->indent, "");
	for (c = 0; c < table->n; c++) {
		widths[c] = column_width(table, c);
		cell_print(table, c, widths[c], COLOR_DIM, table->columns[c].head, out);
	}
	for (i = 0; i < table->n_cells; i++) {
		c = (int)(i % (size_t)table->n);
		if (!c)
			fprintf(out, "%*s", table->indent, "");
		cell_print(table, c, widths[c], table->cells[i].color, table->cells[i].text, out);
	}
	free(widths);
	table_free(table);
}
