# SPDX-License-Identifier: GPL-2.0
"""What the runs in a case's directory were made of: the case, its files, and the sources.

Runs of other sources are no part of a table of these.
"""
import json

NAME = 'case'
# Where a run's directory says that it did not end.
FAILED = 'failed'


def said(out):
    """(case, version) as they were written into this directory, or (None, None)."""
    path = out / NAME
    return json.loads(path.read_text())[:2] if path.exists() else (None, None)


def is_of(out, version):
    return said(out)[1] == version


def begin(out, case, version, flows, net):
    """Before runs of the case: those of another one go."""
    path = out / NAME
    text = json.dumps([case, version, flows, net])
    if not path.exists() or path.read_text() != text:
        for old in [*out.glob('*/*/*/done'), *out.glob(f'*/*/{FAILED}')]:
            old.unlink()
    path.write_text(text)
