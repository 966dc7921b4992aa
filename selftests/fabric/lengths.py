# SPDX-License-Identifier: GPL-2.0
"""How much of what was sent took ways that are longer than the shortest one, by how much:
of paths whose delay is configured, as computed ones' are."""
import json
from collections import defaultdict

import tables


def extra_us(path, shortest_ns):
    return round((path['conf-base-ns'] - shortest_ns) / 1000)


def shares(run):
    """How much longer in us -> part of the bytes, of all hosts together."""
    sent = defaultdict(int)
    for paths in json.loads((run / 'paths.json').read_text()).values():
        peers = defaultdict(list)
        for path in paths:
            if path.get('conf-base-ns'):
                peers[path['peer']].append(path)
        for known in peers.values():
            shortest_ns = min(path['conf-base-ns'] for path in known)
            for path in known:
                sent[extra_us(path, shortest_ns)] += path['tx-bytes']
    total = sum(sent.values())
    return {us: size / total for us, size in sent.items() if size} if total else {}


def table(_case, rows, out):
    """Markdown, of the first seed of each row; nothing where there are no such paths."""
    found = {}
    for row in rows:
        for run in tables.runs(out, row)[:1]:
            if (run / 'paths.json').exists() and shares(run):
                found[row.name] = shares(run)
    if not found:
        return ''
    columns = sorted({us for each in found.values() for us in each})
    lines = ['| bytes by paths that are longer by | ' +
             ' | '.join(f'{us} us' for us in columns) + ' |', '|---|' + '---|' * len(columns)]
    for name, each in found.items():
        lines.append(f'| {name} | ' +
                     ' | '.join(f'{100 * each.get(us, 0):.1f} %' for us in columns) + ' |')
    return '\n'.join([*lines, ''])
