# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2317 # the functions are called by name
#
# Checks that run something: unit tests, a transfer, fuzzers, the dissector, paths.

FUZZ_RUNS=300000
# Two minutes and half an hour: one input of alg_fuzz is thousands of steps.
declare -A FUZZ_RUNS_LONG=([wire]=50000000 [alg]=20000000)

# run_checks: the table; see check.
run_checks()
{
	echo "kunit/uml uml kunit uml"
	echo "kunit/uml-debug uml-debug kunit uml-debug"
	echo "transfer/stock-6.1 stock-6.1 one transfer stock-6.1"
	echo "fuzz/wire - one fuzz wire"
	echo "fuzz/alg - one fuzz alg"
	echo "dissector - dissector"
	echo "compute - lapsctl_tool compute"
	echo "topology - lapsctl_tool topology"
	echo "completion - lapsctl_tool completion"
	echo "fabric/plan - lapsctl_tool fabric"
	echo "fabric/uml uml fabric"
}

# kunit KERNEL: the suites run when their module is loaded, and say so in the log.
kunit()
{
	local log status=0
	log=$(log_of "$CHECK" ktap)
	# shellcheck disable=SC2016 # for the guest's shell
	"$LAB_DIR/run" --kernel "$1" -- sh -c \
		'insmod "$LAPSMP_KO_DIR/lapsmp_kunit.ko" && dmesg | sed "1,/lapsmp-lab: begin/d"' \
		>"$log" || status=$?
	cat "$log"
	ktap "$log" "$CHECK" "$status"
	kunit_expect "$log"
}

# kunit_expect LOG: a suite that is in the source but did not run has failed.
kunit_expect()
{
	local file suite
	for file in "$TOP"/net/lapsmp/tests/*_test.c; do
		suite=$(sed -n 's/^\t\.name = "\(.*\)",$/\1/p' "$file")
		[[ -n $suite ]] || suite='no name'
		grep -q "# Subtest: $suite\$" "$1" || result fail "$CHECK: ${file##*/} did not run"
	done
}

transfer()
{
	"$LAB_DIR/run" --kernel "$1" -- "$CHECK_DIR/transfer"
}

# fuzz NAME: a fixed number of inputs, from seeds, so that runs are alike.
fuzz()
{
	local runs=$FUZZ_RUNS out
	packages_need gcc make libc6-dev clang libclang-rt-14-dev
	[[ -z $LONG ]] || runs=${FUZZ_RUNS_LONG[$1]}
	out=$(mktemp -d) || return
	make -s -C "$TOP/tools/fuzz" OUT="$out" RUNS="$runs" "run-$1" 2>&1 |
		grep -avE '^#[0-9]|NEW_FUNC' || {
		cp "$out"/crash-* "$out"/oom-* "$out"/timeout-* "$RESULTS" 2>/dev/null
		rm -rf "$out"
		return 1
	}
	rm -rf "$out"
}

dissector()
{
	packages_need tshark gcc make libc6-dev
	tool dissector
}

# lapsctl_tool NAME: of what lapsctl does without the module.
lapsctl_tool()
{
	packages_need "${PACKAGES_TOOLS[@]}" diffutils util-linux python3
	tool "$1"
}

# fabric: a small one, built and used.
fabric()
{
	packages_need "${PACKAGES_TOOLS[@]}" diffutils python3 jq
	script fabric/check
}

# tool NAME: a script of selftests/tools, which boots nothing.
tool() { script "tools/$1"; }

# script NAME
script()
{
	local log status=0
	log=$(log_of "$CHECK" ktap)
	"$TOP/selftests/$1.sh" >"$log" || status=$?
	cat "$log"
	ktap "$log" "$CHECK" "$status"
}
