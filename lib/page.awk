# page.awk - completes a manual page of section 3 by what a header declares and says in comments:
#
#	awk -v include=include -f lib/page.awk man/dls_loop.3
#
# The page begins with a line `.\" header dls/loop.h`; a regular expression behind the header's name selects what is taken from it.
# The line `.\" synopsis` becomes the prototypes, `.\" functions` what the comments /** */ say, with the members of structures and
# the constants of enumerations.  In a comment, name() is a function, name(3) a page, DLS_NAME a constant, and `x` code.  A
# paragraph whose lines begin with a name and two blanks explains parameters.

function read_header(file, select,   got, line, doc, said, text, open) {
	while ((got = (getline line < file)) > 0) {
		if (line ~ /^\/\*\*/)
			doc = said = ""
		if (line ~ /^\/\*\*/ || said == "on") {
			said = line ~ /\*\/$/ ? "over" : "on"
			sub(/^\/\*\* ?/, "", line)
			sub(/^ \* ?/, "", line)
			sub(/ *\*\/$/, "", line)
			doc = doc line "\n"
		} else if (said == "over" && text == "" && line ~ /^(#|$)/) {
			if (line ~ /^#define DLS_/)
				declared(doc, line, select)
			else
				said = ""
		} else if (said == "over") {
			text = text line "\n"
			open = line ~ /[{].*};$/ ? 0 : text ~ /[{]/ ? line !~ /^}/ : line !~ /;$/
			if (!open) {
				declared(doc, text, select)
				text = ""
			}
		}
	}
	close(file)
	if (got < 0) {
		print "page.awk: cannot read " file | "cat >&2"
		exit 1
	}
}

# A declaration; several of one comment follow each other.
function declared(doc, text, select,   name, head) {
	head = text
	sub(/[{;].*/, "", head)
	gsub(/__attribute__\(\(.*\)\)|DLS_API |static inline /, "", head)
	gsub(/[[:space:]]+/, " ", head)
	sub(/ $/, "", head)
	if (head ~ /^#define/) {
		sub(/^#define /, "", head)
		if (head ~ /^[A-Z_0-9]+\(/)
			sub(/\).*/, ")", head)
		else
			sub(/ .*/, "", head)
	} else if (head ~ /^enum$/) {
		match(text, /DLS_[A-Z0-9_]+/)
		head = substr(text, RSTART, RLENGTH)
	}
	name = head
	if (name ~ /\(/)
		sub(/\(.*/, "", name)
	sub(/.*[ *]/, "", name)
	if (name ~ /^dls__|^$/ || (select != "" && name !~ "^(" select ")$"))
		return
	n++
	header_of[n] = header
	name_of[n] = name
	head_of[n] = head
	text_of[n] = text
	doc_of[n] = doc == last_doc ? "" : doc
	last_doc = doc
}

function is_function(i) { return head_of[i] ~ /\(/ }

function synopsis(   i, j, type, k, arg, line, past) {
	for (i = 1; i <= n; i++) {
		if (i == 1 || header_of[i] != header_of[i - 1])
			print ".In " header_of[i]
		if (is_function(i)) {
			type = substr(head_of[i], 1, index(head_of[i], "(") - length(name_of[i]) - 1)
			line = substr(head_of[i], index(head_of[i], "(") + 1)
			sub(/\)$/, "", line)
			k = arguments(line, arg)
			line = ".Fn " name_of[i]
			for (j = 1; j <= k; j++) {
				while (match(arg[j], /\)\(.*\*[a-z_]+[,)]/)) {	# a parameter of a parameter has no name
					past = RSTART + RLENGTH - 1
					match(substr(arg[j], 1, past - 1), /[a-z_]+$/)
					arg[j] = substr(arg[j], 1, RSTART - 1) substr(arg[j], past)
				}
				line = line " \"" arg[j] "\""
			}
			sub(/ $/, "", type)
			if (type != "")
				print ".Ft " (type ~ / / ? "\"" type "\"" : type)
			print line
		}
	}
}

# Splits at commas outside of parentheses.
function arguments(line, arg,   i, c, depth, k) {
	k = 1
	arg[1] = ""
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		depth += (c == "(") - (c == ")")
		if (c == "," && !depth) {
			arg[++k] = ""
			i++
		} else {
			arg[k] = arg[k] c
		}
	}
	return k
}

function functions(   i, j, line) {
	print ".Bl -tag -width Ds"
	for (i = 1; i <= n; i++) {
		if (doc_of[i] == "" && i > 1)
			continue
		line = ".It " title(i)
		for (j = i + 1; j <= n && doc_of[j] == ""; j++)
			line = line " , " title(j)
		print line
		paragraphs(doc_of[i])
		for (j = i; j <= n && (j == i || doc_of[j] == ""); j++)
			if (!is_function(j) && text_of[j] ~ /[{]/ && head_of[j] ~ /^(struct|enum) /) {
				members(text_of[j])
			}
	}
	print ".El"
}

function title(i,   kind) {
	if (is_function(i))
		return "Fn " name_of[i]
	if (head_of[i] == name_of[i])
		return constants(i)
	kind = head_of[i]
	sub(/ .*/, "", kind)
	return "Vt \"" kind " " name_of[i] "\""
}

# Constants with their values.
function constants(i,   text, all) {
	text = text_of[i]
	while (text ~ /^enum/ && match(text, /DLS_[A-Z0-9_]+ = [^,} ]+/)) {
		all = all (all == "" ? "" : "\n.It ") "Dv " substr(text, RSTART, RLENGTH)
		text = "enum" substr(text, RSTART + RLENGTH)
	}
	if (all == "") {
		sub(/^#define [A-Z0-9_]+[[:space:]]+/, "", text)
		sub(/[[:space:]]*(\/\*.*)?$/, "", text)
		all = "Dv " name_of[i] " = " text
	}
	return all
}

# A paragraph for each of the comment's, for the result, the threads and the source.
function paragraphs(doc,   part, k, i, piece, m, j, any) {
	gsub(/\n(Returns?|Threads:|Source:)/, "\n&", doc)
	gsub(/\n\n\n+/, "\n\n", doc)
	k = split(doc, part, /\n\n/)
	for (i = 1; i <= k; i++) {
		sub(/^\n+/, "", part[i])
		if (part[i] ~ /^[a-z_*][a-z_0-9*, ]*  +[^ ]/) {
			parameters(part[i])
			any = 1
			continue
		}
		gsub(/  (Returns?|Threads:|Source:)/, "\n\n&", part[i])
		m = split(part[i], piece, /\n\n/)
		for (j = 1; j <= m; j++) {
			sub(/^[ \n]+/, "", piece[j])
			if (piece[j] == "")
				continue
			if (any++)
				print ".Pp"
			sentences(piece[j])
		}
	}
}

function parameters(text,   line, k, i, name, what) {
	print ".Bl -tag -width Ds -compact"
	k = split(text, line, "\n")
	for (i = 1; i <= k; i++) {
		if (line[i] ~ /^[a-z_*][a-z_0-9*, ]*  +[^ ]/) {
			if (what != "")
				block(what)
			name = what = line[i]
			sub(/  .*/, "", name)
			sub(/^[a-z_*][a-z_0-9*, ]*  +/, "", what)
			gsub(/, /, " , ", name)
			print ".It Fa " name
		} else {
			what = what "\n" line[i]
		}
	}
	block(what)
	print ".El"
}

# Text with lines among it of a name, a tab and what it means.
function block(text,   line, k, i, name, what, list) {
	k = split(text, line, "\n")
	what = line[1]
	for (i = 2; i <= k; i++) {
		if (line[i] !~ /^[[:space:]]+[a-z][^\t]*\t+[^\t]/) {
			if (list && line[i] !~ /\t/) {
				sentences(what)
				print ".El"
				list = 0
				what = line[i]
			} else {
				what = what "\n" line[i]
			}
			continue
		}
		sentences(what)
		if (!list++)
			print ".Bl -tag -width Ds -compact"
		name = what = line[i]
		sub(/^[[:space:]]+/, "", name)
		sub(/\t.*/, "", name)
		sub(/^[[:space:]]+[^\t]*\t+/, "", what)
		print ".It " name
	}
	sentences(what)
	if (list)
		print ".El"
}

# The members of a structure, the constants of an enumeration, each with its comment.
function members(text,   line, k, i, what, name) {
	if (text !~ /\n./) {
		gsub(/^[^{]*\{ *| *\};.*/, "", text)
		gsub(/, */, ",\n", text)
	} else {
		sub(/^[^\n]*\n/, "", text)
		sub(/\n\};\n$/, "", text)
	}
	k = split(text, line, "\n")
	print ".Bl -tag -width Ds -compact"
	for (i = 1; i <= k; i++) {
		if (line[i] !~ /^[[:space:]]*\*/) {
			if (what != "")
				sentences(what)
			name = what = line[i]
			sub(/[[:space:]]*\/\*.*/, "", name)
			gsub(/^[[:space:]]+|[;,]$/, "", name)
			if (!sub(/.*\/\*/, "", what))
				what = ""
			if (name == "")
				what = "\n" what
			else if (name ~ /^DLS_/) {
				print ".It Dv " name
			} else
				print ".It Vt \"" name "\""
		} else {
			sub(/^[[:space:]]*\*/, "", line[i])
			what = what "\n" line[i]
		}
		sub(/[[:space:]]*\*\/.*/, "", what)
	}
	if (what != "")
		sentences(what)
	print ".El"
}

function sentences(text,   line, k, i) {
	gsub(/\.[[:space:]]*\n[[:space:]]*/, ".  ", text)
	gsub(/[[:space:]]*\n[[:space:]]*/, " ", text)
	gsub(/^ +| +$/, "", text)
	gsub(/\.  /, ".\n", text)
	k = split(text, line, "\n")
	for (i = 1; i <= k; i++)
		marked(line[i])
}

# A line of text, word by word: what has a macro stands on a line of its own.
function marked(line,   word, k, i, open, tail, held, w) {
	gsub(/\\/, "\\e", line)
	k = split(line, word, / +/)
	held = ""
	for (i = 1; i <= k; i++) {
		w = word[i]
		open = tail = ""
		while (gsub(/`/, "`", w) % 2 && i < k)	# code of several words
			w = w " " word[++i]
		if (w ~ /^\(/ && w !~ /^\([^)]*\)$/) {
			open = "( "
			w = substr(w, 2)
		}
		while (w ~ /[.,;:]$/ || (w ~ /\)$/ && w !~ /\(/) || w ~ /\)\)$/) {
			tail = " " substr(w, length(w)) tail
			w = substr(w, 1, length(w) - 1)
		}
		if (w ~ /\([137]\)$/ && index(FILENAME, "/" substr(w, 1, length(w) - 3) "." substr(w, length(w) - 1, 1)))
			w = "this page"
		if (w ~ /^dls[a-z_0-9]*\([137]\)$/)
			w = ".Xr " open substr(w, 1, length(w) - 3) " " substr(w, length(w) - 1, 1) tail
		else if (w ~ /^dls_[a-z_0-9]*\(\)$/)
			w = ".Fn " open substr(w, 1, length(w) - 2) tail
		else if (w ~ /^(DLS_[A-Z0-9_]+|NULL|UINT64_MAX|INT64_MAX|NAN)$/)
			w = ".Dv " open w tail
		else if (w ~ /^`.*`$/)
			w = ".Ql " open quoted(substr(w, 2, length(w) - 2)) tail
		else {
			held = held (held == "" ? "" : " ") word_of(open, w, tail)
			continue
		}
		flush(held)
		held = ""
		print w
	}
	flush(held)
}
function word_of(open, w, tail) {
	gsub(/ /, "", open)
	gsub(/ /, "", tail)
	return open w tail
}
function quoted(w) { return w ~ / / ? "\"" w "\"" : w }
function flush(held) {
	if (held ~ /^[.']/)
		held = "\\&" held
	if (held != "")
		print held
}

/^\.\\" header / {
	header = $3
	read_header(include "/" $3, $4)
	next
}
$0 == ".\\\" synopsis" { synopsis(); next }
$0 == ".\\\" functions" { functions(); next }
{ print }
