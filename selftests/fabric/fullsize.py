# SPDX-License-Identifier: GPL-2.0
"""Cases on networks in full size: those of the papers' evaluations, and of 128 hosts in racks.

Of most kinds in cases.py one is here, with fewer lines: those that do not end, and settings,
are not.
"""
from cases import BARRED, LAST, Case, by_ports, loads_of, rows_of, with_loss
from schemes import SCHEMES

FAT_TREE = 'fat-tree --ports 8'
# 16 hosts of a leaf share eight links of the same rate.
LEAF_SPINE = 'leaf-spine --leaves 8 --spines 8 --hosts 16'
# Several times as many hosts send as in cases.py: twice as many flows in half of the time. RPCs are
# not there: one would begin each 4 to 5 ns, and the process that sends all of them takes 10 ns of
# simulated time for each.
DURATIONS = dict.fromkeys(('storage', 'websearch', 'hadoop', 'datamining'), '1ms')
LOADED = rows_of('lapsmp', 'lapsmp-plain', 'lapsmp-auto', 'lapsmp-auto-plain', 'lapsmp-ecmp',
                 'dctcp', 'dctcp-class', 'dctcp-class-20', 'dctcp-plb')
# No class for short messages, as bars are asked.
PLAIN = rows_of('lapsmp-plain', 'lapsmp-auto-plain', 'dctcp', 'dctcp-plb')

# MPTCP takes several times as long, and its kernel has too few slots for so many connections.
COMPARED = tuple(row for row in BARRED if SCHEMES[row.scheme].proto != 'mptcp')

RAIL_A2O = Case('rail64-a2o', 'Rail of 64: 63 senders to one, 64 MB each (table III)', 'rail',
                'llm --pattern all-to-one', trace=False, rows=COMPARED)
DRAGONFLY_A2O = Case('dragonfly144-a2o',
                     'Dragonfly of 144: 107 senders to one, 64 MB each (table IV)', 'dragonfly',
                     'llm --pattern all-to-one --count 108', trace=False, rows=COMPARED)


def permutation(name, title, topology, *more):
    return Case(f'{name}-permutation', f'{title}: each to another one, 16 MB', topology,
                'llm --pattern permutation --size 16M --seed 1', trace=False, rows=PLAIN + more)


CASES = [
    RAIL_A2O,
    by_ports(RAIL_A2O),
    with_loss(RAIL_A2O),
    # Programs send all of a message at once; a host has a quarter of the memory for that, and
    # all of these are of one kernel.
    RAIL_A2O._replace(name='rail64-a2o-grants', mem='48G',
                      title='Rail of 64: 63 senders to one, 64 MB each, as one message',
                      rows=rows_of('lapsmp', 'lapsmp-grants'),
                      options='--chunk 64M --set net.lapsmp.budget_bytes=8000000000'),
    RAIL_A2O._replace(name='rail64-a2o-cut', rows=PLAIN,
                      events=(f'20ms {LAST} down', f'40ms {LAST} up'),
                      title='Rail of 64: 63 senders to one, 64 MB each; one of its two last'
                      ' links swallows everything from 20 to 40 ms'),
    DRAGONFLY_A2O,
    Case('rail64-o2a', 'Rail of 64: one to all others, 64 MB each', 'rail',
         'llm --pattern one-to-all', trace=False, rows=PLAIN),
    Case('rail64-allreduce-ring', 'Rail of 64: AllReduce of 64 MB, ring', 'rail',
         'allreduce --algorithm ring --size 64M', trace=False, options='--serial', rows=PLAIN),
    permutation('dragonfly144', 'Dragonfly of 144', 'dragonfly'),
    permutation('fat-tree128', 'Fat tree of 128, equal ways', FAT_TREE,
                *rows_of('lapsmp-spray')),
    permutation('leaf-spine128', 'Eight leaves of 16 hosts, eight spines', LEAF_SPINE,
                *rows_of('lapsmp-spray')),
]
GRIDS = [loads_of(fabric, words, 0.8, LOADED, DURATIONS)
         for fabric, words in (('rail64', 'rail'), ('dragonfly144', 'dragonfly'))]
