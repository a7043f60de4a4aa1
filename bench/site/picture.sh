#!/bin/sh
# picture.sh - pictures of a report in HTML as one SVG that stands alone, for README and the site's start.
#
#	DLS_SCHEDULE=static DLS_REPORT=report.html ./a.out
#	bench/site/picture.sh report.html 'Chunks of each worker over time' 'Every schedule' >bench/site/report.svg
#
# Pictures are named by their aria-label, and stand one below the other, each below its name, in the page's
# own style, light or dark.
# Exit status: 1 if the report has no such picture.
set -eu
report=$1
shift
for label; do printf '%s\n' "$label"; done | awk '
	FILENAME == "-" { wanted[++n] = $0; next }
	/^<style>/ { on = 1; next }
	/^<\/style>/ { on = 0; next }
	# What the style says of pictures: from what is at the end of an axis on, and of the dark.
	on && /^([.]end|dt|@media)/ { kept = /^[.]end/ || /prefers-color-scheme: dark/ }
	on && kept { style = style $0 "\n" }
	/^<svg / { width = $5; high = $6 + 0; next }
	/^aria-label=/ { gsub(/^aria-label="|">$/, ""); label = $0; height[label] = high; next }
	/^<\/svg>/ { label = "" }
	label != "" { part[label] = part[label] $0 "\n" }
	END {
		for (i = 1; i <= n; i++) {
			if (!(wanted[i] in part)) {
				print "picture.sh: the report has no picture \"" wanted[i] "\"" >"/dev/stderr"
				exit 1
			}
			picture = picture sprintf("<text class=\"strong\" x=\"82\" y=\"%d\">%s</text>\n", all + 22, wanted[i])
			picture = picture sprintf("<g transform=\"translate(0 %d)\">\n%s</g>\n", all + 34, part[wanted[i]])
			all += 34 + height[wanted[i]]
		}
		printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\"", width, all
		printf " viewBox=\"0 0 %d %d\" role=\"img\">\n", width, all
		printf "<style>\nsvg { font: 12px system-ui, sans-serif; fill: #1a1a1a; background: #fff }\n%s", style
		printf "@media (prefers-color-scheme: dark) { svg { background: #16181c } }\n</style>\n%s</svg>\n", picture
	}' - "$report"
