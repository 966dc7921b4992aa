#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Every attribute of every netlink request wrong in turn.

Each request here differs from one that works by one thing. It must fail, the kernel
must say in words why, and all that can be shown must be as before. What can be wrong
about the form of an attribute comes from the spec; what can be wrong about its meaning,
and what must not be missing, is written down here.
"""
import errno
import ipaddress
import os
import socket
import struct
import sys

from genl import FORMATS, Genl, Spec, attr

NLA_F_NESTED = 1 << 15

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
SPEC = Spec(os.path.join(TOP, 'Documentation/netlink/specs/lapsmp.yaml'))
GENL = Genl(SPEC)


def addr(text):
    """An address as netlink has it: IPv4 ones mapped."""
    a = ipaddress.ip_address(text)
    return a.packed if a.version == 6 else bytes(10) + b'\xff\xff' + a.packed


HOST, OTHER = addr('127.0.0.1'), addr('::1')
SPORT, SPORT_TAKEN, SPORT_NEW = 50001, 50002, 50003
LABEL = 0x12345
SEGS = addr('2001:db8:1::1') + addr('2001:db8:1::2')

# Requests that work. The id of the one path is added when it is known.
GOOD = {
    'path-new': {'peer': HOST, 'sport': SPORT_NEW},
    'path-set': {'peer': HOST, 'weight': 2},
    'path-del': {'peer': HOST},
    'path-flush': {'peer': HOST},
    'path-get': {'peer': HOST},
    'peer-set': {'peer': HOST, 'sched': 'spray', 'cc': 'fixed'},
    'peer-del': {'peer': HOST},
    'peer-flush': {},
    'peer-get': {'peer': HOST},
    'flow-get': {'id': 1},
    'sched-get': {'name': 'spray'},
    'sched-set': {'name': 'spray'},
    'cc-get': {'name': 'fixed'},
    'cc-set': {'name': 'fixed'},
    'stats-get': {},
}
WITH_ID = ('path-set', 'path-del', 'path-get')

# What cannot be left out: each of these sets of attributes.
MISSING = {
    'path-new': (['peer'], ['sport']),
    'path-set': (['peer'], ['id'], ['weight']),
    'path-del': (['peer'], ['id']),
    'path-flush': (['peer'],),
    'path-get': (['peer'], ['id']),
    'peer-set': (['peer'], ['sched', 'cc']),
    'peer-del': (['peer'],),
    'peer-get': (['peer'],),
    'flow-get': (['id'],),
    'sched-set': (['name'],),
    'cc-set': (['name'],),
}

# Values of the right form that mean nothing, or not here. An attribute may need others.
NOT_UNICAST = ('0.0.0.0', '::', '224.0.0.1', 'ff02::1', '255.255.255.255')
NO_PEER = ('path-set', 'path-del', 'path-get', 'peer-del', 'peer-get')


def meanings(op, name):
    """What is wrong, and the attributes that make it so."""
    if name == 'peer' and op not in ('peer-flush', 'flow-get'):
        for text in NOT_UNICAST:
            yield text, {'peer': addr(text)}
        yield 'link-local and no device', {'peer': addr('fe80::1')}
        if op in NO_PEER:
            yield 'no such peer', {'peer': addr('127.0.0.9')}
    elif name == 'local':
        yield 'another family', {'local': OTHER}
        for text in ('0.0.0.0', '224.0.0.1'):
            yield text, {'local': addr(text)}
    elif name == 'ifindex':
        yield 'no such device', {'ifindex': 12345}
    elif name in ('port', 'mark', 'tos') and op in NO_PEER:
        yield 'no such peer', {name: 77}
    elif name == 'id' and op in WITH_ID:
        yield '0', {'id': 0}
        yield 'no such path', {'id': 4242}
    elif name == 'id' and op == 'path-new':
        yield 'another path has it', {'id': state.path_id}
    elif name == 'id' and op == 'flow-get':
        yield 'no such flow', {'id': 4242}
    elif name == 'direction':
        yield 'a receiving flow without peer', {'direction': 1}
    elif name == 'sport':
        yield 'another path has it', {'sport': SPORT}
        yield 'another program has it', {'sport': SPORT_TAKEN}
    elif name == 'flowlabel':
        yield 'IPv4 has none', {'flowlabel': LABEL}
        yield 'another path has it', {'peer': OTHER, 'flowlabel': LABEL}
    elif name == 'segs':
        yield 'another path has them', {'peer': OTHER, 'segs': SEGS}
        yield '17', {'peer': OTHER, 'segs': SEGS[:16] * 17}
        yield '15 bytes', {'peer': OTHER, 'segs': SEGS[:15]}
        yield '33 bytes', {'peer': OTHER, 'segs': SEGS + b'x'}
        for text in ('::', '::1', 'ff02::1', 'fe80::1', '::ffff:192.0.2.1'):
            yield text, {'peer': OTHER, 'segs': SEGS + addr(text)}
    elif name == 'answers':
        yield 'IPv6', {'peer': OTHER, 'answers': SEGS}
        yield '17', {'answers': SEGS[:16] * 17}
        yield '15 bytes', {'answers': SEGS[:15]}
        for text in ('::', '::1', 'ff02::1', 'fe80::1', '::ffff:192.0.2.1'):
            yield text, {'answers': SEGS + addr(text)}
        for other, value in (('local', HOST), ('ifindex', 1), ('mark', 1), ('tos', 8), ('port', 77)):
            yield 'with ' + other, {'answers': SEGS, other: value}
    elif name == 'conf-rate':
        yield '1', {'conf-rate': 1}
        yield '999', {'conf-rate': 999}
    elif name in ('sched', 'cc', 'name'):
        for text in ('nosuch', '../laps', 'la ps', 'LAPS'):
            yield repr(text), {name: text}
        if op in ('sched-set', 'cc-set'):
            yield 'empty', {name: ''}


# --- requests ------------------------------------------------------------------------


class State:
    """What stays the same while requests fail."""

    def __init__(self):
        self.path_id = 0
        self.taken = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        self.taken.bind(('::', SPORT_TAKEN))

    def make(self):
        must(GENL.request('peer-flush'))
        must(GENL.request('peer-set', pack('peer-set', {'peer': OTHER, 'cc': 'laps-paper'})))
        must(GENL.request('path-new', pack('path-new', {
            'peer': OTHER, 'sport': SPORT_NEW, 'flowlabel': LABEL})))
        must(GENL.request('path-new', pack('path-new', {
            'peer': OTHER, 'sport': SPORT_NEW, 'segs': SEGS})))
        answer = must(GENL.request('path-new', pack('path-new', {'peer': HOST, 'sport': SPORT})))
        number = SPEC.attrs_of('path-new')['id'].number
        self.path_id = struct.unpack('=H', answer.rows[0][number])[0]
        for what in ('sched', 'cc'):
            must(GENL.request(what + '-set', pack(what + '-set', {'name': 'laps'})))

    @staticmethod
    def show():
        """All that can be shown, but for what time changes."""
        shown = []
        for op in ('path-get', 'peer-get', 'flow-get', 'sched-get', 'cc-get'):
            idle = SPEC.attrs_of(op).get('idle-ns')
            rows = must(GENL.request(op, dump=True)).rows
            for row in rows:
                if idle:
                    row.pop(idle.number, None)
            shown.append((op, sorted(sorted(row.items()) for row in rows)))
        return shown


def must(answer):
    if answer.errno:
        raise OSError(answer.errno, os.strerror(answer.errno), answer.text)
    return answer


def good(op):
    values = dict(GOOD[op])
    if op in WITH_ID:
        values['id'] = state.path_id
    return values


def pack(op, values):
    known = SPEC.attrs_of(op)
    return b''.join(attr(known[name].number, known[name].pack(value))
                    for name, value in values.items())


def without(op, *names):
    return pack(op, {name: value for name, value in good(op).items() if name not in names})


# --- what is wrong -------------------------------------------------------------------


def wrong_forms(op, a):
    """What an attribute cannot look like: text, and its number and contents."""
    size = a.size()
    value = a.pack(good(op).get(a.name, {'string': 'x', 'binary': HOST}.get(a.type, 1)))
    lengths = {0, size - 1, size + 1, 2 * size} if size else {0}
    # There an empty list takes back what was chosen.
    if a.name == 'answers':
        lengths = {1}
    for length in sorted(lengths):
        yield '%d bytes' % length, a.number, bytes(length)
    yield 'nested', a.number | NLA_F_NESTED, value
    if a.type == 'string':
        longest = a.checks['max-len']
        yield 'no end', a.number, b'laps'
        yield '%d characters' % (longest + 1), a.number, b'x' * (longest + 1) + b'\0'
    if a.type in FORMATS:
        for number in numbers_outside(a):
            yield str(number), a.number, struct.pack(FORMATS[a.type], number)


def numbers_outside(a):
    largest = 256**a.size() - 1
    if a.checks.get('min'):
        yield a.checks['min'] - 1
        yield 0
    if a.enum:
        yield SPEC.enums[a.enum]
        yield largest
    elif 'max' in a.checks:
        yield a.checks['max'] + 1
        yield largest


def cases(op, a, dump):
    """Requests in which one attribute that may be there is wrong."""
    for text, number, data in wrong_forms(op, a):
        yield text, (b'' if dump else without(op, a.name)) + attr(number, data)
    if dump:
        return
    for text, values in meanings(op, a.name):
        yield text, pack(op, {**good(op), **values})
    for names in MISSING.get(op, ()):
        if a.name == names[0]:
            yield 'missing', without(op, *names)


def cases_foreign(op, allowed, dump):
    """Requests with something that may not be there."""
    base = b'' if dump else pack(op, good(op))
    for a in SPEC.attrs_of(op).values():
        if a.name not in allowed:
            yield a.name, base + attr(a.number, bytes(8))
    last = max(a.number for a in SPEC.attrs_of(op).values())
    for number in (0, last + 1, 1000):
        yield 'number %d' % number, base + attr(number, bytes(4))
    yield 'bytes left over', base + b'\1\2\3'


def cases_dump(op, allowed):
    """Requests for all, which name one."""
    for name in allowed:
        if name == 'id' or (name == 'name' and op in ('sched-get', 'cc-get')):
            yield name, pack(op, {name: good(op)[name]})


# --- results -------------------------------------------------------------------------


def fails(op, payload, dump, errors=None):
    """What is wrong with how a wrong request is answered, or None."""
    before = State.show()
    answer = GENL.request(op, payload, dump)
    if not answer.errno:
        return 'is accepted'
    if errors and answer.errno not in errors:
        return 'says %s (%s)' % (errno.errorcode.get(answer.errno), answer.text)
    if not answer.text and not errors:
        return 'says %s and not why' % errno.errorcode.get(answer.errno)
    return None if State.show() == before else 'changes something'


class Results:
    """Lines of KTAP."""

    def __init__(self):
        self.lines, self.bad = 0, 0

    def group(self, name, op, requests, dump=False, errors=None):
        n, complaints = 0, []
        for text, payload in requests:
            n += 1
            complaint = fails(op, payload, dump, errors)
            if complaint:
                complaints.append('%s: %s %s' % (name, text, complaint))
                state.make()
        if n:
            self.line(not complaints, '%s: %d ways' % (name, n), complaints)

    def line(self, passed, name, notes=()):
        self.lines += 1
        self.bad += not passed
        for note in notes:
            print('# ' + note)
        print('%sok %d - %s' % ('' if passed else 'not ', self.lines, name), flush=True)


def test_op(results, op):
    spec = SPEC.ops[op]
    known = SPEC.attrs_of(op)
    # "pad" is in the spec for want of a request without attributes.
    allowed = [n for n in spec['do']['request']['attributes'] if known[n].type != 'pad']
    for dump in (False, True) if 'dump' in spec else (False,):
        kind = op + (' of all' if dump else '')
        for name in allowed:
            results.group('%s %s' % (kind, name), op, cases(op, known[name], dump), dump)
        results.group(kind + ' with others', op, cases_foreign(op, allowed, dump), dump)
    if 'dump' in spec:
        results.group(op + ' of all, and one', op, cases_dump(op, allowed), True)
    if op != 'flow-get':
        answer = GENL.request(op, pack(op, good(op)))
        results.line(not answer.errno, op + ' that is right', [answer.text] * bool(answer.errno))
        state.make()


def test_unprivileged(results):
    """As nobody: the kernel refuses before lapsmp is asked, so there is no text."""
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
    for op, spec in SPEC.ops.items():
        if 'uns-admin-perm' in spec.get('flags', ()):
            results.group(op + ' of a user', op, [('it', pack(op, good(op)))],
                          errors=(errno.EPERM,))
    results.group('flow-get of a user', 'flow-get', [('it', pack('flow-get', good('flow-get')))])


state = State()


def main():
    results = Results()
    print('TAP version 13')
    state.make()
    for op, spec in SPEC.ops.items():
        if 'do' in spec:
            test_op(results, op)
    test_unprivileged(results)
    print('1..%d' % results.lines)
    return 1 if results.bad else 0


sys.exit(main())
