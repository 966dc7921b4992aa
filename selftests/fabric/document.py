# SPDX-License-Identifier: GPL-2.0
"""Tables inside a document that somebody wrote: between `<!-- table NAME -->` and
`<!-- end -->`, each on a line of its own."""
import re

from common import FabricError

BLOCK = re.compile(r'^<!-- table (\S+) -->\n(.*?)^<!-- end -->$', re.M | re.S)


def tables(text):
    """Name -> what stands there."""
    return {match[1]: match[2] for match in BLOCK.finditer(text)}


def replaced(text, new):
    """The text with these tables in place of the old ones; others stay as they are."""
    missing = set(new) - set(tables(text))
    if missing:
        raise FabricError(f"there is no place for: {' '.join(sorted(missing))}")

    def block(match):
        table = new.get(match[1])
        body = match[2] if table is None else table.rstrip('\n') + '\n'
        return f'<!-- table {match[1]} -->\n{body}<!-- end -->'

    return BLOCK.sub(block, text)


def replace(path, new):
    path.write_text(replaced(path.read_text(), new))
