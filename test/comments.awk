# comments.awk - lines of C with their comments taken out, or these alone; read before the program that asks.
FNR == 1 { comment = 0 }

# The line without comments.
function code(text,    at, kept) {
	for (;;) {
		if (comment) {
			if (!(at = index(text, "*/")))
				return kept
			text = substr(text, at + 2)
			comment = 0
		}
		if (!(at = index(text, "/*")))
			return kept text
		kept = kept substr(text, 1, at - 1)
		text = substr(text, at + 2)
		comment = 1
	}
}

# The comments of a line.
function comments(text,    at, kept) {
	for (;;) {
		if (!comment) {
			if (!(at = index(text, "/*")))
				return kept
			text = substr(text, at + 2)
			comment = 1
		}
		if (!(at = index(text, "*/")))
			return kept " " text
		kept = kept " " substr(text, 1, at - 1)
		text = substr(text, at + 2)
		comment = 0
	}
}
