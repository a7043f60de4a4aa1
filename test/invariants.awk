# invariants.awk - invariants are stated once, and named by the file that states them.
#
# " * T1: ..." in a comment states T1.  A comment names it T1 in the same file, or in the header or .c file of the same name, and
# tickets.T1 elsewhere.  dls_internals(7), the last argument, lists which file states which.
# Prints the findings, and last how many invariants there are.
FNR == 1 {
	stem = FILENAME
	sub(/\.[a-z]+$/, "", stem)
	base = stem
	sub(/.*\//, "", base)
}

FILENAME ~ /\.7$/ {
	if (!/^\.It Pa .* Pq /)
		next
	gsub(/\\&|,/, "")
	path = $3
	first = $5
	last = $NF
	letter = substr(first, 1, 1)
	for (n = substr(first, 2) + 0; n <= substr(last, 2) + 0; n++)
		listed[path, letter n] = FNR
	page = FILENAME
	next
}
{
	text = comments($0)
	if (text == "")
		next
	if (match($0, /^ \* [A-Z][1-9]: /)) {
		name = substr($0, 4, 2)
		states[FILENAME, name]
		of_stem[stem, name]
		of_base[base, name]
		count++
	}
	while (match(text, /([a-z][a-z0-9_]*\.)?[A-Z][1-9]/)) {
		name = substr(text, RSTART, RLENGTH)
		alone = substr(text, RSTART + RLENGTH, 1) !~ /[A-Za-z0-9_.*\/]/ || substr(text, RSTART + RLENGTH, 2) ~ /^\.($|[^A-Za-z0-9])/
		if (RSTART > 1 && substr(text, RSTART - 1, 1) ~ /[-A-Za-z0-9_.]/)
			alone = 0
		text = substr(text, RSTART + RLENGTH)
		if (alone) {
			uses[++used] = name
			where[used] = FILENAME ":" FNR
			from[used] = stem
		}
	}
}
END {
	for (i = 1; i <= used; i++) {
		name = uses[i]
		if ((n = index(name, ".")) == 0) {
			if (!((from[i], name) in of_stem))
				print where[i] ": " name " is not stated here; FILE." name " names one that is stated elsewhere"
		} else if (!((substr(name, 1, n - 1), substr(name, n + 1)) in of_base)) {
			print where[i] ": no file " substr(name, 1, n - 1) " states " substr(name, n + 1)
		}
	}
	for (pair in states) {
		split(pair, at, SUBSEP)
		if (at[1] ~ /^(lib|sched)\// && !((at[1], at[2]) in listed))
			print page ": " at[1] " states " at[2]
	}
	for (pair in listed) {
		split(pair, at, SUBSEP)
		if (!((at[1], at[2]) in states))
			print page ":" listed[pair] ": " at[1] " does not state " at[2]
	}
	print count + 0
}
