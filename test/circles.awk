# circles.awk - files of a folder that use each other in turn, by their text.
#
# A file uses another one of its folder if it includes it, or names a function or variable that is defined there.  A header does so
# in the bodies of its inline functions; its declarations define and use nothing.  A header and the .c file of its name may use each
# other: there is the short way, and here the long one.
# Prints a line for each circle, and last how many files there are.
FNR == 1 {
	file = FILENAME
	folder[file] = file
	sub(/\/[^\/]*$/, "", folder[file])
	header = file ~ /\.h$/
	body = macro = 0
	pending = ""
	files++
}

function names(text,    name) {
	gsub(/"([^"\\]|\\.)*"/, "", text)
	gsub(/(struct|union|enum)[ \t]+dls_[A-Za-z0-9_]+/, "", text)
	while (match(text, /dls_[A-Za-z0-9_]+/)) {
		name = substr(text, RSTART, RLENGTH)
		if (RSTART == 1 || substr(text, RSTART - 1, 1) !~ /[A-Za-z0-9_]/)
			named[file, name]
		text = substr(text, RSTART + RLENGTH)
	}
}

/^[ \t]*#[ \t]*include[ \t]*"(lib|sched)\// {
	split($0, part, "\"")
	includes[file, part[2]]
	next
}
{ text = code($0) }
# What is defined: where its name begins in the first column, what follows is no declaration.
text ~ /^[A-Za-z_]/ && text !~ /^(typedef|extern|DLS_API)/ && (header ? text ~ /^static inline / : text !~ /^static /) {
	pending = ""
	if (match(text, /dls_[A-Za-z0-9_]+\(/))
		pending = substr(text, RSTART, RLENGTH - 1)
	else if (!header && match(text, /dls_[A-Za-z0-9_]+(\[[^]]*\])*( =.*|;|, dls_.*)?$/) && text !~ /^(struct|union|enum) [a-z0-9_]+( \{|;)/) {
		name = substr(text, RSTART)
		sub(/[^A-Za-z0-9_].*/, "", name)
		home[folder[file], name] = file
	}
}
text ~ /;[ \t]*$/ { pending = "" }
text ~ /^\{/ {
	if (pending != "")
		home[folder[file], pending] = file
	body = pending != "" || !header
	pending = ""
}
!header || body { names(text) }
text ~ /^\}/ { body = 0 }

function edge(from, to) {
	if (from == to || uses[from, to]++)
		return
	node[from]
	node[to]
	degree[from]++
	next_of[from, degree[from]] = to
}

# Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Computing 1(2):146-160, 1972.
function visit(v,    i, w, n, both, members) {
	low[v] = number[v] = ++visited
	stack[++height] = v
	waiting[v] = 1
	for (i = 1; i <= degree[v]; i++) {
		w = next_of[v, i]
		if (!number[w]) {
			visit(w)
			if (low[w] < low[v])
				low[v] = low[w]
		} else if (waiting[w] && number[w] < low[v]) {
			low[v] = number[w]
		}
	}
	if (low[v] != number[v])
		return
	do {
		w = stack[height--]
		waiting[w] = 0
		members = members (n++ ? ", " : "") w
	} while (w != v)
	both = members
	gsub(/\.[ch](, |$)/, " ", both)
	split(both, part, " ")
	if (n > 2 || (n == 2 && part[1] != part[2]))
		print members ": these files use each other in turn, by what they include or name"
}
END {
	for (pair in includes) {
		split(pair, at, SUBSEP)
		if ((at[2] in folder) && folder[at[1]] == folder[at[2]])
			edge(at[1], at[2])
	}
	for (pair in named) {
		split(pair, at, SUBSEP)
		if ((folder[at[1]], at[2]) in home)
			edge(at[1], home[folder[at[1]], at[2]])
	}
	for (v in node)
		if (!number[v])
			visit(v)
	print files + 0
}
