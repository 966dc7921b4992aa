#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A small fabric, built and used: links take exactly the time that they should, flows
# end, by each kind of scheme, and a run repeats to the nanosecond. Boots kernels.
set -uo pipefail

# shellcheck source=../tools/lib.sh
. "$(dirname "$0")/../tools/lib.sh"
# Two clusters of two GPUs. The first two flows are alone on it, each of one packet.
# Looks at the clock, of which each takes a nanosecond, and segments' headers.
NS_MORE=60

# fabric NAME SCHEME [run.py argument...]: in MEM, or 1G; for SEEDS, or 1
fabric()
{
	local name=$1 scheme=$2
	shift 2
	"$top/selftests/bench/fabric" net.json flows --out "$tmp/$name" --mem "${MEM:-1G}" --scheme "$scheme" \
		--seeds "${SEEDS:-1}" -- "$@" >"$name.json" 2>"$name.err" && return
	sed 's/^/# /' "$name.err"
	return 1
}

# took NAME SCHEME: id and ns of each flow.
took() { sed '/^#/d' "$tmp/$1/$2-1/flows.txt" | while read -r id _ _ _ start end; do echo "$id $((end - start))"; done; }

# ended NAME ID: ns.
ended() { awk -v id="$2" '$1 == id { print $6 }' "$tmp/$1/lapsmp-1/flows.txt"; }

# exact NAME SCHEME: both flows of one packet took what the links take.
exact()
{
	local id ideal real wrong=''
	while read -r id ideal && read -r _ real <&3; do
		((id <= 2)) || continue
		echo "# flow $id: $real ns, by its links ${ideal%.*}"
		((real >= ${ideal%.*} && real <= ${ideal%.*} + NS_MORE)) || wrong=1
	done < <("$top/selftests/fabric/ideal.py" net.json flows --each) 3< <(took "$@")
	# Both files were there.
	[[ -n ${real:-} && -z $wrong ]]
}

# sum COUNTER RUN: of all links, and whether it is not 0.
sum()
{
	local n
	n=$(jq -s "map(.$1) | add // 0" "$tmp/$2/links.json")
	echo "# $1: $n"
	((n > 0))
}

# bands RUN SIZE...: bytes that the host gpu0-0 sent in each band, with headers.
bands()
{
	local run=$1 size bytes wrong=''
	shift
	for size; do
		read -r bytes || wrong=1
		echo "# $bytes for $size"
		((bytes >= size && bytes <= size * 11 / 10)) || wrong=1
	done < <(jq -s 'map(select(.ns == "gpu0-0")) | (map(.high.bytes), map(.class1.bytes),
		map(.class2.bytes), map(.class3.bytes), map(.data.bytes)) | add' "$tmp/$run/links.json")
	[[ -z $wrong ]]
}

# by_ports RUN: GPUs that are neither of a cluster nor of a rail sent to each other by ports, the
# others by none.
by_ports()
{
	jq -r '.[][] | select(.kind == "sport") | "\(.cost) \(."tx-segs" > 0)"' "$tmp/$1/paths.json" |
		sort -u >ports.used
	sed 's/^/# /' ports.used
	diff - ports.used < <(printf '%s\n' '6 false' '6 true')
}

# left PROGRESS: the first two flows have ended, the next two are under way, the last one has
# not begun; a line each 100 us.
left()
{
	awk '{ print "# " $0 }
	     END { exit !(NR == 22 && $1 >= 2100000 && $1 < 2101000 && $2 == 1000 && $3 == 1000 &&
			  $4 > 0 && $4 < 2000000 && $5 > 0 && $5 < 2000000 && $6 == 0) }' "$tmp/$1"
}

# equal PROGRESS FLOWS FROM LEAST: Jain's index of what each flow got from then on (ns), if
# that was anything.
equal()
{
	awk -v flows="$2" -v start="$3" -v least="$4" '
	     $1 < start { split($0, from) }
	     { n = split($0, to) }
	     END {
		for (i = 2; i <= n; i++) {
			got = to[i] - from[i]
			sum += got
			squares += got * got
		}
		if (n != flows + 1 || !squares)
			exit 1
		print "# " sum * sum / squares / (n - 1)
		exit !(sum * sum >= least * squares * (n - 1))
	     }' "$tmp/$1"
}

# looked RUN: how many hosts have looked what delays waver by, and sent probes for it.
looked()
{
	jq '[.[] | select(.drains > ."drains-failed")] | length' "$tmp/$1/counters.json"
}

