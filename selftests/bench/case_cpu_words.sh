#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The case cpu on a processor without ERMS, which copies eight bytes with one
# instruction instead of one: there a copied byte counts next to nothing, and
# what remains is the protocols' own work.
# shellcheck source=case_cpu.sh
. "$(dirname "$0")/case_cpu.sh"
