# SPDX-License-Identifier: GPL-2.0
#
# KTAP, also as the kernel logs it, to lines "pass NAME", "fail NAME", "skip NAME":
# one for each result that has no others below it. What was announced by a plan
# ("1..N") and did not come has failed.

function report(word, name)
{
	print word " " prefix (name == "" ? "" : " " name)
}

function check_plan(depth, name)
{
	if (depth in plan && plan[depth] != kids[depth])
		report("fail", name " " kids[depth] + 0 " of " plan[depth] " results")
	delete plan[depth]
}

function handle(depth, ok, rest,	name)
{
	name = rest
	sub(/^ *[0-9]+ *(- )?/, "", name)
	sub(/ *# (SKIP|skip).*/, "", name)
	check_plan(depth + 1, name)
	if (kids[depth + 1]) {
		if (!ok && !bad[depth + 1])
			report("fail", name)
	} else if (rest ~ /# (SKIP|skip)/) {
		report("skip", path(depth) name)
	} else {
		report(ok ? "pass" : "fail", path(depth) name)
	}
	kids[depth + 1] = bad[depth + 1] = 0
	delete subtest[depth + 1]
	kids[depth]++
	if (!ok)
		bad[depth]++
}

function path(depth,	i, text)
{
	for (i = 1; i <= depth; i++)
		if (i in subtest)
			text = text subtest[i] "."
	return text
}

{
	sub(/^\[[ 0-9.]+\](\[[ TC0-9]+\])? /, "")
	sub(/\r$/, "")
	match($0, /^ */)
	depth = int(RLENGTH / 4)
	line = substr($0, RLENGTH + 1)
}

line ~ /^# Subtest: / {
	subtest[depth] = substr(line, 12)
	next
}

line ~ /^1\.\.0 *# *(SKIP|skip)/ {
	report("skip", substr(line, index(line, "#")))
	next
}

line ~ /^1\.\.[0-9]+$/ {
	plan[depth] = substr(line, 4) + 0
	next
}

line ~ /^ok [0-9]+/ {
	handle(depth, 1, substr(line, 4))
	next
}

line ~ /^not ok [0-9]+/ {
	handle(depth, 0, substr(line, 8))
	next
}

line ~ /^Bail out!/ {
	report("fail", line)
	delete plan
}

END {
	check_plan(0, "")
}
