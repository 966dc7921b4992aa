# SPDX-License-Identifier: GPL-2.0
"""What is looked at while a run is on. It takes no simulated time."""
import ctypes
import pathlib
import re
import subprocess
import sys
import threading

# linux/prctl.h
PR_SET_TIMERSLACK = 29
TRACING = pathlib.Path("/sys/kernel/tracing")
RECEIVE = TRACING / "events/lapsmp/lapsmp_receive/enable"
# A million packets.
TRACE_KB = 65536
TRACE_LINE = re.compile(r" (\d+)\.(\d{6}): lapsmp_receive: flow=(\w+) path=(\d+) "
                        r".* len=(\d+) ahead=(\d+)")


class Sampler(threading.Thread):
    """What the queues of some nodes have seen, again and again: samples.json."""

    def __init__(self, path, interval_ns, nodes):
        super().__init__(daemon=True)
        self.interval = interval_ns / 1e9
        self.nodes = nodes.split(",")
        self.out = open(path, "w", encoding="ascii")
        self.stop = threading.Event()
        self.failed = 0

    def run(self):
        words = ["fablink", "show", *self.nodes]
        # Else each wait is 50 us longer.
        ctypes.CDLL(None).prctl(PR_SET_TIMERSLACK, 1)
        while not self.failed and not self.stop.wait(self.interval):
            self.failed = subprocess.run(words, check=False, stdout=self.out).returncode

    def end(self, _base_ns):
        self.stop.set()
        self.join()
        self.out.close()
        if self.failed:
            sys.exit(f"run.py: fablink show: status {self.failed}")


class Tracer:
    """What lapsmp's receivers were given. A file of lines `US FLOW PATH BYTES AHEAD`: when,
    from the moment when the flows began; flows by the order of their first packets; and how
    much is there behind what is missing of the flow."""

    def __init__(self, path):
        self.path = path

    @staticmethod
    def start():
        (TRACING / "trace_clock").write_text("mono")
        (TRACING / "buffer_size_kb").write_text(str(TRACE_KB))
        RECEIVE.write_text("1")

    def end(self, base_ns):
        RECEIVE.write_text("0")
        lost = [int(line.split()[1]) for path in TRACING.glob("per_cpu/cpu*/stats")
                for line in path.read_text().splitlines() if line.startswith("overrun:")]
        if sum(lost):
            sys.exit(f"run.py: {sum(lost)} packets did not fit into the trace")
        with open(TRACING / "trace", encoding="ascii") as trace, \
                open(self.path, "w", encoding="ascii") as out:
            flows = {}
            for match in filter(None, map(TRACE_LINE.search, trace)):
                seconds, us, flow, path, size, ahead = match.groups()
                when = int(seconds) * 10**6 + int(us) - base_ns // 1000
                if when >= 0:
                    out.write(f"{when} {flows.setdefault(flow, len(flows))} {path} {size} "
                              f"{ahead}\n")