# noisy RUN LEAST: how many hosts believe that delays waver by so much (ns) while nobody sends.
noisy()
{
	jq -e '[.[][] | has("noise-ns")] | all and length > 0' "$tmp/$1/paths.json" >&2 || return
	jq --argjson least "$2" '[.[] | select(any(."noise-ns" >= $least))] | length' \
		"$tmp/$1/paths.json"
}

# in_time RUN: no flow began more than 100 ns late.
in_time()
{
	jq -r '"# \(.late_ns) ns"' "$tmp/$1/result.json"
	jq -e '.late_ns | numbers < 100' "$tmp/$1/result.json" >/dev/null
}

build "$tmp/lapsctl"
echo "KTAP version 1"
echo "1..40"
"$top/selftests/lab/run" --kernel uml --time virtual --with selftests/fabric/link -- \
	"$top/selftests/fabric/bands.py" >bands.err 2>&1
report $? 'bands: strictly by priority, each with a limit of its own, or a part of one buffer'
[[ $failed -eq 0 ]] || sed 's/^/# /' bands.err
lapsctl topology generate rail --clusters 2 --gpus 2 >net.json
cat >flows <<'END'
1 0 gpu0-0 gpu1-1 1000
2 1000000 gpu0-0 gpu0-1 1000
3 2000000 gpu0-0 gpu1-1 2000000
4 2000000 gpu0-1 gpu1-1 2000000
5 1000 gpu1-1 gpu1-0 100000 AFTER 3,4
END
python3 -m compileall -q "$top/selftests/fabric"
fabric laps lapsmp
report $? 'lapsmp: all flows end'
exact laps lapsmp
report $? 'a packet takes as long as its links'
# Python keeps what it has compiled: whether it has is not to be seen, nor is where this runs.
rm -rf "$top/selftests/fabric/__pycache__"
mkdir -p "$top/results"
elsewhere=$(mktemp -d "$top/results/again.XXXXXX")
ln -s "$elsewhere" again
fabric again lapsmp
report $? 'once more'
took laps lapsmp >got
check 'to the nanosecond the same' < <(took again lapsmp)
jq .base_ns laps/lapsmp-1/result.json >got
check 'and begun at the same time' < <(jq .base_ns again/lapsmp-1/result.json)
rm -rf "$elsewhere"
fabric lossy lapsmp --loss 0.001
report $? 'one packet of a thousand lost on each link: all flows end'
sum loss_drops lossy/lapsmp-1
report $? 'some were'
fabric ports lapsmp-ports
report $? 'ports for the shortest ways: all flows end'
by_ports ports/lapsmp-ports-1
report $? 'they are used where there are several'
fabric plb dctcp-plb
report $? 'DCTCP with PLB: all flows end'
sum ce_marks plb/dctcp-plb-1
report $? 'its packets were marked'
fabric mptcp mptcp
report $? 'MPTCP, each connection with its subflows: all flows end'
sum ce_marks mptcp/mptcp-1
report $? 'its packets were marked'
fabric cubic cubic --buffer 20000
report $? 'TCP, small buffers: all flows end'
sum data.queue_drops cubic/cubic-1
report $? 'some packets found a full queue'
fabric both lapsmp --beside dctcp
report $? 'every second flow by DCTCP: all flows end'
fabric left lapsmp --until 2100us --chunk 10K
report $? 'an end is set'
left left/lapsmp-1/progress
report $? 'what had arrived of each flow until then is told'
# A flow of each class, and one of none.
sizes=(12288 49152 131072 524288 1000000)
for id in "${!sizes[@]}"; do
	echo "$id 0 gpu0-0 gpu1-1 ${sizes[id]}"
done >flows
fabric class dctcp-class
report $? 'DCTCP with a class for each size: all flows end'
bands class/dctcp-class-1 "${sizes[@]}"
report $? 'each class has its band'
# Both begin at once; the second is short.
printf '%s\n' '1 0 gpu0-0 gpu1-1 1000000' '2 0 gpu0-0 gpu1-1 1000' >flows
fabric serial lapsmp --serial
report $? 'one connection for two flows: both end'
[[ $(ended serial 2) -gt $(ended serial 1) ]]
report $? 'the second one after the first'
# Who reads until there is nothing has no time to begin the next ones.
lapsctl topology generate rail --clusters 4 --gpus 4 >net.json
"$top/selftests/fabric/flows.py" poisson net.json --workload "$top/selftests/fabric/workloads/rpc.cdf" \
	--load 1.0 --rate network --duration 60us >flows
