# members.awk - the members of each struct: one by one, those of structs and unions without a tag within it counted with it.
#
# A comment at its head, "28 members: why", says that more than 24 are meant.
# Prints the findings, and last how many structs there are.
FNR == 1 { depth = 0 }

function end_struct(    n, what) {
	n = count[depth]
	if (tag[depth] == "" && depth > 1 && kind[depth - 1] == "struct") {
		count[depth - 1] += n
		return
	}
	structs++
	what = FILENAME ":" line[depth] ": struct " tag[depth] " has " n " members"
	if (said[depth] != "" && said[depth] != n)
		print what ", not " said[depth]
	else if (n > 24 && said[depth] == "")
		print what ": at most 24, or a comment at its head that says why: /* " n " members: ... */"
}

function open(before) {
	depth++
	round = 0
	kind[depth] = "other"
	if (before ~ /(^|[^A-Za-z0-9_])(struct|union)([ \t]+[A-Za-z0-9_]+)?[ \t]*$/) {
		kind[depth] = "struct"
		sub(/^.*(struct|union)[ \t]*/, "", before)
		sub(/[ \t]*$/, "", before)
		tag[depth] = before
		line[depth] = FNR
		count[depth] = 0
		said[depth] = reason
	}
}

/^[ \t]*#/ { next }
{
	reason = match($0, /\/\* [0-9]+ members: [^*]/) ? substr($0, RSTART + 3) + 0 : ""
	text = code($0)
	if (!depth && text !~ /(struct|union)[ \tA-Za-z0-9_]*\{/)
		next
	if (!depth)
		before = ""
	while (match(text, /[{}(),;]/)) {
		sign = substr(text, RSTART, 1)
		before = before substr(text, 1, RSTART - 1)
		text = substr(text, RSTART + 1)
		if (sign == "(") {
			round++
			before = before "("
		} else if (sign == ")") {
			round--
			before = before ")"
		} else if (sign == "{") {
			if (depth || before ~ /(struct|union)([ \t]+[A-Za-z0-9_]+)?[ \t]*$/)
				open(before)
			before = ""
		} else if (sign == "}") {
			if (depth) {
				if (kind[depth] == "struct")
					end_struct()
				depth--
			}
			before = ""
		} else if (!round) {
			if (depth && kind[depth] == "struct" && before ~ /[A-Za-z0-9_)]/ && before !~ /^[ \t]*_Static_assert/)
				count[depth]++
			before = ""
		}
	}
	before = before text " "
}
END { print structs + 0 }
