# SPDX-License-Identifier: MIT
# Counts the test points of TAP, and prints "PASSED FAILED". Options by -v: `code`, the exit status of
# what printed the TAP; `report`, a file for the failed points with what stands under them.
#
# Only leaves count. A point is the parent of the deeper points that stand above it, and counts only
# when it failed and none of them did. Each of these counts as one failure: a point that was skipped or
# is still to do, a plan that does not match its points, "Bail out!", a non-zero exit without any
# failure, and a file without a single point.

function fail(line)
{
	failed++
	showing = 40
	show(line)
}

function show(line)
{
	if (report != "" && showing > 0) {
		print line >report
		showing--
	}
}

# Closes the innermost level: checks its plan, and hands its failures to the level around it.
function close_level()
{
	if (depth_plan[top] != "" && depth_plan[top] != depth_points[top]) {
		fail("not ok - " depth_plan[top] " points were planned, " depth_points[top] " came")
		depth_failed[top]++
	}
	closed_points += depth_points[top]
	closed_failed += depth_failed[top]
	top--
}

# Makes `indent` the innermost level.
function open_level(indent)
{
	closed_points = closed_failed = 0
	while (top > 0 && depth_indent[top] > indent)
		close_level()
	if (top == 0 || depth_indent[top] < indent) {
		top++
		depth_indent[top] = indent
		depth_plan[top] = ""
		depth_points[top] = depth_failed[top] = 0
	}
}

function point(indent, line,    good, inner)
{
	showing = 0
	open_level(indent)
	good = line ~ /^ *ok/ && line !~ /[^\\]# *([Ss][Kk][Ii][Pp]|[Tt][Oo][Dd][Oo])/
	inner = closed_failed
	depth_points[top]++
	if (closed_points == 0) {
		if (good)
			passed++
		else
			fail(line)
	} else if (!good && inner == 0) {
		fail(line)
	}
	depth_failed[top] += inner + (!good && inner == 0)
}

# What a point prints about itself may look like anything.
yaml {
	show($0)
	if (/^ *\.\.\.$/)
		yaml = 0
	next
}

/^ *---$/ {
	yaml = 1
	show($0)
	next
}

/^ *(not )?ok([ \t]|$)/ {
	match($0, /^ */)
	point(RLENGTH, $0)
	next
}

/^ *1\.\.[0-9]+([ \t]|$)/ {
	match($0, /^ */)
	indent = RLENGTH
	open_level(indent)
	depth_failed[top] += closed_failed
	split($0, plan, /\.\./)
	depth_plan[top] += plan[2] + 0
	next
}

/^ *Bail out!/ {
	fail($0)
	next
}

{
	show($0)
}

END {
	while (top > 0)
		close_level()
	if (code + 0 != 0 && failed == 0)
		fail("not ok - ended with status " code)
	if (passed + failed == 0)
		fail("not ok - no test ran")
	print passed + 0, failed + 0
}
