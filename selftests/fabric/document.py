# SPDX-License-Identifier: GPL-2.0
"""Tables inside a document that somebody wrote: between `<!-- table NAME -->` and
`<!-- end -->`, each on a line of its own."""
import re

from common import FabricError

BLOCK = re.compile(r'^<!-- table (\S+) -->\n(.*?)^<!-- end -->$', re.M | re.S)


def replaced(text, tables):
    """The text with these tables in place of the old ones; others stay as they are."""
    missing = set(tables) - {match[1] for match in BLOCK.finditer(text)}
    if missing:
        raise FabricError(f"there is no place for: {' '.join(sorted(missing))}")

    def block(match):
        new = tables.get(match[1])
        body = match[2] if new is None else new.rstrip('\n') + '\n'
        return f'<!-- table {match[1]} -->\n{body}<!-- end -->'

    return BLOCK.sub(block, text)


def replace(path, tables):
    path.write_text(replaced(path.read_text(), tables))