for scheme in dctcp lapsmp-auto; do
	MEM=4G fabric rpc "$scheme" && in_time "rpc/$scheme-1"
	report $? "$scheme: 5000 short flows in 60 us, each begins when it should"
done
# A path that carries little of a link that others fill learns late how fast that is.
lapsctl topology generate fat-tree --ports 4 >net.json
"$top/selftests/fabric/flows.py" llm net.json --pattern all-to-one --count 11 --size 1G \
	--jitter 300us >flows
fabric ports lapsmp-auto --until 4ms --chunk 16KiB
report $? 'ten senders to one by drawn ports, one after the other'
equal ports/lapsmp-auto-1/progress 10 3e6 0.9
report $? 'they come to be equal'
# What one acknowledgment is for leaves in a row: each flow would measure its own place in that.
lapsctl topology generate leaf-spine --leaves 1 --spines 1 --hosts 3 >net.json
"$top/selftests/fabric/flows.py" llm net.json --pattern all-to-one --size 1G --jitter 500us \
	--seed 6 >flows
fabric two lapsmp --until 4ms --chunk 16KiB
report $? 'two senders to one'
equal two/lapsmp-1/progress 2 2e6 0.95
report $? 'neither has its own place in the queue'
# Many, whose windows are of a segment or two, and who lose packets when they begin.
lapsctl topology generate leaf-spine --leaves 1 --spines 1 --hosts 65 >net.json
"$top/selftests/fabric/flows.py" llm net.json --pattern all-to-one --size 1G --jitter 500us >flows
MEM=2G fabric crowd lapsmp-auto --until 11ms --chunk 16KiB
report $? '64 senders to one by drawn ports'
equal crowd/lapsmp-auto-1/progress 64 9e6 0.9
report $? 'none stands up to the others'
# By this draw one of them has a port that is not heard twice in a row, and no other that was
# heard before there was a queue.
SEEDS=2 MEM=2G fabric silent lapsmp-auto --until 3ms --chunk 16KiB
report $? 'by other ports'
equal silent/lapsmp-auto-2/progress 64 2e6 0.8
report $? 'none takes the queue for its way'
# What each believes of a link until it has seen it is not what another one has seen.
lapsctl topology generate leaf-spine --leaves 1 --spines 1 --hosts 9 >net.json
"$top/selftests/fabric/flows.py" llm net.json --pattern all-to-one --size 1G --jitter 500us >flows
SEEDS=1,2,3 fabric slow lapsmp-auto --until 60ms --chunk 16KiB --event '0ms leaf0 h0 rate 1250000000'
report $? 'eight senders to one, whose link has a tenth of the rate'
# Ports are drawn, and the index with them: one draw says little.
for seed in 1 2 3; do
	equal "slow/lapsmp-auto-$seed/progress" 8 50e6 0
done | awk '{ print; sum += $2; far += $2 < 0.85 } END { exit !(NR == 3 && !far && sum >= 3 * 0.93) }'
report $? 'none has nearly all of it'
# Each port is seldom heard, and wavers by a queue that all of them stand in.
lapsctl topology generate leaf-spine --leaves 1 --spines 1 --hosts 33 >net.json
"$top/selftests/fabric/flows.py" llm net.json --pattern all-to-one --size 1G --jitter 500us >flows
SEEDS=1,2,4,5 MEM=2G fabric many lapsmp-auto --until 60ms --chunk 16KiB \
	--event '0ms leaf0 h0 rate 1250000000'
report $? '32 senders to one, whose link has a tenth of the rate'
# Nor does who looks for noise by a way that he believes to be longer than it is take for it what
# the others send, who have looked: by three of these draws some had most of it from then on.
wrong=0
for seed in 1 2 4 5; do
	equal "many/lapsmp-auto-$seed/progress" 32 30e6 0.9 || wrong=1
done
report $wrong 'none has a margin that grows with the queue'
# So many begin at once that some lose what they send, and have no path that is not in back-off
# when all the others are silent to see what delays waver by.
lapsctl topology generate rail >net.json
"$top/selftests/fabric/flows.py" llm net.json --pattern all-to-one >flows
MEM=4G fabric rail lapsmp --until 50ms
report $? '63 senders to one by computed ways'
looked=$(looked rail/lapsmp-1)
echo "# $looked have looked"
[[ $looked -ge 60 ]]
report $? 'nearly all have looked for noise'
# A port that stood in a queue at the first tick may have found a margin and a half.
found=$(noisy rail/lapsmp-1 6000)
echo "# $found"
[[ $found == 0 ]]
report $? 'none takes what others send for it'
exit $failed
