# SPDX-License-Identifier: GPL-2.0
"""The transports that are compared, each at its best sensible settings.

A scheme says what lapsperf is told, how routers hash, at what queue they mark, and
which sysctls its hosts have. What is the same for all is in build.py and run.py.
"""
from dataclasses import dataclass, field

# fib_multipath_hash_fields: addresses, protocol, flow label, ports. PLB moves a
# connection by a new label, which a five-tuple does not have.
HASH_LABEL = 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020

# DCTCP (SIGCOMM 2010): K above C RTT / 7; at 100 Gbit/s and 16 us that is 29 KB. A
# packet-wise sender needs more, and its authors take 65 packets at 10 Gbit/s.
DCTCP_MARK_BYTES = 65 * 1514
# What the rule says: of random flows with classes the mean time is a half or less by it, and that
# of a permutation's 5 % more.
DCTCP_LOW_BYTES = 20 * 1514

# Classes of the network, best first. Network control, as RFC 4594 calls it: what
# acknowledgments are sent with, and the shortest messages. Then, likewise, multimedia
# streaming, low-latency and high-throughput data: longer ones.
ACK_DSCP = 48
SHORT_DSCPS = (26, 18, 10)
DSCPS = (ACK_DSCP, *SHORT_DSCPS)
# What an application sends with which of them that knows how long its flows are: the same
# lengths that lapsmp goes by (net.lapsmp.express_bytes).
CLASSES = tuple(zip((12 << 10, 48 << 10, 128 << 10, 512 << 10), DSCPS))
# net.lapsmp.express_tos: each length's class; and lapsmp without classes.
EXPRESS_TOS = " ".join(str(dscp << 2) for dscp in DSCPS)
NO_EXPRESS_TOS = " ".join("0" for _ in DSCPS)

# Subflows are made by lapsperf, see there. MPTCP's scheduler keeps a subflow's rate in 32
# bits, which are full at 34 Gbit/s: TCP's estimates, by which nothing is paced here, are a
# tenth. A subflow stays on one way, so one packet ahead of a gap already means a loss. And
# the window of a connection is open from the beginning: it throws away what its subflows
# have acknowledged if that is beyond. With a least timeout of one jiffy, as others have it, the
# last of nineteen flows from one host took 16 times as long.
MPTCP_SYSCTLS = {"net.mptcp.pm_type": "1",
                 "net.ipv4.tcp_rto_min_us": "2000",
                 "net.ipv4.tcp_pacing_ss_ratio": "20", "net.ipv4.tcp_pacing_ca_ratio": "12",
                 "net.ipv4.tcp_reordering": "1",
                 "net.ipv4.tcp_rmem": "4096 8388608 67108864"}


@dataclass(frozen=True)
class Scheme:
    """proto, cc, sched, subflows: lapsperf's. classes: (bytes, DSCP) of flows that have at
    most so many, by rising bytes; others have DSCP 0. paths: lapsmp's, 'auto' or a
    directory of what was computed; or '' where there are none."""

    proto: str
    cc: str = ""
    sched: str = ""
    subflows: int = 1
    classes: tuple = ()
    paths: str = ""
    ecn_bytes: int = 0
    hash_policy: int = 1
    hash_fields: int = 0
    sysctls: dict = field(default_factory=dict)


def _lapsmp(cc="", sched="", paths="computed", **sysctls):
    return Scheme("lapsmp", cc=cc, sched=sched, paths=paths,
                  sysctls={f"net.lapsmp.{name}": str(value) for name, value in sysctls.items()})


def _dctcp(proto="tcp", mark=DCTCP_MARK_BYTES, **more):
    return Scheme(proto, cc="dctcp", ecn_bytes=mark,
                  sysctls={"net.ipv4.tcp_ecn": "1", **more.pop("sysctls", {})}, **more)


SCHEMES = {
    # All with the same computed paths; then with ports that are drawn, and with ports for the
    # shortest ways and segments for the others.
    "lapsmp": _lapsmp(),
    # The paper has one class for all data.
    "lapsmp-paper": _lapsmp(cc="laps-paper", sched="laps-paper", express_tos=NO_EXPRESS_TOS),
    "lapsmp-spray": _lapsmp(sched="spray"),
    "lapsmp-ecmp": _lapsmp(sched="ecmp"),
    "lapsmp-auto": _lapsmp(paths="auto"),
    "lapsmp-ports": _lapsmp(paths="ports"),
    # The paper's control or softmax alone, with the other half of the defaults.
    "lapsmp-paper-control": _lapsmp(cc="laps-paper", express_tos=NO_EXPRESS_TOS),
    "lapsmp-paper-softmax": _lapsmp(sched="laps-paper", express_tos=NO_EXPRESS_TOS),
    # Short messages wait like all others.
    "lapsmp-plain": _lapsmp(express_tos=NO_EXPRESS_TOS),
    "lapsmp-auto-plain": _lapsmp(paths="auto", express_tos=NO_EXPRESS_TOS),
    "lapsmp-ports-plain": _lapsmp(paths="ports", express_tos=NO_EXPRESS_TOS),
    # Receivers let four go on at a time; see "grants" in lapsmp(7).
    "lapsmp-grants": _lapsmp(grants=4),
    "cubic": Scheme("tcp", cc="cubic"),
    "dctcp": _dctcp(),
    "dctcp-class": _dctcp(classes=CLASSES),
    "dctcp-20": _dctcp(mark=DCTCP_LOW_BYTES),
    "dctcp-class-20": _dctcp(mark=DCTCP_LOW_BYTES, classes=CLASSES),
    "dctcp-plb": _dctcp(hash_policy=3, hash_fields=HASH_LABEL,
                        sysctls={"net.ipv4.tcp_plb_enabled": "1"}),
    "mptcp": _dctcp("mptcp", subflows=2, sysctls=MPTCP_SYSCTLS),
    # As many ways as lapsmp has.
    "mptcp-8": _dctcp("mptcp", subflows=8, sysctls=MPTCP_SYSCTLS),
}

# What is compared everywhere; the others show what a change is good for.
COMPARED = ("lapsmp", "lapsmp-paper", "lapsmp-spray", "lapsmp-ecmp", "lapsmp-auto", "cubic",
            "dctcp", "dctcp-plb", "mptcp")
