# SPDX-License-Identifier: GPL-2.0
"""Generic netlink as the spec describes it: a family's attributes and requests.

Nothing is checked here: tests build any request, right or wrong, with it.
"""
import os
import socket
import struct

import yaml

NLM_F_REQUEST, NLM_F_ACK, NLM_F_DUMP, NLM_F_CAPPED, NLM_F_ACK_TLVS = 1, 4, 0x300, 0x100, 0x200
NLMSG_ERROR, NLMSG_DONE, NLMSG_MIN_TYPE = 2, 3, 16
NLMSGERR_ATTR_MSG = 1
GENL_ID_CTRL, CTRL_CMD_GETFAMILY = 16, 3
CTRL_ATTR_FAMILY_ID, CTRL_ATTR_FAMILY_NAME = 1, 2
NETLINK_GENERIC = 16
SOL_NETLINK, NETLINK_EXT_ACK, NETLINK_GET_STRICT_CHK = 270, 11, 12

FORMATS = {'u8': '=B', 'u16': '=H', 'u32': '=I', 'u64': '=Q', 's64': '=q'}
LIMITS = {'s32-max': 2**31 - 1, 'u32-max': 2**32 - 1}


def attr(number, data):
    """One attribute, with the bytes that fill it up to a multiple of four."""
    return struct.pack('=HH', 4 + len(data), number) + data + bytes(-len(data) % 4)


def attrs(data):
    """The numbers and contents of attributes that stand one after the other."""
    while len(data) >= 4:
        length, number = struct.unpack_from('=HH', data)
        if length < 4:
            break
        yield number & 0x3fff, data[4:length]
        data = data[(length + 3) & ~3:]


class Attr:
    """One attribute of the spec."""

    def __init__(self, number, spec, consts):
        self.number, self.name, self.type = number, spec['name'], spec['type']
        self.checks = {k: self.limit(v, consts) for k, v in spec.get('checks', {}).items()}
        self.enum = spec.get('enum')

    @staticmethod
    def limit(value, consts):
        if isinstance(value, int):
            return value
        return LIMITS[value] if value in LIMITS else consts[value]

    def pack(self, value):
        if self.type in FORMATS:
            return struct.pack(FORMATS[self.type], value)
        if self.type == 'string':
            return value.encode() + b'\0'
        return value

    def size(self):
        if self.type in FORMATS:
            return struct.calcsize(FORMATS[self.type])
        return self.checks.get('exact-len', 0)


class Spec:
    """Attribute sets and operations by name, as the YAML file has them."""

    def __init__(self, path):
        with open(path, encoding='utf-8') as file:
            spec = yaml.safe_load(file)
        self.name = spec['name']
        consts = {d['name']: d['value'] for d in spec['definitions'] if d['type'] == 'const'}
        self.enums = {d['name']: len(d['entries']) + d.get('value-start', 0)
                      for d in spec['definitions'] if d['type'] == 'enum'}
        self.sets = {s['name']: [Attr(i + 1, a, consts) for i, a in enumerate(s['attributes'])]
                     for s in spec['attribute-sets']}
        self.ops = {op['name']: op for op in spec['operations']['list']}
        self.cmds = {name: i + 1 for i, name in enumerate(self.ops)}

    def attrs_of(self, op):
        return {a.name: a for a in self.sets[self.ops[op]['attribute-set']]}


class Answer:
    """What the kernel said: 0 or an errno, its text, and messages as dicts of bytes."""

    def __init__(self):
        self.errno, self.text, self.rows = 0, '', []


class Genl:
    """A socket that speaks one family."""

    def __init__(self, spec):
        self.spec = spec
        self.sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC)
        self.sock.bind((0, 0))
        for option in (NETLINK_EXT_ACK, NETLINK_GET_STRICT_CHK):
            self.sock.setsockopt(SOL_NETLINK, option, 1)
        self.seq = 0
        name = attr(CTRL_ATTR_FAMILY_NAME, spec.name.encode() + b'\0')
        answer = self.send(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, name, 0)
        if answer.errno:
            raise OSError(answer.errno, os.strerror(answer.errno), spec.name)
        self.family = struct.unpack('=H', answer.rows[0][CTRL_ATTR_FAMILY_ID])[0]

    def request(self, op, payload=b'', dump=False):
        return self.send(self.family, self.spec.cmds[op], payload, NLM_F_DUMP if dump else 0)

    def send(self, family, cmd, payload, flags):
        self.seq += 1
        self.sock.send(struct.pack('=IHHIIBBH', 20 + len(payload), family,
                                   NLM_F_REQUEST | NLM_F_ACK | flags, self.seq, 0,
                                   cmd, 1, 0) + payload)
        answer = Answer()
        while self.read(answer):
            pass
        return answer

    def read(self, answer):
        """One read of the socket; whether more is to come."""
        data = self.sock.recv(1 << 16)
        while len(data) >= 16:
            length, kind, flags, seq = struct.unpack_from('=IHHI', data)
            body, data = data[16:length], data[(length + 3) & ~3:]
            if seq != self.seq:
                continue
            if kind >= NLMSG_MIN_TYPE:
                answer.rows.append(dict(attrs(body[4:])))
            elif kind in (NLMSG_ERROR, NLMSG_DONE):
                self.read_end(answer, kind, flags, body)
                return False
        return True

    @staticmethod
    def read_end(answer, kind, flags, body):
        answer.errno = -struct.unpack_from('=i', body)[0] if len(body) >= 4 else 0
        if not flags & NLM_F_ACK_TLVS:
            return
        skip = 4
        if kind == NLMSG_ERROR:
            request = struct.unpack_from('=I', body, 4)[0]
            skip = 20 if flags & NLM_F_CAPPED else 4 + ((request + 3) & ~3)
        for number, value in attrs(body[skip:]):
            if number == NLMSGERR_ATTR_MSG:
                answer.text = value.rstrip(b'\0').decode()
